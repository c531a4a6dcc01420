"""Who holds shards: claimed by one process at a time, kept while it can be renewed, and lost for good."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from bot.cluster.ownership import (
    CHECK_SECONDS,
    LEASE_SECONDS,
    LOOK_AGAIN,
    MARGIN,
    RENEW_SECONDS,
    STANDSTILL,
    UNCONNECTED_SECONDS,
    Ownership,
)
from bot.scheduler import LoopScheduler
from bot.shard_range import EVERYTHING, ShardRange
from bot.store.errors import Fenced, NotSaved
from discord_sandbox.virtual_time import block
from tests.bot.store.memory_store import Data, MemoryStore
from tests.known import there

FIRST, SECOND = ShardRange(0, 15, 32), ShardRange(16, 31, 32)
SILENT_AFTER = UNCONNECTED_SECONDS - MARGIN


class Shared(Data):
    """Tables of a server that knows which processes have ended."""

    def __init__(self) -> None:
        super().__init__()
        self.ended: set[str] = set()


class CutOff(MemoryStore):
    """A process's store, which may be out of reach."""

    def __init__(self, data: Data, now: Callable[[], int], *, shared: bool) -> None:
        super().__init__(now=now, data=data, shared=shared)
        self.out_of_reach = False
        if isinstance(data, Shared):
            vars(self.database)["has_ended"] = lambda _db, owner: owner in data.ended

    async def renew_shards(self, lease: int) -> None:
        if self.out_of_reach:
            raise NotSaved("there is no connection")
        await super().renew_shards(lease)

    async def claim_shards(self, *args: object, early: int = 0) -> int:
        if self.out_of_reach:
            raise NotSaved("there is no connection")
        return await super().claim_shards(*args, early=early)  # type: ignore[arg-type]


class Process:
    """A process of the bot, as far as shards go."""

    def __init__(self, data: Data, *ranges: ShardRange, shared: bool = True) -> None:
        scheduler = LoopScheduler()
        self.store = CutOff(data, scheduler.now, shared=shared)
        self.ownership = Ownership(self.store, ranges, scheduler)
        self.silent_at: list[float] = []
        self.certain = 0
        self.ownership.when_in_doubt(self._note_silence, self._note_certainty)
        self._keeping: asyncio.Task[None] | None = None

    def _note_silence(self) -> None:
        self.silent_at.append(asyncio.get_running_loop().time())

    def _note_certainty(self) -> None:
        self.certain += 1

    async def start(self) -> ShardRange:
        """Claim a range and keep it."""
        held = await self.ownership.claim()
        self.go_on()
        return held

    def go_on(self) -> None:
        """Keep the range."""
        self._keeping = asyncio.create_task(self.ownership.keep())

    def stand_still(self) -> None:
        """Take no step any more, as if frozen."""
        there(self._keeping).cancel()

    def die(self) -> None:
        """Take no step any more. The server notices that."""
        self.stand_still()
        assert isinstance(self.store.data, Shared)
        self.store.data.ended.add(self.store.owner)


@pytest.fixture
def data() -> Shared:
    """What all processes share."""
    return Shared()


async def test_a_process_serves_the_first_range_that_is_free(data: Shared) -> None:
    assert await Process(data, FIRST, SECOND).start() == FIRST
    assert await Process(data, FIRST, SECOND).start() == SECOND


async def test_a_lease_is_kept_for_as_long_as_its_process_lives(data: Shared) -> None:
    first = Process(data, FIRST)
    await first.start()
    spare = asyncio.create_task(Process(data, FIRST).start())
    await asyncio.sleep(10 * LEASE_SECONDS)
    assert not spare.done()
    assert first.ownership.is_current()
    assert set((await first.store.shard_owners()).values()) != set()
    spare.cancel()


@pytest.mark.parametrize("died_after", [0.0, 0.2, 0.4, 0.7, 1.1, 1.6, 1.9])
async def test_a_spare_takes_the_range_of_a_process_that_died_within_three_seconds(
    data: Shared, died_after: float
) -> None:
    """However the moment lies between two renewals and two looks of the spare."""
    loop = asyncio.get_running_loop()
    dead, other, spare = Process(data, FIRST), Process(data, SECOND), Process(data, FIRST, SECOND)
    await dead.start()
    await other.start()
    waiting = asyncio.create_task(spare.start())
    await asyncio.sleep(30 + died_after)
    died_at = loop.time()
    dead.die()
    assert await waiting == FIRST
    assert UNCONNECTED_SECONDS - RENEW_SECONDS - 0.1 <= loop.time() - died_at <= UNCONNECTED_SECONDS + 0.1
    assert other.ownership.is_current()
    assert spare.ownership.held == FIRST


async def test_a_spare_takes_the_range_of_a_process_that_only_stands_still_once_its_lease_is_over(
    data: Shared,
) -> None:
    loop = asyncio.get_running_loop()
    frozen, spare = Process(data, FIRST), Process(data, FIRST)
    await frozen.start()
    waiting = asyncio.create_task(spare.start())
    await asyncio.sleep(30)
    stands_since = loop.time()
    frozen.stand_still()
    await waiting
    assert LEASE_SECONDS - RENEW_SECONDS <= loop.time() - stands_since <= LEASE_SECONDS + LOOK_AGAIN


async def test_a_process_that_is_started_again_does_not_wait_for_the_whole_lease_of_the_one_that_died(
    data: Shared,
) -> None:
    dead = Process(data, FIRST)
    await dead.start()
    await asyncio.sleep(30)
    dead.die()
    async with asyncio.timeout(UNCONNECTED_SECONDS + 0.1):
        await Process(data, FIRST).start()


async def test_after_an_outage_of_the_data_those_who_play_come_back_before_a_spare(data: Shared) -> None:
    """Their connections were lost with the spare's own, so it tells nothing that they are gone."""
    loop = asyncio.get_running_loop()
    playing, spare = Process(data, FIRST), Process(data, FIRST)
    await playing.start()
    waiting = asyncio.create_task(spare.start())
    await asyncio.sleep(30)
    playing.store.out_of_reach = spare.store.out_of_reach = True
    data.ended.add(playing.store.owner)
    await asyncio.sleep(2 * UNCONNECTED_SECONDS)
    spare.store.out_of_reach = False
    back = loop.time()
    await asyncio.sleep(1.0)
    playing.store.out_of_reach = False
    data.ended.clear()
    await asyncio.sleep(60)
    assert not waiting.done()
    assert playing.ownership.is_current()
    assert loop.time() > back + LEASE_SECONDS
    waiting.cancel()


@pytest.mark.parametrize(("stands", "may"), [(3.0, True), (STANDSTILL - 0.1, True), (STANDSTILL + 0.1, False)])
async def test_the_lease_is_renewed_beside_a_loop_that_stands_still_but_not_for_ever(
    data: Shared, stands: float, *, may: bool
) -> None:
    process = Process(data, FIRST)
    await process.start()
    await asyncio.sleep(10 * RENEW_SECONDS + 0.01)
    block(stands - 0.01)  # it turned at the last renewal
    begun = process.ownership.begin_renewal()  # by another thread
    assert (begun is not None) is may
    if begun is not None:
        process.ownership.renewed(begun)
    assert process.ownership.is_current() is may


async def test_a_process_whose_writes_fail_learns_it_although_its_lease_is_renewed(data: Shared) -> None:
    process = Process(data, FIRST)

    async def renewed_elsewhere(*_: object) -> None:
        while True:
            process.ownership.renewed(asyncio.get_running_loop().time())
            await asyncio.sleep(RENEW_SECONDS)

    async def fenced(_lease: int) -> None:
        raise Fenced("the database lacks writes that were saved")

    process.store.keep_renewing = renewed_elsewhere  # type: ignore[method-assign,assignment]  # as over a connection of its own
    await process.start()
    process.store.renew_shards = fenced  # type: ignore[method-assign,assignment]  # the database is another one
    await asyncio.sleep(CHECK_SECONDS + 0.1)
    assert process.ownership.lost.is_set()
    assert process.ownership.why_lost == "the database lacks writes that were saved"


async def test_a_range_that_was_given_back_is_taken_at_once(data: Shared) -> None:
    first, spare = Process(data, FIRST), Process(data, FIRST)
    await first.start()
    waiting = asyncio.create_task(spare.start())
    await asyncio.sleep(30)
    first.stand_still()
    await first.ownership.release()
    async with asyncio.timeout(LOOK_AGAIN + 0.1):
        await waiting


async def test_a_renewal_that_is_late_for_a_clean_stop_is_no_loss(
    data: Shared, caplog: pytest.LogCaptureFixture
) -> None:
    process = Process(data, FIRST)
    await process.start()
    process.stand_still()
    await process.ownership.release()
    with pytest.raises(Fenced) as refused:
        await process.store.renew_shards(1000)
    process.ownership.not_renewed(refused.value)
    process.ownership.fenced()
    await asyncio.sleep(1)
    assert not process.ownership.lost.is_set()
    assert "lost" not in caplog.text


async def test_a_process_that_wakes_after_its_lease_learns_by_its_first_write_that_it_was_replaced(
    data: Shared,
) -> None:
    frozen, spare = Process(data, FIRST), Process(data, FIRST)
    await frozen.start()
    frozen.stand_still()
    await spare.start()
    assert not frozen.ownership.is_current()  # by its own clock, before it asks anybody
    with pytest.raises(Fenced):
        await frozen.store.set_metadata("by", "a ghost")
    assert frozen.ownership.lost.is_set()
    assert await spare.store.metadata("by") is None
    assert spare.ownership.is_current()


async def test_who_asks_the_data_knows_at_once_whether_the_shards_are_its_own(data: Shared) -> None:
    frozen, spare = Process(data, FIRST), Process(data, FIRST)
    await frozen.start()
    assert await frozen.ownership.confirm()
    frozen.stand_still()
    await spare.start()
    assert not await frozen.ownership.confirm()
    assert frozen.ownership.lost.is_set()
    assert await spare.ownership.confirm()


async def test_the_loss_is_known_before_whoever_wrote_hears_of_it(data: Shared) -> None:
    """Whoever gets the error must not be able to tell Discord of it."""
    frozen, spare = Process(data, FIRST), Process(data, FIRST)
    await frozen.start()
    frozen.stand_still()
    await spare.start()
    known: list[bool] = []
    writing = asyncio.ensure_future(frozen.store.set_metadata("by", "a ghost"))
    writing.add_done_callback(lambda _: known.append(frozen.ownership.lost.is_set()))
    with pytest.raises(Fenced):
        await writing
    assert known == [True]


@pytest.mark.parametrize("is_seen", [True, False])
async def test_a_process_that_cannot_renew_falls_silent_before_anybody_can_take_over(
    data: Shared, *, is_seen: bool
) -> None:
    """Whether the server sees that its connection is gone or not."""
    loop = asyncio.get_running_loop()
    cut_off, spare = Process(data, FIRST), Process(data, FIRST)
    await cut_off.start()
    waiting = asyncio.create_task(spare.start())
    await asyncio.sleep(31)
    cut_off.store.out_of_reach = True
    if is_seen:
        data.ended.add(cut_off.store.owner)
    silent_at = taken_at = 0.0
    while not taken_at:
        await asyncio.sleep(0.1)
        if not silent_at and not cut_off.ownership.is_current():
            silent_at = loop.time()
        if waiting.done():
            taken_at = loop.time()
    assert taken_at - silent_at > MARGIN - 0.15
    assert not cut_off.ownership.lost.is_set()  # it can't know
    cut_off.store.out_of_reach = False
    await asyncio.sleep(LOOK_AGAIN + 0.1)
    assert cut_off.ownership.lost.is_set()


async def test_play_goes_on_if_nobody_took_the_shards_meanwhile(data: Shared, caplog: pytest.LogCaptureFixture) -> None:
    process = Process(data, FIRST)
    await process.start()
    process.store.out_of_reach = True
    await asyncio.sleep(60)
    assert not process.ownership.is_current()
    assert not process.ownership.lost.is_set()
    process.store.out_of_reach = False
    await asyncio.sleep(LOOK_AGAIN + 0.1)
    assert process.ownership.is_current()
    assert process.certain == 1
    assert sum("nobody is answered" in each.message for each in caplog.records) == 1
    await asyncio.sleep(60)
    assert process.certain == 1


@pytest.mark.parametrize("cut_after", [0.1, 0.2, 0.3, 0.4])
async def test_it_tells_that_it_falls_silent_as_it_does(data: Shared, cut_after: float) -> None:
    """However the moment lies between two renewals."""
    process = Process(data, FIRST)
    await process.start()
    await asyncio.sleep(5 * RENEW_SECONDS + cut_after)
    process.store.out_of_reach = True
    while process.ownership.is_current():  # noqa: ASYNC110  by its own clock, which tells nobody
        await asyncio.sleep(0.01)
    assert [round(asyncio.get_running_loop().time() - at, 1) for at in process.silent_at] == [0.0]
    process.stand_still()


async def test_a_short_failure_is_nobodys_business(data: Shared) -> None:
    process = Process(data, FIRST)
    await process.start()
    process.store.out_of_reach = True
    await asyncio.sleep(SILENT_AFTER - RENEW_SECONDS - 0.1)
    assert process.ownership.is_current()
    process.store.out_of_reach = False
    await asyncio.sleep(60)
    assert process.ownership.is_current()
    assert process.certain == 0


async def test_a_renewal_that_gets_no_answer_silences_the_process_too(data: Shared) -> None:
    process = Process(data, FIRST)
    await process.start()
    never = asyncio.Event()

    async def unanswered(_lease: int) -> None:
        await never.wait()

    process.store.renew_shards = unanswered  # type: ignore[method-assign,assignment]  # it never answers
    await asyncio.sleep(SILENT_AFTER + 0.1)
    assert not process.ownership.is_current()
    assert len(process.silent_at) == 1
    process.stand_still()


async def test_a_start_on_data_of_its_own_fails_if_they_cannot_be_used(data: Shared) -> None:
    process = Process(data, FIRST, shared=False)
    process.store.out_of_reach = True
    with pytest.raises(NotSaved):
        await process.start()


async def test_a_start_and_a_spare_wait_for_shared_data(data: Shared) -> None:
    first, spare = Process(data, FIRST), Process(data, FIRST)
    first.store.out_of_reach = True
    starting = asyncio.create_task(first.start())
    await asyncio.sleep(60)
    assert not starting.done()
    first.store.out_of_reach = False
    assert await starting == FIRST
    waiting = asyncio.create_task(spare.start())
    await asyncio.sleep(5)
    spare.store.out_of_reach = True
    await asyncio.sleep(60)
    first.stand_still()
    spare.store.out_of_reach = False
    assert await waiting == FIRST


async def test_a_spare_that_may_write_no_more_does_not_wait(data: Shared) -> None:
    spare = Process(data, FIRST)

    async def fenced(*_: object, **__: object) -> int:
        raise Fenced("the database lacks writes that were saved")

    spare.store.claim_shards = fenced  # type: ignore[method-assign]  # the database is another one
    async with asyncio.timeout(UNCONNECTED_SECONDS):
        with pytest.raises(Fenced):
            await spare.start()


async def test_where_nobody_else_can_have_the_data_nothing_is_renewed(data: Shared) -> None:
    for _ in range(2):
        process = Process(data, EVERYTHING, shared=False)
        assert await process.start() == EVERYTHING  # at once, although the one before was never told to end
        process.store.out_of_reach = True
        await asyncio.sleep(10 * LEASE_SECONDS)
        assert process.ownership.is_current()
        await process.store.set_metadata("still", "there")
