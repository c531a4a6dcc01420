"""Matches in threads of their own: begun with the match, on the invitation's message, if there can be one."""

from __future__ import annotations

import random

import pytest

from bot.play.server_settings import PLACE
from bot.store.errors import NotSaved
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Permission, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import play_out, sit_down
from tests.faults.lost_venues import only_match, people, thread_in

say = translations("en")


async def begun(sandbox: Sandbox, **options: object) -> tuple[Person, Person, MessageView, DrivenChannel]:
    """Alice challenges Bob to a match in a thread, and he accepts: the invitation, and its channel."""
    alice, bob, lobby = people(sandbox)
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob, **{"thread": True, **options})
    assert say("challenge.in_thread") in asked.text
    assert not (await bob.press(asked.message, label="Accept")).failed
    return alice, bob, asked.message, lobby


def board_in(thread: DrivenChannel) -> MessageView | None:
    """The board in a thread, once it is there."""
    return next((message for message in thread.messages if "My cards" in message.labels), None)


async def test_a_match_in_a_thread_is_linked_from_its_invitation_and_played_to_the_end(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, invitation, lobby = await begun(sandbox)
    (thread,) = lobby.threads
    assert (thread.id, thread.name) == (invitation.id, "Haymaker: Alice vs Bob")
    assert say("challenge.thread", thread=f"<#{thread.id}>") in invitation.text
    assert invitation.labels == []
    await sandbox.wait_for(lambda: board_in(thread))
    match = await only_match(room)
    await sandbox.wait_for(lambda: {alice.id, bob.id} <= thread.record.as_thread.members.keys())
    board = board_in(thread)
    assert board is not None
    assert (match.channel_id, match.board_id) == (thread.id, board.id)
    await play_out({"Alice": alice, "Bob": bob}, board, random.Random(1))
    await sandbox.wait_for(lambda: "Rematch" in board.labels)
    again = await bob.press(board, label="Rematch")
    assert (again.visibility, again.message.channel_id) == ("public", thread.id)
    await alice.press(again.message, label="Accept")
    assert (await only_match(room)).channel_id == thread.id
    assert len(lobby.messages) == 1


async def test_a_slow_match_has_a_week_of_quiet(sandbox: Sandbox, room: Cardroom) -> None:
    _, _, _, lobby = await begun(sandbox, clock="daily")
    assert lobby.threads[0].record.as_thread.auto_archive == 10080


async def test_the_server_says_where_matches_are_played_unless_the_host_does_or_there_are_no_threads(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # The server says where matches are played unless the host does.
    alice, bob, lobby = people(sandbox)
    await room.app.server_settings.change(lobby.server_id or 0, alice.id, PLACE, "thread")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    assert say("challenge.in_thread") in asked.text
    other = await alice.slash(lobby, "ciq open", thread=False)
    assert say("challenge.in_thread") not in other.text
    menu = (await bob.context_menu(lobby, "Challenge…", alice)).message
    await bob.press(menu, label=say("panel.send"))
    assert say("challenge.in_thread") in lobby.last.text

    # Where there are no threads only a host who asked for one reads why.
    await room.clear()
    alice, bob, lobby = people(sandbox)
    thread = thread_in(sandbox, lobby)
    await room.app.server_settings.change(lobby.server_id or 0, alice.id, PLACE, "thread")
    await alice.slash(thread, "haymaker challenge", opponent=bob)
    assert thread.for_only(alice) == []
    await alice.slash(thread, "ciq open", thread=True)
    await sandbox.wait_for(lambda: thread.for_only(alice))
    assert [each.text for each in thread.for_only(alice)] == [say("thread.not_here")]


async def test_a_table_gets_its_thread_when_it_starts(sandbox: Sandbox, room: Cardroom) -> None:
    seats = [sandbox.user(name) for name in ("Alice", "Bob", "Carol")]
    lobby = sandbox.channel("lobby")
    table = await sit_down(seats, lobby, "tivmiv", thread=True)
    (thread,) = lobby.threads
    assert say("table.accepted", game="Tiv-Miv") in table.text
    await sandbox.wait_for(lambda: board_in(thread))
    await sandbox.wait_for(lambda: {seat.id for seat in seats} <= thread.record.as_thread.members.keys())


async def test_without_the_permission_the_match_is_played_in_the_channel_and_the_host_reads_why(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = people(sandbox)
    lobby.deny(Permission.SEND_MESSAGES_IN_THREADS)
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob, thread=True)
    assert asked.visibility == "public"
    assert say("challenge.in_thread") not in asked.text
    await sandbox.wait_for(lambda: lobby.for_only(alice))
    assert [each.text for each in lobby.for_only(alice)] == [say("thread.no_permission")]
    assert "My cards" in (await bob.press(asked.message, label="Accept")).message.labels
    assert lobby.threads == []


async def test_a_permission_that_is_lost_meanwhile_is_told_to_the_one_who_accepts(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = people(sandbox)
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob, thread=True)
    lobby.deny(Permission.CREATE_PUBLIC_THREADS)
    accepted = await bob.press(asked.message, label="Accept")
    assert "My cards" in accepted.message.labels
    await sandbox.wait_for(lambda: lobby.for_only(bob))
    assert [each.text for each in lobby.for_only(bob)] == [say("thread.not_begun")]
    match = await only_match(room)
    assert (match.channel_id, match.board_id) == (lobby.id, asked.message.id)


async def test_a_match_that_could_not_be_saved_finds_its_thread_at_the_next_press(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = people(sandbox)
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob, thread=True)

    async def full(*_: object, **__: object) -> None:
        raise NotSaved("disk full")

    with monkeypatch.context() as failing:
        failing.setattr(room.store, "open_match", full)
        assert say("store.unsaved") in (await bob.press(asked.message, label="Accept")).text
    assert len(lobby.threads) == 1
    assert not (await bob.press(asked.message, label="Accept")).failed
    assert (await only_match(room)).channel_id == lobby.threads[0].id
    assert len(lobby.threads) == 1
