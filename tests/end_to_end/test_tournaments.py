"""Tournaments as people have them on Discord: opened, joined, played by rounds, looked after, told to all."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any

import aiohttp

from bot.play.live_match import LiveMatch
from bot.play.server_settings import HOSTS, PLACE, write_ids
from bot.ui.catalogue import translations
from cogs.tournaments.rounds import BREAK
from discord_sandbox import DrivenChannel, MessageView, Permission, Person, Reply, Role, Sandbox, Server
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import resign

say = translations("en")
MANAGE_EVENTS = 1 << 33
"""A permission (https://discord.com/developers/docs/topics/permissions)."""
JOIN, MINE, STANDINGS, MORE = (
    say(key) for key in ("button.join", "hosted.my_match", "tournament.standings", "button.more")
)


def may_host(sandbox: Sandbox, person: Person) -> None:
    """Give somebody a role with Manage Events."""
    server = sandbox.server()
    server.roles[78] = Role(78, "Hosts", MANAGE_EVENTS, 1)
    server.members[person.id].role_ids.append(78)


def may_enter_events(sandbox: Sandbox) -> Role:
    """Give the bot's own role Create Events."""
    (own,) = (each for each in sandbox.server().roles.values() if each.managed_by is not None)
    own.permissions |= Permission.CREATE_EVENTS
    return own


async def opened(sandbox: Sandbox, host: Person, lobby: DrivenChannel, **options: object) -> MessageView:
    """The public message of a tournament that somebody has just opened, perhaps with an event."""
    may_host(sandbox, host)
    before = {each.id for each in lobby.messages}
    event = options.pop("event", False)
    options = {"game": "haymaker", "clock": "blitz", **options}
    panel = await host.slash(lobby, "tournament new", **options)
    assert panel.visibility == "ephemeral"
    if event:
        may_enter_events(sandbox)
        panel = await host.press(panel.message, label=say("tournament.event_add"))
    told = await host.press(panel.message, label=say("tournament.open"))
    assert say("hosted.opened") in told.text

    def new() -> list[MessageView]:
        return [each for each in lobby.messages if JOIN in each.labels and each.id not in before]

    await sandbox.wait_for(lambda: bool(new()))
    return new()[0]


async def test_a_host_opens_a_tournament_with_one_command_and_one_press(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    refused = await bob.slash(lobby, "tournament new", game="haymaker")
    assert refused.text == say("hosting.not_allowed")
    assert (await bob.slash(lobby, "tournament me")).text == say("tournament.none")
    message = await opened(sandbox, alice, lobby)
    assert message.labels == [JOIN, MORE]
    assert say("tournament.nobody_in", most=16) in message.text
    assert say("tournament.host", player="Alice") in message.text
    joined = await bob.press(message, label=JOIN)
    assert joined.visibility == "ephemeral"
    assert say("tournament.you_joined") in joined.text
    await sandbox.wait_for(lambda: "Bob" in message.text)
    assert say("tournament.in_already") not in (await bob.press(message, label=JOIN)).text  # it shows how they leave
    assert say("tournament.you_joined") in (await bob.slash(lobby, "tournament me")).text
    left = await bob.press(joined.message, label=say("button.leave"))
    assert say("tournament.not_in") in left.text
    await sandbox.wait_for(lambda: "Bob" not in message.text)

    # Only its host and who manages events look after it.
    assert say("tournament.call_off") not in (await bob.press(message, label=MORE)).message.labels
    more = (await alice.press(message, label=MORE)).message
    assert (await bob.press(message, custom_id=_of(more, "tourendnow", "tourend"), force=True)).text == say(
        "hosted.not_yours"
    )
    join = _of(more, "tourjoin", "tourend")
    early = await alice.press(more, label=say("tournament.begin"))
    assert early.text == say("tournament.too_few", least=3)
    asked = await alice.press(more, label=say("tournament.call_off"))
    assert say("tournament.ask") in asked.text
    ended = await alice.press(asked.message, label=say("tournament.call_off"))
    assert say("tournament.called_off") in ended.text
    await sandbox.wait_for(lambda: say("tournament.called_off") in lobby.messages[-1].text)
    assert (await bob.press(message, custom_id=join, force=True)).text == say("tournament.ended")


async def test_a_server_names_the_roles_that_may_host_and_a_deleted_one_locks_nobody_out(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    server = sandbox.server()
    server.roles[77] = Role(77, "Captains", 0, 1)
    await room.app.server_settings.change(server.id, alice.id, HOSTS, write_ids((77,)))
    may_host(sandbox, bob)
    refused = await bob.slash(lobby, "tournament new", game="haymaker")
    assert (refused.visibility, refused.text) == ("ephemeral", say("hosting.not_role", roles="<@&77>"))
    server.members[bob.id].role_ids.append(77)
    panel = await bob.slash(lobby, "tournament new", game="haymaker")
    assert say("hosted.opened") in (await bob.press(panel.message, label=say("tournament.open"))).text
    panel = await bob.slash(lobby, "tournament new", game="haymaker")
    del server.roles[77]
    server.members[bob.id].role_ids.remove(77)
    assert (await bob.press(panel.message, label=say("tournament.open"))).text == refused.text
    panel = await alice.slash(lobby, "tournament new", game="haymaker")  # she manages the server
    assert say("hosted.opened") in (await alice.press(panel.message, label=say("tournament.open"))).text


def _of(message: MessageView, verb: str, like: str) -> str:
    """The id of a press with this verb, on what another button of a message acts on."""
    ids = [button.custom_id for button in message.buttons]
    return next(each.replace(f":{like}", f":{verb}") for each in ids if each.endswith(f":{like}"))


async def file_of(reply: Reply) -> bytes:
    """The file of an answer."""
    attachments: Any = reply.message.raw["attachments"]
    async with aiohttp.ClientSession() as session, session.get(attachments[0]["url"]) as answer:
        return await answer.read()


async def resigned(sandbox: Sandbox, person: Person, lobby: DrivenChannel, match: LiveMatch) -> None:
    """Have somebody open the cards of their match where they look for it, and resign on its board."""
    own = (await person.slash(lobby, "tournament me")).message
    hand = await person.press(own, label=say("button.my_cards"))
    assert say("hand.title", game="Haymaker") in hand.text
    await sandbox.wait_for(lambda: any(each.id == match.board_id for each in lobby.messages))
    board = next(each for each in lobby.messages if each.id == match.board_id)
    await resign(person, board)


def public(lobby: DrivenChannel) -> MessageView:
    """The message of the latest tournament."""
    title = say("tournament.title", game="Haymaker")
    return [each for each in lobby.messages if f"### {title}" in each.text and each.labels[-1] == MORE][-1]


async def test_a_tournament_is_played_to_its_end_and_everything_is_open_then(sandbox: Sandbox, room: Cardroom) -> None:
    people = {person.id: person for person in map(sandbox.user, ("Alice", "Bob", "Carol", "Dave"))}
    alice, lobby = next(iter(people.values())), sandbox.channel("lobby")
    message = await opened(sandbox, alice, lobby, event=True, players=4)
    (event,) = sandbox.server().events.values()
    for person in people.values():
        assert (await person.press(message, label=JOIN)).visibility == "ephemeral"
    for number in (1, 2):
        if number > 1:
            await sandbox.wait_for(lambda: "The next round starts" in public(lobby).text)
            assert say("tournament.leading") in public(lobby).text
            room.pass_time(BREAK / 1000)
        await sandbox.wait_for(lambda: len([*room.app.matches.live()]) == 2)
        heading = f"**{say('tournament.round_of', round=number, rounds=2)}**"
        await sandbox.wait_for(lambda heading=heading: heading in public(lobby).text)  # type: ignore[misc]
        assert public(lobby).labels[:2] == [MINE, STANDINGS]
        first, second = room.app.matches.live()
        for match in (first, second):
            loser = people[match.seats[0]]
            assert f"Round {number}: you play" in (await loser.press(public(lobby), label=MINE)).text
            await resigned(sandbox, loser, lobby, match)
            if match is first:
                await sandbox.wait_for(lambda: " · over" in public(lobby).text)
                assert "**1\xa0–\xa00**" not in public(lobby).text
                assert "**0\xa0–\xa01**" not in public(lobby).text
    await sandbox.wait_for(lambda: "wins the tournament" in public(lobby).text)
    shown = public(lobby)
    assert shown.labels == [STANDINGS, MORE]
    more = (await alice.press(shown, label=MORE)).message
    told = json.loads(await file_of(await alice.press(more, label=say("tournament.json"))))
    assert len(told["results"]) == 4
    assert len(told["deals"]) == 2
    written = (await file_of(await alice.press(more, label=say("tournament.csv")))).decode("utf-8-sig")
    assert len([*csv.reader(StringIO(written))]) == 5
    proof = await alice.press(more, label=say("tournament.verify"))
    assert all(deal["seed"] in proof.text for deal in told["deals"])
    await sandbox.wait_for(lambda: event.over)
    assert event.status == 3


async def begun(sandbox: Sandbox, room: Cardroom, lobby: DrivenChannel, **options: object) -> dict[int, Person]:
    """Four people in a tournament whose first round is played."""
    people = {person.id: person for person in map(sandbox.user, ("Alice", "Bob", "Carol", "Dave"))}
    message = await opened(sandbox, next(iter(people.values())), lobby, players=4, **options)
    for person in people.values():
        await person.press(message, label=JOIN)
    await sandbox.wait_for(lambda: len([*room.app.matches.live()]) == 2)
    await sandbox.wait_for(lambda: MINE in public(lobby).labels)
    return people


async def test_matches_are_played_in_threads_where_the_server_has_them_there(sandbox: Sandbox, room: Cardroom) -> None:
    lobby = sandbox.channel("lobby")
    await room.app.server_settings.change(lobby.server_id or 0, sandbox.user("Alice").id, PLACE, "thread")
    people = await begun(sandbox, room, lobby)
    matches = {match.channel_id: match for match in room.app.matches.live()}
    threads = {thread.id: thread for thread in lobby.threads}
    assert matches.keys() == threads.keys()
    for place, match in matches.items():
        seats = [people[user] for user in match.seats]
        assert threads[place].name == f"Haymaker: {' vs '.join(seat.name for seat in seats)}"
        inside = threads[place].record.as_thread.members
        await sandbox.wait_for(lambda seats=seats, inside=inside: {seat.id for seat in seats} <= inside.keys())  # type: ignore[misc]
    await sandbox.wait_for(lambda: all(f"/{match.board_id})" in public(lobby).text for match in matches.values()))
    assert say("thread.no_permission") not in public(lobby).text
    lost, other = room.app.matches.live()
    sandbox.delete_channel(threads[lost.channel_id])
    await sandbox.wait_for(lambda: lost.suspended is not None)
    await resigned(sandbox, people[other.seats[0]], threads[other.channel_id], other)
    await sandbox.wait_for(lambda: " · over" in public(lobby).text)
    assert say("tournament.hold.place") not in public(lobby).text  # a thread is a matter of its players


async def test_a_tournament_has_an_event_in_the_servers_calendar_if_its_host_adds_one(
    sandbox: Sandbox, room: Cardroom
) -> None:
    people, lobby, server = [sandbox.user(name) for name in ("Alice", "Bob", "Carol", "Dave")], *_lobby(sandbox)
    may_host(sandbox, people[0])
    panel = (await people[0].slash(lobby, "tournament new", game="haymaker", players=4)).message
    refused = await people[0].press(panel, label=say("tournament.event_add"))
    assert say("tournament.event_not_permitted") in refused.text
    assert say("tournament.event_leave") not in refused.message.labels
    may_enter_events(sandbox)
    chosen = await people[0].press(refused.message, label=say("tournament.event_add"))
    assert say("tournament.panel_event") in chosen.text
    opened = await people[0].press(chosen.message, label=say("tournament.open"))
    assert say("tournament.event_not_permitted") not in opened.text
    (event,) = server.events.values()
    assert (event.name, event.location, event.status) == ("Tournament: Haymaker", "#lobby", 1)
    assert f"/{lobby.id}" in (event.description or "")
    assert event.ends_at - event.starts_at >= 3600
    await sandbox.wait_for(lambda: any(JOIN in each.labels for each in lobby.messages))
    for person in people:
        await person.press(public(lobby), label=JOIN)
    await sandbox.wait_for(lambda: event.status == 2)
    more = (await people[0].press(public(lobby), label=MORE)).message
    asked = await people[0].press(more, label=say("tournament.call_off"))
    await people[0].press(asked.message, label=say("tournament.call_off"))
    await sandbox.wait_for(lambda: server.events == {})


def _lobby(sandbox: Sandbox) -> tuple[DrivenChannel, Server]:
    return sandbox.channel("lobby"), sandbox.server()


async def test_what_cannot_be_gets_one_sentence_each(sandbox: Sandbox, room: Cardroom) -> None:
    lobby = sandbox.channel("lobby")
    people = await begun(sandbox, room, lobby)
    alice, stranger, shown = next(iter(people.values())), sandbox.user("Erin"), public(lobby)
    assert say("tournament.join_late") not in shown.labels
    late = await stranger.press(shown, custom_id=_of(shown, "tourjoin", "tourmine"), force=True)
    assert late.text == say("tournament.full", most=4)
    assert (await stranger.press(shown, custom_id=_of(shown, "tourleave", "tourmine"), force=True)).text == say(
        "tournament.not_in"
    )
    for verb in ("tourpause", "tourend", "tourendnow", "tourgoon", "tourfix:1.1", "tourresult:1.1.0"):
        reply = await stranger.press(shown, custom_id=_of(shown, verb, "tourmine"), force=True)
        assert reply.text == say("hosted.not_yours"), verb
    refusals = {
        "tourfix:1.1": "tournament.still_closed",
        "tourresult:9.9.0": "tournament.no_pairing",
        "tourclose": "tournament.joining_over",
        "tourgoon": "tournament.not_paused",
        "tourhere": "tournament.no_check_in",
        "tourback": "tournament.not_left",
        "tourproof": "tournament.not_over",
    }
    for verb, key in refusals.items():
        reply = await alice.press(shown, custom_id=_of(shown, verb, "tourmine"), force=True)
        assert reply.text == say(key), verb
    early = json.loads(
        await file_of(await alice.press(shown, custom_id=_of(shown, "tourfile:json", "tourmine"), force=True))
    )
    assert (early["results"], early["deals"]) == ([], [])
    unknown = _of(shown, "tourjoin", "tourmine").replace(":", ":x", 1)
    assert (await alice.press(shown, custom_id=unknown, force=True)).text == say("tournament.gone")
