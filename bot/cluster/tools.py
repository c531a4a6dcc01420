"""Connections of the operators' commands, and what they tell about a server."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, TypeAlias

import psycopg

from bot.cluster.errors import store_error
from bot.cluster.link import WRITING, Link, PostgresConnection
from bot.cluster.schema import known_version
from bot.shard_range import ShardRange
from bot.store.errors import InUse, StoreError
from bot.store.migrations import LATEST, migrations

NAME: Final = "cardroom-command"
"""What the server calls such a connection. Those of a bot are called "cardroom" and a name of its own."""

WANTED: Final = {
    "fsync": ("on",),
    "full_page_writes": ("on",),
    "synchronous_commit": ("on", "remote_apply", "remote_write"),
}
"""What the server must be set to, or a power cut may lose what players saw confirmed."""

_SESSION: Final = f"{WRITING}; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0"

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Lease:
    """Neighbouring shards that one process holds, or nobody."""

    shards: ShardRange
    owner: str | None
    left: float
    """Seconds until the lease runs out; negative after that, as long as nobody has taken the shards."""


@dataclass(frozen=True, slots=True)
class Server:
    """What a server says about itself and one of its databases."""

    version: str
    """As in 15.18."""
    size: int
    """Bytes of the database."""
    bots: int
    """Processes of the bot that are connected to the database."""
    unsafe: tuple[str, ...]
    """The settings that are not as `WANTED`, such as ``fsync = off``."""
    has_schema: bool
    """Whether the bot has made its tables."""
    checksums: bool
    """Whether it notices a page that the disk altered."""
    leases: tuple[Lease, ...]
    """Who holds which shards, in their order; empty before the first start."""


@contextmanager
def tool_link(address: str) -> Iterator[Link]:
    """A link for a command, which may take its time. Raises StoreError for all that the database refuses."""
    link = Link(address, NAME, _SESSION)
    try:
        yield link
    except psycopg.Error as error:
        raise store_error(error) or StoreError("the database can't be used") from error
    finally:
        link.drop()


def refuse_in_use(connection: Connection) -> None:
    """Raise InUse if a bot is connected."""
    if bots := _bots(connection):
        many = "a process of the bot is" if bots == 1 else f"{bots} processes of the bot are"
        raise InUse(f"{many} connected to the database: stop all first", None)


@contextmanager
def alone(address: str) -> Iterator[PostgresConnection]:
    """A connection in a transaction, which is committed at the end, to correct what follows from results and logs.
    Raises InUse while a bot is connected, and StoreError, also for tables of an earlier version."""
    with tool_link(address) as link:
        asked = link.connection()
        refuse_in_use(asked.raw)
        with asked.raw.transaction():
            if known_version(asked.raw, migrations()) < LATEST:
                raise StoreError("the database has no tables, or earlier ones: start the bot once, it makes them")
            yield asked


def describe(address: str) -> Server:
    """What the server says. Raises StoreError."""
    with tool_link(address) as link:
        connection = link.connection().raw
        version, size, checksums = _one(
            connection,
            "SELECT current_setting('server_version'), pg_database_size(current_database()),"
            " current_setting('data_checksums') = 'on'",
        )
        # The session's own setting is not asked for: the bot raises it where it is less.
        found = connection.execute(
            "SELECT name, reset_val FROM pg_settings WHERE name = ANY(%s) ORDER BY name", [list(WANTED)]
        )
        unsafe = tuple(f"{name} = {value}" for name, value in found if value not in WANTED[name])
        has_schema = known_version(connection, migrations()) > 0
        return Server(
            version.split()[0],
            size,
            _bots(connection),
            unsafe,
            has_schema,
            checksums,
            _leases(connection) if has_schema else (),
        )


def _leases(connection: Connection) -> tuple[Lease, ...]:
    rows = connection.execute(
        "SELECT total, owner, (until_at - extract(epoch FROM statement_timestamp()) * 1000)::float8 / 1000, shard"
        " FROM shard_leases LEFT JOIN shard_owners USING (owner) ORDER BY shard"
    )
    held = itertools.groupby(rows.fetchall(), key=itemgetter(0, 1, 2))
    found = [(each, [shard for *_, shard in shards]) for each, shards in held]
    return tuple(Lease(ShardRange(at[0], at[-1], total), owner, left or 0.0) for (total, owner, left), at in found)


def _bots(connection: Connection) -> int:
    (count,) = _one(
        connection,
        "SELECT count(DISTINCT split_part(application_name, ' ', 2)) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name LIKE 'cardroom %%'",
    )
    return int(count)


def _one(connection: Connection, query: str) -> tuple[Any, ...]:
    row = connection.execute(query.encode()).fetchone()
    if row is None:
        raise StoreError("the database server gave no answer")
    return row
