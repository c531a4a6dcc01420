"""Right after a start: presses are answered while other matches still wait to be restored, and their clocks stand."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.play.restoring import MatchRestorer
from bot.store.queries.matches import MatchRow, Suspension
from discord_sandbox import MessageView, Sandbox
from tests.end_to_end.cardroom import cardroom, eventually, just_started
from tests.end_to_end.players import challenge, hand_of, move

PLAN = {
    "people": [{"name": "Alice"}, {"name": "Bob"}, {"name": "Cat"}, {"name": "Dan"}],
    "servers": [{"name": "Cardroom", "channels": [{"name": "lobby"}, {"name": "garden"}]}],
}
CLOCK_SECONDS = 30
"""A turn in blitz."""


class Hold:
    """While it holds, a start restores no match but those that somebody waits for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.holds = True
        name = "_restore"
        restore = vars(MatchRestorer)[name]

        async def restore_wanted(restorer: MatchRestorer, row: MatchRow, *rest: object) -> None:
            wanted = vars(restorer.registry.waiting)["_wanted"]
            await (asyncio.sleep(0.01) if self.holds and row.id not in wanted else restore(restorer, row, *rest))

        monkeypatch.setattr(MatchRestorer, name, restore_wanted)


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running(PLAN) as running:
        yield running


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Hold:
    return Hold(monkeypatch)


async def two_matches(sandbox: Sandbox, folder: Path, clock: str = "daily") -> tuple[MessageView, MessageView]:
    """Alice plays Bob in the lobby, and Cat plays Dan in the garden."""
    alice, bob, cat, dan = sandbox.people
    async with cardroom(sandbox, folder):
        first = await challenge(alice, bob, sandbox.channel("lobby"), "unbreakable", clock=clock)
        second = await challenge(cat, dan, sandbox.channel("garden"), "unbreakable", clock=clock)
    return first, second


async def test_a_press_is_answered_while_other_matches_wait_and_nothing_is_lost(
    sandbox: Sandbox, tmp_path: Path, hold: Hold
) -> None:
    first, second = await two_matches(sandbox, tmp_path)
    alice, _, cat, _ = sandbox.people
    async with just_started(sandbox, tmp_path) as room:
        assert len(room.app.matches.waiting) == 2
        assert await move(alice, await hand_of(alice, first), random.Random(1)) is not None
        (played,) = room.app.matches.live()
        (waiting,) = room.app.matches.waiting.rows()
        assert (played.position.acts, waiting.board_id) == (1, second.id)
        hold.holds = False
        await eventually(room.everything_runs)
        assert {match.board_id: match.position.acts for match in room.app.matches.live()} == {first.id: 1, second.id: 0}
        assert await move(cat, await hand_of(cat, second), random.Random(1)) is not None
    async with cardroom(sandbox, tmp_path) as room:
        assert {match.board_id: match.position.acts for match in room.app.matches.live()} == {first.id: 1, second.id: 1}
        for match in room.app.matches.live():
            assert [record.seq for record in await room.store.records(match.id)] == [0, 1]


async def test_the_clock_of_a_match_stands_until_it_is_restored(sandbox: Sandbox, tmp_path: Path, hold: Hold) -> None:
    await two_matches(sandbox, tmp_path, "blitz")
    async with just_started(sandbox, tmp_path) as room:
        room.pass_time(10 * CLOCK_SECONDS)
        assert len(room.app.matches.waiting) == 2, "nobody's time has run out"
        hold.holds = False
        await eventually(room.everything_runs)
        for match in room.app.matches.live():
            (timer,) = match.position.timers
            left = (timer.deadline - room.now()) / 1000
            assert abs(left - CLOCK_SECONDS) < 5, "about as much as when the clocks began to run"
        room.pass_time(CLOCK_SECONDS + 10)
        await sandbox.wait_for(lambda: not len(room.app.matches))
        assert await room.store.live_matches() == []


async def test_lists_deletion_and_lost_channels_find_matches_that_wait(
    sandbox: Sandbox, tmp_path: Path, hold: Hold
) -> None:
    await two_matches(sandbox, tmp_path)
    alice, _, cat, _ = sandbox.people
    lobby = sandbox.channel("lobby")
    async with just_started(sandbox, tmp_path) as room:
        assert "Unbreakable" in (await alice.slash(lobby, "games")).text
        (listed,) = room.app.matches.live()
        assert alice.id in listed.seats
        refused = await cat.slash(lobby, "mydata delete")
        assert "Delete" not in refused.message.labels
        assert len(room.app.matches.waiting) == 0
    async with just_started(sandbox, tmp_path) as room:
        sandbox.delete_channel(sandbox.channel("garden"))
        await sandbox.wait_for(lambda: any(match.suspended for match in room.app.matches.live()))
        (lost,) = room.app.matches.live()
        assert (lost.suspended, len(room.app.matches.waiting)) == (Suspension.CHANNEL_GONE, 1)
        assert (await room.store.timers(lost.id)) == []
