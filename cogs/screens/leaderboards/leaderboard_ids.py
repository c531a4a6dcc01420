"""The arguments of a leaderboard's buttons and lists: which leaderboard, and which page of it.

``<span>.<game>`` is the first page, ``<span>.<game>.p.<number>`` the one that begins with the line of that number,
``<span>.<game>.o`` the reader's own, and ``<span>.<game>.a.<section>.<score>.<user>`` the one after (``b``: before) a
place. ``-`` in place of a game is all games. Places say where to read on, so a page doesn't depend on who has moved
meanwhile. They name only people who are on the page.
"""

from __future__ import annotations

import re
from typing import Final

from bot.store.queries.leaderboards import ALL_GAMES, LineKey, PageOf, PageRequest, Section, Span
from cogs.screens.custom_ids import UnknownCustomId

SHOW: Final = "board"
HIDE: Final = "boardhide"
"""The verbs: show a page, and leave the reader out of the lists or put them back."""

SUBJECT: Final = "boards"
"""What the controls of a leaderboard over all games act on, in place of a game."""

EVERY: Final = "-"
_SPANS: Final = {Span.ALL_TIME: "t", Span.SEASON: "s", Span.LAST_DAYS: "w"}
_BY_LETTER: Final = {letter: span for span, letter in _SPANS.items()}
_ARGUMENT: Final = re.compile(r"([tsw])\.(-|[a-z0-9_]{1,24})(?:\.(.+))?")
_POSITION: Final = re.compile(r"p\.([0-9]{1,6})")
_PLACE: Final = re.compile(r"([ab])\.([012])\.(-?[0-9]{1,12})\.([0-9]{1,20})")
_LAST_ID: Final = 2**63 - 1
"""The highest that the store can look for."""


def write(span: Span, game: str, request: PageRequest | None = None) -> str:
    """The argument for a page; by default the first one."""
    board = f"{_SPANS[span]}.{game or EVERY}"
    match request:
        case None:
            return board
        case PageRequest(PageOf.AFTER | PageOf.BEFORE as of, _, LineKey(section, score, user_id)):
            return f"{board}.{of}.{section:d}.{score}.{user_id}"
        case PageRequest(PageOf.OWN):
            return f"{board}.{PageOf.OWN}"
        case PageRequest(_, position):
            return f"{board}.{PageOf.POSITION}.{position}"


def read(arg: str) -> tuple[Span, str, PageRequest]:
    """The span, the game and the page that an argument names. The game may be unknown. Raises UnknownCustomId."""
    found = _ARGUMENT.fullmatch(arg)
    if found is None:
        raise UnknownCustomId("no leaderboard")
    letter, game, page = found.groups()
    return _BY_LETTER[letter], ALL_GAMES if game == EVERY else game, _read_page(page)


def write_choice(span: Span, game: str, *, hidden: bool) -> str:
    """The argument of the button with which the reader hides, or is listed again."""
    return f"{write(span, game)}.{int(hidden)}"


def read_choice(arg: str) -> tuple[Span, str, bool]:
    """The span and the game of the leaderboard to show, and whether the reader wants to be hidden.

    Raises UnknownCustomId.
    """
    board, _, chosen = arg.rpartition(".")
    if chosen not in {"0", "1"}:
        raise UnknownCustomId("no such choice")
    span, game, _ = read(board)
    return span, game, chosen == "1"


def _read_page(text: str | None) -> PageRequest:
    if text is None:
        return PageRequest()
    if text == PageOf.OWN:
        return PageRequest(PageOf.OWN)
    if found := _POSITION.fullmatch(text):
        return PageRequest(position=int(found[1]))
    found = _PLACE.fullmatch(text)
    if found is None or int(found[4]) > _LAST_ID:
        raise UnknownCustomId("no page of a leaderboard")
    return PageRequest(PageOf(found[1]), place=LineKey(Section(int(found[2])), int(found[3]), int(found[4])))
