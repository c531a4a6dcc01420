"""Databases with tables, and stores of one or two processes on them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from bot.store.postgresql.store import PostgresqlStore
    from tests.postgresql.server import Server


@pytest.fixture
def migrated_database(postgresql: Server) -> Iterator[str]:
    """The address of a database with tables."""
    from tests.postgresql.stores import new_database  # noqa: PLC0415  it needs the driver

    name = new_database(postgresql)
    yield postgresql.url(name)
    postgresql.drop_database(name)


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
