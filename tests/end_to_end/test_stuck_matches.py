"""`/calloff`: moderators end a match that is stuck, if the server allows it, and never with a winner."""

from __future__ import annotations

import random

import pytest

from bot.play.server_settings import ENDERS
from bot.store.queries.matches import Suspension
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, Permission, Person, Refused, Reply, Role, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, hand_of, move
from tests.end_to_end.test_match import asked_first
from tests.failing_rules import fail_rules
from tests.faults.lost_places import only_match, suspended

say = translations("en")


async def allowed(room: Cardroom, channel: DrivenChannel) -> None:
    """Let moderators of the channel's server end matches."""
    await room.app.server_settings.change(channel.server_id or 0, 1, ENDERS, "moderators")


async def picked(moderator: Person, channel: DrivenChannel, match_id: str) -> Reply:
    """What a moderator reads who picks a match from the list."""
    listed = (await moderator.slash(channel, "calloff")).message
    return await moderator.select(listed, values=[match_id])


async def test_a_moderator_ends_a_match_after_a_question_and_nobody_wins(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol = map(sandbox.user, ("Alice", "Bob", "Carol"))
    lobby = sandbox.channel("lobby")
    board = await challenge(bob, carol, lobby)
    attacker, hand, _, _ = await asked_first([bob, carol], board)
    assert await move(attacker, hand, random.Random(1)) is not None
    match = await only_match(room)
    assert (await alice.slash(lobby, "calloff")).text == say("stuck.not_allowed")
    await allowed(room, lobby)
    asked = await picked(alice, lobby, match.id)
    assert (asked.visibility, match.over) == ("ephemeral", False)
    assert "Bob" in asked.text
    assert "Carol" in asked.text
    done = await alice.press(asked.message, label=say("stuck.end"))
    assert say("stuck.done") in done.text
    assert say("stuck.none") in done.text
    await sandbox.wait_for(lambda: say("ending.moderated") in board.text)
    assert say("ending.uncounted") in board.text
    result = await room.store.result(match.id)
    assert result is not None
    assert (result.kind, result.ranks, result.counted) == ("moderated", (), False)
    assert await room.store.count_ranked(lobby.server_id or 0, "haymaker") == 0
    changes = await room.store.setting_changes(lobby.server_id or 0)
    last = changes[0]
    assert (last.user_id, last.name, last.former, last.value) == (alice.id, "called_off", match.id, "haymaker")
    screen = (await alice.slash(lobby, "settings")).message
    assert "called off a match of Haymaker" in (await alice.press(screen, label=say("settings.changes"))).text
    assert (await bob.press(board, label="Rematch")).visibility == "public"


async def test_going_back_ends_nothing(sandbox: Sandbox, room: Cardroom) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    await challenge(sandbox.user("Bob"), sandbox.user("Carol"), lobby)
    await allowed(room, lobby)
    match = await only_match(room)
    asked = await picked(alice, lobby, match.id)
    listed = await alice.press(asked.message, label=say("stuck.back"))
    assert [line.value for line in listed.message.selects[0].options] == [match.id]
    assert not match.over


async def test_without_manage_server_only_the_matches_of_this_channel_can_be_ended(
    sandbox: Sandbox, room: Cardroom
) -> None:
    bob, carol, dave = map(sandbox.user, ("Bob", "Carol", "Dave"))
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    await challenge(bob, carol, lobby)
    here = await only_match(room)
    await challenge(bob, carol, games)
    (there,) = [match for match in room.app.matches.live() if match is not here]
    await allowed(room, lobby)
    with pytest.raises(Refused):
        await dave.slash(lobby, "calloff")
    server = sandbox.server()
    server.roles[77] = Role(77, "Dealers", Permission.MANAGE_MESSAGES, 1)
    server.members[dave.id].role_ids.append(77)
    source = (await dave.slash(lobby, "calloff")).message
    assert [line.value for line in source.selects[0].options] == [here.id]
    for verb, target, values in (("stuckask", "stuck", [there.id]), ("stuckend", there.id, [])):
        data = {"component_type": 3 if values else 2, "custom_id": f"g1:{target}:0:{verb}", "values": values}
        told = await dave.forge(lobby, "component", data, source)
        assert say("stuck.not_here") in told.text
    forged = {"component_type": 2, "custom_id": f"g1:{here.id}:0:stuckend"}
    told = await bob.forge(lobby, "component", forged, (await bob.slash(lobby, "help")).message)
    assert say("stuck.not_yours") in told.text
    assert not here.over
    assert not there.over


async def test_a_player_does_not_get_out_of_a_defeat_unless_an_error_has_stopped_the_match(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    await allowed(room, lobby)
    match = await only_match(room)
    assert say("stuck.playing") in (await picked(alice, lobby, match.id)).text
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    fail_rules(monkeypatch, match, ValueError("a fault"))
    await move(attacker, hand, random.Random(1))
    assert match.failed is not None
    asked = await picked(alice, lobby, match.id)
    await alice.press(asked.message, label=say("stuck.end"))
    assert match.over
    await sandbox.wait_for(lambda: say("ending.moderated") in board.text)


async def test_a_match_on_hold_is_ended_too(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol = map(sandbox.user, ("Alice", "Bob", "Carol"))
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    await challenge(bob, carol, games)
    sandbox.delete_channel(games)
    match = await suspended(sandbox, room, Suspension.CHANNEL_GONE)
    await allowed(room, lobby)
    listed = (await alice.slash(lobby, "calloff")).message
    assert say("stuck.on_hold") in str(listed.raw)
    asked = await alice.select(listed, values=[match.id])
    await alice.press(asked.message, label=say("stuck.end"))
    assert match.over
    again = await alice.forge(
        lobby, "component", {"component_type": 2, "custom_id": f"g1:{match.id}:0:stuckend"}, asked.message
    )
    assert say("match.over") in again.text


async def test_hands_and_clocks_know_of_the_end(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol = map(sandbox.user, ("Alice", "Bob", "Carol"))
    lobby = sandbox.channel("lobby")
    board = await challenge(bob, carol, lobby, clock="blitz")
    hand = await hand_of(bob, board)
    await allowed(room, lobby)
    match = await only_match(room)
    asked = await picked(alice, lobby, match.id)
    await alice.press(asked.message, label=say("stuck.end"))
    await sandbox.wait_for(lambda: say("ending.moderated") in hand.text)
    room.pass_time(3600)
    assert match.result is not None
    assert match.result.kind == "moderated"
    assert list(room.app.matches.live()) == []
