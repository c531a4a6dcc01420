"""What the statements here are run on, and the dialect that they are written in.

SQLite runs them as they are. PostgreSQL runs them with a few changes, which `bot.cluster.dialect` makes:
placeholders (`?` and `:name`) are written in its way, `INDEXED BY` is left out, and `FOR_UPDATE` becomes a lock.

The rest is what both understand. A conflict names its key: `ON CONFLICT (key) DO UPDATE`, and `DO NOTHING`. In it a
column's former value has the table's name before it. A query in FROM has a name. The columns `window` and `only` are
quoted. A lone `+` before a column keeps SQLite from using an index on it. `CROSS JOIN` fixes the order of a join in
SQLite, with its conditions in WHERE. Numbers that say yes or no are 0 and 1, and compared. `rowid` is the order in
which invitations and matches were added. `json_group_array` and `hex` are functions of SQLite that PostgreSQL's first
migration makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

FOR_UPDATE: Final = "/* FOR UPDATE */"
"""At the end of a SELECT: on PostgreSQL nobody else changes or locks these rows before the transaction's end. In SQLite
nobody could anyway, because only one process writes."""

Values: TypeAlias = Sequence[Any] | Mapping[str, Any]
"""What a statement's placeholders stand for."""


class Cursor(Protocol):
    """The rows of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""

    def fetchone(self) -> Any:
        """The next row as a tuple; None after the last one."""

    def fetchall(self) -> list[Any]:
        """All rows that are left, as tuples."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection with the shape of `sqlite3.Connection`. Here it neither opens nor ends a transaction."""

    def execute(self, sql: str, parameters: Values = ..., /) -> Cursor:
        """Run a statement."""

    def executemany(self, sql: str, parameters: Iterable[Values], /) -> Cursor:
        """Run a statement with each of some values."""


def replaced(*columns: str) -> str:
    """The end of `ON CONFLICT (…) DO UPDATE SET` that takes the new values of these columns."""
    return ", ".join(f"{column} = excluded.{column}" for column in columns)


def among(values: Sequence[object]) -> tuple[str, tuple[object, ...]]:
    """A list for `IN` as marks in parentheses, and what they stand for.

    There are 1, 2, 4, 8 … marks, the last value repeated, so that few different statements have to be parsed and kept.
    NULL stands for no value at all: nothing is in such a list.
    """
    marks = 1 << max(0, len(values) - 1).bit_length()
    last = values[-1] if values else None
    filled = (*values, *[last] * (marks - len(values)))
    return f"({', '.join('?' * marks)})", filled
