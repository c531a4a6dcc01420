"""Lost places: F-15 channels and threads, F-16 permissions, F-18 the whole server; matches are suspended and go on.

What restarts find, and servers that removed the bot: `test_servers`.
"""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.play.clocks.deadlines import GRACE
from bot.play.refusals import Refused
from bot.store.errors import NotSaved
from bot.store.queries.matches import Suspension
from bot.ui import isolation
from bot.ui.catalogue import translations
from cogs.personal_data.commands import forget
from cogs.personal_data.export import everything_of
from cogs.servers.queries import Greetings
from discord_sandbox import DrivenChannel, MessageView, Permission, Sandbox
from tests.end_to_end.board_edits import edited_by_bot
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import acts, challenge, hand_of, move, picks, press_where_it_is, sit_down
from tests.end_to_end.test_match import asked_first
from tests.faults.lost_places import (
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

# ---------------------------------------------------------------------------------------------- the place is lost


def deleted(sandbox: Sandbox, place: DrivenChannel) -> None:
    sandbox.delete_channel(place)


def locked(_: Sandbox, place: DrivenChannel) -> None:
    place.archive(locked=True)


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
    place = thread_in(sandbox, lobby) if in_thread else lobby
    board = await challenge(alice, bob, place, clock="daily")
    await Greetings(room.store).greet(lobby.server_id or 0, 1)  # so that none comes between
    match = await only_match(room)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    sandbox.transcript.clear()
    lose(sandbox, place)
    await suspended(sandbox, room, why)
    room.pass_time(3 * DAY)
    await asyncio.sleep(0)
    assert match.awaited == frozenset()
    assert not match.over
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert asked_of(sandbox, place) == []

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
    assert [each.method for each in asked_of(sandbox, place)] == ([] if why is Suspension.CHANNEL_GONE else ["DELETE"])


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


async def test_two_players_and_double_presses_resume_once(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = people(sandbox)
    await challenge(alice, bob, lobby, clock="daily")
    sandbox.delete_channel(lobby)
    match = await suspended(sandbox, room, Suspension.CHANNEL_GONE)
    elsewhere = sandbox.channel(ELSEWHERE)
    listed = [(person, (await person.slash(elsewhere, "games")).message) for person in (alice, bob)]
    pressing = [
        person.press(message, custom_id=message.buttons[0].custom_id, force=True)
        for person, message in listed
        for _ in range(3)
    ]
    replies = await asyncio.gather(*pressing)
    assert not any(reply.failed for reply in replies)
    assert match.suspended is None
    deadlines = match.position.timers
    await sandbox.wait_for(lambda: len(elsewhere.messages) == 2)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert len(elsewhere.messages) == 2
    assert tuple(await room.store.timers(match.id)) == deadlines
    late = await alice.press(listed[0][1], custom_id=f"g1:games:0:resume:{match.id}", force=True)
    assert say("resume.already", channel=f"<#{elsewhere.id}>") in unwrapped(late.text)
    assert match.position.timers == deadlines


async def test_the_list_stays_when_one_of_several_matches_is_resumed(sandbox: Sandbox, room: Cardroom) -> None:
    """U1."""
    alice, bob, lobby = people(sandbox)
    for game in ("haymaker", "unbreakable"):
        await challenge(alice, bob, lobby, game, clock="daily")
    sandbox.delete_channel(lobby)
    await until(lambda: all(match.suspended is not None for match in room.app.matches.live()))
    listed = (await alice.slash(sandbox.channel(ELSEWHERE), "games")).message
    assert len(listed.buttons) == 3
    for left in (1, 0):
        reply = await alice.press(listed, custom_id=listed.buttons[0].custom_id)
        assert (reply.kind, len(listed.buttons)) == ("update", left + 1)  # and one that tells of reliability
        assert say("resume.done") in unwrapped(listed.text)
        assert listed.text.count(say("games.suspended.channel_gone")) == left
    assert all(match.suspended is None for match in room.app.matches.live())


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
    elsewhere.deny(Permission.SEND_MESSAGES)
    refused = await alice.press(listed, custom_id=pressed)
    assert say("permission.send_messages") in refused.text
    assert match.suspended is Suspension.CHANNEL_GONE
    assert await room.store.timers(match.id) == []


async def test_no_match_is_begun_or_resumed_in_a_locked_thread(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = people(sandbox)
    thread = thread_in(sandbox, lobby)
    await challenge(alice, bob, lobby)
    match = await only_match(room)
    await room.app.lifecycle.suspend(match, Suspension.CHANNEL_GONE)
    listed = (await alice.slash(thread, "games")).message
    thread.lock()
    sandbox.transcript.clear()
    await alice.press(listed, custom_id=f"g1:games:0:resume:{match.id}")
    await alice.slash(thread, "haymaker challenge", opponent=sandbox.user("Carol"))
    told = [each for each in sandbox.transcript.requests if each.path.endswith("/callback")]
    assert len(told) == 2
    assert all(say("place.thread_locked") in json.dumps(each.body) for each in told)
    assert match.suspended is Suspension.CHANNEL_GONE
    assert room.app.invitations.open() == ()


async def test_a_full_channel_takes_no_match_that_goes_on(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, lobby = people(sandbox)
    elsewhere = sandbox.channel(ELSEWHERE)
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_CHANNEL="1") as room:
        await challenge(alice, bob, lobby)
        match = await only_match(room)
        await challenge(alice, bob, elsewhere)
        await room.app.lifecycle.suspend(match, Suspension.THREAD_CLOSED)
        listed = (await alice.slash(elsewhere, "games")).message
        refused = await alice.press(listed, label="Resume: Haymaker, Bob")
        assert refused.text == say("limit.share", player=isolation.mention(alice.id), limit=1)
        shown = await resumed_from_games(bob, lobby)  # where it is, it has a place
        assert say("resume.done") in unwrapped(shown.text)


async def test_resigning_ends_a_suspended_match_so_that_nobody_is_stuck_in_it(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = people(sandbox)
    await challenge(alice, bob, lobby)
    sandbox.delete_channel(lobby)
    match = await suspended(sandbox, room, Suspension.CHANNEL_GONE)
    elsewhere = sandbox.channel(ELSEWHERE)
    listed = (await alice.slash(elsewhere, "games")).message
    asked = await alice.press(listed, custom_id=f"g1:{match.id}:0:resign", force=True)
    done = await press_where_it_is(alice, asked.message, "Resign")
    assert say("ending.resignation.you") in done.text
    assert match.over
    assert match.suspended is None
    assert list(room.app.matches.live()) == []
    assert say("games.none") in (await bob.slash(elsewhere, "games")).text
    late = await alice.press(listed, custom_id=f"g1:games:0:resume:{match.id}", force=True)
    assert late.text == say("refusal.match_over")


async def test_one_of_several_may_resign_from_a_suspended_match_and_the_others_resume(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    trio = [sandbox.user(name) for name in ("Alice", "Bob", "Carol")]
    lobby, elsewhere = sandbox.channel("lobby"), sandbox.channel(ELSEWHERE)
    async with cardroom(sandbox, tmp_path) as room:
        await sit_down(trio, lobby, "champions", clock="blitz")
        sandbox.delete_channel(lobby)
        match = await suspended(sandbox, room, Suspension.CHANNEL_GONE)
        listed = (await trio[0].slash(elsewhere, "games")).message
        asked = await trio[0].press(listed, custom_id=f"g1:{match.id}:0:resign", force=True)
        left = await press_where_it_is(trio[0], asked.message, "Resign")
        assert say("suspended.channel_gone") in left.text
        assert match.position.acts == 1
        assert match.position.timers == ()
        assert await room.store.timers(match.id) == []
        room.pass_time(3600)
    async with cardroom(sandbox, tmp_path, ahead=3600) as room:
        match = await suspended(sandbox, room, Suspension.CHANNEL_GONE)
        assert match.position.timers == ()
        listed = (await trio[1].slash(elsewhere, "games")).message
        assert not (await trio[1].press(listed, label="Resume: Champions of Chance, Alice · Carol")).failed
        assert has_whole_time(room, match, 60)
        assert match.awaited <= {1, 2}
        assert not match.over


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


@edited_by_bot
async def test_what_cannot_be_saved_goes_on_and_is_tried_at_the_next_occasion(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = people(sandbox)
    board = await challenge(alice, bob, lobby, clock="daily")
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    match = await only_match(room)
    lobby.deny(Permission.VIEW_CHANNEL)
    suspend = room.store.suspend_match

    async def full(*_: object) -> None:
        raise NotSaved("the disk is full")

    monkeypatch.setattr(room.store, "suspend_match", full)
    assert await move(attacker, hand, random.Random(1)) is not None
    await sandbox.wait_for(lambda: any(each.status == 403 for each in asked_of(sandbox, lobby)))
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert match.suspended is None
    assert match.position.timers
    monkeypatch.setattr(room.store, "suspend_match", suspend)
    (seat,) = match.awaited
    mover = next(person for person in (alice, bob) if person.id == match.seats[seat])
    assert await move(mover, await hand_of(mover, board), random.Random(1)) is not None
    await suspended(sandbox, room, Suspension.NO_ACCESS)


async def test_a_suspended_match_is_exported_and_keeps_its_players_from_being_forgotten(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = people(sandbox)
    await challenge(alice, bob, lobby)
    sandbox.delete_channel(lobby)
    match = await suspended(sandbox, room, Suspension.CHANNEL_GONE)
    held = await everything_of(room.store, match.guild_id, alice.id)
    (exported,) = held["matches"]
    row = await room.store.match(match.id)
    assert row is not None
    assert exported["suspended"] == {"since": row.suspended_at, "why": "channel_gone"}
    assert json.loads(json.dumps(held)) == held
    with pytest.raises(Refused) as refused:
        await forget(room.store, match.guild_id, alice.id)
    assert refused.value.key == "mydata.playing"


async def test_many_suspended_matches_are_listed_on_pages_each_with_its_button(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, lobby = people(sandbox)
    elsewhere = sandbox.channel(ELSEWHERE)
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_CHANNEL="60") as room:
        for _ in range(16):
            await challenge(alice, bob, lobby)
        sandbox.delete_channel(lobby)
        await until(lambda: sum(match.suspended is not None for match in room.app.matches.live()) == 16)
        listed = (await alice.slash(elsewhere, "games")).message
        pages = [resumable(listed)]
        while not listed.button("Next").disabled:
            await alice.press(listed, label="Next")
            pages.append(resumable(listed))
        assert [len(page) for page in pages] == [7, 7, 2]
        assert len({each for page in pages for each in page}) == 16
        assert listed.labels == ["Resume: Haymaker, Bob"] * 2 + ["Back", "Next", "Your reliability"]
        await alice.press(listed, custom_id=pages[2][1])
        assert say("rules.page", page=1, pages=3) in listed.text
        assert say("games.group.on_hold", n=15) in listed.text


def resumable(listed: MessageView) -> list[str]:
    """The ids of the buttons that resume a match."""
    return [button.custom_id for button in listed.buttons if button.label.startswith("Resume")]
