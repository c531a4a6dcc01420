"""Databases with tables on the server that tests start, and stores on them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Final, Self

from psycopg import sql

from bot.cluster.store import PostgresqlStore
from bot.store.store import Store
from tests.bot.store.contract import KEY, filled
from tests.postgresql.server import Server

_TABLES: Final = """\
SELECT relname FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname"""
_SEQUENCES: Final = """\
SELECT format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), last_value IS NOT NULL
FROM pg_sequences WHERE schemaname = 'public'"""

_SHAPE: Final = """\
SELECT format('column %s.%s', attrelid::regclass, attname) FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
UNION ALL SELECT format('trigger %s on %s, %s', tgname, tgrelid::regclass, tgenabled) FROM pg_trigger
WHERE NOT tgisinternal"""


def new_database(server: Server) -> str:
    """The name of a new database that has its tables and nothing else."""
    return server.new_database(server.template("migrated", _prepared_by(_nothing_more)))


def filled_database(server: Server) -> str:
    """The name of a new database that has what `tests.bot.store.contract.filled` leaves."""
    return server.new_database(server.template("filled", _prepared_by(filled)))


def _prepared_by(fill: Callable[[Store], Awaitable[None]]) -> Callable[[str], None]:
    """What makes the tables of a database and has something written there."""

    async def prepare(url: str) -> None:
        with TemporaryDirectory() as folder:
            key = Path(folder, "person.key")
            key.write_text(KEY, "ascii")  # noqa: ASYNC240  nothing else goes on
            store = await PostgresqlStore.open(url, now=lambda: 0, person_key=key)
            try:
                await fill(store)
            finally:
                await store.close()

    def in_a_thread(url: str) -> None:
        with ThreadPoolExecutor(1) as thread:  # the test's own loop may run in this one
            thread.submit(lambda: asyncio.run(prepare(url))).result()

    return in_a_thread


async def _nothing_more(_store: Store) -> None:
    pass


class KeptDatabase:
    """A database that is brought back for each test, because another would take ten times as long. `with` lets it go.

    Its tests may write what they like into its tables, but they must leave the tables themselves as they are, with
    their triggers: the end of `with` raises AssertionError otherwise.
    """

    def __init__(self, server: Server, name: str) -> None:
        """Take a database as it is now: that is what it comes back to."""
        self.name = name
        self._connection = server.connect_as_admin(name)
        self._connection.execute("SET session_replication_role = replica")  # references hold again once all is back
        self._connection.execute("SET lock_timeout = '10s'")
        self._shape = self._rows(_SHAPE)
        self._back = self._what_brings_it_back()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        changed = set(self._shape) ^ set(self._rows(_SHAPE))
        self._connection.close()
        if changed:
            raise AssertionError(f"a test has changed the tables that it shares with others: {sorted(changed)}")

    def bring_back(self) -> None:
        """Make its rows what they were. Whoever is still connected is cut off."""
        with self._connection.transaction():
            self._connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            self._connection.execute(self._back)

    def _what_brings_it_back(self) -> sql.Composed:
        """The statements; the rows that it has now are kept in a schema that its owner cannot see."""
        self._connection.execute("CREATE SCHEMA kept")
        statements: list[sql.Composable] = []
        for (name,) in self._rows(_TABLES):
            table, kept = sql.Identifier("public", name), sql.Identifier("kept", name)
            statements.append(sql.SQL("DELETE FROM {};").format(table))
            self._connection.execute(sql.SQL("CREATE TABLE {} AS TABLE {}").format(kept, table))
            if self._rows(sql.SQL("SELECT FROM {} LIMIT 1").format(kept)):
                statements.append(sql.SQL("INSERT INTO {} OVERRIDING SYSTEM VALUE TABLE {};").format(table, kept))
        for name, last, is_used in self._rows(_SEQUENCES):
            statements.append(sql.SQL("SELECT setval({}, {}, {});").format(name, last, is_used))
        return sql.Composed(statements)

    def _rows(self, query: str | sql.Composed) -> list[tuple[Any, ...]]:
        return self._connection.execute(query).fetchall()


@asynccontextmanager
async def opened_store(url: str, folder: Path, now: Callable[[], int] = lambda: 1500) -> AsyncIterator[PostgresqlStore]:
    """A store, closed at the end."""
    store = await PostgresqlStore.open(url, now=now, person_key=folder / "person.key")
    try:
        yield store
    finally:
        await store.close()
