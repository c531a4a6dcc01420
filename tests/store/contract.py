"""What every `bot.store.protocols.store.Store` does. Subclass `StoreContract` and give it `open_store`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from bot.store.errors import Conflict, StoreError
from bot.store.protocols.store import Store
from bot.store.rows import InvitationState, NoticeLevel, Suspension
from tests.store.contract_guilds import GuildContract
from tests.store.contract_held import HeldContract
from tests.store.contract_matches import MatchContract
from tests.store.contract_standings import StandingContract
from tests.store.rows import ANN, BOB, GAME, GUILD, deal, invitation, match, opened, played, record, result, timer

OpenStore = Callable[[], Awaitable[Store]]


class StoreContract(MatchContract, StandingContract, HeldContract, GuildContract):
    """Subclasses have a fixture `open_store`: a function that opens a store, each time on the same data."""

    @pytest.fixture
    async def store(self, open_store: OpenStore) -> AsyncIterator[Store]:
        store = await open_store()
        yield store
        await store.close()

    # -------------------------------------------------------------------------------------- the bot's own time

    async def test_downtime_is_given_back_to_live_deadlines_alone(self, store: Store) -> None:
        await store.record_heartbeat(10_000)
        await opened(store, timers=(timer(deadline=12_000),))
        await store.add_invitation(invitation("open", expires_at=11_000))
        await store.add_invitation(invitation("closed", expires_at=11_000))
        await store.close_invitation("closed", InvitationState.DECLINED)
        assert await store.credit_downtime(70_000) == 60_000
        assert await store.timers("m1") == [timer(deadline=72_000)]
        assert [row.expires_at for row in await store.open_invitations()] == [71_000]
        closed = await store.invitation("closed")
        assert closed is not None
        assert closed[0].expires_at == 11_000

    async def test_a_match_that_rests_has_nothing_to_be_given_back(self, store: Store) -> None:
        await store.record_heartbeat(10_000)
        await opened(store, timers=(timer(deadline=12_000),))
        await store.suspend_match("m1", 10_500, Suspension.THREAD_CLOSED)
        assert await store.credit_downtime(70_000) == 60_000
        assert await store.all_timers() == []
        await store.resume_match("m1", 5, [timer(deadline=72_000)])
        assert await store.credit_downtime(71_000) == 1_000
        assert await store.timers("m1") == [timer(deadline=73_000)]

    async def test_downtime_is_given_back_once(self, store: Store) -> None:
        await store.record_heartbeat(10_000)
        await opened(store, timers=(timer(deadline=12_000),))
        assert await store.credit_downtime(20_000) == 10_000
        assert await store.credit_downtime(20_000) == 0
        assert await store.credit_downtime(20_500) == 500
        assert await store.timers("m1") == [timer(deadline=22_500)]

    async def test_the_first_start_was_never_down(self, store: Store) -> None:
        assert await store.last_heartbeat() is None
        assert await store.credit_downtime(10_000) == 0
        assert await store.last_heartbeat() == 10_000

    async def test_a_clock_set_back_takes_nothing_away(self, store: Store) -> None:
        await store.record_heartbeat(10_000)
        await opened(store, timers=(timer(deadline=12_000),))
        assert await store.credit_downtime(4_000) == 0
        assert await store.timers("m1") == [timer(deadline=12_000)]
        assert await store.credit_downtime(5_000) == 1_000

    # -------------------------------------------------------------------------------------- names and facts

    async def test_names_are_each_servers_own_and_the_latest(self, store: Store) -> None:
        await store.set_name(GUILD, ANN, "Ann")
        await store.set_name(GUILD, ANN, "Ännchen '); DROP TABLE names; --")
        await store.set_name(GUILD + 1, BOB, "Bob")
        assert await store.names(GUILD, [ANN, BOB]) == {ANN: "Ännchen '); DROP TABLE names; --"}
        assert await store.names(GUILD, []) == {}

    async def test_the_wish_how_to_be_told_is_each_servers_own_and_the_latest(self, store: Store) -> None:
        assert await store.notice_level(GUILD, ANN) is NoticeLevel.PING
        for level in NoticeLevel:
            await store.set_notice_level(GUILD, ANN, level)
            assert await store.notice_level(GUILD, ANN) is level
        assert await store.notice_level(GUILD + 1, ANN) is NoticeLevel.PING
        assert await store.notice_level(GUILD, BOB) is NoticeLevel.PING

    async def test_a_fact_is_the_latest(self, store: Store) -> None:
        assert await store.metadata("commands") is None
        await store.set_metadata("commands", "one")
        await store.set_metadata("commands", "two")
        assert await store.metadata("commands") == "two"

    # -------------------------------------------------------------------------------------- drafts

    async def test_a_draft_is_kept_for_its_seat_and_question_and_is_the_latest(self, store: Store) -> None:
        await opened(store)
        assert await store.draft("m1", 0, 7) is None
        await store.save_draft("m1", 0, 7, "attack.abc")
        await store.save_draft("m1", 1, 7, "block.1")
        assert await store.draft("m1", 0, 7) == "attack.abc"
        assert await store.draft("m1", 1, 7) == "block.1"
        assert await store.draft("m1", 0, 8) is None
        await store.save_draft("m1", 0, 8, "attack.z")
        assert await store.draft("m1", 0, 8) == "attack.z"
        assert await store.draft("m1", 0, 7) is None

    async def test_drafts_go_with_the_match(self, store: Store) -> None:
        await opened(store)
        await store.save_draft("m1", 0, 7, "attack.abc")
        await store.append(record(1), (), result())
        assert await store.draft("m1", 0, 7) is None
        await store.save_draft("m1", 0, 7, "attack.abc")
        await store.save_draft("unknown", 0, 7, "attack.abc")
        assert await store.draft("m1", 0, 7) is None
        assert await store.draft("unknown", 0, 7) is None

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
