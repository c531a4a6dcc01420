"""Whole matches that are kept: what was done, and for each act a digest of what followed and what everybody then knew.

`laws.suite` plays the acts of each file again and compares every digest. A match is found for each ending that has no
file yet by ::

    python -m laws.golden tests.games.test_haymaker

which is the module that holds the game's case as `CASE` (`package.module:NAME` for another name). Only that game's
files are written. When the rules have changed on purpose, `--replace` writes all of them.

`--show ENDING` prints the match of a file as text that can be read, as today's rules play it. Read what you commit; to
see what a change of the rules did to a match, print it before and after.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from engines.game import IllegalAction, Seat, fold
from laws.case import CaseError, GameCase, Search, load_case
from laws.play import Deal, MatchLog, Odds, random_match

Acts = list[tuple[Seat | None, Any]]

SHORTEST: Final = 8
"""Acts of a match in which something has happened; a shorter one is taken where none is found."""
TRIES: Final = 20_000
SECONDS: Final = 60.0
"""How many matches are looked at for an ending, and for how long (s)."""
PATIENCE: Final = 300
"""Matches after which a very short one is taken."""

DIGITS: Final = 12
"""Hexadecimal digits of a digest."""

_BEGINS: Final = "begins"
"""The line before the first act has this word for it."""


# ---------------------------------------------------------------------------------------------- transcripts


def file_of(case: GameCase, ending: str) -> Path:
    """The file of a game's match with this ending."""
    return case.golden_folder / f"{case.key}-{ending.replace('_', '-')}.txt"


def files_of(case: GameCase) -> list[Path]:
    """The transcripts of a game that are there."""
    return sorted(case.golden_folder.glob(f"{case.key}-*.txt"))


@dataclass(frozen=True, slots=True)
class _Step:
    """One act as text, with lines about it: what followed, and what everybody then knew."""

    act: str
    lines: list[str]

    @property
    def kept(self) -> str:
        """The step as a line of a file."""
        text = "\n".join(self.lines).encode()
        return f"{hashlib.sha256(text).hexdigest()[:DIGITS]} {self.act}"


def transcript(case: GameCase, deal: Deal, acts: Acts) -> str:
    """A match as text to be read. Raises IllegalAction where the rules refuse an act."""
    head, steps, outcome = _played(case, deal, acts)
    texts = ("\n".join([f"> {step.act}", *(f"  {line}" for line in step.lines)]) for step in steps)
    return "\n\n".join([head, *texts, outcome]) + "\n"


def kept(case: GameCase, deal: Deal, acts: Acts) -> str:
    """A match as its file has it. Raises IllegalAction where the rules refuse an act."""
    head, steps, outcome = _played(case, deal, acts)
    return "\n\n".join([head, "\n".join(step.kept for step in steps), outcome]) + "\n"


def read(case: GameCase, text: str) -> tuple[Deal, Acts]:
    """The match of a file: how it was dealt, and who did what."""
    lines, steps, _ = text.split("\n\n")
    head = dict(line.split(": ", 1) for line in lines.splitlines())
    if head["options"] not in case.settings:
        raise case.error(f"a transcript was played at {head['options']!r}, which is no preset and not in `variants`")
    deal = Deal(case.game, case.settings[head["options"]], int(head["seats"]), bytes.fromhex(head["seed"]))
    acts = [line.split(" ", 1)[1].split(": ", 1) for line in steps.splitlines()[1:]]
    return deal, [
        (None if who == "clock" else int(who.removeprefix("seat ")), deal.game.read(act)) for who, act in acts
    ]


def it_is_played_again(case: GameCase, text: str) -> None:
    """The match of a file is played act by act as it was."""
    try:
        played = kept(case, *read(case, text))
    except (IllegalAction, ValueError) as refused:
        played = f"an act is refused: {refused}"
    difference = next(
        ((old, new) for old, new in zip_longest(text.splitlines(), played.splitlines()) if old != new), None
    )
    assert difference is None, (
        f"the rules of {case.key} play a kept match otherwise ({difference}); `python -m laws.golden CASE --show "
        "ENDING` prints it, here and on the commit before; if you meant to change the rules, raise their "
        "`rules_version` and keep what is running as docs/changing-rules.md says, then write the matches again "
        "(`--replace`) and read them"
    )


def _played(case: GameCase, deal: Deal, acts: Acts) -> tuple[str, list[_Step], str]:
    """A match's head, its steps and its outcome."""
    game = deal.game
    setting = next(name for name, options in case.settings.items() if options == deal.options)
    head = {
        "game": game.info.key,
        "rules": game.info.rules_version,
        "options": setting,
        "seats": deal.seats,
        "seed": deal.seed.hex(),
    }
    state, opening = deal.open()
    steps = [_Step(_BEGINS, [*map(show, opening), *_known(deal, state)])]
    for seq, (actor, action) in enumerate(acts, start=1):
        events = game.decide(state, actor, action, deal.chance(seq))
        state = fold(game, state, events)
        act = f"{'clock' if actor is None else f'seat {actor}'}: {game.write(action)}"
        steps.append(_Step(act, [*map(show, events), *_known(deal, state)]))
    return "\n".join(f"{name}: {value}" for name, value in head.items()), steps, f"outcome: {show(game.outcome(state))}"


def _known(deal: Deal, state: Any) -> Iterator[str]:
    game = deal.game
    yield f"all: {show(game.observe_public(state))}"
    for seat in range(deal.seats):
        yield f"seat {seat}: {show(game.observe(state, seat).own)}"
    window = game.window(state)
    if window is not None:
        timers = ", ".join(f"{timer.name} {timer.key} {show(timer.length)}" for timer in window.timers)
        yield f"window {window.number}: asks {show(window.may_act)}, awaits {show(window.awaited)}, {timers}"


def show(value: Any) -> str:
    """A value in short: cards by their codes, empty fields left out."""
    if isinstance(value, Enum):
        return str(value.value)
    if is_dataclass(value) and not isinstance(value, type):
        code = getattr(value, "code", None)
        return code if isinstance(code, str) else _fields(value)
    if isinstance(value, tuple):
        return "[" + " ".join(show(item) for item in value) + "]"
    if isinstance(value, frozenset):
        return "[" + " ".join(str(item) for item in sorted(value)) + "]"
    return str(value)


def _fields(value: Any) -> str:
    shown = [(field.name, getattr(value, field.name)) for field in fields(value)]
    return " ".join([type(value).__name__, *(f"{name}={show(item)}" for name, item in shown if item not in ((), None))])


# ---------------------------------------------------------------------------------------------- finding matches


@dataclass(frozen=True, slots=True)
class Bound:
    """How long to look for a match: the most matches, and the most seconds."""

    tries: int = TRIES
    seconds: float = SECONDS


class NotFound(LookupError):  # noqa: N818  an answer
    """Raised where no match with an ending was found that can be kept. Its text says what to do."""


def find(case: GameCase, ending: str, bound: Bound = Bound()) -> MatchLog:
    """A match by chance that ends so: the first of `SHORTEST` to `longest_golden` acts, else the longest below.

    It is looked for where the case says; after half of the bound at all settings and numbers of seats. Raises NotFound.
    """
    begun, best, shortest, tried = time.monotonic(), None, None, 0
    for tried in range(1, bound.tries + 1):
        spent = max(tried / bound.tries, (time.monotonic() - begun) / bound.seconds)
        if spent > 1:
            break
        log = _attempt(case, ending, tried, everywhere=spent > 0.5)
        outcome = case.game.outcome(log.states[-1])
        if outcome is None or outcome.kind != ending:
            continue
        length = len(log.moves)
        shortest = length if shortest is None else min(shortest, length)
        if SHORTEST <= length <= case.longest_golden:
            return log
        if length < SHORTEST and (best is None or length > len(best.moves)):
            best = log
        if best is not None and tried >= PATIENCE:
            break
    if best is not None:
        return best
    raise NotFound(_why(case, ending, tried, shortest))


def _why(case: GameCase, ending: str, tried: int, shortest: int | None) -> str:
    begun = f"{case.key}: no match that ends by {ending!r} was found among {tried} that were played by chance"
    if shortest is None:
        return f"{begun}; say in `golden_searches=` of its GameCase where such matches are met."
    return (
        f"{begun} and has at most {case.longest_golden} acts; the shortest has {shortest}. Raise `longest_golden=` of "
        "its GameCase, or say in `golden_searches=` where shorter ones are met."
    )


def _attempt(case: GameCase, ending: str, number: int, *, everywhere: bool) -> MatchLog:
    """The match with this number in a search."""
    rng = random.Random(number)
    if everywhere:
        setting, seats = case.setups[number % len(case.setups)]
        odds = rng.choice((Odds(), Odds(time=0.03, resign=0.03), Odds(time=0.3), Odds(time=0.9)))
    else:
        setting, seats, odds = _usual(case, ending)
    return random_match(case.deal(setting, seats, rng), rng, odds)


def _usual(case: GameCase, ending: str) -> tuple[str, int, Odds]:
    """Where a match with an ending is looked for first."""
    search = case.golden_searches.get(ending, Search())
    setting = search.setting or next(iter(case.settings))
    seats = search.seats or min(seats for name, seats in case.setups if name == setting)
    left = ending in ("time", "resignation")
    return setting, seats, search.odds or (Odds(time=0.03, resign=0.03) if left else Odds())


# ---------------------------------------------------------------------------------------------- the command


def write(case: GameCase, *, replace: bool = False, bound: Bound = Bound()) -> tuple[list[Path], list[str]]:
    """Write the missing transcripts, or all if `replace`. Returns those it wrote, and what it did not find."""
    case.golden_folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    missing: list[str] = []
    for ending in case.endings:
        file = file_of(case, ending)
        if file.exists() and not replace:
            continue
        try:
            log = find(case, ending, bound)
        except NotFound as none:
            missing.append(str(none))
            continue
        acts = [(move.actor, move.action) for move in log.moves]
        file.write_text(kept(case, log.deal, acts), encoding="utf-8")
        written.append(file)
    return written, missing


def main(arguments: Sequence[str] | None = None) -> int:
    """Write one game's matches, or print one. 1 where one is missing, 2 where there is no case."""
    parser = argparse.ArgumentParser(prog="python -m laws.golden", description="The kept matches of one game.")
    parser.add_argument("case", help="where its case is: package.module, or package.module:NAME")
    parser.add_argument("--replace", action="store_true", help="write also those that exist")
    parser.add_argument("--show", metavar="ENDING", help="print the match that ends so, and write nothing")
    parser.add_argument("--tries", type=int, default=TRIES, help="most matches played for an ending (%(default)s)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="longest time for an ending (%(default)s)")
    given = parser.parse_args(arguments)
    try:
        case = load_case(given.case)
    except CaseError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if given.show is not None:
        return _show(file_of(case, given.show), case)
    written, missing = write(case, replace=given.replace, bound=Bound(given.tries, given.seconds))
    for file in written:
        sys.stdout.write(f"wrote {file}\n")
    for sentence in missing:
        sys.stderr.write(f"{sentence}\n")
    return 1 if missing else 0


def _show(file: Path, case: GameCase) -> int:
    """Print the match of a file. 1 where it is missing."""
    if not file.exists():
        sys.stderr.write(f"there is no {file}\n")
        return 1
    sys.stdout.write(transcript(case, *read(case, file.read_text(encoding="utf-8"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
