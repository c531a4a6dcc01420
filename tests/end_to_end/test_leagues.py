"""Leagues as people have them on Discord: opened, joined, played when both like, told to all."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store.errors import Busy
from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.leagues.leagues import WEEK
from cogs.leagues.messages import LeagueMessages
from cogs.screens import custom_ids
from discord_sandbox import DrivenChannel, MessageView, Person, Role, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import chooser, resign
from tests.failing_rules import raising

say = translations("en")
MANAGE_EVENTS = 1 << 33
"""A permission (https://discord.com/developers/docs/topics/permissions)."""
JOIN, MORE, MINE, ACCEPT = (say(key) for key in ("button.join", "button.more", "hosted.my_match", "button.accept"))
DAY = 24 * 3600


def public(lobby: DrivenChannel) -> MessageView:
    """The message of the latest league."""
    title = say("league.title", game="Haymaker")
    return [each for each in lobby.messages if f"### {title}" in each.text and MORE in each.labels][-1]


async def opened(sandbox: Sandbox, host: Person, lobby: DrivenChannel) -> MessageView:
    """The public message of a league that somebody has just opened."""
    server = sandbox.server()
    server.roles[78] = Role(78, "Hosts", MANAGE_EVENTS, 1)
    server.members[host.id].role_ids.append(78)
    told = await host.slash(lobby, "league new", game="haymaker", clock="blitz")
    assert told.visibility == "ephemeral"
    assert say("hosted.opened") in told.text
    await sandbox.wait_for(lambda: any(MORE in each.labels for each in lobby.messages))
    return public(lobby)


async def test_a_league_is_opened_joined_and_played_and_its_table_shows_the_result(
    sandbox: Sandbox, room: Cardroom
) -> None:
    people = {person.id: person for person in map(sandbox.user, ("Alice", "Bob", "Carol", "Dave"))}
    alice, bob, lobby = *[*people.values()][:2], sandbox.channel("lobby")
    assert (await bob.slash(lobby, "league new", game="haymaker")).text == say("hosting.not_allowed")
    assert (await bob.slash(lobby, "league me")).text == say("league.none")
    message = await opened(sandbox, alice, lobby)
    for person in people.values():
        assert say("league.you_in") in (await person.press(message, label=JOIN)).text
    await sandbox.wait_for(lambda: "Dave" in public(lobby).text)
    more = (await alice.press(public(lobby), label=MORE)).message
    assert say("league.start") not in (await bob.press(public(lobby), label=MORE)).message.labels
    assert say("league.started") in (await alice.press(more, label=say("league.start"))).text
    await sandbox.wait_for(lambda: "week 1 of 3" in public(lobby).text)
    own = (await bob.press(public(lobby), label=MINE)).message
    assert say("league.how_to_play") in own.text
    asked = (await bob.press(own, label=say("league.play"))).message
    assert asked.labels[0] == ACCEPT
    await sandbox.wait_for(lambda: "challenged" in public(lobby).text)
    other = next(person for person in people.values() if f"<@{person.id}>" in asked.text and person is not bob)
    assert say("league.asked", player="Bob", link="")[:-3] in (await other.press(public(lobby), label=MINE)).text
    board = (await other.press(asked, label=ACCEPT)).message
    await sandbox.wait_for(lambda: "[board]" in public(lobby).text)
    hand = await other.press(public(lobby), label=MINE)
    assert say("league.in_play") in hand.text
    await other.press(hand.message, label=say("button.my_cards"))
    await resign(other, board)
    await sandbox.wait_for(lambda: "1\\. Bob · **1**" in public(lobby).text)
    assert say("league.over") in (await bob.slash(lobby, "league me")).text


async def test_people_leave_are_replaced_and_reminded_and_the_host_ends_it(sandbox: Sandbox, room: Cardroom) -> None:
    people = [sandbox.user(name) for name in ("Alice", "Bob", "Carol", "Dave")]
    (alice, bob, *_), erin, lobby = people, sandbox.user("Erin"), sandbox.channel("lobby")
    message = await opened(sandbox, alice, lobby)
    for person in people:
        await person.press(message, label=JOIN)
    await alice.press((await alice.press(public(lobby), label=MORE)).message, label=say("league.start"))
    await sandbox.wait_for(lambda: MINE in public(lobby).labels)
    waits = await erin.press(public(lobby), label=JOIN)
    assert say("league.you_wait") in waits.text
    left = await bob.press((await bob.press(public(lobby), label=MINE)).message, label=say("button.leave"))
    assert say("hosted.you_left") in left.text
    await sandbox.wait_for(lambda: f"Erin · **0** · {say('league.substitute')}" in public(lobby).text)
    tables = await bob.press(public(lobby), label=say("league.tables"))
    assert say("league.division", division=1) in tables.text
    room.pass_time(WEEK / 1000 - 2 * DAY)
    reminders = [f"you haven't played **{name}**" for name in ("Alice", "Erin", "Carol", "Dave")]
    await sandbox.wait_for(lambda: all(any(each in post.text for post in lobby.messages) for each in reminders))
    assert sum("you haven't played" in each.text for each in lobby.messages) == len(reminders)
    more = (await alice.press(public(lobby), label=MORE)).message
    carol = next(option for option in chooser(more, "lgremove").options if option.label == "Carol")
    removed = await alice.select(more, custom_id=chooser(more, "lgremove").custom_id, values=[carol.value])
    assert say("league.removed") in removed.text
    end = _of(public(lobby), "lgendnow", "lgmore")
    assert (await bob.press(public(lobby), custom_id=end, force=True)).text == say("hosted.not_yours")
    asked = await alice.press(removed.message, label=say("league.end"))
    ended = await alice.press(asked.message, label=say("league.end"))
    assert say("league.ended") in ended.text
    await sandbox.wait_for(lambda: say("league.ended") in public(lobby).text)


async def test_a_host_shows_it_in_another_channel_and_it_is_there_after_a_restart(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    people = [sandbox.user(name) for name in ("Alice", "Bob", "Carol", "Dave")]
    alice, lobby, table = people[0], sandbox.channel("lobby"), sandbox.channel("games")
    async with cardroom(sandbox, tmp_path):
        message = await opened(sandbox, alice, lobby)
        for person in people:
            await person.press(message, label=JOIN)
        own = (await alice.slash(table, "league me")).message
        more = (await alice.press(own, custom_id=_of(own, "lgmore", "lgleave"), force=True)).message
        moved = await alice.press(more, label=say("league.move"))
        assert say("league.moved") in moved.text
        await sandbox.wait_for(lambda: any(MORE in each.labels for each in table.messages))
        await sandbox.wait_for(lambda: not any(MORE in each.labels for each in lobby.messages))
        started = await alice.press(moved.message, label=say("league.start"))
        assert say("league.started") in started.text
        await sandbox.wait_for(lambda: MINE in public(table).labels)
    async with cardroom(sandbox, tmp_path) as room:
        await eventually(room.everything_runs)
        shown = public(table)
        mine = await alice.press(shown, label=MINE)
        assert say("league.how_to_play") in mine.text
        room.pass_time(WEEK / 1000)
        await sandbox.wait_for(lambda: "week 2 of 3" in public(table).text)


def _of(message: MessageView, verb: str, like: str) -> str:
    """The id of a press with this verb, on what another button of a message acts on."""
    ids = [button.custom_id for button in message.buttons]
    return next(each.replace(f":{like}", f":{verb}") for each in ids if each.endswith(f":{like}"))


async def test_a_league_whose_end_could_not_be_shown_shows_it_when_somebody_presses(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path):
        message = await opened(sandbox, alice, lobby)
        league = next(each.custom_id for each in message.buttons if each.custom_id).split(":")[1]
        monkeypatch.setattr(LeagueMessages, "read", raising(Busy("as often")))
        ended = await alice.press(message, custom_id=custom_ids.write(league, Press("lgendnow")), force=True)
        assert say("league.ended") in ended.text
    monkeypatch.undo()
    async with cardroom(sandbox, tmp_path):
        assert (await alice.press(public(lobby), label=JOIN)).text == say("league.ended")
        await sandbox.wait_for(lambda: JOIN not in public(lobby).labels)
