"""`cardroom replay FILE`: plays a finished match from a file, in words, step by step.

In a terminal it waits for a key after each step; otherwise it prints all steps. Exit codes: 0 done · 2 a wrong argument
· 65 the file can't be read, isn't an exported match, or its log makes no sense · 69 its game isn't installed. It
needs no settings, no token and no database, and asks nobody. The launcher starts it as a process of its own, because
the presenters are in this package.

The file may come from a stranger. Nothing out of it that could steer a terminal is printed.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.games import GAMES, PACKAGES
from bot.languages import DEFAULT_LANGUAGE
from bot.ops import game_packages
from bot.play.deals.match_export import MOST_BYTES, ExportedMatch, NotAnExportError, read
from bot.ui.catalogue import translations
from bot.ui.screen import Section, Text
from cogs.game_registry import GameRegistry
from cogs.replays.marked_text import Kind, lines_of
from cogs.replays.replay import Eyes, Replay, read_eyes
from cogs.replays.told_step import ToldStep, tell
from cogs.screens.presenter import Presenter, Reader

EXIT_ARGUMENT: Final = 2
"""As argparse has it."""
EXIT_DATA: Final = 65
"""sysexits.h: EX_DATAERR."""
EXIT_MISSING_GAME: Final = 69
"""sysexits.h: EX_UNAVAILABLE."""

STANDARD_INPUT: Final = "-"
_EVER: Final = 2**62
"""A moment at which every deal of the day is open: a file is written only once it is."""
_EYES: Final = {"all": "a", "board": "b"}
_MARKS: Final = {Kind.HEADING: "", Kind.SMALL: "", Kind.QUOTE: "| ", Kind.POINT: "- ", Kind.PLAIN: ""}


class UnreadableReplay(Exception):  # noqa: N818  says what was found
    """A file is no match that can be shown; the text is for the person who asked."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(prog="cardroom replay")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--eyes", metavar="SEAT", default="all")
    arguments = parser.parse_args(argv)
    left_out = {each.name: str(each) for each in game_packages.load()}
    try:
        told = _opened(arguments.file, arguments.eyes, left_out)
        if arguments.file != STANDARD_INPUT and sys.stdin.isatty() and sys.stdout.isatty():
            _go_through(told)
        else:
            for number in range(told.replay.last + 1):
                _show(told, number)
    except UnreadableReplay as error:
        print(f"cardroom: {_plain(str(error))}", file=sys.stderr)
        return error.code
    except BrokenPipeError:  # its reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


@dataclass(frozen=True, slots=True)
class _Showing:
    """A match that is shown, and through whose eyes."""

    replay: Replay
    presenter: Presenter
    reader: Reader
    eyes: Eyes

    def told(self, number: int) -> ToldStep:
        """A step. Raises UnreadableReplay where the log makes no sense."""
        try:
            return tell(self.replay, self.presenter, self.reader, number, self.eyes)
        except Exception:  # noqa: BLE001  a made-up log may lead to any state
            why = f"step {number} makes no sense by the rules of this program"
        raise UnreadableReplay(why, EXIT_DATA)


class _Registry(GameRegistry):
    """Takes the presenters that the cogs register, and leaves out their commands, which are for Discord alone."""

    def __init__(self) -> None:
        self.presenters = {}

    def register(self, key: str, presenter: Presenter, commands: object = None) -> None:  # noqa: ARG002  see above
        """Register a game's presenter."""
        self.presenters[key] = presenter


def _opened(file: str, eyes: str, left_out: dict[str, str]) -> _Showing:
    """The match of a file. Raises UnreadableReplay."""
    match = _read(file)
    game, seats = match.row.game, len(match.row.seats)
    if game not in GAMES:
        reason = f": {left_out[game]}" if game in left_out else ""
        raise UnreadableReplay(f"{file}: the game {game} isn't installed here{reason}", EXIT_MISSING_GAME)
    try:
        seen = read_eyes(_EYES.get(eyes, eyes if eyes.isdecimal() else ""), seats)
    except ValueError:
        raise UnreadableReplay(f"--eyes: all, board, or a seat from 0 to {seats - 1}", EXIT_ARGUMENT) from None
    try:
        replay = Replay(match.row, match.records, match.result, _EVER)
    except Exception:  # noqa: BLE001  a made-up log may contain anything
        raise UnreadableReplay(f"{file}: its log can't be read", EXIT_DATA) from None
    words = translations(DEFAULT_LANGUAGE)
    names = tuple([words("replay_file.seat", number=seat) for seat in range(seats)])
    return _Showing(replay, _presenter(game), Reader(words, names), seen)


def _read(file: str) -> ExportedMatch:
    try:
        if file == STANDARD_INPUT:
            return read(sys.stdin.buffer.read(MOST_BYTES + 1))
        with Path(file).open("rb") as opened:
            return read(opened.read(MOST_BYTES + 1))
    except OSError as error:
        raise UnreadableReplay(f"{file}: {error.strerror}", EXIT_DATA) from None
    except NotAnExportError as error:
        raise UnreadableReplay(f"{file}: not an exported match: {error}", EXIT_DATA) from None


def _presenter(game: str) -> Presenter:
    registry = _Registry()
    importlib.import_module(PACKAGES[game].cog).setup(registry)
    return registry.presenters[game]


# ---------------------------------------------------------------------------------------------- in the terminal


def _go_through(showing: _Showing) -> None:
    """Show a step, and wait for what to do next, until the person has seen the end or goes."""
    number, last = 0, showing.replay.last
    while number <= last:
        _show(showing, number)
        typed = _asked(showing.reader.words("replay_file.keys"))
        if typed.startswith("q"):
            return
        number = max(0, number - 1) if typed.startswith("b") else number + 1


def _asked(keys: str) -> str:
    """What the person types, in small letters; q at the end of the input, and for Ctrl-C."""
    print(f"{keys} > ", end="", flush=True)
    try:
        typed = sys.stdin.readline()
    except KeyboardInterrupt:
        typed = ""
    if not typed:
        _say("")
    return typed.strip().lower() if typed else "q"


def _show(showing: _Showing, number: int) -> None:
    told = showing.told(number)
    for line in _lines(showing, told):
        _say(line)
    _say("")


def _lines(showing: _Showing, told: ToldStep) -> Iterator[str]:
    reader = showing.reader
    if told.number == 0:
        title = reader.words(
            "board.title",
            game=showing.replay.game.info.title,
            players=reader.words("board.versus").join(reader.names),
        )
        yield from (title, "")
    step = reader.words("replay_file.step", number=told.number)
    yield from (step, "-" * len(step))
    yield from _written([Text(line) for line in told.news], "")
    yield from _written(told.board, "  ")
    for name, hand in zip(reader.names, told.hands, strict=True):
        if hand:
            yield f"  {reader.words('replay_file.sees', player=name)}:"
            yield from _written(hand, "    ")
    if told.ending:
        yield ""
        yield from _written([Text(line) for line in told.ending], "")


def _written(sections: Sequence[Section], margin: str) -> Iterator[str]:
    for section in sections:
        yield from (f"{margin}{_MARKS[line.kind]}{line.plain}" for line in lines_of(section))


def _plain(text: str) -> str:
    """A text without what could steer a terminal or turn a line around."""
    return "".join([each if each.isprintable() else ascii(each)[1:-1] for each in text])


def _say(line: str) -> None:
    """Print a line. What the terminal's encoding lacks is written as an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    print(_plain(line).encode(encoding, "backslashreplace").decode(encoding))


if __name__ == "__main__":
    sys.exit(main())
