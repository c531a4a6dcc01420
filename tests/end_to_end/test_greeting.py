"""What the bot says when it joins a server, and to members where the owner wishes."""

from __future__ import annotations

import asyncio

import pytest

from bot.play.server_settings import FIRST_ROLE, WEEK
from bot.scheduler import DAY
from bot.ui.catalogue import translations
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.server_week.posts import LOOKS_EVERY
from cogs.servers.queries import Greetings
from cogs.updates.channel_messages import NotTaken
from cogs.updates.server_roles import ServerRoles
from discord_sandbox import DrivenChannel, MessageView, Permission, Person, Reply, Role, Sandbox
from tests.end_to_end.cardroom import Cardroom, to_noon
from tests.end_to_end.players import chooser
from tests.end_to_end.test_daily import finish
from tests.end_to_end.test_settings import choose, opened
from tests.end_to_end.test_tournaments import opened as tournament_opened
from tests.faults.lost_venues import until

say = translations("en")
SECOND = "Second Server"
LONG_AFTER = 10
"""Seconds within which a greeting would have come."""


async def joined(sandbox: Sandbox, room: Cardroom) -> None:
    """The bot is removed from the second server and added again."""
    server = sandbox.server(SECOND)
    sandbox.remove_bot(server)
    await until(lambda: len(room.client.guilds) == 1)
    sandbox.add_bot(server)
    await until(lambda: len(room.client.guilds) == 2)


async def test_a_server_is_greeted_once_with_what_to_do(sandbox: Sandbox, room: Cardroom) -> None:
    general = sandbox.channel("general", server=SECOND)
    assert general.messages == []
    await joined(sandbox, room)
    await sandbox.wait_for(lambda: general.messages)
    greeting = general.last
    assert say("greeting.title") in greeting.text
    assert say("check.whole") in greeting.text
    assert "/settings" in greeting.text
    assert greeting.mentions == []
    await joined(sandbox, room)
    await asyncio.sleep(LONG_AFTER)
    assert general.messages == [greeting]


async def test_where_nothing_can_be_written_nothing_happens(sandbox: Sandbox, room: Cardroom) -> None:
    server = sandbox.server(SECOND)
    for channel in server.channels.values():
        sandbox.channel(channel.name, server=SECOND).deny(Permission.VIEW_CHANNEL)
    sandbox.transcript.clear()
    await joined(sandbox, room)
    await asyncio.sleep(LONG_AFTER)
    assert [each for each in sandbox.transcript.requests if each.method == "POST"] == []
    assert await Greetings(room.store).greet(server.id, 1)  # so the next time may still be the first


async def test_the_channel_for_system_messages_comes_first(sandbox: Sandbox, room: Cardroom) -> None:
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    server = sandbox.server()
    for system, greeted in ((games, games), (None, lobby)):
        server.system_channel_id = None if system is None else system.id
        sandbox.remove_bot(server)
        await until(lambda: len(room.client.guilds) == 1)
        await room.store.purge_guild(server.id)
        sandbox.add_bot(server)
        await sandbox.wait_for(lambda: greeted.messages)  # noqa: B023  awaited within the round
        assert len(lobby.messages) + len(games.messages) == 1 + (system is None)


async def greeting_page(person: Person, channel: DrivenChannel) -> MessageView:
    shown = (await person.slash(channel, "settings")).message
    return (await person.press(shown, label=say("settings.greeting"))).message


async def say_words(person: Person, page: MessageView, typed: str) -> Reply:
    opened = await person.press(page, label=say("settings.ask_words"))
    assert opened.modal is not None
    return await person.submit(opened.modal, {say("settings.words_label"): typed})


async def greet_in(person: Person, page: MessageView, *channels: DrivenChannel) -> None:
    control = chooser(page, "greetat")
    reply = await person.select(page, custom_id=control.custom_id, values=[str(each.id) for each in channels])
    assert say("settings.saved") in reply.message.text


async def test_members_are_greeted_where_the_owner_wishes_with_words_that_are_marked_as_theirs(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    page = await greeting_page(alice, lobby)
    told = await say_words(alice, page, f"Be **kind** @everyone <@{bob.id}>\n https://example.org \u202e")
    shown = f"Be \\*\\*kind\\*\\* \\@everyone \\<\\@{bob.id}\\> https\\:\\/\\/example\\.org"
    own = say("greeting.own", words=shown)
    assert (told.visibility, say("settings.saved") in told.text, own in told.text) == ("ephemeral", True, True)
    await looked(room)
    assert (lobby.messages, games.messages) == ([], []), "nowhere before a channel is chosen"

    await greet_in(alice, page, games)
    await looked(room)
    await sandbox.wait_for(lambda: games.messages)
    (greeting,) = games.messages
    assert greeting.text.splitlines()[:2] == [f"### {say('greeting.title')}", own]
    assert (greeting.mentions, bool(greeting.flags & SILENT)) == ([], True)
    learned = await bob.press(greeting, label=greeting.labels[0])
    assert (learned.visibility, learned.failed) == ("ephemeral", False)

    await say_words(alice, page, "Ask anything")
    await looked(room)
    await sandbox.wait_for(lambda: say("greeting.own", words="Ask anything") in games.last.text)
    assert [each.id for each in games.messages] == [greeting.id], "it is edited"
    await alice.press(page, label=say("settings.without_words"))
    await greet_in(alice, page, lobby)
    await looked(room)
    await sandbox.wait_for(lambda: lobby.messages and not games.messages)
    assert say("greeting.own", words="") not in lobby.last.text
    await greet_in(alice, page)
    await looked(room)
    await sandbox.wait_for(lambda: lobby.messages == [])

    changes = (await alice.press((await alice.slash(lobby, "settings")).message, label=say("settings.changes"))).text
    assert say("settings.greeting_words") in changes
    assert "\\@everyone" in changes


async def test_words_that_nobody_sees_are_refused_and_only_who_manages_the_server_may_say_any(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    page = await greeting_page(alice, lobby)
    assert (await say_words(alice, page, "\u200b\u202e ")).text == say("settings.words_invisible")
    theirs = (await bob.slash(lobby, "help")).message
    for verb in ("greeting", "greetask", "nowords"):
        refused = await bob.press(theirs, custom_id=f"g1:settings:0:{verb}", force=True)
        assert refused.text == say("settings.not_yours")
    opened = await alice.press(page, label=say("settings.ask_words"))
    assert opened.modal is not None
    sandbox.server().members[alice.id].role_ids.clear()
    sandbox.server().owner_id = bob.id
    late = await alice.submit(opened.modal, {say("settings.words_label"): "Too late"})
    assert late.text == say("settings.not_yours")
    assert room.app.server_settings.of(lobby.server_id or 0).greeting_words == ""


# --------------------------------------------------------------- a server's week: silent, where its owner wishes


SILENT = 1 << 12
"""The flag SUPPRESS_NOTIFICATIONS (https://discord.com/developers/docs/resources/message#message-object-message-flags)."""
FIRST, POWERFUL = 501, 502


async def looked(room: Cardroom, seconds: float = LOOKS_EVERY) -> None:
    """Let time pass, once the last look is over, until the next one."""
    await asyncio.sleep(5)
    room.pass_time(seconds)


async def test_the_week_is_posted_where_the_owner_wishes_and_only_there(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    to_noon(room)
    await finish(room, alice, lobby)
    await looked(room)
    assert games.messages == []
    told = await choose(alice, await opened(alice, lobby), "week", str(games.id))
    assert say("settings.saved") in told
    await looked(room)
    await sandbox.wait_for(lambda: len(games.messages) == 1)
    (daily,) = games.messages
    assert daily.flags & SILENT
    assert "Alice" not in daily.text, "today's deal is closed"
    await looked(room, DAY / 1000)
    await sandbox.wait_for(lambda: "Alice" in games.messages[0].text)
    assert [each.id for each in games.messages] == [daily.id], "it is edited"
    assert say("daily.channel_yesterday") in games.messages[0].text
    private = await bob.press(games.messages[0], label=say("button.daily"))
    assert private.visibility == "ephemeral"
    await LeaderboardQueries(room.store).set_hidden(games.server_id or 0, alice.id, hidden=True)
    await looked(room)
    await sandbox.wait_for(lambda: "Alice" not in games.messages[0].text)

    await tournament_opened(sandbox, alice, lobby)
    await looked(room)
    await sandbox.wait_for(lambda: len(games.messages) == 2)
    cups = games.last
    assert cups.flags & SILENT
    assert f"/{lobby.id}/" in cups.text
    own = await bob.press(cups, label=say("button.own_tournament"))
    assert (own.visibility, own.failed) == ("ephemeral", False)

    await choose(alice, await opened(alice, lobby), "week")
    await looked(room)
    await sandbox.wait_for(lambda: games.messages == [])


async def test_the_role_of_the_first_is_one_without_power_that_the_bot_may_give(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    server = sandbox.server()
    server.roles[FIRST] = Role(FIRST, "First", 0, 1)
    server.roles[POWERFUL] = Role(POWERFUL, "Moderator", int(Permission.MANAGE_MESSAGES), 1)
    told = await choose(alice, await opened(alice, lobby), "firstrole", str(POWERFUL))
    assert say("settings.role_not_harmless") in told
    told = await choose(alice, await opened(alice, lobby), "firstrole", str(FIRST))
    assert say("settings.saved") in told
    assert room.app.server_settings.of(server.id).first_role == (FIRST,)
    changes = [each.name for each in await room.store.setting_changes(server.id)]
    assert (FIRST_ROLE in changes, WEEK in changes) == (True, False)

    roles = ServerRoles(room.client)
    with pytest.raises(NotTaken) as refused:
        await roles.give(server.id, bob.id, FIRST)
    assert not refused.value.may_pass
    (own,) = (each for each in server.roles.values() if each.managed_by is not None)
    own.permissions |= Permission.MANAGE_ROLES
    own.position = 2
    await roles.give(server.id, bob.id, FIRST)
    assert FIRST in server.members[bob.id].role_ids
    await roles.take(server.id, bob.id, FIRST)
    assert FIRST not in server.members[bob.id].role_ids
