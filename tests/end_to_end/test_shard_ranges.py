"""Processes that are one bot: each plays in its own servers, and another goes on where one stopped.

Here they run in one event loop, on one SQLite file that has leases as a database server has them.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.cluster.ownership import LEASE_SECONDS
from bot.store.sqlite.store import SqliteStore
from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Sandbox
from discord_sandbox.virtual_time import settle
from tests import new_database
from tests.end_to_end.cardroom import Cardroom, cardroom, one_of_several
from tests.end_to_end.players import challenge, hand_of, move

say = translations("en")

PLAN = {
    "people": [{"name": name} for name in ("Alice", "Bob", "Cat", "Dan")],
    "servers": [
        {"name": "First", "channels": [{"name": "lobby"}], "members": ["Alice", "Bob"]},
        {"name": "Second", "channels": [{"name": "garden"}], "members": ["Cat", "Dan"]},
    ],
}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running(PLAN) as running:
        running.limits.shards = running.limits.max_concurrency = 2
        yield running


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """What has the database open, as a database server has."""
    path = tmp_path / "cardroom.db"
    new_database.lay_out(path)
    loop = asyncio.get_running_loop()
    store = await SqliteStore.open(path, now=lambda: round(loop.time() * 1000))
    yield store
    await store.close()


def ranges(sandbox: Sandbox) -> tuple[str, str]:
    """The ranges of the first and of the second server."""
    first, second = ((sandbox.server(name).id >> 22) % 2 for name in ("First", "Second"))
    assert first != second
    return f"{first}/2", f"{second}/2"


async def played_in_both(sandbox: Sandbox, clock: str = "daily") -> tuple[MessageView, MessageView]:
    """A match in each server: Alice against Bob, and Cat against Dan."""
    alice, bob, cat, dan = sandbox.people
    first = await challenge(alice, bob, sandbox.channel("lobby"), "unbreakable", clock=clock)
    second = await challenge(cat, dan, sandbox.channel("garden", "Second"), "unbreakable", clock=clock)
    return first, second


def boards(room: Cardroom) -> dict[int | None, int]:
    """The matches in play in a process, by their boards, and how many acts each has."""
    return {match.board_id: match.position.acts for match in room.app.matches.live()}


async def test_a_process_with_a_range_plays_on_in_its_servers_alone(sandbox: Sandbox, tmp_path: Path) -> None:
    """The cheaper way to several processes: each has a file of its own."""
    alice, _, cat, _ = sandbox.people
    async with cardroom(sandbox, tmp_path) as room:
        assert room.client.shard_count == 2
        first, second = await played_in_both(sandbox)
    mine, other = ranges(sandbox)
    async with cardroom(sandbox, tmp_path, CARDROOM_SHARDS=mine) as room:
        assert {guild.name for guild in room.client.guilds} == {"First"}
        assert boards(room) == {first.id: 0}
        assert await move(alice, await hand_of(alice, first), random.Random(1)) is not None
        assert (await cat.press(second, label="My cards")).failed, "nobody serves that shard"
    async with cardroom(sandbox, tmp_path, CARDROOM_SHARDS=other) as room:
        assert boards(room) == {second.id: 0}
        assert await move(cat, await hand_of(cat, second), random.Random(1)) is not None
    async with cardroom(sandbox, tmp_path) as room:
        assert boards(room) == {first.id: 1, second.id: 1}


async def test_each_ranges_clocks_are_credited_with_its_own_time_away(sandbox: Sandbox, tmp_path: Path) -> None:
    mine, other = ranges(sandbox)
    async with cardroom(sandbox, tmp_path):
        await played_in_both(sandbox, "blitz")
    async with cardroom(sandbox, tmp_path, ahead=1000, CARDROOM_SHARDS=mine) as room:
        (match,) = room.app.matches.live()
        (timer,) = match.position.timers
        assert 20_000 < timer.deadline - room.now() < 40_000
    async with cardroom(sandbox, tmp_path, ahead=5000, CARDROOM_SHARDS=other) as room:
        (match,) = room.app.matches.live()
        (timer,) = match.position.timers
        assert 20_000 < timer.deadline - room.now() < 40_000


async def test_clocks_wait_until_every_session_that_was_lost_is_back(sandbox: Sandbox, tmp_path: Path) -> None:
    async with cardroom(sandbox, tmp_path) as room:
        clock = room.app.clock
        for shard in (0, 1):
            room.client.dispatch("shard_disconnect", shard)
        await sandbox.wait_for(lambda: clock.paused)
        for shard, waits in ((0, True), (1, False)):
            room.client.dispatch("shard_resumed", shard)
            await settle()
            assert clock.paused is waits


async def test_two_processes_play_at_once_on_the_same_data_and_one_announces_the_commands(
    sandbox: Sandbox, tmp_path: Path, server: SqliteStore
) -> None:
    alice, _, cat, _ = sandbox.people
    mine, other = ranges(sandbox)
    async with (
        one_of_several(sandbox, tmp_path, server, mine) as one,
        one_of_several(sandbox, tmp_path, server, other) as two,
    ):
        announced = [each for each in sandbox.transcript.requests if each.method == "PUT" and "commands" in each.path]
        assert len(announced) == 1
        assert one.client.identify_budget.used_last_hour == 1
        assert two.client.identify_budget.used_last_hour == 2, "both share the record of sessions"
        first, second = await played_in_both(sandbox)
        assert (boards(one), boards(two)) == ({first.id: 0}, {second.id: 0})
        assert await move(alice, await hand_of(alice, first), random.Random(1)) is not None
        assert await move(cat, await hand_of(cat, second), random.Random(1)) is not None
        assert (boards(one), boards(two)) == ({first.id: 1}, {second.id: 1})
        assert len(await server.live_matches()) == 2
        await asyncio.sleep(3 * LEASE_SECONDS)
        assert one.client.connected
        assert two.client.connected
        assert len(set((await server.shard_owners()).values())) == 2


async def test_direct_messages_list_what_all_processes_play(
    sandbox: Sandbox, tmp_path: Path, server: SqliteStore
) -> None:
    """Discord sends direct messages to the process with shard 0 alone, and that one hears nothing of other servers."""
    alice, _, _, dan = sandbox.people
    for name in ("First", "Second"):
        for person in (alice, dan):
            sandbox.add_member(person, sandbox.server(name))
    mine, other = ranges(sandbox)
    lobby, garden = sandbox.channel("lobby"), sandbox.channel("garden", "Second")
    async with (
        one_of_several(sandbox, tmp_path, server, mine),
        one_of_several(sandbox, tmp_path, server, other),
    ):
        boards = [await challenge(alice, dan, channel, "unbreakable", clock="daily") for channel in (lobby, garden)]
        listed = await alice.slash(alice.direct_messages, "games")
        lines = [line for line in listed.text.splitlines() if line.startswith("- ")]
        assert len(lines) == 2
        for name, board in zip(("First", "Second"), boards, strict=True):
            (line,) = [line for line in lines if f" · {name} " in line]
            assert "Dan" in line
            assert line.endswith(f"/{board.id}")
        for channel in (lobby, garden):
            assert say.count("games.elsewhere", 1) in (await alice.slash(channel, "games")).text
        for name, channel in (("First", lobby), ("Second", garden)):
            sandbox.remove_member(alice, sandbox.server(name))
            left = (await alice.slash(alice.direct_messages, "games")).text
            assert f"{name} · {say('games.no_link')}" in left
            assert str(channel.id) not in left
            sandbox.add_member(alice, sandbox.server(name))
        (elsewhere,) = [each for each in sandbox.world.servers.values() if (each.id >> 22) % 2]
        sandbox.remove_bot(elsewhere)
        gone = (await alice.slash(alice.direct_messages, "games")).text
        assert sum(line.endswith(f" · {say('games.unknown_server')}") for line in gone.splitlines()) == 1
        assert elsewhere.name not in gone


async def test_sessions_of_two_processes_keep_their_distance(
    sandbox: Sandbox, tmp_path: Path, server: SqliteStore
) -> None:
    """Both begin at once, in one bucket; Discord would refuse the second one if it came within five seconds."""
    sandbox.limits.max_concurrency = 1
    sandbox.rate_limits.enforced = True
    async with AsyncExitStack() as stack:
        starts = [
            stack.enter_async_context(one_of_several(sandbox, tmp_path, server, each)) for each in ranges(sandbox)
        ]
        await asyncio.gather(*starts)
        notes = [str(each) for each in sandbox.transcript]
        assert not [each for each in notes if "identifies too soon" in each]
