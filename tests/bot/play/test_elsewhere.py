"""What somebody plays in servers of other processes, as one process reads it from the data that they share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.games import GAMES
from bot.ops.metrics import Metrics
from bot.play.elsewhere import Elsewhere, PlayedElsewhere
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.scheduler import LoopScheduler
from bot.shard_range import ShardRange
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import Suspension
from bot.store.verification import AlteredPart
from engines.game import Resign
from tests.bot.play.parts import ANN, BEGUN, BOB, CAT, CHANNEL, Parts, an_act, on_turn, press_ids
from tests.bot.store.memory_store import Data, MemoryStore
from tests.figures import now

HERE, THERE = 4 << 22, 5 << 22
"""A server of the first of two shards, and one of the second."""
FOR_LONG = 10**9


class NobodyElse:
    """Who holds shards that nobody takes."""

    def fenced(self) -> None:
        raise AssertionError("nobody else claims these shards")


class Process:
    """One of two processes on the same data, with one of two shards."""

    def __init__(self, data: Data, shard: int, *, shared: bool = True) -> None:
        scheduler = LoopScheduler(BEGUN)
        self.shard = shard
        self.store = MemoryStore(now=scheduler.now, data=data, shared=shared)
        self.parts = Parts(self.store, scheduler, seed=shard)
        self.metrics = Metrics()
        self.elsewhere = Elsewhere(self.store, scheduler.now, self.metrics)

    async def claim(self) -> None:
        """Take its shard."""
        mine = ShardRange(self.shard, self.shard, 2)
        assert await self.store.claim_shards(mine, NobodyElse(), f"process {self.shard}", FOR_LONG) == 0

    async def invited(self, guild: int, host: int = ANN, guest: int = BOB) -> Invitation:
        """A challenge in a server."""
        terms = Terms(guild, CHANNEL, "haymaker", GAMES["haymaker"].info.options(), "daily")
        return await self.parts.inviting.invite(Proposal(terms, host, (guest,)))

    async def opened(self, guild: int, host: int = ANN, guest: int = BOB) -> LiveMatch:
        """A match in play in a server."""
        invitation = await self.invited(guild, host, guest)
        return await self.parts.accepted(invitation.id, guest)


@pytest.fixture
def data() -> Data:
    """What both processes share."""
    return Data()


@pytest.fixture
async def here(data: Data) -> AsyncIterator[Process]:
    """The process with the first shard."""
    process = Process(data, 0)
    await process.claim()
    yield process
    await process.parts.close()


@pytest.fixture
async def there(data: Data) -> AsyncIterator[Process]:
    """The process with the second shard."""
    process = Process(data, 1)
    await process.claim()
    yield process
    await process.parts.close()


async def test_matches_and_invitations_of_other_processes_are_read_as_they_were_saved(
    here: Process, there: Process
) -> None:
    own, other = await here.opened(HERE), await there.opened(THERE)
    await there.opened(THERE, BOB, CAT)
    await here.invited(HERE)
    asked = await there.invited(THERE, CAT, ANN)
    await other.act(on_turn(other), an_act(other), window=other.window_number)
    found = await here.elsewhere.of_player(ANN)
    (match,) = found.matches
    assert (match.id, match.seats, match.position.acts) == (other.id, other.seats, 1)
    assert match.awaited == other.awaited
    assert match.position.timers == other.position.timers
    assert found.invitations == [asked]
    assert found.quarantined == []
    assert await here.elsewhere.count(ANN) == 2
    assert [each.id for each in (await there.elsewhere.of_player(ANN)).matches] == [own.id]
    assert await there.elsewhere.count(ANN) == 2
    assert here.parts.registry.playing(other.id) is None, "it is only looked at"


async def test_a_match_that_is_over_or_on_hold_there_is_so_here(here: Process, there: Process) -> None:
    over, held = await there.opened(THERE), await there.opened(THERE)
    await held.suspend(Suspension.CHANNEL_GONE)
    for seat in (0, 1):
        await over.call_off(seat, next(press_ids))
    (match,) = (await here.elsewhere.of_player(ANN)).matches
    assert (match.id, match.suspended, match.awaited) == (held.id, Suspension.CHANNEL_GONE, frozenset())
    assert await here.elsewhere.count(ANN) == 1


async def test_a_match_that_ends_or_is_deleted_while_it_is_read_is_left_out(
    here: Process, there: Process, data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends, goes, stays = [await there.opened(THERE) for _ in range(3)]
    read = here.store.saved_matches

    async def meanwhile(match_ids: list[str]) -> object:
        await ends.act(0, Resign())
        saved = await read(match_ids)
        saved[goes.id] = replace(saved[goes.id], records=())
        return saved

    monkeypatch.setattr(here.store, "saved_matches", meanwhile)
    found = await here.elsewhere.of_player(ANN)
    assert [match.id for match in found.matches] == [stays.id]
    assert found.quarantined == []


async def test_what_cannot_be_read_is_listed_as_its_own_process_would(
    here: Process, there: Process, data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    altered, broken, missing = [await there.opened(THERE) for _ in range(3)]
    data.connection.execute("UPDATE matches SET seed = ? WHERE id = ?", (bytes(32), altered.id))
    data.connection.execute("UPDATE matches SET game = 'whist' WHERE id = ?", (missing.id,))
    replay = LiveMatch.replay

    def failing(match: LiveMatch, *given: object) -> None:
        if match.id == broken.id:
            raise KeyError("ace of spades")
        replay(match, *given)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr(LiveMatch, "replay", failing)
    for _ in range(3):
        found = await here.elsewhere.of_player(ANN)
        held = {each.row.id: each for each in found.quarantined}
        assert found.matches == []
        assert held[altered.id].altered is AlteredPart.DEAL
        assert held[missing.id].lacks_game
        assert (held[broken.id].number or 0) >= 100_000
    faults = now(here.metrics)["cardroom_faults_total doing=replaying the log"]
    assert faults == 1, "it is logged once, however often it is listed"


async def test_a_process_with_everything_or_a_file_of_its_own_reads_nothing_of_others(
    data: Data, there: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was divided still has the other's matches, as they were at that time."""
    await there.opened(THERE)
    alone = Process(data, 0, shared=False)
    asked: list[object] = []
    for name in ("live_matches_of", "open_invitations_of", "saved_matches"):
        monkeypatch.setattr(alone.store, name, asked.append)
    for _ in ("everything", "a range"):
        assert await alone.elsewhere.of_player(ANN) == PlayedElsewhere()
        assert await alone.elsewhere.count(ANN) == 0
        assert not alone.elsewhere.has(THERE)
        await alone.claim()
    assert asked == []
