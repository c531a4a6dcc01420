"""What every `bot.store.protocols.store.Store` does. Subclass `StoreContract` and give it `open_store`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from bot.store.errors import Conflict, StoreError
from bot.store.protocols.store import Store
from tests.store.contract_invitations import InvitationContract
from tests.store.contract_matches import MatchContract
from tests.store.contract_people import PeopleContract
from tests.store.contract_servers import ServerContract
from tests.store.contract_standings import StandingContract
from tests.store.rows import ANN, BOB, GAME, GUILD, deal, match, opened, played, record, timer

OpenStore = Callable[[], Awaitable[Store]]


class StoreContract(InvitationContract, MatchContract, StandingContract, PeopleContract, ServerContract):
    """Subclasses have a fixture `open_store`: a function that opens a store, each time on the same data."""

    @pytest.fixture
    async def store(self, open_store: OpenStore) -> AsyncIterator[Store]:
        store = await open_store()
        yield store
        await store.close()

    # -------------------------------------------------------------------------------------- promises

    async def test_what_was_written_is_there_when_opened_again(self, store: Store, open_store: OpenStore) -> None:
        await opened(store, timers=(timer(),))
        await store.append(record(1, interaction=71), [timer("2")])
        await played(store, "m2", (1, 2), seats=(ANN, BOB))
        standings = await store.leaderboard(GUILD, GAME, 0, 9)
        await store.close()
        again = await open_store()
        try:
            assert await again.live_matches() == [match()]
            assert await again.records("m1") == [deal(), record(1, interaction=71)]
            assert await again.timers("m1") == [timer("2")]
            assert await again.match_of_interaction(71) == "m1"
            assert await again.leaderboard(GUILD, GAME, 0, 9) == standings
            assert len(standings) == 2
        finally:
            await again.close()

    async def test_a_cancelled_caller_tears_nothing(self, store: Store) -> None:
        count = 40
        for number in range(count):
            await opened(store, f"m{number}")
        writing = [
            asyncio.create_task(store.append(record(1, f"m{number}"), [timer("2", f"m{number}")]))
            for number in range(count)
        ]
        await asyncio.sleep(0)  # all have handed their work over
        for task in writing[::2]:
            task.cancel()
        async with asyncio.timeout(20):
            came = await asyncio.gather(*writing, return_exceptions=True)
        assert [type(one) for one in came[::2]] == [asyncio.CancelledError] * (count // 2)
        assert came[1::2] == [None] * (count // 2)
        await store.set_metadata("after", "all")
        for number in range(count):
            assert await store.records(f"m{number}") == [deal(f"m{number}"), record(1, f"m{number}")]
            assert await store.timers(f"m{number}") == [timer("2", f"m{number}")]

    async def test_one_that_fails_among_many_takes_nobody_along(self, store: Store) -> None:
        for number in range(10):
            await opened(store, f"m{number}")
        came = await asyncio.gather(
            *[store.append(record(1 if number % 3 else 7, f"m{number}"), ()) for number in range(10)],
            return_exceptions=True,
        )
        assert [type(one) for one in came] == [type(None) if number % 3 else Conflict for number in range(10)]
        logs = await store.logs([f"m{number}" for number in range(10)])
        assert [len(logs[f"m{number}"]) for number in range(10)] == [2 if number % 3 else 1 for number in range(10)]

    async def test_what_waits_when_the_store_closes_is_written(self, store: Store, open_store: OpenStore) -> None:
        for number in range(10):
            await opened(store, f"m{number}")
        writing = [asyncio.create_task(store.append(record(1, f"m{number}"), ())) for number in range(10)]
        await asyncio.sleep(0)
        await store.close()
        assert await asyncio.gather(*writing) == [None] * 10
        again = await open_store()
        try:
            assert {len(log) for log in (await again.logs([f"m{number}" for number in range(10)])).values()} == {2}
        finally:
            await again.close()

    async def test_a_closed_store_says_so_and_closes_again(self, store: Store) -> None:
        await store.close()
        await store.close()
        with pytest.raises(StoreError, match="closed"):
            await store.set_metadata("a", "b")
        with pytest.raises(StoreError, match="closed"):
            await store.metadata("a")
