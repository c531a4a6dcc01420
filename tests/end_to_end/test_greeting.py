"""What the bot says when it joins a server, and where."""

from __future__ import annotations

import pytest

from bot.ui.catalogue import translations
from cogs.servers.queries import Greetings
from discord_sandbox import Permission, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.faults.lost_places import until

say = translations("en")
SECOND = "Second Server"


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
    await room.store.metadata("after")
    assert general.messages == [greeting]


async def test_a_greeting_names_the_permissions_that_are_missing(sandbox: Sandbox, room: Cardroom) -> None:
    general = sandbox.channel("general", server=SECOND)
    general.deny(Permission.CREATE_PUBLIC_THREADS)
    await joined(sandbox, room)
    await sandbox.wait_for(lambda: general.messages)
    assert say("check.create_public_threads") in general.last.text
    assert say("check.embed_links") not in general.last.text


@pytest.mark.parametrize("denied", [Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL])
async def test_where_nothing_can_be_written_nothing_happens(
    sandbox: Sandbox, room: Cardroom, denied: Permission
) -> None:
    server = sandbox.server(SECOND)
    for channel in server.channels.values():
        sandbox.channel(channel.name, server=SECOND).deny(denied)
    sandbox.transcript.clear()
    await joined(sandbox, room)
    await room.store.metadata("after")
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
