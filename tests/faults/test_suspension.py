"""Lost venues: F-15 channels and threads, F-16 permissions, F-18 the whole server; matches are suspended and go on.

What restarts find, and servers that removed the bot: `test_servers`.
"""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from bot.play.clocks.deadlines import GRACE
from bot.store.queries.matches import Suspension
from bot.ui.catalogue import translations
from cogs.servers.queries import Greetings
from discord_sandbox import DrivenChannel, Permission, Sandbox
from tests.end_to_end.board_edits import edited_by_bot
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.players import acts, asked_first, challenge, hand_of, move, picks, press_where_it_is
from tests.faults.lost_venues import (
    DAY,
    ELSEWHERE,
    asked_of,
    gone,
    has_whole_time,
    lock,
    only_match,
    people,
    resumed_from_games,
    suspended,
    thread_in,
    unlock,
    until,
)
from tests.wrapped_text import unwrapped

say = translations("en")

# ---------------------------------------------------------------------------------------------- the venue is lost


def deleted(sandbox: Sandbox, venue: DrivenChannel) -> None:
    sandbox.delete_channel(venue)


def locked(_: Sandbox, venue: DrivenChannel) -> None:
    venue.archive(locked=True)


def removed(sandbox: Sandbox, _: DrivenChannel) -> None:
    sandbox.remove_bot()


LOSSES: dict[str, tuple[bool, Callable[[Sandbox, DrivenChannel], None], Suspension]] = {
    "F_15 channel deleted": (False, deleted, Suspension.CHANNEL_GONE),
    "F_15 thread deleted": (True, deleted, Suspension.CHANNEL_GONE),
    "F_15 thread locked": (True, locked, Suspension.THREAD_CLOSED),
    "F_18 bot removed": (False, removed, Suspension.REMOVED),
}
"""Losses that the gateway reports: whether in a thread, how, and the reason of the suspension."""


@pytest.mark.parametrize("loss", LOSSES)
async def test_a_match_whose_place_is_lost_is_suspended_at_once_and_resumed_from_games(
    sandbox: Sandbox, room: Cardroom, loss: str
) -> None:
    in_thread, lose, why = LOSSES[loss]
    alice, bob, lobby = people(sandbox)
    venue = thread_in(sandbox, lobby) if in_thread else lobby
    board = await challenge(alice, bob, venue, clock="daily")
    await Greetings(room.store).greet(lobby.server_id or 0, 1)  # so that none comes between
    match = await only_match(room)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    sandbox.transcript.clear()
    lose(sandbox, venue)
    await suspended(sandbox, room, why)
    room.pass_time(3 * DAY)
    await asyncio.sleep(0)
    assert match.awaited == frozenset()
    assert not match.over
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert asked_of(sandbox, venue) == []

    if why is Suspension.REMOVED:
        sandbox.add_bot()
        await until(lambda: len(room.client.guilds) == 2)
        await eventually(lambda: gone(room))
        assert match.suspended is why
    elsewhere = sandbox.channel(ELSEWHERE)
    listed = (await bob.slash(elsewhere, "games")).text
    assert say(f"games.suspended.{why}") in listed
    shown = await resumed_from_games(bob, elsewhere)
    assert say("resume.done") in unwrapped(shown.text)
    assert has_whole_time(room, match)
    assert {timer.deadline for timer in await room.store.timers(match.id)} == {
        timer.deadline for timer in match.position.timers
    }
    await sandbox.wait_for(lambda: len(elsewhere.messages) == 2)
    anew, told = elsewhere.messages
    assert anew.labels[0] == "My cards"
    assert told.content.startswith("Bob has resumed Haymaker")
    assert alice.mention in told.content
    row = await room.store.match(match.id)
    assert row is not None
    assert (row.channel_id, row.board_id, row.suspended_why) == (elsewhere.id, anew.id, None)
    attacker, hand, _, _ = await asked_first([alice, bob], anew)
    assert await move(attacker, hand, random.Random(1)) is not None
    assert match.position.acts == 1
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    if why is Suspension.REMOVED:
        assert board.deleted
    assert [each.method for each in asked_of(sandbox, venue)] == ([] if why is Suspension.CHANNEL_GONE else ["DELETE"])


async def test_F_15_in_a_thread_that_was_locked_the_board_says_so_and_resumes(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = people(sandbox)
    thread = thread_in(sandbox, lobby)
    board = await challenge(alice, bob, thread, clock="blitz")
    attacker, _, other, _ = await asked_first([alice, bob], board)
    lock(thread)
    match = await suspended(sandbox, room, Suspension.THREAD_CLOSED)
    unlock(thread)
    room.pass_time(3600)
    for label in ("My cards", "Call off"):
        told = await press_where_it_is(other, board, label)
        assert told.visibility == "ephemeral"
        assert say("suspended.thread_closed") in told.text
        assert told.message.labels == ["Resume", "Resign"]
    told = await other.press(told.message, label="Resume")
    assert say("resume.done") in unwrapped(told.text)
    assert has_whole_time(room, match, 30)
    assert match.channel_id == thread.id
    await sandbox.wait_for(lambda: len(thread.messages) == 2)  # the board anew, and the word that it goes on
    anew = thread.messages[0]
    assert await move(attacker, await hand_of(attacker, anew), random.Random(1)) is not None


# ---------------------------------------------------------------------------------------------- permissions


@edited_by_bot
async def test_F_16_a_lost_permission_suspends_with_one_request_and_is_named_until_it_is_back(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = people(sandbox)
    board = await challenge(alice, bob, lobby, clock="blitz")
    attacker, hand, other, waiting = await asked_first([alice, bob], board)
    lobby.deny(Permission.VIEW_CHANNEL)
    sandbox.transcript.clear()
    assert not (await move(attacker, hand, random.Random(1))).failed  # type: ignore[union-attr]  # there is a move
    match = await suspended(sandbox, room, Suspension.NO_ACCESS)
    await sandbox.wait_for(lambda: say("suspended.no_access") in waiting.text)
    room.pass_time(3600)
    await asyncio.sleep(1.2)
    assert [each.status for each in asked_of(sandbox, lobby)] == [403]
    assert not match.over

    told = await other.press(board, label="My cards")
    assert say("suspended.no_access") in told.text
    refused = await other.press(told.message, label="Resume")
    assert refused.visibility == "ephemeral"
    assert say("permission.view_channel") in refused.text
    assert match.suspended is Suspension.NO_ACCESS

    lobby.allow(Permission.VIEW_CHANNEL)
    going_on = await other.press(told.message, label="Resume")
    assert say("resume.done") in unwrapped(going_on.text)
    assert has_whole_time(room, match, 30)
    await sandbox.wait_for(lambda: board.deleted)
    assert not (await other.press(going_on.message, label="Take the hit")).failed
    assert match.position.acts == 2


# ---------------------------------------------------------------------------------------------- resuming


async def test_only_a_player_resumes_and_only_in_a_channel_where_a_match_can_be_held(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = people(sandbox)
    await challenge(alice, bob, lobby)
    match = await only_match(room)
    sandbox.delete_channel(lobby)
    await suspended(sandbox, room, Suspension.CHANNEL_GONE)
    elsewhere = sandbox.channel(ELSEWHERE)
    listed = (await alice.slash(elsewhere, "games")).message
    carol = sandbox.user("Carol")
    own = (await carol.slash(elsewhere, "games")).message
    pressed = listed.buttons[0].custom_id
    assert (await carol.press(own, custom_id=pressed, force=True)).text == say("match.not_seated")
    unknown = await alice.press(listed, custom_id="g1:games:0:resume:nosuchmatch", force=True)
    assert unknown.text == say("match.unknown")
    assert (await alice.press(listed, custom_id="g1:games:0:resume", force=True)).text == say("match.unknown")
    other_server = sandbox.channel("general", server="Second Server")
    there = (await alice.slash(other_server, "games")).message
    assert (await alice.press(there, custom_id=pressed, force=True)).text == say("match.unknown")
    thread = thread_in(sandbox, elsewhere)
    in_thread = (await alice.slash(thread, "games")).message
    thread.lock()
    sandbox.transcript.clear()
    await alice.press(in_thread, custom_id=pressed)
    told, *_ = [each for each in sandbox.transcript.requests if each.path.endswith("/callback")]
    assert say("place.thread_locked") in json.dumps(told.body)
    elsewhere.deny(Permission.SEND_MESSAGES)
    refused = await alice.press(listed, custom_id=pressed)
    assert say("permission.send_messages") in refused.text
    assert match.suspended is Suspension.CHANNEL_GONE
    assert await room.store.timers(match.id) == []
    elsewhere.allow(Permission.SEND_MESSAGES)
    done = [(await alice.press(listed, custom_id=pressed, force=True)).text for _ in range(2)]
    assert say("resume.done") in done[0]
    assert say("resume.already", channel=f"<#{elsewhere.id}>") in unwrapped(done[1])


@pytest.mark.parametrize("queued", [False, True])
async def test_moves_and_clocks_that_come_too_late_change_nothing(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch, queued: bool
) -> None:
    alice, bob, lobby = people(sandbox)
    thread = thread_in(sandbox, lobby)
    board = await challenge(alice, bob, thread, clock="blitz")
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    attack = acts(hand)[0].custom_id
    saved, go_on = asyncio.Event(), asyncio.Event()
    suspend = room.store.suspend_match

    async def slowly(*given: Any) -> None:
        await suspend(*given)
        saved.set()
        await go_on.wait()

    monkeypatch.setattr(room.store, "suspend_match", slowly)
    lock(thread)
    await saved.wait()
    unlock(thread)
    if queued:
        room.pass_time(30 + GRACE / 1000)
        for _ in range(5):  # until the clock's act waits behind the suspension
            await asyncio.sleep(0)
        go_on.set()
    else:
        go_on.set()
        room.pass_time(30 + GRACE / 1000)
    assert room.app.clock.acting
    match = await suspended(sandbox, room, Suspension.THREAD_CLOSED)
    told = await attacker.press(board, custom_id=attack, force=True)
    assert say("suspended.thread_closed") in told.text
    await sandbox.wait_for(lambda: not room.app.clock.acting)
    assert match.position.acts == 0
    assert len(await room.store.records(match.id)) == 1


async def test_a_move_under_way_is_made_whole_before_its_match_is_suspended(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = people(sandbox)
    board = await challenge(alice, bob, lobby)
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    match = await only_match(room)
    writing, go = asyncio.Event(), asyncio.Event()
    append = room.store.append

    async def held_up(*given: object) -> None:
        writing.set()
        await go.wait()
        await append(*given)  # type: ignore[arg-type]  # whatever it was given

    monkeypatch.setattr(room.store, "append", held_up)
    moving = asyncio.create_task(attacker.press(hand, label="Attack"))
    await writing.wait()
    suspending = asyncio.create_task(room.app.lifecycle.suspend(match, Suspension.REMOVED))
    await asyncio.sleep(0)
    assert match.suspended is None
    go.set()
    await suspending
    await moving
    assert match.suspended is Suspension.REMOVED
    assert match.position.acts == 1
    assert len(await room.store.records(match.id)) == 2
    assert await room.store.timers(match.id) == []
