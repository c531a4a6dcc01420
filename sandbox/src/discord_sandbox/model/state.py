"""The state of this Discord: people, servers, channels, messages, and the one application.

Plain records. Other modules decide who may change them and who is notified.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

from discord_sandbox.model.clock import Clock
from discord_sandbox.model.snowflake import Snowflakes
from discord_sandbox.model.wire import JsonObject


class ChannelType(IntEnum):
    """The kinds of channel."""

    TEXT = 0
    DIRECT = 1
    VOICE = 2
    GROUP = 3
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15
    MEDIA = 16


THREADS = frozenset({ChannelType.ANNOUNCEMENT_THREAD, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD})
PRIVATE = frozenset({ChannelType.DIRECT, ChannelType.GROUP})
FORUMS = frozenset({ChannelType.FORUM, ChannelType.MEDIA})
HOLD_MESSAGES = (
    frozenset({ChannelType.TEXT, ChannelType.VOICE, ChannelType.ANNOUNCEMENT, ChannelType.STAGE}) | PRIVATE | THREADS
)


class MessageFlag(IntEnum):
    """Bits of a message's `flags`."""

    CROSSPOSTED = 1 << 0
    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
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
    GUILD_MESSAGE_REACTIONS = 1 << 10
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_REACTIONS = 1 << 13
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15
    GUILD_SCHEDULED_EVENTS = 1 << 16


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT


class EventStatus(IntEnum):
    """How far a scheduled event is."""

    SCHEDULED = 1
    ACTIVE = 2
    COMPLETED = 3
    CANCELED = 4


@dataclass(slots=True)
class User:
    """A person, or the bot. `avatar_color` is only for the page.

    `has_installed` is whether they have installed the application for themselves.
    """

    id: int
    username: str
    global_name: str | None
    bot: bool = False
    locale: str = "en-US"
    avatar_color: str = "#5865f2"
    takes_direct_messages: bool = True
    has_installed: bool = False

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
    color: int = 0
    hoist: bool = False
    mentionable: bool = False


@dataclass(slots=True)
class Overwrite:
    """What a channel allows and denies one role (kind 0) or one member (kind 1)."""

    id: int
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(slots=True)
class Member:
    """A user in a server; `joined_at` and `timed_out_until` in seconds since 1970."""

    user: User
    joined_at: float
    role_ids: list[int] = field(default_factory=list)
    nick: str | None = None
    timed_out_until: float = 0.0


@dataclass(slots=True, eq=False)
class Message:
    """A message; `data` is its full Discord JSON, replaced as a whole by each edit.

    `reader` is the one person an ephemeral message is for, `controls` its pressable components by
    custom id, `reactions` who reacted, by the emoji as addresses write it, `pinned_at` seconds
    since 1970, of a pinned one.
    """

    id: int
    channel: Channel
    author: User
    data: JsonObject
    reader: int | None = None
    controls: dict[str, JsonObject] = field(default_factory=dict)
    deleted: bool = False
    reactions: dict[str, list[int]] = field(default_factory=dict)
    pinned_at: float | None = None

    @property
    def flags(self) -> int:
        """The message's flag bits."""
        flags: int = self.data["flags"]
        return flags


@dataclass(slots=True)
class Thread:
    """What a thread has beyond a channel; times in seconds since 1970, `auto_archive` in minutes.

    `members` are who is in it, with the time they joined; `active_at` is the last message's time.
    """

    parent: Channel
    owner_id: int
    created_at: float
    active_at: float
    auto_archive: int
    archived: bool = False
    archived_at: float = 0.0
    locked: bool = False
    invitable: bool = True
    sent: int = 0  # messages, deleted ones too
    members: dict[int, float] = field(default_factory=dict)
    tags: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Channel:
    """A channel of a server, a thread, or a direct-message channel (no server, two recipients or a group).

    `slow_mode` is in seconds; `spoke_at` says when each person last wrote, for slow mode only.
    """

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
    parent_id: int | None = None  # of a thread its channel, else the category
    nsfw: bool = False
    slow_mode: int = 0
    spoke_at: dict[int, float] = field(default_factory=dict)
    last_pin_at: float | None = None
    thread: Thread | None = None
    settings: JsonObject = field(default_factory=dict)  # settings of its kind, as in Discord's JSON

    @property
    def as_thread(self) -> Thread:
        """Its thread data; raises TypeError if it is not a thread."""
        if self.thread is None:
            raise TypeError(f"the channel {self.name!r} is no thread")
        return self.thread


@dataclass(slots=True, eq=False)
class ScheduledEvent:
    """An event in a server's calendar that takes place somewhere else; times in seconds since 1970."""

    id: int
    name: str
    description: str | None
    creator: User
    starts_at: float
    ends_at: float
    location: str
    status: EventStatus = EventStatus.SCHEDULED

    @property
    def over(self) -> bool:
        """Whether nothing about it can change any more."""
        return self.status in (EventStatus.COMPLETED, EventStatus.CANCELED)


@dataclass(slots=True, eq=False)
class Server:
    """A server ("guild" in the API). Its emojis and stickers, by name, are only shown to the bot."""

    id: int
    name: str
    owner_id: int
    locale: str = "en-US"
    roles: dict[int, Role] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    threads: dict[int, Channel] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    system_channel_id: int | None = None
    emojis: tuple[str, ...] = ()
    stickers: tuple[str, ...] = ()
    events: dict[int, ScheduledEvent] = field(default_factory=dict)

    @property
    def coming_events(self) -> list[ScheduledEvent]:
        """Its events that aren't over."""
        return [each for each in self.events.values() if not each.over]

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
    user_install: bool = True  # whether people may install it for themselves
    emojis: dict[int, JsonObject] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)
    """Commands that the page offers on a first visit, as they are typed, by what their buttons say."""


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
        self.chats: list[Channel] = []  # those between people, without the bot

    @property
    def people(self) -> Iterator[User]:
        """Every user who is not a bot."""
        return (user for user in self.users.values() if not user.bot)

    def add_user(self, user: User) -> User:
        """Add `user`."""
        self.users[user.id] = user
        return user

    def add_server(self, server: Server) -> Server:
        """Add `server` with its channels."""
        self.servers[server.id] = server
        for channel in server.channels.values():
            self.channels[channel.id] = channel
        return server

    def add_channel(self, channel: Channel) -> Channel:
        """Add `channel`, to its server if it has one."""
        self.channels[channel.id] = channel
        if channel.server is not None:
            of_its_kind = channel.server.channels if channel.thread is None else channel.server.threads
            of_its_kind[channel.id] = channel
        return channel

    def remove_channel(self, channel: Channel) -> None:
        """Remove `channel` with its messages."""
        self.channels.pop(channel.id, None)
        for message in channel.messages.values():
            message.deleted = True
        channel.messages.clear()
        if channel.server is not None:
            channel.server.channels.pop(channel.id, None)
            channel.server.threads.pop(channel.id, None)

    def direct_channel(self, person: User) -> Channel:
        """The channel between `person` and the bot, created at its first use."""
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

    def add_chat(self, chat: Channel) -> Channel:
        """Add direct messages between two people, or a group."""
        self.chats.append(self.add_channel(chat))
        return chat

    def is_without_bot(self, channel: Channel) -> bool:
        """Whether the bot is no member of a channel: direct messages between people, groups, servers it isn't in."""
        if channel.server is None:
            return self.application.bot not in channel.recipients
        return self.application.bot.id not in channel.server.members

    def message(self, message_id: int) -> Message | None:
        """Find a message by its id in any channel."""
        for channel in self.channels.values():
            found = channel.messages.get(message_id)
            if found is not None:
                return found
        return None
