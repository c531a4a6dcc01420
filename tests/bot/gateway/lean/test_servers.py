"""The slim cache of servers: what is kept of each, what is heard, and that nothing fills it again.

It goes by the library's insides, so these tests do too: they fail if a new version has changed one of them.
"""

from __future__ import annotations

import copy
import gc
import tracemalloc
from operator import attrgetter
from typing import Any, Final

import discord
import pytest

from bot import kept
from bot.gateway.lean.press import LeanPress, read_presses_leanly
from bot.gateway.lean.servers import KEPT, MOST_JOINED, SlimServers, role_ids
from tests.known import there

connection_state: Final = attrgetter("_connection")
GUILD, LOBBY, THREAD, ROLE, OWNER, BOT = 100, 200, 300, 400, 500, 600
MOST = 2048
"""Bytes that a server may take."""


def user(user_id: int) -> dict[str, Any]:
    return {"id": str(user_id), "username": f"user {user_id}", "discriminator": "0", "avatar": None}


def member(user_id: int, *roles: int) -> dict[str, Any]:
    given = {"roles": [str(role) for role in roles], "joined_at": "2026-01-01T00:00:00+00:00", "nick": None}
    return {"user": user(user_id), **given, "flags": 0, "deaf": False, "mute": False, "permissions": "0"}


def channel(channel_id: int, guild_id: int = GUILD, **more: Any) -> dict[str, Any]:
    overwrites = [{"id": str(ROLE + number), "type": 0, "allow": "0", "deny": "1024"} for number in range(4)]
    placed = {"guild_id": str(guild_id), "type": 0, "position": 0, "parent_id": None, "topic": "A channel"}
    return {"id": str(channel_id), "name": "lobby", **placed, "permission_overwrites": overwrites, **more}


def thread(thread_id: int, parent_id: int = LOBBY, guild_id: int = GUILD, **more: Any) -> dict[str, Any]:
    about = {"archived": False, "auto_archive_duration": 60, "archive_timestamp": "2026-01-01T00:00:00+00:00"}
    counted = {"owner_id": str(OWNER), "message_count": 1, "member_count": 1}
    placed = {"guild_id": str(guild_id), "type": 11, "parent_id": str(parent_id), **counted}
    return {"id": str(thread_id), "name": "match", **placed, "thread_metadata": {"locked": False, **about}, **more}


def role(role_id: int) -> dict[str, Any]:
    look = {"color": 0, "hoist": False, "managed": False, "mentionable": False, "flags": 0}
    return {"id": str(role_id), "name": f"role {role_id}", "permissions": "0", "position": 1, **look}


def emoji(emoji_id: int) -> dict[str, Any]:
    return {"id": str(emoji_id), "name": f"emoji_{emoji_id}", "roles": [], "require_colons": True, "managed": False}


def server(guild_id: int = GUILD, **more: Any) -> dict[str, Any]:
    """A server of the middle size, as GUILD_CREATE brings it at the beginning of a session."""
    first = guild_id << 8
    return {
        "id": str(guild_id),
        "name": f"Server {guild_id}",
        "owner_id": str(OWNER),
        "preferred_locale": "de",
        "unavailable": False,
        "features": ["COMMUNITY"],
        "description": "A server",
        "roles": [role(guild_id), *(role(first + number) for number in range(25))],
        "emojis": [emoji(first + number) for number in range(40)],
        "stickers": [],
        "channels": [channel(first + number, guild_id) for number in range(30)],
        "threads": [thread(first + 100 + number, first, guild_id) for number in range(8)],
        "members": [member(BOT)],
        "member_count": 200,
        **more,
    }


class Fixture:
    """A client without a connection, its slim cache, and what it dispatches."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, lean: bool = False) -> None:
        self.client = discord.AutoShardedClient(intents=discord.Intents(guilds=True), max_messages=None, shard_count=1)
        self.state = connection_state(self.client)
        self.state.shard_ids = [0]
        self.state.user = discord.ClientUser(state=self.state, data=user(BOT))  # type: ignore[arg-type]  # less than Discord sends
        self.state.shard_count = 1
        self.in_use: set[tuple[int, int]] = set()
        if lean:
            read_presses_leanly(self.client)
        self.servers = SlimServers(self.client, lambda: self.in_use)
        self.heard: list[tuple[Any, ...]] = []
        monkeypatch.setattr(self.state, "dispatch", lambda *event: self.heard.append(event))

    def receive(self, event: str, data: Any) -> None:
        """An event of the gateway, if anybody reads it."""
        parser = self.state.parsers.get(event)
        if parser is not None:
            parser(copy.deepcopy(data))

    def known(self, guild_id: int = GUILD) -> discord.Guild:
        return there(self.client.get_guild(guild_id))

    async def begin(self, *guilds: int) -> None:
        """READY with these servers, none of which has been described yet."""
        named = [{"id": str(guild_id), "unavailable": True} for guild_id in guilds]
        self.receive("READY", {"user": user(BOT), "guilds": named, "shard": [0, 1]})


@pytest.fixture
def slim(monkeypatch: pytest.MonkeyPatch) -> Fixture:
    return Fixture(monkeypatch)


def kept_parts(guild: discord.Guild) -> list[Any]:
    """Whatever a server might keep beside its own few fields."""
    return [*guild.channels, *guild.threads, *guild.roles, *guild.emojis, *guild.stickers, *guild.members]


async def test_of_a_server_its_name_and_language_are_kept_and_nothing_it_has(slim: Fixture) -> None:
    await slim.begin(GUILD)
    assert slim.known().unavailable
    slim.receive("GUILD_CREATE", server())
    guild = slim.known()
    assert (guild.id, guild.name, str(guild.preferred_locale), guild.unavailable) == (GUILD, "Server 100", "de", False)
    assert kept_parts(guild) == []
    assert [*slim.client.emojis, *slim.client.users] in ([], [slim.client.user])


async def test_servers_are_counted(slim: Fixture) -> None:
    gc.collect()  # those of other tests
    before = sum(each.size for each in kept.counts() if each.name == "servers")
    await slim.begin(GUILD, GUILD + 1)
    slim.receive("GUILD_CREATE", server(GUILD + 2))
    assert sum(each.size for each in kept.counts() if each.name == "servers") - before == 3


async def test_a_renamed_server_and_another_language_are_known(slim: Fixture) -> None:
    slim.receive("GUILD_CREATE", server())
    slim.receive(
        "GUILD_UPDATE", server(name="Renamed", preferred_locale="ar", owner_id="501")
    )  # the library knows no ar
    assert (slim.known().name, str(slim.known().preferred_locale)) == ("Renamed", "ar")
    assert kept_parts(slim.known()) == []


async def test_an_outage_ends_with_the_server_as_it_was(slim: Fixture) -> None:
    await slim.begin(GUILD)
    slim.receive("GUILD_CREATE", server())
    slim.receive("GUILD_DELETE", {"id": str(GUILD), "unavailable": True})
    assert slim.known().unavailable
    assert slim.known().name == "Server 100"
    slim.receive("GUILD_CREATE", server())
    assert not slim.known().unavailable
    assert kept_parts(slim.known()) == []
    slim.receive("GUILD_DELETE", {"id": str(GUILD)})
    assert slim.client.get_guild(GUILD) is None
    assert [event for event, *_ in slim.heard if event.startswith("guild")] == ["guild_unavailable", "guild_remove"]


LATER: Final = {
    "CHANNEL_CREATE": channel(LOBBY + 1),
    "CHANNEL_UPDATE": channel(LOBBY, rate_limit_per_user=5),
    "CHANNEL_PINS_UPDATE": {"guild_id": str(GUILD), "channel_id": str(LOBBY)},
    "GUILD_EMOJIS_UPDATE": {"guild_id": str(GUILD), "emojis": [emoji(1)]},
    "GUILD_INTEGRATIONS_UPDATE": {"guild_id": str(GUILD)},
    "GUILD_MEMBER_ADD": {"guild_id": str(GUILD), **member(OWNER)},
    "GUILD_MEMBER_UPDATE": {"guild_id": str(GUILD), **member(BOT, ROLE)},
    "GUILD_ROLE_CREATE": {"guild_id": str(GUILD), "role": role(ROLE)},
    "GUILD_ROLE_DELETE": {"guild_id": str(GUILD), "role_id": str(ROLE)},
    "GUILD_ROLE_UPDATE": {"guild_id": str(GUILD), "role": role(ROLE)},
    "GUILD_STICKERS_UPDATE": {"guild_id": str(GUILD), "stickers": []},
    "STAGE_INSTANCE_CREATE": {
        "guild_id": str(GUILD),
        "id": "1",
        "channel_id": str(LOBBY),
        "topic": "",
        "privacy_level": 2,
    },
    "THREAD_CREATE": thread(THREAD),
    "THREAD_LIST_SYNC": {"guild_id": str(GUILD), "threads": [thread(THREAD)], "members": []},
    "THREAD_UPDATE": thread(THREAD),
}


@pytest.mark.parametrize("event", LATER)
async def test_no_later_event_fills_the_cache_again(slim: Fixture, event: str) -> None:
    slim.receive("GUILD_CREATE", server())
    slim.receive(event, LATER[event])
    assert kept_parts(slim.known()) == []


async def test_a_deleted_channel_is_heard_that_nobody_keeps(slim: Fixture) -> None:
    slim.receive("GUILD_CREATE", server())
    slim.heard.clear()
    slim.receive("CHANNEL_DELETE", channel(LOBBY))
    slim.receive("CHANNEL_DELETE", {"id": "1", "type": 1, "recipients": []})
    assert slim.heard == [("channel_deleted", GUILD, LOBBY, 0)]


async def test_a_deleted_and_a_locked_thread_are_heard_that_nobody_keeps(slim: Fixture) -> None:
    slim.receive("GUILD_CREATE", server())
    slim.heard.clear()
    slim.receive("THREAD_UPDATE", thread(THREAD, thread_metadata={**thread(THREAD)["thread_metadata"], "locked": True}))
    slim.receive("THREAD_DELETE", {"id": str(THREAD), "guild_id": str(GUILD), "parent_id": str(LOBBY), "type": 11})
    (updated, changed), (deleted, gone) = slim.heard
    assert (updated, changed.guild_id, changed.thread_id) == ("raw_thread_update", GUILD, THREAD)
    assert changed.data["thread_metadata"]["locked"]
    assert (deleted, gone.guild_id, gone.thread_id) == ("raw_thread_delete", GUILD, THREAD)


async def test_channels_in_use_are_matched_as_a_session_describes_their_server(slim: Fixture) -> None:
    slim.in_use |= {(GUILD, LOBBY), (GUILD, LOBBY + 1), (GUILD, THREAD), (GUILD + 1, LOBBY + 2)}
    await slim.begin(GUILD, GUILD + 1)
    slim.receive("GUILD_CREATE", server(channels=[channel(LOBBY), channel(LOBBY + 5)], threads=[thread(THREAD)]))
    missing = {venue: slim.servers.is_missing(*venue) for venue in slim.in_use}
    assert missing == {
        (GUILD, LOBBY): False,
        (GUILD, LOBBY + 1): True,
        (GUILD, THREAD): False,
        (GUILD + 1, LOBBY + 2): True,
    }
    assert not slim.servers.is_missing(GUILD, LOBBY + 5)
    await slim.begin(GUILD, GUILD + 1)  # a new session names them again, or they are gone
    assert slim.servers.is_missing(GUILD, LOBBY)


async def test_a_session_of_one_shard_says_nothing_of_the_channels_of_another(slim: Fixture) -> None:
    elsewhere = GUILD + (1 << 22)
    slim.in_use |= {(GUILD, LOBBY), (elsewhere, LOBBY + 1)}
    await slim.begin(GUILD)
    slim.receive("GUILD_CREATE", server(channels=[channel(LOBBY)]))
    slim.receive("READY", {"user": user(BOT), "guilds": [], "shard": [1, 2]})
    assert not slim.servers.is_missing(GUILD, LOBBY)
    assert [*slim.servers.threads_of(GUILD, LOBBY + 5)] == []  # it is no thread, and need not be asked for


async def test_a_deleted_channel_takes_its_threads_along_and_what_is_not_known_is_asked_for(slim: Fixture) -> None:
    unknown, other = THREAD + 1, THREAD + 2
    slim.in_use |= {(GUILD, LOBBY), (GUILD, THREAD), (GUILD, other)}
    await slim.begin(GUILD)
    described = [channel(LOBBY, parent_id="7"), channel(LOBBY + 1)]
    slim.receive("GUILD_CREATE", server(channels=described, threads=[thread(THREAD), thread(other, LOBBY + 1)]))
    assert [*slim.servers.threads_of(GUILD, 7)] == []  # a category takes no channel along
    slim.in_use |= {(GUILD, unknown), (GUILD + 1, THREAD + 3)}
    assert [*slim.servers.threads_of(GUILD, LOBBY)] == [(THREAD, True), (unknown, False)]
    slim.servers.note(GUILD, unknown, LOBBY + 1)
    assert [*slim.servers.threads_of(GUILD, LOBBY)] == [(THREAD, True)]
    slim.in_use.clear()
    assert [*slim.servers.threads_of(GUILD, LOBBY)] == []


async def test_a_server_that_was_joined_is_whole_once(slim: Fixture) -> None:
    joined = {name: value for name, value in server().items() if name != "unavailable"}
    slim.receive("GUILD_CREATE", joined)
    assert slim.heard == [("guild_join", slim.known())]
    whole = slim.servers.take_joined(slim.known())
    assert whole is not slim.known()
    assert len(whole.text_channels) == 30
    assert whole.me.id == BOT
    assert whole.text_channels[0].permissions_for(whole.me) is not None
    assert slim.servers.take_joined(slim.known()) is slim.known()


async def test_few_servers_are_whole_until_somebody_takes_them(slim: Fixture) -> None:
    """While a session begins the library tells nobody of a server that was joined, so nobody takes it."""
    joined = {name: value for name, value in server().items() if name != "unavailable"}
    for guild_id in range(GUILD, GUILD + MOST_JOINED + 1):
        slim.receive("GUILD_CREATE", {**joined, "id": str(guild_id), "channels": [channel(LOBBY, guild_id)]})
    whole = [bool(slim.servers.take_joined(guild).text_channels) for guild in slim.client.guilds]
    assert whole == [False, *[True] * MOST_JOINED]


async def test_servers_are_described_and_known_again(slim: Fixture, monkeypatch: pytest.MonkeyPatch) -> None:
    await slim.begin(GUILD, GUILD + 1)
    slim.receive("GUILD_CREATE", server())
    described = slim.servers.described(0, 1)
    again = Fixture(monkeypatch)
    again.servers.restore(described)
    known = [(each.id, each.name, str(each.preferred_locale), each.unavailable) for each in again.client.guilds]
    assert known == [(GUILD, "Server 100", "de", False), (GUILD + 1, "", "en-US", True)]
    again.receive("GUILD_UPDATE", server(name="Renamed"))
    assert again.known().name == "Renamed"
    await again.begin(GUILD + 1)  # the session could not go on: what it knew is forgotten
    assert [each.id for each in again.client.guilds] == [GUILD + 1]


@pytest.mark.parametrize("damaged", ["", "{", "7", "[7]", "[[1, 2]]", '[["x", "", "", false]]'])
async def test_a_damaged_description_is_refused_whole(slim: Fixture, damaged: str) -> None:
    with pytest.raises(ValueError, match="no description of servers"):
        slim.servers.restore(damaged)
    assert [*slim.client.guilds] == []


async def test_a_change_of_a_server_is_one_of_its_shard(slim: Fixture) -> None:
    slim.state.shard_count = 4
    for event, data in (("GUILD_CREATE", server()), ("GUILD_UPDATE", server()), ("GUILD_DELETE", {"id": str(GUILD)})):
        slim.servers.changed.clear()
        slim.receive(event, data)
        assert slim.servers.changed == {(GUILD >> 22) % 4}
    slim.servers.changed.clear()
    slim.receive("CHANNEL_DELETE", channel(LOBBY))
    assert slim.servers.changed == set()


def pressed(**more: Any) -> dict[str, Any]:
    message = {"id": "1", "channel_id": str(LOBBY), "author": user(BOT), "content": "", "type": 0, "attachments": []}
    message |= {"embeds": [], "components": [], "mentions": [], "mention_roles": [], "mention_everyone": False}
    message |= {"timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None, "tts": False, "pinned": False}
    came = {"id": "7", "application_id": str(BOT), "version": 1, "token": "a token", "attachment_size_limit": 1}
    where = {
        "guild_id": str(GUILD),
        "channel": {"id": str(LOBBY), "type": 0, "name": "lobby", "rate_limit_per_user": 30},
    }
    pressing = {"type": 3, "data": {"custom_id": "x", "component_type": 2}, "message": message}
    return {**came, **where, **pressing, "member": member(OWNER, ROLE, ROLE + 1), "entitlements": [], **more}


async def test_an_interaction_has_its_channel_with_slow_mode_though_none_is_kept(slim: Fixture) -> None:
    slim.receive("GUILD_CREATE", server())
    slim.heard.clear()
    slim.receive("INTERACTION_CREATE", pressed())
    ((_, interaction),) = slim.heard
    assert interaction.channel.slowmode_delay == 30
    assert interaction.channel.guild is slim.known()


@pytest.mark.parametrize("lean", [False, True])
@pytest.mark.parametrize("kind", [0, 2, 5, 10, 11, 12, 13, 15, 16])
async def test_an_interaction_is_read_though_its_channel_is_named_in_part(
    slim: Fixture, monkeypatch: pytest.MonkeyPatch, kind: int, lean: bool
) -> None:
    if lean:
        slim = Fixture(monkeypatch, lean=True)
    slim.receive("GUILD_CREATE", server())
    slim.heard.clear()
    slim.receive("INTERACTION_CREATE", pressed(channel={"id": str(LOBBY), "type": kind}))
    ((_, interaction),) = slim.heard
    assert (interaction.channel.id, interaction.channel.type.value, interaction.channel.slowmode_delay) == (
        LOBBY,
        kind,
        0,
    )
    assert isinstance(interaction, LeanPress) is lean


async def test_roles_of_people_are_those_that_discord_named(slim: Fixture) -> None:
    slim.receive("GUILD_CREATE", server())
    payload = pressed(channel=channel(LOBBY))
    for read in (LeanPress, discord.Interaction):
        interaction: Any = read(data=copy.deepcopy(payload), state=slim.state)  # type: ignore[arg-type]  # as Discord sends it
        assert role_ids(interaction.user, GUILD) == (GUILD, ROLE, ROLE + 1)
    person: Any = discord.User(state=slim.state, data=user(OWNER))  # type: ignore[arg-type]  # less than Discord sends
    assert role_ids(person, GUILD) == ()


@pytest.mark.nightly
@pytest.mark.slow  # every allocation of 300 servers is traced
async def test_a_server_takes_at_most_2_kib_after_a_command_too(slim: Fixture) -> None:
    many = range(GUILD, GUILD + 300)
    described = [server(guild_id) for guild_id in many]
    command = pressed(type=2, data={"id": "1", "name": "games", "type": 1})
    slim.receive("GUILD_CREATE", described[0])
    slim.receive("INTERACTION_CREATE", command)
    gc.collect()
    tracemalloc.start()
    for guild_id, each in zip(many[1:], described[1:], strict=True):
        slim.receive("GUILD_CREATE", each)
        slim.servers.take_joined(slim.known(guild_id))
        slim.receive("INTERACTION_CREATE", {**command, "guild_id": str(guild_id)})
        slim.heard.clear()
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held / (len(many) - 1) <= MOST
    assert sum(each.size for each in KEPT) <= MOST
