"""The store that other tests use keeps the contract, lives on in its data, and fails where a test wants it to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.store.errors import NotSaved
from bot.store.queries.invitations import InvitationState
from bot.store.store import Store
from tests.bot.store.contract import FailingWrite, OpenStore, StoreContract, filled_tables
from tests.bot.store.memory_store import Data, MemoryStore
from tests.bot.store.rows import invitation, opened


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def open_store(self) -> OpenStore:
        data = Data()

        async def open_store() -> Store:
            return MemoryStore(now=lambda: 1500, data=data)

        return open_store

    @pytest.fixture
    async def filled_store(self) -> MemoryStore:
        return MemoryStore(now=lambda: 1500, data=Data(await filled_tables()))

    @pytest.fixture
    def failing_write(self) -> FailingWrite:
        @asynccontextmanager
        async def failing_write(store: Store) -> AsyncIterator[None]:
            assert isinstance(store, MemoryStore)
            store.fail_next_write(NotSaved("the disk is full"))
            yield

        return failing_write


async def test_the_injected_clock_says_when_an_invitation_was_closed() -> None:
    moment = 1500
    store = MemoryStore(now=lambda: moment)
    await store.add_invitation(invitation("declined"))
    await store.add_invitation(invitation("m1"))
    moment = 1600
    await store.close_invitation("declined", InvitationState.DECLINED)
    moment = 1700
    await opened(store, "accepted")
    found = [await store.invitation(key) for key in ("declined", "m1", "accepted")]
    assert [each and each[0].closed_at for each in found] == [1600, None, 1700]
