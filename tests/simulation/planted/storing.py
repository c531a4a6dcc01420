"""Faults in what is saved, and in what people are told of it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from bot.play.live_match import LiveMatch
from bot.play.own_acts import OwnActs
from bot.store.migrations import Migration, migrations
from bot.store.person_key import PersonKey
from bot.store.queries import play
from bot.store.queries.matches import Record, Result, TimerRow
from bot.store.sqlite import schema, store
from bot.store.sqlite.database import Database
from bot.store.sqlite.store import SqliteStore
from cogs.interactions.arrivals import InteractionAge
from tests.simulation.planted.fault import Fault, replaced
from tests.simulation.weather_fields import Weather

_LOST: Final = frozenset({"confirmed is kept"})


async def _append_without_waiting(
    into: SqliteStore, record: Record, timers: Sequence[TimerRow], result: Result | None = None, *more: Any
) -> None:
    def append(db: sqlite3.Connection) -> object:
        return play.append(db, into.person_key, record, timers, result, *more)

    writing = asyncio.ensure_future(into.database.write(append))
    _writing.add(writing)
    writing.add_done_callback(_writing.discard)


_writing: set[asyncio.Future[Any]] = set()


def _run_without_rollback(self: Any, item: Any) -> None:
    connection = self._conn
    connection.execute("SAVEPOINT one")
    try:
        item.value = item.work(connection)
    except Exception as error:  # as the method that this replaces, but for one line
        if not connection.in_transaction:
            raise
        item.error = self._translated(error)
    connection.execute("RELEASE one")


def _commit_and_tell(self: Any) -> None:
    self._conn.execute("COMMIT")


def _set_normal(connection: sqlite3.Connection, busy_timeout: int) -> None:
    connection.execute(f"PRAGMA busy_timeout = {busy_timeout:d}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = OFF")


class _NoQueue:
    """A lock that lets everybody in."""

    async def __aenter__(self) -> None:
        """Nobody waits."""

    async def __aexit__(self, *_: object) -> None:
        """Nobody waited."""


def _append_unchecked(
    db: sqlite3.Connection, key: PersonKey, record: Record, timers: Sequence[TimerRow], *more: Any, **named: Any
) -> None:
    (last,) = db.execute("SELECT max(seq) FROM records WHERE match_id = ?", (record.match_id,)).fetchone()
    _append(db, key, Record(record.match_id, last + 1, *_after_seq(record)), timers, *more, **named)


def _after_seq(record: Record) -> tuple[Any, ...]:
    return record.interaction_id, record.actor, record.action, record.events, record.at


_append = play.append
_init = LiveMatch.__init__


def _init_without_queue(self: Any, *arguments: Any, **options: Any) -> None:
    _init(self, *arguments, **options)
    self._queue = _NoQueue()


_migrations = migrations


def _migrations_without_unique(folder: Any) -> tuple[Migration, ...]:
    return tuple(
        Migration(step.number, step.sql.replace("interaction_id INTEGER UNIQUE", "interaction_id INTEGER"))
        for step in _migrations(folder)
    )


STORING: Final = (
    Fault(
        "A7",
        "a commit that failed is told as refused, and nothing is written in its place",
        frozenset({"refused is not kept"}),
        Weather(games=("champions",), tables=1, thinking=0.5, failed_syncs=0.3, kills=20.0, kills_in_a_row=1),
        (7, 3, 1, 2, 4, 5),
        0.2,
        (replaced(Database, "_commit", _commit_and_tell),),
    ),
    Fault(
        "told before the commit",
        "a move is answered while it is still being saved",
        _LOST,
        Weather(games=("champions",), tables=1, thinking=0.5, kills=60.0, kills_in_a_row=1, disk_latency=0.4),
        (6, 3),
        0.02,
        (replaced(SqliteStore, "append", _append_without_waiting),),
    ),
    Fault(
        "savepoint kept",
        "what a refused write has done in a shared transaction is not undone",
        frozenset({"refused is not kept", "log follows"}),
        Weather(games=("champions",), tables=1, thinking=1.0, store_spells=120.0, store_spell_share=0.2, kills=30.0),
        (3, 1, 2),
        0.3,
        (replaced(Database, "_run_in_savepoint", _run_without_rollback),),
    ),
    Fault(
        "not flushed",
        "a commit does not wait for the disk (synchronous = NORMAL)",
        _LOST,
        Weather(games=("champions",), tables=1, thinking=1.0, power_cuts=60.0),
        (1, 2, 3),
        0.2,
        (replaced(schema, "_set", _set_normal), replaced(schema, "_SYNC_FULL", 1)),
    ),
    Fault(
        "duplicate forgotten",
        "neither the process nor the store remembers which presses were applied",
        frozenset({"at most once"}),
        Weather(games=("tivmiv",), tables=1, thinking=1.5, event_repeats=0.5),
        (9, 10, 13),
        0.03,
        (
            replaced(InteractionAge, "is_duplicate", lambda _self, _id: False),
            replaced(play, "_refuse_repeated", lambda _applied: None),
            replaced(OwnActs, "unconfirmed", lambda _self, _seat: frozenset()),
            replaced(store, "migrations", _migrations_without_unique),
        ),
    ),
    Fault(
        "seq not checked",
        "two writers of a match do not notice each other",
        frozenset({"log follows"}),
        Weather(games=("haymaker",), tables=1, thinking=0.5, disk_latency=0.5, twice=0.5),
        (1, 2, 3),
        0.05,
        (
            replaced(LiveMatch, "__init__", _init_without_queue),
            replaced(play, "append", _append_unchecked),
        ),
    ),
)
