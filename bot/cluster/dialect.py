"""Turns the statements of `bot.store.queries` into PostgreSQL's dialect, as psycopg takes it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from bot.store.queries.database import FOR_UPDATE

_KEPT: Final = 2048
"""How many statements are kept. There are a few hundred."""
_PIECES: Final = re.compile(
    r"""
    (?P<quoted>'(?:[^']|'')*'|"[^"]*")
    | (?P<lock>"""
    + re.escape(FOR_UPDATE).replace(r"\ ", "[ ]")
    + r""")
    | (?P<hint>\ INDEXED\ BY\ \w+)
    | (?P<place>\?)
    | (?<![:\w]):(?P<name>[a-z_]+)
    | (?P<percent>%)
    """,
    re.VERBOSE,
)


@lru_cache(_KEPT)
def translated(sql: str) -> str:
    """A statement with psycopg's placeholders, without SQLite's hints, and with the locks that it asks for.

    Texts and names in quotes stay as they are, but psycopg wants their percent signs doubled too.
    """
    return _PIECES.sub(_piece, sql)


def _piece(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "quoted":
            return found["quoted"].replace("%", "%%")
        case "lock":
            return "FOR UPDATE"
        case "place":
            return "%s"
        case "name":
            return f"%({found['name']})s"
        case "percent":
            return "%%"
    return ""
