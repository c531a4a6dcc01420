"""A slim cache of servers: of each only what the bot uses.

Discord describes each server whole at the beginning of a session: channels with their overwrites, roles, emojis,
threads. The library (2.7) keeps all of it, 45 KiB of a middling server, and has no switch for it. Here a server is cut
down to the fields of `KEPT` before the library reads it, and of all later events the library gets those that the bot
needs (decision 59). What is needed seldom is asked for over HTTP when it is.

A use of anything else begins with a line in `KEPT`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

import discord
import orjson

from bot import kept
from bot.shard_range import shard_of


class Kept(NamedTuple):
    """Something that is kept of each server."""

    what: str
    """Discord's name of the field; empty for what isn't Discord's."""
    why: str
    size: int
    """Bytes a server, about (CPython 3.11)."""


KEPT: Final = (
    Kept("id", "its matches, its shard, requests about it", 30),
    Kept("name", "what it is called in lists that people read elsewhere", 60),
    Kept("preferred_locale", "the language of what everybody there reads; all servers share it", 0),
    Kept("unavailable", "in an outage nobody loses by the clock, and no channel is taken for deleted", 0),
    Kept("", "the library's object of a server, with its empty tables", 1070),
    Kept("", "its places in the library's table of servers and in the bot's own", 220),
    Kept("", "the bot's membership, which the library adds at the first command there", 660),
)
"""What is kept of each server, and why. Of a channel in use the ids of it and its parent are kept, 150 bytes."""
FIELDS: Final = tuple(each.what for each in KEPT if each.what)
MOST_JOINED: Final = 100
"""How many servers that were just joined are kept whole, 50 KiB each, until their greeting is made: a few at a time."""

CHANNEL_DELETED: Final = "channel_deleted"
"""Dispatched with the ids of the server and the channel, and the channel's kind. The library tells only of channels
that it keeps."""
HAVE_THREADS: Final = frozenset({0, 5, 15, 16})
"""The kinds of channels with threads: text, announcements, forums, media
(https://discord.com/developers/docs/resources/channel#channel-object-channel-types)."""
THREADS: Final = frozenset({10, 11, 12})
OF_A_CHANNEL: Final = {"name": "", "position": 0, "bitrate": 0, "user_limit": 0}
OF_A_THREAD: Final = {
    "name": "",
    "parent_id": "0",
    "owner_id": "0",
    "message_count": 0,
    "member_count": 0,
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 60,
        "archive_timestamp": "2015-01-01T00:00:00+00:00",
    },
}
"""What the library can't make a channel or a thread without. It reads an interaction's, which Discord promises in part
(https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-structure).
Discord sends all of it, but an error while an event is read would end the bot."""


class SlimServers:
    """Stands between a client's sessions and the library's cache of servers.

    Channels in use are matched while a new session describes its servers, so that a start needn't ask for each of them.
    """

    def __init__(self, client: discord.Client, in_use: Callable[[], Iterable[tuple[int, int]]]) -> None:
        """`in_use` gives the channels and threads in use, as pairs of server and channel."""
        self._state: Any = client._connection
        self._state._guilds = kept.Kept("servers")
        self._in_use = in_use
        self._wanted: dict[int, set[int]] = {}
        """Channels in use as a session began, by server, that it has not named so far."""
        self._parents: dict[int, dict[int, int]] = {}
        """Channels in use that are known to be there, by server, and the channel that a thread is in; 0 for others."""
        self._joined: kept.Kept[int, discord.Guild] = kept.Kept("servers just joined", MOST_JOINED)
        self.changed: set[int] = set()
        """Shards of which a server has changed since somebody last took the shard out."""
        library = dict(self._state.parsers)
        self._read_ready = library["READY"]
        self._read_create = library["GUILD_CREATE"]
        self._read_update = library["GUILD_UPDATE"]
        self._read_delete = library["GUILD_DELETE"]
        self._read_interaction = library["INTERACTION_CREATE"]
        self._state.parsers.clear()
        self._state.parsers.update(
            READY=self._ready,
            RESUMED=library["RESUMED"],
            GUILD_CREATE=self._server,
            GUILD_UPDATE=self._changed_server,
            GUILD_DELETE=self._lost_server,
            CHANNEL_DELETE=self._deleted_channel,
            THREAD_DELETE=self._deleted_thread,
            THREAD_UPDATE=self._changed_thread,
            INTERACTION_CREATE=self._interaction,
        )

    def is_missing(self, guild_id: int, channel_id: int) -> bool:
        """Whether a channel was in use as the session began, and it has not named it."""
        return channel_id in self._wanted.get(guild_id, ())

    def note(self, guild_id: int, channel_id: int, parent_id: int) -> None:
        """A channel is there; `parent_id` is the channel that a thread is in, 0 for what is no thread."""
        self._parents.setdefault(guild_id, {})[channel_id] = parent_id

    def threads_of(self, guild_id: int, channel_id: int) -> Iterator[tuple[int, bool]]:
        """The venues in use that are gone with a deleted channel: its threads, each with whether that is sure. Of one
        that isn't, nothing is known yet, and Discord must be asked."""
        used = {venue for server, venue in self._in_use() if server == guild_id and venue != channel_id}
        known = {venue: parent for venue, parent in self._parents.get(guild_id, {}).items() if venue in used}
        self._parents.pop(guild_id, None)
        for venue, parent in known.items():
            self.note(guild_id, venue, parent)
        for venue in sorted(used):
            if known.get(venue, channel_id) == channel_id:
                yield venue, venue in known

    def take_joined(self, guild: discord.Guild) -> discord.Guild:
        """A server that the bot has just joined, once as Discord described it, and from then on as it is kept."""
        return self._joined.pop(guild.id, guild)

    def described(self, shard: int, shards: int) -> str:
        """All that is kept of the servers of a shard, one of `shards`, for `restore`."""
        return orjson.dumps(
            [
                (guild.id, guild.name, str(guild.preferred_locale), guild.unavailable)
                for guild in self._state.guilds
                if shard_of(guild.id, shards) == shard
            ]
        ).decode()

    def restore(self, described: str) -> None:
        """Know servers as they were described. Raises ValueError if that is no such text; then none is known."""
        try:
            servers = [
                {"id": int(guild_id), "name": str(name), "preferred_locale": str(locale), "unavailable": bool(away)}
                for guild_id, name, locale, away in orjson.loads(described)
            ]
        except (TypeError, ValueError) as error:
            raise ValueError("no description of servers") from error
        for server in servers:
            self._state._add_guild_from_data(server)

    # ------------------------------------------------------------------------------------ events

    def _ready(self, data: Any) -> None:
        shard, shards = data.get("shard") or (0, 1)
        known: tuple[dict[int, Any], ...] = (self._wanted, self._parents, self._joined)
        for of_servers in known:
            for guild_id in [each for each in of_servers if shard_of(each, shards) == shard]:
                del of_servers[guild_id]
        wanted = defaultdict(set)
        for guild_id, channel_id in self._in_use():
            if shard_of(guild_id, shards) == shard:
                wanted[guild_id].add(channel_id)
        self._wanted |= wanted
        for guild in [each for each in self._state.guilds if shard_of(each.id, shards) == shard]:
            self._state._remove_guild(guild)  # an earlier session's, or another process's
        self.changed.add(shard)
        self._read_ready(data)

    def _server(self, data: Any) -> None:
        guild_id = int(data["id"])
        if not data.get("unavailable") and self._state._get_guild(guild_id) is None:
            self._joined[guild_id] = discord.Guild(data=data, state=self._state)
        if wanted := self._wanted.get(guild_id):
            parents = {int(each["id"]): 0 for each in data.get("channels", ())}
            parents |= {int(each["id"]): int(each["parent_id"]) for each in data.get("threads", ())}
            for channel_id in wanted & parents.keys():
                wanted.discard(channel_id)
                self.note(guild_id, channel_id, parents[channel_id])
        self._note_change(data)
        self._read_create(_slim(data))

    def _changed_server(self, data: Any) -> None:
        self._note_change(data)
        self._read_update(_slim(data))

    def _lost_server(self, data: Any) -> None:
        self._note_change(data)
        self._read_delete(data)

    def _note_change(self, data: Any) -> None:
        self.changed.add(shard_of(int(data["id"]), self._state.shard_count or 1))

    def _deleted_channel(self, data: Any) -> None:
        if data.get("guild_id") is not None:
            self._state.dispatch(CHANNEL_DELETED, int(data["guild_id"]), int(data["id"]), data["type"])

    def _deleted_thread(self, data: Any) -> None:
        self._state.dispatch("raw_thread_delete", discord.RawThreadDeleteEvent(data))

    def _changed_thread(self, data: Any) -> None:
        self._state.dispatch("raw_thread_update", discord.RawThreadUpdateEvent(data))

    def _interaction(self, data: Any) -> None:
        channel = data.get("channel")
        if channel and data.get("guild_id") is not None:
            data["channel"] = {**(OF_A_THREAD if channel["type"] in THREADS else OF_A_CHANNEL), **channel}
        self._read_interaction(data)


def role_ids(user: Any, guild_id: int) -> tuple[int, ...]:
    """The roles of somebody in a server as Discord named them with an interaction, and everybody's, whose id is the
    server's; none of a person who is no member.

    The library's own `Member.roles` looks them up in the server, which keeps none.
    """
    named = getattr(user, "_roles", None)
    return () if named is None else (guild_id, *named)


def _slim(data: Any) -> dict[str, Any]:
    return {name: data[name] for name in FIELDS if name in data}
