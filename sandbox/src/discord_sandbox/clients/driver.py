"""The driver for tests: people and channels by name, who can do what a client lets them do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from discord_sandbox.clients.modal_submission import Value
from discord_sandbox.clients.reply import Reply
from discord_sandbox.clients.resolved_data import Refused
from discord_sandbox.clients.user_client import UserClient
from discord_sandbox.clients.views import MessageView, ModalView
from discord_sandbox.model.errors import Faults
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import Channel, ChannelType, Overwrite, Server, User
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service import channels
from discord_sandbox.service.interactions import InteractionType
from discord_sandbox.service.messages import Request
from discord_sandbox.validation.forms import Form

if TYPE_CHECKING:
    from discord_sandbox.service.backend import Backend


class DrivenChannel:
    """A channel, as tests look at it."""

    def __init__(self, backend: Backend, channel: Channel) -> None:
        self._backend = backend
        self.record = channel

    def __repr__(self) -> str:
        return f"<#{self.name} {self.id}>"

    @property
    def id(self) -> int:
        """Its snowflake."""
        return self.record.id

    @property
    def name(self) -> str:
        """Its name, without the #."""
        return self.record.name

    @property
    def server_id(self) -> int | None:
        """Its server's snowflake."""
        return None if self.record.server is None else self.record.server.id

    @property
    def messages(self) -> list[MessageView]:
        """The public messages, oldest first."""
        return [MessageView(each) for each in self.record.messages.values() if each.reader is None]

    @property
    def last(self) -> MessageView:
        """The newest public message; raises IndexError without one."""
        return self.messages[-1]

    @property
    def threads(self) -> list[DrivenChannel]:
        """The threads below it, archived ones too, in the order they were begun."""
        server = self.record.server
        below = [] if server is None else [each for each in server.threads.values() if each.parent_id == self.id]
        return [DrivenChannel(self._backend, each) for each in below]

    @property
    def archived(self) -> bool:
        """Whether it is an archived thread."""
        return self.record.thread is not None and self.record.thread.archived

    def archive(self, *, locked: bool = False) -> None:
        """Let a moderator archive this thread, and lock it if `locked`."""
        self.record.as_thread.locked = locked
        self._backend.threads.archive(self.record)
        self._backend.threads.changed(self.record)

    def unarchive(self) -> None:
        """Let a moderator open this thread again, without an event."""
        self._backend.threads.unarchive(self.record)

    def lock(self, *, locked: bool = True) -> None:
        """Let a moderator lock or unlock this thread, archived or not."""
        self.record.as_thread.locked = locked
        self._backend.threads.changed(self.record)

    def begin_thread(self, person: Person, name: str, *, private: bool = False) -> DrivenChannel:
        """A thread below this channel that `person` begins."""
        kind = ChannelType.PRIVATE_THREAD if private else ChannelType.PUBLIC_THREAD
        return DrivenChannel(self._backend, self._backend.threads.begin(self.record, person.user, name, kind))

    def join(self, person: Person | None = None) -> None:
        """Let `person` (None: the bot) be in this thread."""
        user = self._backend.world.application.bot if person is None else person.user
        self._backend.threads.join(self.record, user)

    def post(self, body: JsonObject) -> MessageView:
        """A message that the bot is taken to have sent, with this body; nothing of it is checked."""
        form = Form(body, Faults())
        return MessageView(
            self._backend.messages.create(self.record, self._backend.world.application.bot, Request(form))
        )

    def seen_by(self, person: Person) -> list[MessageView]:
        """The public messages and those only `person` sees, oldest first."""
        return person.client.messages(self.record)

    def for_only(self, person: Person) -> list[MessageView]:
        """The messages only `person` sees, oldest first."""
        return [each for each in self.seen_by(person) if each.ephemeral]

    def deny(self, *denied: Permission, member: Person | None = None) -> None:
        """Take permissions from `member` (None: from the bot) in this channel; of a thread, in its parent."""
        overwrite = self._overwrite(member)
        for each in denied:
            overwrite.deny |= each
            overwrite.allow &= ~each
        channels.put_overwrite(self._backend, self._place, overwrite)

    def allow(self, *allowed: Permission, member: Person | None = None) -> None:
        """Give permissions to `member` (None: to the bot) in this channel."""
        overwrite = self._overwrite(member)
        for each in allowed:
            overwrite.allow |= each
            overwrite.deny &= ~each
        channels.put_overwrite(self._backend, self._place, overwrite)

    def _overwrite(self, member: Person | None) -> Overwrite:
        whose = self._backend.world.application.bot.id if member is None else member.id
        return self._place.overwrites.setdefault(whose, Overwrite(whose, kind=1))

    @property
    def _place(self) -> Channel:
        """The channel with the overwrites: for a thread, its parent."""
        return self.record if self.record.thread is None else self.record.thread.parent


class Person:
    """A person at a client of their own."""

    def __init__(self, backend: Backend, user: User) -> None:
        self.client = UserClient(backend, user)
        self.user = user
        self._backend = backend

    def __repr__(self) -> str:
        return f"<{self.name} {self.id}>"

    @property
    def id(self) -> int:
        """The user's snowflake."""
        return self.user.id

    @property
    def name(self) -> str:
        """The name others see."""
        return self.user.shown_name

    @property
    def mention(self) -> str:
        """The text that mentions them."""
        return f"<@{self.id}>"

    @property
    def direct_messages(self) -> DrivenChannel:
        """The channel between this person and the bot."""
        return DrivenChannel(self._backend, self._backend.world.direct_channel(self.user))

    async def slash(self, channel: DrivenChannel, command: str, **options: object) -> Reply:
        """Send a slash command, e.g. slash(lobby, "game start", opponent=bob, clock="blitz").

        Raises Refused for what Discord's client would not send.
        """
        name, *path = command.removeprefix("/").split()
        return await self.client.slash(channel.record, name, path, _raw(options))

    async def autocomplete(
        self, channel: DrivenChannel, command: str, *, option: str, value: str, **options: object
    ) -> Reply:
        """Ask for completions of `value` in `option`; they are in the reply's `choices`."""
        name, *path = command.removeprefix("/").split()
        return await self.client.autocomplete(channel.record, name, path, _raw(options), focused=option, value=value)

    async def context_menu(self, channel: DrivenChannel, command: str, target: Person | MessageView) -> Reply:
        """Choose a command from a person's menu, or from a message's."""
        chosen = target.user if isinstance(target, Person) else target.record
        return await self.client.context_menu(channel.record, command, chosen)

    async def press(
        self,
        message: MessageView,
        *,
        label: str | None = None,
        custom_id: str | None = None,
        force: bool = False,
    ) -> Reply:
        """Press the button with exactly this label, or this custom id; `force` also what is not there."""
        if (label is None) == (custom_id is None):
            raise TypeError("a button is named by its label or by its custom id")
        if label is not None:
            button = message.find_button(label)
            if button is None:
                raise Refused(f"no button is labelled {label!r}; there are {message.labels}")
            custom_id = message.button(label).custom_id
        return await self.client.press(message.record, custom_id or "", force=force)

    async def select(
        self,
        message: MessageView,
        *,
        custom_id: str | None = None,
        values: Sequence[str],
        force: bool = False,
    ) -> Reply:
        """Choose values in a select; without a custom id, in the only one that offers them, or that there is."""
        if custom_id is None:
            offering = [each for each in message.selects if {*values} <= {option.value for option in each.options}]
            (only,) = offering or message.selects
            custom_id = only.custom_id
        return await self.client.select(message.record, custom_id, values, force=force)

    async def forge(
        self, channel: DrivenChannel, kind: str, data: JsonObject, message: MessageView | None = None
    ) -> Reply:
        """Send an interaction with exactly this data, which no client would: what a bot of another version might get.

        `kind` is command, component, autocomplete or modal_submit; `message` the one whose component is pressed.
        """
        source = None if message is None else message.record
        return await self.client.forge(InteractionType[kind.upper()], channel.record, data, source)

    async def submit(self, modal: ModalView, values: Mapping[str, Value]) -> Reply:
        """Fill in a modal, by custom ids or labels, and send it."""
        by_label = modal.labels
        given = {by_label.get(key, key): value for key, value in values.items()}
        return await self.client.submit(modal.id, given)

    def time_out(self, server: Server, seconds: float) -> None:
        """Let a moderator of this server time the person out."""
        server.members[self.id].timed_out_until = self._backend.clock.now() + seconds

    def dismiss(self, message: MessageView) -> None:
        """Dismiss an ephemeral message."""
        self.client.dismiss(message.record)

    def say(self, channel: DrivenChannel, content: str) -> MessageView:
        """Write an ordinary message."""
        return self.client.say(channel.record, content)

    def react(self, message: MessageView, emoji: str) -> None:
        """Put an emoji under a message: itself, or name:id."""
        self.client.react(message.record, emoji)

    def unreact(self, message: MessageView, emoji: str) -> None:
        """Remove the person's own reaction from a message."""
        self.client.unreact(message.record, emoji)

    def commands(self, channel: DrivenChannel) -> list[JsonObject]:
        """The commands the client offers here."""
        return self.client.commands(channel.record)


def _raw(options: Mapping[str, object]) -> dict[str, object]:
    """Options as the client sends them: people, channels and servers by their ids."""
    return {
        name: str(value.id) if isinstance(value, Person | DrivenChannel | Server) else value
        for name, value in options.items()
    }
