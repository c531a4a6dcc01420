"""The contract's part on shards: what processes that share the data may rely on. Subclass `ClusterContract`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.shard_range import EVERYTHING, ShardRange
from bot.store.errors import Fenced
from bot.store.queries.gateway_sessions import KeptSession
from bot.store.queries.matches import Suspension
from bot.store.store import Store
from tests.bot.store.rows import (
    ANN,
    attended,
    change,
    deal,
    hand,
    invitation,
    match,
    notice,
    opened,
    posting,
    record,
    timer,
)

LEASE = 400
"""Milliseconds."""
LATER = 1_000_000
"""A time of day in ms: later than everything in these tests."""

TOTAL = 4
FIRST, SECOND = ShardRange(0, 1, TOTAL), ShardRange(2, 3, TOTAL)
HERE, THERE = (4 << 22) + 7, (6 << 22) + 7
"""A server of the first range, and one of the second."""
DIRECT = -((7 << 22) + 7)
"""A place in direct messages: it belongs to shard 0, whatever the person's id."""

OpenProcess = Callable[[], Awaitable[Store]]
"""Opens the store of another process on the same data."""
PassTime = Callable[[int], Awaitable[None]]
"""Lets this many ms pass on the clock of the data."""


class Process:
    """A tenant that notes whether it was fenced."""

    def __init__(self) -> None:
        self.told = 0

    def fenced(self) -> None:
        self.told += 1


async def claimed(store: Store, wanted: ShardRange, owner: str) -> Process:
    """Have a process claim a range that is free."""
    process = Process()
    assert await store.claim_shards(wanted, process, owner, LEASE) == 0
    return process


async def refused(store: Store, wanted: ShardRange, owner: str = "x") -> int:
    """Have a process claim a range that is not free. Returns after how many ms it may be."""
    left = await store.claim_shards(wanted, Process(), owner, LEASE)
    assert 0 < left <= max(LEASE, 1000)
    return left


def session(shard: int, **changed: Any) -> KeptSession:
    """A session that is kept."""
    of_it = {"profile": "7 1", "session": "an id", "address": "wss://there", "sequence": 7, "at": 1000, "servers": "[]"}
    return KeptSession(TOTAL, shard, **{**of_it, **changed})


class ClusterContract:
    """Leases of shards and of jobs, and turns."""

    # ------------------------------------------------------------------------------------ leases

    async def test_all_shards_of_a_range_are_claimed_or_none(self, open_process: OpenProcess) -> None:
        a, b, c = [await open_process() for _ in range(3)]
        await claimed(a, ShardRange(0, 0, TOTAL), "a")
        await refused(b, FIRST)
        assert await a.shard_owners() == {0: "a"}
        await claimed(b, ShardRange(1, 1, TOTAL), "b")
        await claimed(c, SECOND, "c")
        assert await c.shard_owners() == {0: "a", 1: "b", 2: "c", 3: "c"}

    async def test_a_lease_that_ran_out_is_taken_over_and_its_owner_writes_no_more(
        self, open_process: OpenProcess, pass_time: PassTime
    ) -> None:
        a, b = await open_process(), await open_process()
        process = await claimed(a, FIRST, "a")
        await a.set_metadata("by", "a")
        await pass_time(LEASE + 1)
        await a.set_metadata("by", "a, late")  # nobody has taken its shards
        await claimed(b, FIRST, "b")
        with pytest.raises(Fenced):
            await a.set_metadata("by", "a, too late")
        assert process.told == 1
        with pytest.raises(Fenced):
            await a.renew_shards(LEASE)
        await b.set_metadata("too", "b")
        assert await a.metadata("by") == "a, late"
        assert await a.shard_owners() == {0: "b", 1: "b"}

    async def test_whoever_loses_one_shard_loses_all(self, open_process: OpenProcess, pass_time: PassTime) -> None:
        a, b = await open_process(), await open_process()
        await claimed(a, FIRST, "a")
        await pass_time(LEASE + 1)
        await claimed(b, ShardRange(1, 1, TOTAL), "b")
        with pytest.raises(Fenced):
            await a.set_metadata("by", "a")
        assert await b.shard_owners() == {1: "b"}

    async def test_a_lease_that_is_renewed_does_not_run_out(
        self, open_process: OpenProcess, pass_time: PassTime
    ) -> None:
        a, b = await open_process(), await open_process()
        await claimed(a, FIRST, "a")
        for _ in range(3):
            await pass_time(LEASE // 2)
            await a.renew_shards(LEASE)
        await refused(b, FIRST)
        await pass_time(LEASE + 1)
        await claimed(b, FIRST, "b")

    async def test_what_is_given_back_is_free_at_once(self, open_process: OpenProcess, pass_time: PassTime) -> None:
        a, b, c = [await open_process() for _ in range(3)]
        await claimed(a, FIRST, "a")
        await a.release_shards()
        await claimed(b, FIRST, "b")
        await pass_time(LEASE + 1)
        await claimed(c, FIRST, "c")
        await b.release_shards()  # not its own any more
        assert await c.shard_owners() == {0: "c", 1: "c"}

    async def test_shards_of_another_number_wait_for_all_leases(
        self, open_process: OpenProcess, pass_time: PassTime
    ) -> None:
        a, b = await open_process(), await open_process()
        await claimed(a, FIRST, "a")
        await refused(b, EVERYTHING)
        await refused(b, ShardRange(7, 7, 8))
        await pass_time(LEASE + 1)
        await claimed(b, ShardRange(7, 7, 8), "b")
        assert await b.shard_owners() == {7: "b"}
        with pytest.raises(Fenced):
            await a.set_metadata("by", "a")

    # ------------------------------------------------------------------------------------ what is served

    async def test_lists_of_everything_are_of_the_servers_served(self, open_process: OpenProcess) -> None:
        a, b = await open_process(), await open_process()
        await claimed(a, FIRST, "a")
        await claimed(b, SECOND, "b")
        for store, guild, name in ((a, HERE, "here"), (a, DIRECT, "direct"), (b, THERE, "there")):
            await opened(store, f"over-{name}", guild=guild)
            await store.append(record(1, f"over-{name}"), (), attended(f"over-{name}"))
            await opened(store, name, guild=guild, timers=(timer(match_id=name),))
            await store.add_invitation(invitation(f"open-{name}", guild=guild))
            await store.add_notice(notice(name))
            await store.add_posting(posting(name))
            await opened(store, f"lost-{name}", guild=guild)
            await store.suspend_match(f"lost-{name}", 7000, Suspension.REMOVED)
            await store.record_departure(guild, 5000)  # this deletes open hands
            await store.write_open_hands([hand(name)], [], 1000)
            await store.change_setting(change(guild=guild))

        async def lists(store: Store) -> list[object]:
            observed = await store.record_look(LATER, None)
            return [
                sorted(each.id for each in await store.live_matches()),
                sorted(each.match_id for each in await store.all_timers()),
                [each.id for each in await store.matches_ended_since(0)],
                sorted(each.id for each in await store.open_invitations()),
                sorted(each.match_id for each in await store.notices()),
                sorted(each.match_id for each in await store.postings()),
                sorted({each.match_id for each in await store.open_hands()}),
                sorted(observed.suspended),
                await store.known_guilds(),
                set(await store.departures()),
                set(observed.departures),
                set(await store.server_settings()),
            ]

        there = [["lost-there", "there"], ["there"], ["over-there"], ["open-there"], *[["there"]] * 3]
        assert await lists(b) == [*there, ["lost-there"], *[{THERE}] * 4]
        assert (await lists(a))[0] == ["direct", "here", "lost-direct", "lost-here"]
        assert (await lists(a))[1] == ["direct", "here"]
        assert (await lists(a))[8:] == [{HERE, DIRECT}] * 4
        everything = await open_process()
        assert (await lists(everything))[1] == ["direct", "here", "there"]
        assert await everything.known_guilds() == {HERE, DIRECT, THERE}

    async def test_what_a_person_plays_is_read_from_all_ranges(self, open_process: OpenProcess) -> None:
        a, b = await open_process(), await open_process()
        await claimed(a, FIRST, "a")
        await claimed(b, SECOND, "b")
        for store, guild, name in ((a, HERE, "here"), (b, THERE, "there")):
            await opened(store, name, guild=guild, timers=(timer(match_id=name),))
            await store.add_invitation(invitation(f"open-{name}", guild=guild))
        for store in (a, b):
            assert [each.id for each in await store.live_matches_of(ANN)] == ["here", "there"]
            assert [each.id for each in await store.open_invitations_of(ANN)] == ["open-here", "open-there"]
            saved = await store.saved_matches(["here", "there"])
            assert [[each.match_id for each in saved[name].timers] for name in saved] == [["here"], ["there"]]

    # ------------------------------------------------------------------------------------ time away

    async def test_each_range_is_credited_with_the_time_that_it_was_away(
        self, open_process: OpenProcess, pass_time: PassTime
    ) -> None:
        a, b = await open_process(), await open_process()
        await claimed(a, FIRST, "a")
        await claimed(b, SECOND, "b")
        for store, guild, name in ((a, HERE, "here"), (b, THERE, "there")):
            await store.add_invitation(invitation(name, guild=guild))
            await store.open_match(match(name, guild=guild), deal(name), [timer(match_id=name, deadline=9000)])
            await store.add_invitation(invitation(f"open-{name}", guild=guild))
        assert await a.last_heartbeat() is None
        assert await a.credit_downtime(1000) == 0
        await a.record_heartbeat(2000)
        await b.record_heartbeat(2500)
        assert (await a.last_heartbeat(), await b.last_heartbeat()) == (2000, 2500)
        before = {each.id: each.expires_at for store in (a, b) for each in await store.open_invitations()}
        await pass_time(LEASE + 1)
        spare = await open_process()
        await claimed(spare, FIRST, "c")
        assert await spare.last_heartbeat() == 2000
        assert await spare.credit_downtime(7000) == 5000
        assert await spare.credit_downtime(7000) == 0
        await spare.shift_time(100)
        assert await spare.last_heartbeat() == 7100
        moved = {each.match_id: each.deadline for each in await (await open_process()).all_timers()}
        assert moved == {"here": 14_100, "there": 9000}
        later = {each.id: each.expires_at for each in await (await open_process()).open_invitations()}
        assert later == {"open-here": before["open-here"] + 5100, "open-there": before["open-there"]}

    async def test_shards_that_were_away_for_different_times_are_credited_with_their_own(
        self, open_process: OpenProcess
    ) -> None:
        a, b, both = [await open_process() for _ in range(3)]
        await claimed(a, FIRST, "a")
        await claimed(b, SECOND, "b")
        for store, guild, name in ((a, HERE, "here"), (b, THERE, "there")):
            await store.add_invitation(invitation(name, guild=guild))
            await store.open_match(match(name, guild=guild), deal(name), [timer(match_id=name, deadline=9000)])
        await a.record_heartbeat(2000)
        await a.release_shards()
        await b.record_heartbeat(6000)
        await b.release_shards()
        await claimed(both, ShardRange(0, 3, TOTAL), "c")
        assert await both.last_heartbeat() == 2000
        assert await both.credit_downtime(7000) == 5000
        assert {each.match_id: each.deadline for each in await both.all_timers()} == {"here": 14_000, "there": 10_000}

    async def test_another_number_of_shards_goes_on_from_the_last_heartbeat(self, open_process: OpenProcess) -> None:
        one, a, one_again = [await open_process() for _ in range(3)]
        await claimed(one, EVERYTHING, "one")
        await one.record_heartbeat(2000)
        await one.release_shards()
        await claimed(a, FIRST, "a")
        assert await a.last_heartbeat() == 2000
        await a.record_heartbeat(3000)
        await a.release_shards()
        await claimed(one_again, EVERYTHING, "again")
        assert await one_again.last_heartbeat() == 3000

    async def test_looks_of_several_processes_add_up_to_the_time_that_passed(self, open_process: OpenProcess) -> None:
        a, b = await open_process(), await open_process()
        await claimed(a, FIRST, "a")
        await claimed(b, SECOND, "b")
        day = 24 * 3600 * 1000
        await a.record_look(0, None)
        await b.record_look(0, None)
        await a.record_departure(HERE, 0)
        for passed in range(1, 4):
            await a.record_look(passed * day, day)
            await b.record_look(passed * day, day)
        observed = await a.record_look(3 * day, 0)
        assert observed.departures == {HERE: 3 * day}

    # ------------------------------------------------------------------------------------ sessions

    async def test_a_session_is_taken_once_with_its_servers(self, open_process: OpenProcess) -> None:
        a, b = await open_process(), await open_process()
        await claimed(a, FIRST, "a")
        await a.keep_session(session(0))
        await a.keep_session(session(0, sequence=8, servers=""))  # they are as they were
        await a.keep_session(session(1, servers=""))
        await a.release_shards()
        await claimed(b, FIRST, "b")
        assert await b.take_sessions(TOTAL, {2, 3}) == []
        assert await b.take_sessions(TOTAL, {0, 1}) == [session(0, sequence=8)]
        assert await b.take_sessions(TOTAL, {0, 1}) == []

    async def test_a_later_session_takes_the_place_of_an_earlier_one(self, open_process: OpenProcess) -> None:
        store = await open_process()
        await claimed(store, FIRST, "a")
        await store.keep_session(session(1))
        await store.keep_session(session(1, session="another", servers="[1]"))
        assert await store.take_sessions(TOTAL, {1}) == [session(1, session="another", servers="[1]")]

    async def test_nobody_keeps_or_takes_a_session_whose_shard_is_anothers(
        self, open_process: OpenProcess, pass_time: PassTime
    ) -> None:
        a, b = await open_process(), await open_process()
        await claimed(a, FIRST, "a")
        await a.keep_session(session(0))
        await pass_time(LEASE + 1)
        await claimed(b, FIRST, "b")
        with pytest.raises(Fenced):
            await a.keep_session(session(0, sequence=9))
        with pytest.raises(Fenced):
            await a.take_sessions(TOTAL, {0})
        assert await b.take_sessions(TOTAL, {0}) == [session(0)]

    async def test_sessions_of_another_number_of_shards_are_of_no_use(self, open_process: OpenProcess) -> None:
        store = await open_process()
        await claimed(store, FIRST, "a")
        await store.keep_session(session(0))
        assert await store.take_sessions(2 * TOTAL, {0}) == []
        assert await store.take_sessions(TOTAL, {0}) == []

    # ------------------------------------------------------------------------------------ jobs and turns

    async def test_a_job_is_one_processs(self, open_process: OpenProcess, pass_time: PassTime) -> None:
        a, b = await open_process(), await open_process()
        await claimed(a, FIRST, "a")
        await claimed(b, SECOND, "b")
        assert await a.take_job("upload", LEASE)
        assert await a.take_job("upload", LEASE)
        assert not await b.take_job("upload", LEASE)
        assert await b.take_job("announce", LEASE)
        await pass_time(LEASE + 1)
        assert await b.take_job("upload", LEASE)
        assert not await a.take_job("upload", LEASE)

    async def test_a_job_is_free_once_its_process_holds_no_shards(self, open_process: OpenProcess) -> None:
        a, b = await open_process(), await open_process()
        await claimed(a, FIRST, "a")
        await claimed(b, SECOND, "b")
        assert await a.take_job("upload", 1000 * LEASE)
        assert not await b.take_job("upload", LEASE)
        await a.release_shards()
        assert await b.take_job("upload", LEASE)

    async def test_turns_keep_their_distance_in_all_processes(
        self, open_process: OpenProcess, pass_time: PassTime
    ) -> None:
        a, b = await open_process(), await open_process()
        assert await a.take_turn("0", 60_000) == 0
        waits = [await b.take_turn("0", 60_000), await a.take_turn("0", 60_000)]
        assert 55_000 < waits[0] <= 60_000
        assert 115_000 < waits[1] <= 120_000
        assert await b.take_turn("1", 60_000) == 0
        assert await a.take_turn("2", 50) == 0
        await pass_time(60)
        assert await a.take_turn("2", 50) == 0

    async def test_sessions_of_all_processes_are_recorded(self, open_process: OpenProcess) -> None:
        a, b = await open_process(), await open_process()
        assert await a.record_session("sessions:1", 100, 3) == [100]
        assert await b.record_session("sessions:1", 200, 3) == [100, 200]
        await a.record_session("sessions:1", 300, 3)
        assert await a.record_session("sessions:1", 400, 3) == [200, 300, 400]
        assert await b.metadata("sessions:1") == "[200, 300, 400]"
