"""`/moderate` and `/calloff`: moderators call matches off, bring them back, and keep somebody from playing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.play.holds import HOLD, Holds
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused as NotHeld
from bot.play.refusals import Unsaved
from bot.play.server_settings import ENDERS, Enders
from bot.store.queries.matches import Suspension
from bot.ui import isolation
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Permission, Person, Refused, Reply, Role, Sandbox
from tests.bot.store.rows import played
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.exports import exported
from tests.end_to_end.players import asked_first, challenge, chooser, hand_of, move, resign
from tests.failing_rules import fail_rules
from tests.faults.lost_venues import only_match, suspended

say = translations("en")
TEN_MINUTES = HOLD / 1000


async def allowed(room: Cardroom, channel: DrivenChannel, enders: Enders = Enders.MODERATORS) -> None:
    """Say who may end matches in the channel's server."""
    await room.app.server_settings.change(channel.server_id or 0, 1, ENDERS, enders)


def made_moderator(sandbox: Sandbox, person: Person, permission: Permission = Permission.MANAGE_MESSAGES) -> None:
    """Give somebody a role with a permission."""
    server = sandbox.server()
    server.roles[77] = Role(77, "Dealers", permission, 1)
    server.members[person.id].role_ids.append(77)


async def picked(moderator: Person, channel: DrivenChannel, match_id: str) -> Reply:
    """What a moderator reads who picks a match from the list."""
    listed = (await moderator.slash(channel, "calloff")).message
    return await choose(moderator, listed, "stuckask", match_id)


async def choose(person: Person, screen: MessageView, verb: str, value: str) -> Reply:
    """Choose a line of a list."""
    return await person.select(screen, custom_id=chooser(screen, verb).custom_id, values=[value])


async def screen_of(moderator: Person, channel: DrivenChannel, player: Person) -> MessageView:
    """What a moderator reads of a player."""
    reply = await moderator.slash(channel, "moderate", user=player)
    assert (reply.visibility, reply.failed) == ("ephemeral", False)
    return reply.message


async def changes(moderator: Person, channel: DrivenChannel) -> list[str]:
    """The lines of the list of changes, the latest first."""
    screen = (await moderator.slash(channel, "settings")).message
    return (await moderator.press(screen, label=say("settings.changes"))).message.text.splitlines()[1:]


# -------------------------------------------------------------------------------------------- one match


async def test_a_match_that_is_called_off_ends_after_ten_minutes_unless_it_is_brought_back(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # A match that is called off ends after ten minutes and nobody wins.
    alice, bob, carol = map(sandbox.user, ("Alice", "Bob", "Carol"))
    lobby = sandbox.channel("lobby")
    board = await challenge(bob, carol, lobby)
    attacker, hand, _, _ = await asked_first([bob, carol], board)
    assert await move(attacker, hand, random.Random(1)) is not None
    match = await only_match(room)
    done = await picked(alice, lobby, match.id)
    assert (done.visibility, match.over, match.suspended) == ("ephemeral", False, Suspension.MODERATED)
    assert say("stuck.held") in done.text
    await sandbox.wait_for(lambda: say("suspended.moderated") in board.text)
    await sandbox.wait_for(lambda: say("suspended.moderated") in hand.text)
    assert "Resume" not in hand.labels
    listed = (await bob.slash(lobby, "games")).message
    assert say("games.moderated", game="Haymaker", opponent="Carol") in listed.text
    assert listed.labels == [each for each in listed.labels if "Resume" not in each]
    room.pass_time(TEN_MINUTES)
    await sandbox.wait_for(lambda: say("ending.moderated") in board.text)
    assert say("ending.uncounted") in board.text
    result = await room.store.result(match.id)
    assert result is not None
    assert (result.kind, result.ranks, result.counted) == ("moderated", (), False)
    assert await room.store.count_ranked(lobby.server_id or 0, "haymaker") == 0
    last = (await room.store.setting_changes(lobby.server_id or 0))[0]
    assert (last.user_id, last.name, last.former, last.value) == (alice.id, "called_off", match.id, "haymaker")
    assert "called off a match of Haymaker" in (await changes(alice, lobby))[0]
    assert (await bob.press(board, label="Rematch")).visibility == "public"

    # A match that is brought back is played on on its board.
    await room.clear()
    board = await challenge(bob, carol, lobby)
    match = await only_match(room)
    listed = (await picked(alice, lobby, match.id)).message
    await sandbox.wait_for(lambda: say("suspended.moderated") in board.text)
    assert say("stuck.back_again") in (await choose(alice, listed, "stuckback", match.id)).text
    await sandbox.wait_for(lambda: say("suspended.moderated") not in board.text)
    assert match.position.timers
    attacker, hand, _, _ = await asked_first([bob, carol], board)
    assert await move(attacker, hand, random.Random(1)) is not None
    assert ["brought back" in line for line in (await changes(alice, lobby))[:2]] == [True, False]

    # Hands and clocks know of the end.
    await room.clear()
    board = await challenge(bob, carol, lobby, clock="blitz")
    hand = await hand_of(bob, board)
    match = await only_match(room)
    await picked(alice, lobby, match.id)
    room.pass_time(TEN_MINUTES)
    await sandbox.wait_for(lambda: say("ending.moderated") in hand.text)
    room.pass_time(3600)
    assert match.result is not None
    assert match.result.kind == "moderated"
    assert list(room.app.matches.live()) == []

    # A match on hold is ended too.
    await room.clear()
    games = sandbox.channel("games")
    await challenge(bob, carol, games)
    sandbox.delete_channel(games)
    match = await suspended(sandbox, room, Suspension.CHANNEL_GONE)
    listed = (await alice.slash(lobby, "calloff")).message
    assert say("stuck.on_hold") in str(listed.raw)
    await alice.select(listed, values=[match.id])
    room.pass_time(TEN_MINUTES)
    await sandbox.wait_for(lambda: match.over)
    again = await alice.forge(
        lobby, "component", {"component_type": 2, "custom_id": f"g1:{match.id}:0:stuckend"}, listed
    )
    assert say("refusal.match_over") in again.text


async def test_without_manage_server_only_the_matches_of_this_channel_can_be_ended_if_the_settings_say_so(
    sandbox: Sandbox, room: Cardroom
) -> None:
    bob, carol, dave = map(sandbox.user, ("Bob", "Carol", "Dave"))
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    await challenge(bob, carol, lobby)
    here = await only_match(room)
    await challenge(bob, carol, games)
    (there,) = [match for match in room.app.matches.live() if match is not here]
    for command in ("calloff", "moderate"):
        with pytest.raises(Refused):
            await dave.slash(lobby, command)
    made_moderator(sandbox, dave)
    assert (await dave.slash(lobby, "calloff")).text == say("stuck.not_yours")
    await allowed(room, lobby, Enders.PLAYERS)
    for person in (sandbox.user("Alice"), dave):
        assert (await person.slash(lobby, "calloff")).text == say("stuck.not_allowed")
    await allowed(room, lobby)
    source = (await dave.slash(lobby, "calloff")).message
    assert [line.value for line in source.selects[0].options] == [here.id]
    for verb, target, values in (("stuckask", "stuck", [there.id]), ("stuckend", there.id, [])):
        data = {"component_type": 3 if values else 2, "custom_id": f"g1:{target}:0:{verb}", "values": values}
        told = await dave.forge(lobby, "component", data, source)
        assert say("stuck.not_here") in told.text
    forged = {"component_type": 3, "custom_id": f"g1:{bob.id}:0:bar", "values": ["day"]}
    assert say("settings.not_yours") in (await dave.forge(lobby, "component", forged, source)).text
    public = (await bob.slash(lobby, "help")).message
    for verb, value in (
        *(("stuck:0", ""), ("stuckask", here.id), ("stuckback", here.id), ("stuckend", "")),
        *(("stuckall", ""), ("stuckundo", ""), ("bar", "day"), ("unbar", ""), ("setaside", ""), ("putback", "")),
    ):
        data = {"component_type": 3 if value else 2, "custom_id": f"g1:{bob.id}:0:{verb}"}
        told = await bob.forge(lobby, "component", {**data, "values": [value]} if value else data, public)
        assert say("stuck.not_yours") in told.text, verb
    assert {here.suspended, there.suspended} == {None}
    await dave.forge(lobby, "component", {"component_type": 2, "custom_id": f"g1:{bob.id}:0:stuckall"}, source)
    assert (here.suspended, there.suspended) == (Suspension.MODERATED, None)


async def test_a_player_does_not_get_out_of_a_defeat_unless_an_error_has_stopped_the_match(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    match = await only_match(room)
    assert say("stuck.playing") in (await picked(alice, lobby, match.id)).text
    everything = await screen_of(alice, lobby, bob)
    await alice.press(everything, label=say("moderate.call_off_all"))
    assert say("stuck.nothing") in everything.text
    assert match.suspended is None
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    fail_rules(monkeypatch, match, ValueError("a fault"))
    await move(attacker, hand, random.Random(1))
    assert match.failed is not None
    asked = await picked(alice, lobby, match.id)
    back = await alice.press(asked.message, label=say("stuck.back"))
    assert [line.value for line in back.message.selects[0].options] == [match.id]
    asked = await choose(alice, back.message, "stuckask", match.id)
    done = await alice.press(asked.message, label=say("stuck.end"))
    assert say("stuck.done") in done.text
    assert match.over
    await sandbox.wait_for(lambda: say("ending.moderated") in board.text)


# -------------------------------------------------------------------------------------------- one player


async def test_all_of_a_player_is_called_off_and_brought_back_and_both_are_listed(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, carol, dave = map(sandbox.user, ("Alice", "Bob", "Carol", "Dave"))
    lobby = sandbox.channel("lobby")
    boards = [await challenge(bob, carol, lobby), await challenge(dave, bob, lobby)]
    await challenge(carol, dave, lobby)
    theirs, others = _sorted(room, bob)
    asked = (await bob.slash(lobby, "ciq challenge", opponent=dave)).message
    table = (await carol.slash(lobby, "ciq open")).message
    await bob.press(table, label="Join")
    screen = await screen_of(alice, lobby, bob)
    assert say("moderate.plays", player=isolation.mention(bob.id), matches=2, seats=2) in screen.text
    await alice.press(screen, label=say("moderate.call_off_all"))
    assert say("stuck.held") in screen.text
    assert {match.suspended for match in theirs} == {Suspension.MODERATED}
    assert {match.suspended for match in others} == {None}
    await sandbox.wait_for(lambda: all(say("suspended.moderated") in board.text for board in boards))
    await sandbox.wait_for(lambda: say("challenge.cancelled", host="Bob", guest="Dave", game="CIQ") in asked.text)
    await sandbox.wait_for(lambda: "Bob" not in table.text)
    assert [each.seated for each in room.app.invitations.open()] == [(carol.id,)]
    await alice.press(screen, label=say("moderate.undo_all"))
    assert {match.suspended for match in theirs} == {None}
    await sandbox.wait_for(lambda: say("suspended.moderated") not in boards[0].text)
    room.pass_time(TEN_MINUTES + 60)
    lines = await changes(alice, lobby)
    assert "**Alice** brought back what **Bob** played (2)" in lines[0]
    assert "**Alice** called off what **Bob** played (4)" in lines[1]
    assert not [match for match in theirs if match.result is not None and match.result.kind == "moderated"]


async def test_what_can_not_be_called_off_with_all_of_a_player_keeps_nothing_else_from_it(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, carol, dave, erin = map(sandbox.user, ("Alice", "Bob", "Carol", "Dave", "Erin"))
    lobby = sandbox.channel("lobby")
    for other in (carol, dave, erin):
        await challenge(bob, other, lobby)
    first, second, third = list(room.app.matches.live())
    hold, refusals = Holds.hold, {first.id: NotHeld("refusal.match_over"), third.id: Unsaved(busy=True)}

    async def hold_some(holds: Holds, match: LiveMatch) -> None:
        if match.id in refusals:
            raise refusals[match.id]
        await hold(holds, match)

    monkeypatch.setattr(Holds, "hold", hold_some)
    screen = await screen_of(alice, lobby, bob)
    told = await alice.press(screen, label=say("moderate.call_off_all"))
    assert say("store.busy") in told.text
    assert [match.suspended for match in (first, second, third)] == [None, Suspension.MODERATED, None]
    assert "**Alice** called off what **Bob** played (1)" in (await changes(alice, lobby))[0]


def _sorted(room: Cardroom, player: Person) -> tuple[list[LiveMatch], list[LiveMatch]]:
    """The matches of a player, and all others."""
    live = list(room.app.matches.live())
    return [each for each in live if player.id in each.seats], [each for each in live if player.id not in each.seats]


async def test_somebody_who_is_barred_begins_nothing_here_reads_until_when_and_plays_on(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, carol = map(sandbox.user, ("Alice", "Bob", "Carol"))
    lobby = sandbox.channel("lobby")
    elsewhere = sandbox.channel("general", server="Second Server")
    board = await challenge(bob, carol, lobby)
    waiting = (await carol.slash(lobby, "unbreakable challenge", opponent=bob)).message
    table = (await carol.slash(lobby, "ciq open")).message
    own = (await bob.slash(lobby, "tivmiv open")).message
    await carol.press(own, label="Join")
    await played(room.store, "before", (1, 2), seats=(bob.id, carol.id), guild=lobby.server_id or 0, game="haymaker")
    profile = (await bob.slash(lobby, "profile")).message
    screen = await screen_of(alice, lobby, bob)
    await choose(alice, screen, "bar", "day")
    (last, *_) = await room.store.setting_changes(lobby.server_id or 0)
    assert (last.name, last.about_id) == ("barred", bob.id)
    until = f"<t:{int(last.value) // 1000}:f>"
    assert say("moderate.barred", player=isolation.mention(bob.id), when=until) in screen.text
    sentence = say("moderate.you", when=until)
    for command, options in (
        *(("haymaker challenge", {"opponent": carol}), ("haymaker open", {}), ("haymaker practice", {})),
        *(("play", {}), ("play", {"game": "haymaker"}), ("daily", {"game": "haymaker"})),
    ):
        reply = await bob.slash(lobby, command, **options)
        assert (reply.visibility, reply.text) == ("ephemeral", sentence), command
    posts = (profile, say("button.show_profile"))
    for message, label in ((waiting, "Accept"), (table, "Join"), (own, "Start"), posts):
        told = await bob.press(message, label=label)
        assert (told.visibility, told.text) == ("ephemeral", sentence), label
    refused = await carol.slash(lobby, "haymaker challenge", opponent=bob)
    assert refused.text == say("challenge.takes_none", player=isolation.mention(bob.id))
    attacker, hand, _, _ = await asked_first([bob, carol], board)
    assert await move(attacker, hand, random.Random(1)) is not None
    assert (await bob.slash(elsewhere, "haymaker open")).visibility == "public"
    await alice.press(screen, label=say("moderate.lift"))
    assert (await bob.slash(lobby, "haymaker open")).visibility == "public"
    lines = await changes(alice, lobby)
    assert "**Alice** let **Bob** play again" in lines[0]
    assert f"**Alice** kept **Bob** from playing until {until}" in lines[1]


async def test_a_bar_ends_by_itself_outlives_a_restart_and_deletion_and_is_exported(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path):
        await choose(alice, await screen_of(alice, lobby, bob), "bar", "good")
    async with cardroom(sandbox, tmp_path) as room:
        assert (await bob.slash(lobby, "haymaker open")).text == say("moderate.you_for_good")
        assert (await exported(bob, lobby))["barred"] == {"until": None}
        about = (await exported(bob, lobby))["moderated"]
        assert [each["name"] for each in about] == ["barred"]
        asked = await bob.slash(lobby, "mydata delete")
        deleted = await bob.press(asked.message, label=say("button.delete"))
        await sandbox.wait_for(lambda: say("mydata.deleted") in deleted.message.text)
        (kept,) = await room.store.setting_changes(lobby.server_id or 0)
        assert kept.about_id not in (None, bob.id)
        assert (await bob.slash(lobby, "haymaker open")).text == say("moderate.you_for_good")
        await choose(alice, await screen_of(alice, lobby, bob), "bar", "hour")
        room.pass_time(3601)
        assert (await bob.slash(lobby, "haymaker open")).visibility == "public"
        assert (await exported(bob, lobby))["barred"] is None


async def test_whose_results_a_moderator_sets_aside_reads_it_and_is_on_no_leaderboard_until_they_are_put_back(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, carol = map(sandbox.user, ("Alice", "Bob", "Carol"))
    lobby = sandbox.channel("lobby")
    server = lobby.server_id or 0
    await played(room.store, "before", (1, 2), seats=(bob.id, carol.id), guild=server, game="haymaker")

    async def read(reader: Person, command: str = "leaderboard") -> MessageView:
        return (await reader.slash(lobby, command)).message

    screen = await screen_of(alice, lobby, bob)
    await alice.press(screen, label=say("moderate.set_aside_button"))
    assert say("moderate.set_aside", player=isolation.mention(bob.id)) in screen.text
    told = say("moderate.aside_told", server=sandbox.server().name)
    await sandbox.wait_for(lambda: [each.text for each in bob.direct_messages.messages] == [told])
    assert "Bob" not in (await read(carol)).text
    for command in ("leaderboard", "profile"):
        assert say("ladder.set_aside") in (await read(bob, command)).text
        assert say("ladder.set_aside") not in (await read(carol, command)).text
    assert say("ladder.set_aside") not in (await carol.slash(lobby, "profile", player=bob)).text
    posted = await bob.press(await read(bob, "profile"), label=say("button.show_profile"))
    assert (posted.visibility, say("ladder.set_aside") in posted.text) == ("public", False)
    source = await read(bob)
    shown = await bob.forge(
        lobby, "component", {"component_type": 2, "custom_id": "g1:haymaker:0:boardhide:0.haymaker.0"}, source
    )
    assert say("ladder.now_listed") not in shown.text
    assert (await exported(bob, lobby))["settings"]["set_aside_by_moderators"]
    # Their matches count for nobody, which everybody reads before and while they play, but not why.
    asked = await carol.slash(lobby, "haymaker challenge", opponent=bob)
    assert say("challenge.unrated") in asked.text
    board = (await bob.press(asked.message, label="Accept")).message
    assert say("challenge.unrated") in board.text
    match = await only_match(room)
    assert not match.rated
    assert [say("ladder.set_aside") in (await hand_of(each, board)).text for each in (bob, carol)] == [True, False]
    await resign(carol, board)
    assert match.result is not None
    assert not match.result.counted
    await sandbox.wait_for(lambda: say("ending.uncounted_agreed") in board.text)

    await alice.press(screen, label=say("moderate.take_back"))
    back = say("moderate.aside_over", server=sandbox.server().name)
    await sandbox.wait_for(lambda: [each.text for each in bob.direct_messages.messages] == [told, back])
    assert say("challenge.unrated") not in (await carol.slash(lobby, "haymaker challenge", opponent=bob)).text
    assert "Bob" in (await read(carol)).text
    lines = await changes(alice, lobby)
    assert "**Alice** put back the results of **Bob**" in lines[0]
    assert "**Alice** set aside the results of **Bob**" in lines[1]
