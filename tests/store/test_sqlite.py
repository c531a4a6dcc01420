"""The SQLite store keeps the contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store.base import Store
from bot.store.sqlite import SqliteStore
from tests.store.contract import OpenStore, StoreContract


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def open_store(self, tmp_path: Path) -> OpenStore:
        async def open_store() -> Store:
            return await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)

        return open_store
