"""Stores on the server that tests start."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from bot.store.postgresql.store import PostgresqlStore
from tests.postgresql.server import Server


def new_database(server: Server) -> str:
    """The name of a new database that has its tables and nothing else."""
    return server.new_database(server.template("migrated", _migrate))


def _migrate(url: str) -> None:
    async def migrate() -> None:
        store = await PostgresqlStore.open(url, now=lambda: 0, person_key=Path("/nowhere"))
        await store.close()

    with ThreadPoolExecutor(1) as thread:  # the test's own loop may run in this one
        thread.submit(lambda: asyncio.run(migrate())).result()


@asynccontextmanager
async def opened_store(url: str, folder: Path, now: Callable[[], int] = lambda: 1500) -> AsyncIterator[PostgresqlStore]:
    """A store, closed at the end."""
    store = await PostgresqlStore.open(url, now=now, person_key=folder / "person.key")
    try:
        yield store
    finally:
        await store.close()
