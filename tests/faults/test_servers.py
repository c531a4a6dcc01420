"""Restarts and servers: F-15 venues lost while nobody looked, F-18 removed from a server, back, and purged, and F-30 by
a clock that is wrong."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.play import venues
from bot.play.live_match import LiveMatch
from bot.store.queries.matches import Suspension
from bot.store.sqlite.backup import verify_copy
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import challenge
from tests.faults.lost_venues import (
    DAY,
    ELSEWHERE,
    asked_of,
    gone,
    has_whole_time,
    only_match,
    people,
    resumed_from_games,
    suspended,
    thread_in,
    until,
)
from tests.wrapped_text import unwrapped

say = translations("en")

# ---------------------------------------------------------------------------------------------- restarts


@pytest.mark.parametrize("down", [False, True], ids=["while the bot was up", "while the bot was down"])
async def test_F_15_a_restart_finds_a_lost_channel_or_leaves_the_match_suspended(
    sandbox: Sandbox, tmp_path: Path, down: bool
) -> None:
    alice, bob, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        await challenge(alice, bob, lobby, clock="blitz")
        await alice.slash(lobby, "haymaker challenge", opponent=sandbox.user("Carol"))
        if not down:
            sandbox.delete_channel(lobby)
            await suspended(sandbox, room, Suspension.CHANNEL_GONE)
    if down:
        sandbox.delete_channel(lobby)
    sandbox.transcript.clear()
    async with cardroom(sandbox, tmp_path, ahead=DAY) as room:
        match = await suspended(sandbox, room, Suspension.CHANNEL_GONE)
        await until(lambda: not room.app.invitations.open())
        room.pass_time(DAY)
        await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
        assert [each.status for each in asked_of(sandbox, lobby)] == ([404] if down else [])
        assert not match.over
        shown = await resumed_from_games(alice, sandbox.channel(ELSEWHERE))
        assert say("resume.done") in unwrapped(shown.text)
        assert has_whole_time(room, match, 30)


@pytest.mark.parametrize("restarted", [False, True], ids=["as it began", "after a restart"])
async def test_F_15_a_match_in_a_thread_is_lost_with_its_channel(
    sandbox: Sandbox, tmp_path: Path, restarted: bool
) -> None:
    alice, bob, lobby = people(sandbox)
    thread, elsewhere = thread_in(sandbox, lobby), sandbox.channel(ELSEWHERE)
    async with cardroom(sandbox, tmp_path) as room:
        await until(room.client.is_ready)  # its session has looked for channels before there is a match
        await challenge(alice, bob, thread, clock="daily")
        await challenge(alice, bob, elsewhere, clock="daily")
        if not restarted:
            await lost_with_its_channel(sandbox, room, lobby)
    if restarted:
        async with cardroom(sandbox, tmp_path) as room:
            await until(room.client.is_ready)
            await lost_with_its_channel(sandbox, room, lobby)


async def lost_with_its_channel(sandbox: Sandbox, room: Cardroom, lobby: DrivenChannel) -> None:
    """The channel is deleted: of the two matches only the one in its thread is lost."""
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)  # or a refused edit finds it out
    in_thread, apart = sorted(room.app.matches.live(), key=lambda match: match.channel_id, reverse=True)
    sandbox.delete_channel(lobby)
    await until(lambda: in_thread.suspended is Suspension.CHANNEL_GONE)
    await room.store.metadata("after")
    assert apart.suspended is None


# ---------------------------------------------------------------------------------------------- the server


async def in_both_servers(sandbox: Sandbox, room: Cardroom) -> tuple[LiveMatch, LiveMatch]:
    """A match in each server, and a challenge in the first."""
    alice, bob, lobby = people(sandbox)
    await challenge(alice, bob, lobby, clock="blitz")
    first = await only_match(room)
    await challenge(alice, bob, sandbox.channel("general", server="Second Server"), clock="daily")
    (second,) = [match for match in room.app.matches.live() if match is not first]
    await alice.slash(lobby, "haymaker challenge", opponent=sandbox.user("Carol"))
    return first, second


async def test_what_happened_between_two_sessions_is_found_and_an_outage_is_no_removal(
    sandbox: Sandbox, room: Cardroom
) -> None:
    first, second = await in_both_servers(sandbox, room)
    (alice, bob, lobby), elsewhere = people(sandbox), sandbox.channel(ELSEWHERE)
    await challenge(alice, bob, elsewhere, clock="daily")
    await until(room.client.is_ready)
    other = sandbox.server("Second Server")
    sandbox.lose_server(other)
    await until(lambda: any(guild.unavailable for guild in room.client.guilds))
    await room.client.venues.reconcile()
    assert (second.suspended, await gone(room)) == (None, True)
    sandbox.restore_server(other)
    sandbox.faults.on("CONNECT", "/gateway", delay=0.5)
    sandbox.drop_gateway(resumable=False)
    await sandbox.wait_for(lambda: not sandbox.gateway.connected)
    sandbox.delete_channel(lobby)
    sandbox.remove_bot(other)
    sandbox.transcript.clear()
    await until(lambda: (first.suspended, second.suspended) == (Suspension.CHANNEL_GONE, Suspension.REMOVED))
    assert set(await room.store.departures()) == {other.id}
    await alice.slash(elsewhere, "games")
    asked = [
        each.path for each in sandbox.transcript.requests if each.path.endswith((f"/{lobby.id}", f"/{elsewhere.id}"))
    ]
    assert asked == [f"/api/v10/channels/{lobby.id}"]  # Discord has named the other one


async def test_F_18_removed_and_back_its_matches_are_suspended_until_a_player_resumes(
    sandbox: Sandbox, room: Cardroom
) -> None:
    first, second = await in_both_servers(sandbox, room)
    lobby = sandbox.channel("lobby")
    sandbox.transcript.clear()
    sandbox.remove_bot()
    await until(lambda: first.suspended is Suspension.REMOVED)
    assert second.suspended is None
    await until(lambda: not room.app.invitations.open())
    assert set(await room.store.departures()) == {lobby.server_id}
    await days_go_by(room, 29)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert asked_of(sandbox, lobby) == []
    sandbox.add_bot()
    await eventually(lambda: gone(room))
    await days_go_by(room, 29)
    assert first.suspended is Suspension.REMOVED
    shown = await resumed_from_games(sandbox.user("Bob"), lobby)
    assert say("resume.done") in unwrapped(shown.text)
    assert has_whole_time(room, first, 30)
    assert await gone(room)


async def days_go_by(room: Cardroom, days: int) -> None:
    """Let days pass, and the bot look on each of them, as it does."""
    for _ in range(days):
        room.pass_time(DAY, ring=False)
        await room.client.venues.reconcile()


async def test_F_18_nobodys_clock_waits_for_the_backup_before_a_purge(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may take many minutes, and the session that finds a purge due has just begun."""
    _, second = await in_both_servers(sandbox, room)
    sandbox.remove_bot(sandbox.server("Second Server"))
    await until(lambda: second.suspended is Suspension.REMOVED)
    await days_go_by(room, 30)
    room.pass_time(2 * DAY, ring=False)
    begun, made = asyncio.Event(), asyncio.Event()

    async def slow(_: int) -> bool:
        begun.set()
        await made.wait()
        return True

    monkeypatch.setattr(room.client.venues.safeguard, "before_purge", slow)
    sandbox.drop_gateway(resumable=False)
    await until(begun.is_set)
    await eventually(room.clocks_run)
    assert not await gone(room)
    made.set()
    await eventually(lambda: gone(room))


async def test_F_18_a_server_is_purged_30_days_after_the_bot_was_removed_while_it_was_down(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    """The bot notices after a day, and one day more passes until it has looked twice."""
    async with cardroom(sandbox, tmp_path) as room:
        first, second = (match.id for match in await in_both_servers(sandbox, room))
    server_id = sandbox.server().id
    sandbox.remove_bot()
    sandbox.transcript.clear()
    async with cardroom(sandbox, tmp_path, ahead=DAY) as room:  # it notices a day later
        await until(lambda: len(list(room.app.matches.live())) == 2)
        (suspended_match,) = [match for match in room.app.matches.live() if match.id == first]
        await until(lambda: suspended_match.suspended is Suspension.REMOVED)
        await until(lambda: not room.app.invitations.open())
        assert set(await room.store.departures()) == {server_id}
        assert asked_of(sandbox, sandbox.channel("lobby")) == []
        await days_go_by(room, 20)
    async with cardroom(sandbox, tmp_path, ahead=21 * DAY + 60) as room:
        await until(lambda: room.client.connected)
        await days_go_by(room, 10)
        assert await room.store.known_guilds() == {server_id, sandbox.server("Second Server").id}
        assert {match.id for match in room.app.matches.live()} == {first, second}
        await days_go_by(room, 1)
        assert await gone(room)
        assert [match.id for match in room.app.matches.live()] == [second]
        assert await room.store.known_guilds() == {sandbox.server("Second Server").id}
        assert await room.store.match(first) is None
        (backup,) = (tmp_path / "backups").iterdir()
        assert backup.name.startswith("purge-")
        assert (backup.suffix, verify_copy(backup).matches) == (".db", 2)
        assert room.client.settings.purge_days == 30


async def test_F_18_nobody_loses_between_a_start_and_the_first_word_of_where_the_bot_is(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        await challenge(alice, bob, lobby, clock="blitz")
        room.pass_time(29.5, ring=False)
        await room.store.record_heartbeat(room.now())
    sandbox.remove_bot()
    sandbox.faults.on("CONNECT", "/gateway", delay=1.5)
    async with cardroom(sandbox, tmp_path, ahead=29.5) as room:
        match = await only_match(room)
        await until(lambda: match.suspended is Suspension.REMOVED)
        assert match.result is None


async def test_F_18_the_running_bot_looks_every_day_for_what_is_to_be_purged(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(venues, "EVERY", 0.5)
    async with cardroom(sandbox, tmp_path, CARDROOM_PURGE_DAYS="2") as room:
        first, second = await in_both_servers(sandbox, room)
        sandbox.remove_bot()
        await until(lambda: first.suspended is Suspension.REMOVED)
        for _ in range(2):
            room.pass_time(DAY, ring=False)
            await asyncio.sleep(3)  # a look adds a day at most
            assert await room.store.match(first.id) is not None
        room.pass_time(DAY, ring=False)
        await eventually(lambda: purged(room, first.id))
        await until(lambda: list(room.app.matches.live()) == [second])  # a purge takes several transactions
        assert second.suspended is None
        sandbox.add_bot()
        await eventually(lambda: gone(room))
        alice, _, lobby = people(sandbox)
        assert say("games.none") in (await alice.slash(lobby, "games")).text
        told = await alice.press(lobby.messages[0], label="My cards")
        assert told.text == say("match.unknown")


async def purged(room: Cardroom, match_id: str) -> bool:
    """Whether nothing is left of a match."""
    return await room.store.match(match_id) is None
