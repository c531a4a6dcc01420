"""Channels of every kind, through discord.py: made, changed, moved, removed, with their overwrites."""

from __future__ import annotations

import discord
import pytest

from discord_sandbox import Permission, Sandbox
from tests.conftest import Api, allow_bot
from tests.sample_bot import SampleBot


@pytest.fixture
def guild(sandbox: Sandbox, bot: SampleBot) -> discord.Guild:
    allow_bot(sandbox, Permission.MANAGE_CHANNELS, Permission.MANAGE_ROLES, Permission.MANAGE_MESSAGES)
    found = bot.get_guild(sandbox.server().id)
    assert found is not None
    return found


async def test_channels_of_every_kind(sandbox: Sandbox, guild: discord.Guild) -> None:
    category = await guild.create_category("Games")
    text = await guild.create_text_channel("My Table", category=category, topic="cards", slowmode_delay=5, nsfw=True)
    voice = await guild.create_voice_channel("Talk", category=category, bitrate=32_000, user_limit=4)
    forum = await guild.create_forum("posts", topic="read first")
    assert (text.name, text.topic, text.slowmode_delay, text.nsfw) == ("my-table", "cards", 5, True)
    assert text.category_id == category.id
    assert (voice.bitrate, voice.user_limit) == (32_000, 4)
    assert isinstance(forum, discord.ForumChannel)
    await sandbox.wait_for(lambda: guild.get_channel(forum.id))
    fetched = {each.id: each.type for each in await guild.fetch_channels()}
    assert fetched[category.id] == discord.ChannelType.category
    assert fetched[voice.id] == discord.ChannelType.voice
    assert fetched[forum.id] == discord.ChannelType.forum


async def test_a_channel_is_changed_and_its_members_hear_of_it(sandbox: Sandbox, guild: discord.Guild) -> None:
    lobby = guild.get_channel(sandbox.channel("lobby").id)
    assert isinstance(lobby, discord.TextChannel)
    edited = await lobby.edit(name="hall", topic="talk", slowmode_delay=30, default_auto_archive_duration=60)
    assert edited is not None
    assert (edited.name, edited.topic, edited.default_auto_archive_duration) == ("hall", "talk", 60)
    await sandbox.wait_for(lambda: lobby.name == "hall")
    assert sandbox.channel("hall").record.slow_mode == 30


async def test_a_category_gives_its_overwrites_and_leaves_its_channels(sandbox: Sandbox, guild: discord.Guild) -> None:
    hidden = {guild.default_role: discord.PermissionOverwrite(send_messages=False)}
    category = await guild.create_category("Quiet", overwrites=hidden)  # type: ignore[arg-type]  # mappings are invariant
    inside = await guild.create_text_channel("inside", category=category)
    assert inside.overwrites_for(guild.default_role).send_messages is False
    await category.delete()
    left = await guild.fetch_channel(inside.id)
    assert isinstance(left, discord.TextChannel)
    assert left.category_id is None


async def test_channels_are_moved(sandbox: Sandbox, guild: discord.Guild) -> None:
    games = guild.get_channel(sandbox.channel("games").id)
    assert isinstance(games, discord.TextChannel)
    await games.move(beginning=True)
    assert sandbox.channel("games").record.position < sandbox.channel("lobby").record.position


async def test_overwrites_are_put_and_deleted(sandbox: Sandbox, guild: discord.Guild, bot: SampleBot) -> None:
    alice, lobby = sandbox.user("Bob"), sandbox.channel("lobby")
    channel = guild.get_channel(lobby.id)
    assert isinstance(channel, discord.TextChannel)
    member = await guild.fetch_member(alice.id)
    await channel.set_permissions(member, send_messages=False, view_channel=True)
    assert lobby.record.overwrites[alice.id].deny == Permission.SEND_MESSAGES
    await sandbox.wait_for(lambda: channel.overwrites_for(member).send_messages is False)
    await channel.set_permissions(member, overwrite=None)
    assert alice.id not in lobby.record.overwrites


async def test_a_removed_channel_is_10003(sandbox: Sandbox, guild: discord.Guild, api: Api) -> None:
    lobby = guild.get_channel(sandbox.channel("lobby").id)
    assert lobby is not None
    await lobby.delete()
    assert (await api("GET", f"/channels/{lobby.id}")).code == 10003
    await sandbox.wait_for(lambda: guild.get_channel(lobby.id) is None)


async def test_what_the_bot_may_not_is_50013_and_what_it_does_not_see_50001(sandbox: Sandbox, api: Api) -> None:
    lobby, server = sandbox.channel("lobby"), sandbox.server()
    made = {"name": "x", "type": 0}
    assert (await api("POST", f"/guilds/{server.id}/channels", made)).code == 50013
    assert (await api("PATCH", f"/channels/{lobby.id}", {"name": "x"})).code == 50013
    assert (await api("DELETE", f"/channels/{lobby.id}")).code == 50013
    overwrite = f"/channels/{lobby.id}/permissions/{server.id}"
    assert (await api("PUT", overwrite, {"type": 0, "deny": 2048})).code == 50013
    lobby.deny(Permission.VIEW_CHANNEL)
    assert (await api("GET", f"/channels/{lobby.id}")).code == 50001


async def test_nobody_grants_what_they_have_not(sandbox: Sandbox, api: Api) -> None:
    allow_bot(sandbox, Permission.MANAGE_ROLES)
    server = sandbox.server()
    path = f"/channels/{sandbox.channel('lobby').id}/permissions/{server.id}"
    ban = {"type": 0, "allow": int(Permission.BAN_MEMBERS)}
    assert (await api("PUT", path, ban)).code == 50013
    assert (await api("PUT", path, {"type": 0, "allow": 0, "deny": 2048})).status == 204
    assert (await api("DELETE", path)).status == 204
    assert (await api("DELETE", path)).code == 10009
    assert (await api("PUT", path.replace(str(server.id), "1"), {"type": 0})).code == 10011


@pytest.mark.parametrize(
    ("body", "path", "code"),
    [
        ({}, ("name",), "BASE_TYPE_REQUIRED"),
        ({"name": "x" * 101}, ("name",), "BASE_TYPE_BAD_LENGTH"),
        ({"name": "x", "type": 1}, ("type",), "BASE_TYPE_CHOICES"),
        ({"name": "x", "topic": "x" * 1025}, ("topic",), "BASE_TYPE_MAX_LENGTH"),
        ({"name": "x", "rate_limit_per_user": 21_601}, ("rate_limit_per_user",), "NUMBER_TYPE_MAX"),
        ({"name": "x", "parent_id": "1"}, ("parent_id",), "CHANNEL_PARENT_INVALID"),
        ({"name": "x", "type": 2, "bitrate": 1}, ("bitrate",), "NUMBER_TYPE_MIN"),
    ],
)
async def test_what_no_channel_is(
    sandbox: Sandbox, api: Api, body: dict[str, object], path: tuple[str], code: str
) -> None:
    allow_bot(sandbox, Permission.MANAGE_CHANNELS)
    answer = await api("POST", f"/guilds/{sandbox.server().id}/channels", body)
    assert answer.faults(*path) == [code]


async def test_500_channels_a_server(sandbox: Sandbox, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    allow_bot(sandbox, Permission.MANAGE_CHANNELS)
    monkeypatch.setattr("discord_sandbox.service.channels.MOST_CHANNELS", 2)
    assert (await api("POST", f"/guilds/{sandbox.server().id}/channels", {"name": "x"})).code == 30013


async def test_typing_is_told_and_needs_send_messages(sandbox: Sandbox, api: Api) -> None:
    lobby = sandbox.channel("lobby")
    assert (await api("POST", f"/channels/{lobby.id}/typing")).status == 204
    lobby.deny(Permission.SEND_MESSAGES)
    assert (await api("POST", f"/channels/{lobby.id}/typing")).code == 50013


async def test_a_category_holds_no_messages(sandbox: Sandbox, guild: discord.Guild, api: Api) -> None:
    category = await guild.create_category("Games")
    refused = await api("POST", f"/channels/{category.id}/messages", {"content": "x"})
    assert (refused.status, refused.code) == (400, 50008)
