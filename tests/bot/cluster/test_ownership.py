"""Who holds shards: claimed by one process at a time, kept while it can be renewed, and lost for good."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from bot.cluster.ownership import LEASE_SECONDS, LOOK_AGAIN, MARGIN, RENEW_SECONDS, Ownership
from bot.scheduler import LoopScheduler
from bot.shard_range import EVERYTHING, ShardRange
from bot.store.errors import Fenced, NotSaved
from tests.bot.store.memory_store import Data, MemoryStore

FIRST, SECOND = ShardRange(0, 15, 32), ShardRange(16, 31, 32)
SILENT_AFTER = LEASE_SECONDS - MARGIN


class CutOff(MemoryStore):
    """A process's store, which may be out of reach."""

    def __init__(self, data: Data, now: Callable[[], int], *, shared: bool) -> None:
        super().__init__(now=now, data=data, shared=shared)
        self.out_of_reach = False

    async def renew_shards(self, lease: int) -> None:
        if self.out_of_reach:
            raise NotSaved("there is no connection")
        await super().renew_shards(lease)

    async def claim_shards(self, *args: object) -> int:
        if self.out_of_reach:
            raise NotSaved("there is no connection")
        return await super().claim_shards(*args)  # type: ignore[arg-type]


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
        """Take no step any more, as if frozen or dead."""
        assert self._keeping is not None
        self._keeping.cancel()


@pytest.fixture
def data() -> Data:
    """What all processes share."""
    return Data()


async def test_a_process_serves_the_first_range_that_is_free(data: Data) -> None:
    assert await Process(data, FIRST, SECOND).start() == FIRST
    assert await Process(data, FIRST, SECOND).start() == SECOND


async def test_a_lease_is_kept_for_as_long_as_its_process_lives(data: Data) -> None:
    first = Process(data, FIRST)
    await first.start()
    spare = asyncio.create_task(Process(data, FIRST).start())
    await asyncio.sleep(10 * LEASE_SECONDS)
    assert not spare.done()
    assert first.ownership.is_current()
    assert set((await first.store.shard_owners()).values()) != set()
    spare.cancel()


async def test_a_spare_takes_the_range_of_a_process_that_died_once_its_lease_is_over(data: Data) -> None:
    loop = asyncio.get_running_loop()
    dead, other, spare = Process(data, FIRST), Process(data, SECOND), Process(data, FIRST, SECOND)
    await dead.start()
    await other.start()
    waiting = asyncio.create_task(spare.start())
    await asyncio.sleep(30)
    died_at = loop.time()
    dead.stand_still()
    assert await waiting == FIRST
    assert LEASE_SECONDS - RENEW_SECONDS <= loop.time() - died_at <= LEASE_SECONDS + LOOK_AGAIN
    assert other.ownership.is_current()
    assert spare.ownership.held == FIRST


async def test_a_range_that_was_given_back_is_taken_at_once(data: Data) -> None:
    first, spare = Process(data, FIRST), Process(data, FIRST)
    await first.start()
    waiting = asyncio.create_task(spare.start())
    await asyncio.sleep(30)
    first.stand_still()
    await first.ownership.release()
    async with asyncio.timeout(LOOK_AGAIN + 0.1):
        await waiting


async def test_a_process_that_wakes_after_its_lease_learns_by_its_first_write_that_it_was_replaced(data: Data) -> None:
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


async def test_who_asks_the_data_knows_at_once_whether_the_shards_are_its_own(data: Data) -> None:
    frozen, spare = Process(data, FIRST), Process(data, FIRST)
    await frozen.start()
    assert await frozen.ownership.confirm()
    frozen.stand_still()
    await spare.start()
    assert not await frozen.ownership.confirm()
    assert frozen.ownership.lost.is_set()
    assert await spare.ownership.confirm()


async def test_the_loss_is_known_before_whoever_wrote_hears_of_it(data: Data) -> None:
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


async def test_a_process_that_cannot_renew_falls_silent_before_anybody_can_take_over(data: Data) -> None:
    loop = asyncio.get_running_loop()
    cut_off, spare = Process(data, FIRST), Process(data, FIRST)
    await cut_off.start()
    waiting = asyncio.create_task(spare.start())
    await asyncio.sleep(31)
    cut_off.store.out_of_reach = True
    silent_at = taken_at = 0.0
    while not taken_at:
        await asyncio.sleep(0.1)
        if not silent_at and not cut_off.ownership.is_current():
            silent_at = loop.time()
        if waiting.done():
            taken_at = loop.time()
    assert taken_at - silent_at > MARGIN - 0.3
    assert not cut_off.ownership.lost.is_set()  # it can't know
    cut_off.store.out_of_reach = False
    await asyncio.sleep(LOOK_AGAIN + 0.1)
    assert cut_off.ownership.lost.is_set()


async def test_play_goes_on_if_nobody_took_the_shards_meanwhile(data: Data, caplog: pytest.LogCaptureFixture) -> None:
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


@pytest.mark.parametrize("cut_after", [0.5, 1.5, 2.5, 3.5])
async def test_it_tells_that_it_falls_silent_as_it_does(data: Data, cut_after: float) -> None:
    """However the moment lies between two renewals."""
    process = Process(data, FIRST)
    await process.start()
    await asyncio.sleep(5 * RENEW_SECONDS + cut_after)
    process.store.out_of_reach = True
    while process.ownership.is_current():  # noqa: ASYNC110  by its own clock, which tells nobody
        await asyncio.sleep(0.01)
    assert [round(asyncio.get_running_loop().time() - at, 1) for at in process.silent_at] == [0.0]
    process.stand_still()


async def test_a_short_failure_is_nobodys_business(data: Data) -> None:
    process = Process(data, FIRST)
    await process.start()
    process.store.out_of_reach = True
    await asyncio.sleep(SILENT_AFTER - RENEW_SECONDS - 1)
    assert process.ownership.is_current()
    process.store.out_of_reach = False
    await asyncio.sleep(60)
    assert process.ownership.is_current()
    assert process.certain == 0


async def test_a_renewal_that_gets_no_answer_silences_the_process_too(data: Data) -> None:
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


async def test_a_start_on_data_of_its_own_fails_if_they_cannot_be_used(data: Data) -> None:
    process = Process(data, FIRST, shared=False)
    process.store.out_of_reach = True
    with pytest.raises(NotSaved):
        await process.start()


async def test_a_start_and_a_spare_wait_for_shared_data(data: Data) -> None:
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


async def test_a_spare_that_may_write_no_more_does_not_wait(data: Data) -> None:
    spare = Process(data, FIRST)

    async def fenced(*_: object) -> int:
        raise Fenced("the database lacks writes that were saved")

    spare.store.claim_shards = fenced  # type: ignore[method-assign]  # the database is another one
    async with asyncio.timeout(LEASE_SECONDS):
        with pytest.raises(Fenced):
            await spare.start()


async def test_where_nobody_else_can_have_the_data_nothing_is_renewed(data: Data) -> None:
    for _ in range(2):
        process = Process(data, EVERYTHING, shared=False)
        assert await process.start() == EVERYTHING  # at once, although the one before was never told to end
        process.store.out_of_reach = True
        await asyncio.sleep(10 * LEASE_SECONDS)
        assert process.ownership.is_current()
        await process.store.set_metadata("still", "there")
