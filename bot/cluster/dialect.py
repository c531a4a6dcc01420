"""Turns the statements of `bot.store.queries` into PostgreSQL's dialect, as psycopg takes it, and their values into its
types and back.

Every parameter gets one type, whatever its size, so that a statement is prepared once. A whole number is a bigint, and
so is True or False, because the tables have 0 and 1 as in SQLite.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

import psycopg
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.types.string import BytesBinaryDumper

from bot.store.queries.database import FOR_UPDATE, IN_PLACE

_KEPT: Final = 2048
"""How many statements are kept. There are a few hundred."""
_PIECES: Final = re.compile(
    r"""
    (?P<quoted>'(?:[^']|'')*'|"[^"]*")
    | (?P<lock>"""
    + "|".join(re.escape(each).replace(r"\ ", "[ ]") for each in (FOR_UPDATE, IN_PLACE))
    + r""")
    | (?P<hint>\ INDEXED\ BY\ \w+)
    | (?P<value>\?)
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
            return found["lock"].strip("/* ")
        case "value":
            return "%s"
        case "name":
            return f"%({found['name']})s"
        case "percent":
            return "%%"
    return ""


# ---------------------------------------------------------------------------------------------- values

_NUL: Final = "\0"
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
"""In place of NUL, which a text of PostgreSQL can't contain."""


class TextDumper(Dumper):
    """Texts. NUL is replaced."""

    oid = psycopg.postgres.types["text"].oid

    def dump(self, obj: str) -> bytes:
        return (obj.replace(_NUL, _REPLACEMENT) if _NUL in obj else obj).encode()


class NumberDumper(Dumper):
    """Whole numbers, True and False."""

    oid = psycopg.postgres.types["int8"].oid

    def dump(self, obj: int) -> bytes:
        return b"%d" % obj


class SumLoader(Loader):
    """Sums of bigints, which PostgreSQL gives as numeric. All are whole."""

    def load(self, data: Buffer) -> int:
        return int(bytes(data))


def register(context: AdaptContext) -> None:
    """Give a connection these conversions."""
    adapters = context.adapters
    if adapters is None:
        raise TypeError("a context without adapters")
    dumpers: dict[type[Any], type[Dumper]] = {
        str: TextDumper,
        int: NumberDumper,
        bool: NumberDumper,
        bytes: BytesBinaryDumper,
    }
    for kind, dumper in dumpers.items():
        adapters.register_dumper(kind, dumper)
    adapters.register_loader("numeric", SumLoader)
