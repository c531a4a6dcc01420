"""What this Discord holds: people, servers, channels, messages, and the one application.

Plain records; who may change them and who hears of it is decided elsewhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

from sandbox.clock import Clock
from sandbox.snowflake import Snowflakes
from sandbox.wire import JsonObject


class ChannelType(IntEnum):
    """The kinds of channel the sandbox knows."""

    TEXT = 0
    DIRECT = 1


class MessageFlag(IntEnum):
    """Bits of a message's `flags`."""

    SUPPRESS_EMBEDS = 1 << 2
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    IS_COMPONENTS_V2 = 1 << 15


class Intent(IntFlag):
    """Bits of the gateway's `intents` that the sandbox's events fall under."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT


@dataclass(slots=True)
class User:
    """A person, or the bot. `avatar_color` is for the page alone."""

    id: int
    username: str
    global_name: str | None
    bot: bool = False
    locale: str = "en-US"
    avatar_color: str = "#5865f2"
    takes_direct_messages: bool = True

    @property
    def shown_name(self) -> str:
        """The name a client shows: the global name, else the username."""
        return self.global_name or self.username


@dataclass(slots=True)
class Role:
    """A role; the one whose id is its server's is @everyone."""

    id: int
    name: str
    permissions: int
    position: int = 0
    managed_by: int | None = None  # the application whose role it is


@dataclass(slots=True)
class Overwrite:
    """What a channel allows and denies one role (kind 0) or one member (kind 1)."""

    id: int
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(slots=True)
class Member:
    """A user in a server; `joined_at` in seconds since 1970."""

    user: User
    joined_at: float
    role_ids: list[int] = field(default_factory=list)
    nick: str | None = None


@dataclass(slots=True, eq=False)
class Message:
    """A message; `data` is its full Discord JSON, replaced as a whole by each edit.

    `reader` is the one person an ephemeral message is for, `controls` its pressable components by
    custom id.
    """

    id: int
    channel: Channel
    author: User
    data: JsonObject
    reader: int | None = None
    controls: dict[str, JsonObject] = field(default_factory=dict)
    deleted: bool = False

    @property
    def flags(self) -> int:
        """The message's flag bits."""
        flags: int = self.data["flags"]
        return flags


@dataclass(slots=True, eq=False)
class Channel:
    """A text channel of a server, or a direct-message channel (no server, two recipients)."""

    id: int
    name: str
    kind: ChannelType = ChannelType.TEXT
    server: Server | None = None
    position: int = 0
    topic: str | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    recipients: tuple[User, ...] = ()
    messages: dict[int, Message] = field(default_factory=dict)  # oldest first, ephemeral ones too
    ephemerals: deque[int] = field(default_factory=deque)  # ids of the ephemeral ones, oldest first
    last_message_id: int | None = None


@dataclass(slots=True, eq=False)
class Server:
    """A server ("guild" in the API)."""

    id: int
    name: str
    owner_id: int
    locale: str = "en-US"
    roles: dict[int, Role] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)

    @property
    def everyone(self) -> Role:
        """The role every member has."""
        return self.roles[self.id]


@dataclass(slots=True)
class Application:
    """The one application, its bot user and its token."""

    id: int
    name: str
    bot: User
    token: str
    owner: User
    allowed_intents: int = 0  # of the privileged ones
    emojis: dict[int, JsonObject] = field(default_factory=dict)


class World:
    """All of it, with indexes by id."""

    def __init__(self, clock: Clock, application: Application) -> None:
        self.clock = clock
        self.snowflakes = Snowflakes(clock)
        self.application = application
        self.users: dict[int, User] = {application.bot.id: application.bot}
        self.servers: dict[int, Server] = {}
        self.channels: dict[int, Channel] = {}
        self.direct: dict[int, Channel] = {}  # a person's channel with the bot

    @property
    def people(self) -> Iterator[User]:
        """Every user who is no bot."""
        return (user for user in self.users.values() if not user.bot)

    def add_user(self, user: User) -> User:
        """Let `user` exist."""
        self.users[user.id] = user
        return user

    def add_server(self, server: Server) -> Server:
        """Let `server` exist, with its channels."""
        self.servers[server.id] = server
        for channel in server.channels.values():
            self.channels[channel.id] = channel
        return server

    def add_channel(self, channel: Channel) -> Channel:
        """Let `channel` exist, in its server where it has one."""
        self.channels[channel.id] = channel
        if channel.server is not None:
            channel.server.channels[channel.id] = channel
        return channel

    def direct_channel(self, person: User) -> Channel:
        """The channel between `person` and the bot, made at first need."""
        channel = self.direct.get(person.id)
        if channel is None:
            channel = Channel(
                id=self.snowflakes.next(),
                name=person.shown_name,
                kind=ChannelType.DIRECT,
                recipients=(self.application.bot, person),
            )
            self.direct[person.id] = self.add_channel(channel)
        return channel

    def message(self, message_id: int) -> Message | None:
        """Find a message by id alone, in whichever channel it stands."""
        for channel in self.channels.values():
            found = channel.messages.get(message_id)
            if found is not None:
                return found
        return None
