"""Databases with tables, and stores of one or two processes on them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from bot.cluster.store import PostgresqlStore
    from bot.store.store import Store
    from tests.bot.store.contract_clusters import OpenProcess
    from tests.postgresql.server import Server
    from tests.postgresql.stores import KeptDatabase


@pytest.fixture(scope="session")
def kept_database(postgresql: Server) -> Iterator[KeptDatabase]:
    """A database with tables for one test after another."""
    from tests.postgresql.stores import KeptDatabase, new_database  # noqa: PLC0415  it needs the driver

    with KeptDatabase(postgresql, new_database(postgresql)) as database:
        yield database


@pytest.fixture
def migrated_database(postgresql: Server, kept_database: KeptDatabase) -> str:
    """The address of a database with tables, for a test that leaves the tables themselves as they are."""
    kept_database.bring_back()
    return postgresql.url(kept_database.name)


@pytest.fixture
async def store(migrated_database: str, tmp_path: Path) -> AsyncIterator[PostgresqlStore]:
    """A process's store."""
    from tests.postgresql.stores import opened_store  # noqa: PLC0415  it needs the driver

    async with opened_store(migrated_database, tmp_path) as store:
        yield store


@pytest.fixture
async def other(migrated_database: str, tmp_path: Path) -> AsyncIterator[PostgresqlStore]:
    """Another process's store on the same database."""
    from tests.postgresql.stores import opened_store  # noqa: PLC0415  it needs the driver

    async with opened_store(migrated_database, tmp_path) as other:
        yield other


@pytest.fixture
async def open_process(migrated_database: str, tmp_path: Path) -> AsyncIterator[OpenProcess]:
    """Opens stores, which are closed at the end."""
    from tests.postgresql.stores import opened_store  # noqa: PLC0415  it needs the driver

    async with AsyncExitStack() as stack:

        async def open_process() -> Store:
            return await stack.enter_async_context(opened_store(migrated_database, tmp_path))

        yield open_process
