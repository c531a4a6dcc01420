"""A replay as one HTML file: it has everything in it, loads nothing, and works without a network.

The page gets the match as data, and its script puts every text into text nodes. Its content security policy allows the
one style and the one script by their hashes, and nothing else: no request, no other script, no form. It begins with the
deal and shows neither a hand, the ending, nor how long the match was until its reader asks.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final

from bot.ui.screen import Section, Text
from cogs.replays.marked_text import Kind, Line, lines_of, read_lines
from cogs.replays.replay import Eyes, Replay
from cogs.replays.told_step import tell
from cogs.screens.presenter import Presenter, Reader, told_terms

_BOLD, _ITALIC, _CARD = "\ue000", "\ue001", "\ue002"
_KINDS: Final = {
    Kind.PLAIN: "",
    Kind.SMALL: "\ue003",
    Kind.HEADING: "\ue004",
    Kind.QUOTE: "\ue005",
    Kind.POINT: "\ue006",
}
"""What begins and ends a piece, and says what a line is: characters of private use, which no name and no card has."""
_PRIVATE: Final = dict.fromkeys(range(0xE000, 0xE007))


def replay_page(replay: Replay, presenter: Presenter, reader: Reader) -> bytes:
    """The page, in UTF-8. The reader has no seat, and their names are safe names.

    A long match takes a second of the processor, so the page should not be made in an event loop.
    """
    words = reader.words
    title = _plain(words("board.title", game=replay.game.info.title, players=words("board.versus").join(reader.names)))
    style, script = _part("viewer.css"), _part("viewer.js")
    text = {
        "language": words.tag,
        "direction": words.locale.text_direction,
        "policy": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; "
        "form-action 'none'",
        "title": title,
        "noscript": words("replay_page.no_script"),
        "ended": words("replay_page.ended"),
        "steps": words("replay_page.steps"),
        **{name: words(f"replay_page.{name}") for name in ("first", "back", "next", "last", "eyes")},
    }
    html = {
        "footer": "".join([f"<p>{escape(line)}</p>\n" for line in _about(replay, presenter, reader)]),
        "choices": _choices(reader),
        "style": style,
        "script": script,
        "data": _packed(_data(replay, presenter, reader)),
    }
    return _part("viewer.html").format(**{name: escape(value) for name, value in text.items()}, **html).encode()


@cache
def _part(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text("utf-8")


def _hash(text: str) -> str:
    """A source expression for a content security policy (https://www.w3.org/TR/CSP3/#grammardef-hash-source)."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _about(replay: Replay, presenter: Presenter, reader: Reader) -> Iterable[str]:
    """What the match was played by, in lines without markup."""
    for term in told_terms(presenter, replay.row.game, replay.options, reader):
        yield from (line.plain for line in read_lines(term))
    day = reader.words.date(replay.row.opened_at)
    about = {"code": replay.id, "rules": replay.row.rules_version, "day": day}
    yield reader.words("replay_page.footer", **about)


def _choices(reader: Reader) -> str:
    words = reader.words
    players = [words("replay_page.eyes_of", player=_plain(name)) for name in reader.names]
    choices = {"b": words("replay_page.board"), **{str(seat): each for seat, each in enumerate(players)}}
    choices["a"] = words("replay_page.all_hands")
    return "".join([f'<option value="{value}">{escape(text)}</option>' for value, text in choices.items()])


def _packed(data: dict[str, Any]) -> str:
    """The data as the page's script reads it: JSON, deflated, in base64. A long match takes a tenth of the room."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return b64encode(zlib.compress(text.encode(), 9)).decode()


def _plain(marked: str) -> str:
    return " ".join([line.plain for line in read_lines(marked)])


# ---------------------------------------------------------------------------------------------- the match as data


class _Numbers:
    """Values that are written once and then named by their numbers."""

    def __init__(self) -> None:
        self.of: dict[Any, int] = {}

    def number(self, value: Any) -> int:
        """The number of a value."""
        return self.of.setdefault(value, len(self.of))


def _data(replay: Replay, presenter: Presenter, reader: Reader) -> dict[str, Any]:
    words, texts, blocks = reader.words, _Numbers(), _Numbers()
    eyes = Eyes.all_hands(len(reader.names))

    def block(sections: Iterable[Section]) -> int:
        return blocks.number(
            tuple([texts.number(_written(line)) for section in sections for line in lines_of(section)])
        )

    steps, ending = [], 0
    for number in range(replay.last + 1):
        told = tell(replay, presenter, reader, number, eyes)
        news = block([Text(line) for line in told.news])
        steps.append([news, block(told.board), *map(block, told.hands)])
        ending = block([Text(line) for line in told.ending])
    return {
        "words": {
            "saw": [words("replay_file.sees", player=_plain(name)) for name in reader.names],
            "step": [words("replay_file.step", number=number) for number in range(replay.last + 1)],
        },
        "texts": list(texts.of),
        "blocks": list(blocks.of),
        "steps": steps,
        "ending": ending,
    }


def _written(line: Line) -> str:
    """A line as the page's script reads it."""
    made = _KINDS[line.kind]
    for run in line.runs:
        text = run.text.translate(_PRIVATE)
        for mark, is_set in ((_CARD, run.code), (_ITALIC, run.italic), (_BOLD, run.bold)):
            text = f"{mark}{text}{mark}" if is_set else text
        made += text
    return made
