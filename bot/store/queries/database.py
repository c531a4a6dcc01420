"""What queries run on: a connection, and the dialect that they are written in; pages of long lists; a database.

SQLite runs the statements as they are. PostgreSQL runs them with a few changes, which `bot.cluster.dialect` makes:
placeholders (`?` and `:name`) are written in its way, `INDEXED BY` is left out, and `FOR_UPDATE` and `IN_PLACE` become
locks.

The rest is what both understand. A conflict names its key: `ON CONFLICT (key) DO UPDATE`, and `DO NOTHING`. In it a
column's former value has the table's name before it. A query in FROM has a name. The columns `window` and `only` are
quoted. A lone `+` before a column keeps SQLite from using an index on it. `CROSS JOIN` fixes the order of a join in
SQLite, with its conditions in WHERE. Numbers that say yes or no are 0 and 1, and compared. `rowid` is the order in
which invitations and matches were added. `json_group_array` and `hex` are functions of SQLite that PostgreSQL's first
migration makes.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar

from bot.shard_range import ShardRange

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
K = TypeVar("K")


# ------------------------------------------------------------------------------------------ statements

FOR_UPDATE: Final = "/* FOR UPDATE */"
"""At the end of a SELECT: on PostgreSQL nobody else changes or locks these rows before the transaction's end. In SQLite
nobody could anyway, because only one process writes."""
IN_PLACE: Final = "/* FOR KEY SHARE */"
"""The same, but they may be changed meanwhile: nobody deletes them, or changes their keys."""
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


def columns_of(row: type[DataclassInstance]) -> tuple[str, ...]:
    """The columns of a table whose rows are read into a class: they have the names of its fields."""
    return tuple([field.name for field in fields(row)])


@cache
def inserting(table: str, *columns: str) -> str:
    """An INSERT of a row with these columns."""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


@cache
def replacing(table: str, key: tuple[str, ...], *columns: str) -> str:
    """The same, in place of the row with the same key if there is one. The key's columns come first."""
    return f"{inserting(table, *key, *columns)} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {replaced(*columns)}"


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


def served_by(serves: ShardRange, column: str = "guild_id") -> str:
    """A condition on a server's id: that it belongs to a range (`ShardRange.includes`). Empty for a range of all
    servers, whose statements stay what they are without one."""
    if serves.is_everything:
        return ""
    return f"{shard_of(serves, column)} BETWEEN {serves.first:d} AND {serves.last:d}"


def and_served_by(serves: ShardRange, column: str = "guild_id") -> str:
    """The same as the end of a WHERE clause."""
    return f" AND {served_by(serves, column)}" if served_by(serves, column) else ""


def where_served_by(serves: ShardRange) -> str:
    """The same of the column `guild_id`, as a WHERE clause of its own."""
    return f" WHERE {served_by(serves)}" if served_by(serves) else ""


def shard_of(serves: ShardRange, column: str = "guild_id") -> str:
    """The shard of a server's id, as an expression. The remainder is written without a percent sign, which drivers of
    databases may take for a placeholder."""
    number = f"({column} >> 22)"
    return f"CASE WHEN {column} < 0 THEN 0 ELSE {number} - {number} / {serves.total:d} * {serves.total:d} END"


def fetch_texts(db: Connection, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
    """All rows of a statement, read faster on SQLite if no text in them is damaged (`bot.store.sqlite.schema`)."""
    if not isinstance(db, sqlite3.Connection):
        return db.execute(statement, values).fetchall()
    damaged_texts = db.text_factory
    db.text_factory = str
    try:
        with contextlib.suppress(sqlite3.OperationalError):  # if it isn't because of a text, it is raised below
            return db.execute(statement, values).fetchall()
    finally:
        db.text_factory = damaged_texts
    return db.execute(statement, values).fetchall()


def delete_some(db: Connection, table: str, key: Sequence[str], which: str, *values: object, most: int) -> int:
    """Delete at most this many of the rows of which a condition is true, and return how many.

    Each is found by its key: where the key has several columns, SQLite reads more than these rows for one statement.
    """
    columns = ", ".join(key)
    found = db.execute(f"SELECT {columns} FROM {table} WHERE {which} LIMIT ?", (*values, most)).fetchall()
    db.executemany(f"DELETE FROM {table} WHERE {' AND '.join(f'{name} = ?' for name in key)}", found)
    return len(found)


# ------------------------------------------------------------------------------------------ long lists

FEW: Final = 30
"""How many rows a page has that costs some 40 us for each, such as matches with their seats."""
MANY: Final = 250
"""How many rows a page has that costs some 4 us for each."""
CHANGED: Final = 40
"""How many rows one slice of a deletion changes: up to 25 us each, and most where they are far apart."""
LEAST: Final = -(2**63)
"""The least integer of a database: a list of numbers begins after it."""
NEWEST: Final = 2**62
"""A number or moment after all others."""
Page: TypeAlias = tuple[list[T], K | None]
"""The rows of a page, and the key after which the next one begins; None after the last page."""


def following(keys: Sequence[K], most: int) -> K | None:
    """The key after which the next page begins, from the keys that a page of at most `most` rows has."""
    return keys[-1] if len(keys) == most else None


# ------------------------------------------------------------------------------------------- databases

Work: TypeAlias = Callable[[Connection], T]
"""A piece of work, which runs completely in a thread of the database. It neither opens nor ends a transaction. It may
be run again from its start when its transaction is lost, so it changes nothing but the database."""


class Database(Protocol):
    """Runs whole pieces of work. A read sees all writes that were asked for before it."""

    is_shared: bool = False
    """Whether other processes may have the data open."""
    guard: Callable[[Connection], None] | None = None
    """Where the data are shared, called at the start of each transaction that writes, in its thread. What it raises
    fails all writes in it: so a process that has lost what it holds writes no more."""

    def time(self, _db: Connection, /) -> int | None:
        """The time of the data (ms UTC), by which leases run out: that of the database server, which is the same for
        all processes. None where there is no server, and the time is the process's own."""
        return None

    def has_ended(self, _db: Connection, _owner: str, /) -> bool:
        """Whether a process that holds shards has surely no connection to the data any more, as after it was killed.
        False where nothing tells that."""
        return False

    async def read(self, work: Work[T], /) -> T:
        """Run a piece of work that only reads. It sees what is committed, all of one moment.

        Raises Busy, Damaged, NotSaved (the database could not be read), StoreError after `close`.
        """

    async def write(self, work: Work[T], /, *, counts: bool = True) -> T:
        """Run a piece of work in a transaction and wait until that is committed. `counts` is False for what may be
        lost.

        Raises what the work raised, then nothing of it was written; Busy, NotSaved and Damaged likewise; Unsettled if
        it may have been; StoreError after `close`. A caller that is cancelled stops waiting; the work is done all the
        same.
        """

    async def read_all(self, page: Callable[[Connection, K], Page[T, K]], start: K) -> list[T]:
        """Read a long list page by page, so that writes can be made between two pages. Raises what `read` raises.

        `page` reads what comes after a key, beginning with `start`. Each page is of one moment. What is written between
        two pages is in the list or not, depending on where it belongs.
        """
        found: list[T] = []
        after: K | None = start
        while after is not None:
            rows, after = await self.read(partial(_swapped, page, after))
            found += rows
        return found

    async def read_first(self, page: Callable[[Connection, K, int], Page[T, K]], start: K, most: int) -> list[T]:
        """Read the first `most` rows of a long list, as `read_all` does. `page` reads at most as many as are still
        wanted."""
        found: list[T] = []
        after: K | None = start
        while after is not None and len(found) < most:
            rows, after = await self.read(partial(_wanted, page, after, most - len(found)))
            found += rows
        return found

    async def write_all(self, work: Work[bool]) -> None:
        """Repeat a piece of work, each time in a transaction of its own, until it returns True: there was nothing left.

        Other writes are made in between. Raises what `write` raises; what was done before stays done.
        """
        while not await self.write(work):
            pass

    async def checkpoint_if_idle(self) -> None:
        """Do now, between two slices of a large change, what a database otherwise does with a later commit for pages
        that were changed. Raises what `write` raises."""

    async def close(self) -> None:
        """Finish waiting work, then close the connection and end the threads. Closing twice is harmless."""


def _swapped(page: Callable[[Connection, K], Page[T, K]], after: K, db: Connection) -> Page[T, K]:
    return page(db, after)


def _wanted(page: Callable[[Connection, K, int], Page[T, K]], after: K, wanted: int, db: Connection) -> Page[T, K]:
    return page(db, after, wanted)
