"""The store on PostgreSQL keeps the contract."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.store.postgresql.store import PostgresqlStore
from bot.store.protocols.store import Store
from bot.store.queries.connection import Connection
from tests.bot.store.contract import FailingWrite, OpenStore, StoreContract

pytestmark = pytest.mark.real_time


def refuse_writes(db: Connection) -> None:
    """As a server that has become a standby does."""
    db.execute("SET TRANSACTION READ ONLY")


class TestPostgresqlStore(StoreContract):
    NUL = "\N{REPLACEMENT CHARACTER}"

    @pytest.fixture
    def open_store(self, migrated_database: str, tmp_path: Path) -> OpenStore:
        async def open_store() -> Store:
            return await PostgresqlStore.open(migrated_database, now=lambda: 1500, person_key=tmp_path / "person.key")

        return open_store

    @pytest.fixture
    def failing_write(self) -> FailingWrite:
        @asynccontextmanager
        async def failing_write(store: Store) -> AsyncIterator[None]:
            assert isinstance(store, PostgresqlStore)
            store.database.guard = refuse_writes
            yield
            store.database.guard = None

        return failing_write
