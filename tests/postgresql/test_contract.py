"""The store on PostgreSQL keeps the contract."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.cluster.store import PostgresqlStore
from bot.store.queries.database import Connection
from bot.store.store import Store
from tests.bot.store.contract import KEY, FailingWrite, OpenStore, StoreContract
from tests.postgresql.server import Server
from tests.postgresql.stores import KeptDatabase, filled_database, opened_store

pytestmark = pytest.mark.real_time


def refuse_writes(db: Connection) -> None:
    """As a server that has become a standby does."""
    db.execute("SET TRANSACTION READ ONLY")


@pytest.fixture(scope="module")
def kept_filled(postgresql: Server) -> Iterator[KeptDatabase]:
    """A database that is brought back to what `filled` leaves."""
    with KeptDatabase(postgresql, filled_database(postgresql)) as database:
        yield database


class TestPostgresqlStore(StoreContract):
    NUL = "\N{REPLACEMENT CHARACTER}"

    @pytest.fixture
    def open_store(self, migrated_database: str, tmp_path: Path) -> OpenStore:
        async def open_store() -> Store:
            return await PostgresqlStore.open(migrated_database, now=lambda: 1500, person_key=tmp_path / "person.key")

        return open_store

    @pytest.fixture
    async def filled_store(self, postgresql: Server, kept_filled: KeptDatabase, tmp_path: Path) -> AsyncIterator[Store]:
        kept_filled.bring_back()
        (tmp_path / "person.key").write_text(KEY, "ascii")
        async with opened_store(postgresql.url(kept_filled.name), tmp_path) as store:
            yield store

    @pytest.fixture
    def failing_write(self) -> FailingWrite:
        @asynccontextmanager
        async def failing_write(store: Store) -> AsyncIterator[None]:
            assert isinstance(store, PostgresqlStore)
            store.database.guard = refuse_writes
            yield
            store.database.guard = None

        return failing_write
