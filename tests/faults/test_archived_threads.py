"""F-15: a thread that Discord archives for quiet is opened again by the bot, and never suspends its match."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import random

from bot.store.queries.matches import Suspension
from bot.ui.screen import Screen, Text
from cogs.screens.renderer import sheet
from cogs.updates.channel_messages import DiscordMessages
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import OVER, asked_first, challenge, hand_of, move
from tests.end_to_end.test_notify import awaited
from tests.faults.lost_venues import asked_of, only_match, people, suspended, thread_in

DAY = 24 * 3600
SHOWN = Screen("", (Text("anew"),))


async def test_F_15_an_archived_thread_stays_the_place_of_its_match(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = people(sandbox)
    thread = thread_in(sandbox, lobby)
    board = await challenge(alice, bob, thread, clock="daily")
    match = await only_match(room)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    sandbox.transcript.clear()
    thread.archive()
    room.pass_time(3600)
    await room.store.metadata("after")
    assert match.suspended is None
    assert len(match.awaited) == 1
    assert thread.archived  # it is opened when there is something to show
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    assert not thread.archived  # a client opens it before it presses
    assert await move(attacker, hand, random.Random(1)) is not None


async def test_F_15_the_bot_opens_an_archived_thread_before_it_edits_the_board(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = people(sandbox)
    thread = thread_in(sandbox, lobby)
    board = await challenge(alice, bob, thread, clock="blitz")
    match = await only_match(room)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    thread.archive()
    room.pass_time(34)
    await sandbox.wait_for(lambda: match.over and board.labels == OVER)  # nobody had looked at their hand (C-10)
    assert not thread.archived
    assert match.result is not None
    assert match.result.kind == "time"


async def test_F_15_a_week_to_think_outlasts_the_archive(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = people(sandbox)
    thread = thread_in(sandbox, lobby)
    board = await challenge(alice, bob, thread, clock="7 days")
    match = await only_match(room)
    for acts in range(3):
        late = await awaited(room, [alice, bob])
        sandbox.advance(2 * DAY)
        await sandbox.wait_for(lambda: thread.archived)
        room.pass_time(2 * DAY)
        await sandbox.wait_for(lambda: not thread.archived)  # the mention opens it
        sandbox.advance(4 * DAY)
        await sandbox.wait_for(lambda: thread.archived)
        room.pass_time(5 * DAY - 1800)
        await sandbox.wait_for(lambda: not thread.archived)  # so does the warning
        assert match.suspended is None
        assert await move(late, await hand_of(late, board), random.Random(acts)) is not None
        assert match.position.acts == acts + 1
        await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
        board = next(message for message in thread.messages if "My cards" in message.labels)
    assert match.suspended is None


async def test_F_15_a_thread_that_is_locked_and_archived_unnoticed_is_lost(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = people(sandbox)
    thread = thread_in(sandbox, lobby)
    await challenge(alice, bob, thread, clock="blitz")
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    about = thread.record.as_thread
    about.locked = about.archived = True  # and no event says so
    match = await only_match(room)
    sandbox.transcript.clear()
    room.app.updates.board_updater.note_overtaken(match)
    room.app.updates.board_updater.match_changed(match)
    await suspended(sandbox, room, Suspension.THREAD_CLOSED)
    assert [each.status for each in asked_of(sandbox, thread)] == [400]


async def test_each_kind_of_request_opens_an_archived_thread(sandbox: Sandbox, room: Cardroom) -> None:
    thread = thread_in(sandbox, sandbox.channel("lobby"))
    messages, guild_id = DiscordMessages(room.client), thread.server_id or 0
    posted = await messages.post(guild_id, thread.id, sheet(SHOWN, "table"))
    text = await messages.post_text(guild_id, thread.id, "a text", ())
    thread.archive()
    await messages.edit(guild_id, posted, sheet(SHOWN, "table"))
    assert not thread.archived
    thread.archive()
    await messages.edit_text(text, "another")
    assert not thread.archived
    thread.archive()
    await messages.delete(text)
    assert not thread.archived
    thread.archive()
    await messages.post(guild_id, thread.id, sheet(SHOWN, "table"))
    assert not thread.archived
