"""A person's Discord client: what they can see and do, and what the client does not let them do."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from discord_sandbox.clients import modal_submission
from discord_sandbox.clients.command_submission import type_command, type_unfinished
from discord_sandbox.clients.reply import FAILED, KINDS, NO_OPTIONS, NO_RESPONSE, Reply
from discord_sandbox.clients.resolved_data import Refused, Resolved
from discord_sandbox.clients.views import MessageView, ModalView
from discord_sandbox.model import errors, payloads, permissions
from discord_sandbox.model.errors import ApiError, Faults
from discord_sandbox.model.feed import Event
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import HOLD_MESSAGES, Channel, Message, Server, User
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.backend import Backend
from discord_sandbox.service.interactions import Interaction, InteractionType
from discord_sandbox.service.messages import Request
from discord_sandbox.validation.command_form import CHAT_INPUT, MESSAGE, USER
from discord_sandbox.validation.controls import LINK_STYLE, SELECTS, Kind
from discord_sandbox.validation.forms import Form
from discord_sandbox.validation.mentions import BY_DEFAULT
from discord_sandbox.validation.modals import Modal


class UserClient:
    """One person's client. Several may run for one person; modals open in the one that acted."""

    def __init__(self, backend: Backend, user: User) -> None:
        self.user = user
        self._backend = backend
        self._modals: dict[int, Interaction] = {}
        self._open: dict[int, Modal] = {}

    # What is seen.

    def servers(self) -> list[Server]:
        """The servers the person is in."""
        return [each for each in self._backend.world.servers.values() if self.user.id in each.members]

    def channels(self, server: Server) -> list[Channel]:
        """The channels of a server that hold messages and that the person sees."""
        return [each for each in server.channels.values() if each.kind in HOLD_MESSAGES and self.sees_channel(each)]

    def chats(self) -> list[Channel]:
        """The direct messages and groups that the person shares with other people."""
        return [each for each in self._backend.world.chats if self.user in each.recipients]

    def bits(self, channel: Channel) -> int:
        """The person's permissions in a channel."""
        server = channel.server
        if server is None:
            return permissions.IN_DIRECT_MESSAGES if self.user in channel.recipients else 0
        member = server.members.get(self.user.id)
        return 0 if member is None else permissions.in_channel(server, channel, member, self._backend.clock.now())

    def sees_channel(self, channel: Channel) -> bool:
        """Whether the person sees the channel at all."""
        bits, server = self.bits(channel), channel.server
        if server is None:
            return bits != 0
        member = server.members.get(self.user.id)
        return member is not None and permissions.may_see(channel, member, bits)

    def sees(self, message: Message) -> bool:
        """Whether the person sees the message."""
        mine = message.reader is None or message.reader == self.user.id
        return mine and not message.deleted and self.sees_channel(message.channel)

    def messages(self, channel: Channel) -> list[MessageView]:
        """Public messages and the person's own ephemeral ones, oldest first."""
        if not self.sees_channel(channel):
            return []
        history = self.bits(channel) & Permission.READ_MESSAGE_HISTORY
        return [MessageView(each) for each in channel.messages.values() if (history or each.reader) and self.sees(each)]

    def commands(self, channel: Channel) -> list[JsonObject]:
        """The commands the client offers here."""
        bits, server = self.bits(channel), channel.server
        if server is None:
            return self._backend.commands.offered_in(channel, self.user)
        if not bits & Permission.USE_APPLICATION_COMMANDS:
            return []
        member, rules = server.members[self.user.id], self._backend.commands.permissions
        offered = self._backend.commands.offered_in(channel, self.user)
        return [
            each
            for each in offered
            if rules.allows(server, channel, member, each, bits) and (channel.nsfw or not each["nsfw"])
        ]

    # What is done.

    async def slash(self, channel: Channel, name: str, path: Sequence[str], given: Mapping[str, object]) -> Reply:
        """Send a slash command; `path` names subcommand group and subcommand, `given` the options."""
        command = self._command(channel, name, CHAT_INPUT)
        typed = type_command(self._resolved(channel), command, path, given)
        interaction = self._backend.interactions.open(
            InteractionType.COMMAND, self.user, channel, typed.data, command_name=typed.name
        )
        return await self._outcome(interaction)

    async def context_menu(self, channel: Channel, name: str, target: User | Message) -> Reply:
        """Choose a command from the menu of a person or of a message."""
        kind = USER if isinstance(target, User) else MESSAGE
        command = self._command(channel, name, kind)
        resolved = self._resolved(channel)
        if isinstance(target, User):
            target_id = resolved.user_of(str(target.id))
            metadata: JsonObject = {"target_user": payloads.user(target)}
        else:
            self._check_seen(target, force=False)
            target_id = resolved.message_of(target)
            metadata = {"target_message_id": target_id}
        data: JsonObject = {
            "id": command["id"],
            "name": name,
            "type": kind,
            "target_id": target_id,
            "resolved": resolved.data,
        }
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        interaction = self._backend.interactions.open(
            InteractionType.COMMAND,
            self.user,
            channel,
            data,
            command_name=name,
            target={"type": kind, "metadata": metadata},
        )
        return await self._outcome(interaction)

    async def autocomplete(
        self,
        channel: Channel,
        name: str,
        path: Sequence[str],
        given: Mapping[str, object],
        *,
        focused: str,
        value: str,
    ) -> Reply:
        """Ask for completions of the text in the focused option."""
        command = self._command(channel, name, CHAT_INPUT)
        typed = type_unfinished(self._resolved(channel), command, path, given, focused=focused, value=value)
        interaction = self._backend.interactions.open(
            InteractionType.AUTOCOMPLETE, self.user, channel, typed.data, command_name=typed.name
        )
        return await self._outcome(interaction, failure=NO_OPTIONS)

    async def press(self, message: Message, custom_id: str, *, force: bool = False) -> Reply:
        """Press a button. `force` presses a missing or disabled one, as a forged client could."""
        self._check_seen(message, force=force)
        control = message.controls.get(custom_id)
        if not force:
            if control is None or control["type"] != Kind.BUTTON or control["style"] == LINK_STYLE:
                raise Refused(f"no button {custom_id!r} is on this message")
            if control.get("disabled"):
                raise Refused(f"the button {control.get('label') or custom_id!r} is disabled")
        component_id = 0 if control is None else control["id"]
        data: JsonObject = {"component_type": int(Kind.BUTTON), "custom_id": custom_id, "id": component_id}
        return await self._component(message, data)

    async def select(self, message: Message, custom_id: str, values: Sequence[str], *, force: bool = False) -> Reply:
        """Choose values in a select of any kind."""
        self._check_seen(message, force=force)
        control = message.controls.get(custom_id)
        if not force:
            _check_selection(control, custom_id, values)
        kind = Kind.STRING_SELECT if control is None else control["type"]
        data: JsonObject = {
            "component_type": int(kind),
            "custom_id": custom_id,
            "id": 0 if control is None else control["id"],
            "values": list(values),
        }
        if control is not None and kind != Kind.STRING_SELECT:
            resolved = self._resolved(message.channel)
            for each in values:
                resolved.selected(control, each)
            data["resolved"] = resolved.data
        return await self._component(message, data)

    async def forge(
        self, kind: InteractionType, channel: Channel, data: JsonObject, source: Message | None = None
    ) -> Reply:
        """Send an interaction with exactly this data, unchecked, and return its outcome."""
        return await self._outcome(self.open_forged(kind, channel, data, source))

    def open_forged(
        self, kind: InteractionType, channel: Channel, data: JsonObject, source: Message | None = None
    ) -> Interaction:
        """As `forge`, without waiting for the outcome."""
        if not self.sees_channel(channel):
            raise Refused("you do not see this channel")
        if source is not None:
            self._check_seen(source, force=True)
        name = str(data.get("name", ""))
        return self._backend.interactions.open(kind, self.user, channel, data, source=source, command_name=name)

    async def submit(self, modal_id: int, values: Mapping[str, modal_submission.Value]) -> Reply:
        """Send an open modal. It closes when the bot answers, and stays open when that fails."""
        parent = self._modals.get(modal_id)
        if parent is None:
            raise Refused("this modal is not open")
        modal = self._open[modal_id]
        faults = modal_submission.faults_of(modal, values)
        if faults:
            raise Refused(f"the modal cannot be sent: {faults}")
        resolved = self._resolved(parent.channel)
        data: JsonObject = {
            "custom_id": modal.custom_id,
            "components": modal_submission.submission(modal, values, resolved),
        }
        if resolved.data:
            data["resolved"] = resolved.data
        interaction = self._backend.interactions.open(
            InteractionType.MODAL_SUBMIT,
            self.user,
            parent.channel,
            data,
            source=parent.source,
            parent=parent,
            command_name=parent.command_name,
        )
        reply = await self._outcome(interaction)
        if not reply.failed:
            self._modals.pop(modal_id, None)
            self._open.pop(modal_id, None)
        return reply

    def dismiss(self, message: Message) -> None:
        """Dismiss an ephemeral message."""
        if message.reader != self.user.id:
            raise Refused("only a message for oneself can be dismissed")
        self._backend.messages.delete(message)

    def say(self, channel: Channel, content: str) -> MessageView:
        """Write an ordinary message."""
        self._check_writing(channel)
        now = self._backend.clock.now()
        wait = channel.spoke_at.get(self.user.id, 0.0) + channel.slow_mode - now
        if channel.slow_mode and wait > 0 and not self.bits(channel) & Permission.BYPASS_SLOWMODE:
            raise Refused(str(errors.slow_mode(wait)))
        form = Form({"content": content}, Faults())
        try:
            message = self._backend.messages.create(channel, self.user, Request(form, {}, BY_DEFAULT))
        except ApiError as refusal:
            raise Refused(str(refusal)) from None
        if channel.slow_mode:
            channel.spoke_at[self.user.id] = now
        return MessageView(message)

    def type(self, channel: Channel) -> None:
        """Start typing; others see it for some seconds."""
        self._check_writing(channel)
        data: JsonObject = {
            "channel_id": str(channel.id),
            "user_id": str(self.user.id),
            "timestamp": int(self._backend.clock.now()),
        }
        server = channel.server
        if server is not None:
            data["guild_id"] = str(server.id)
            data["member"] = payloads.member(server.members[self.user.id])
        self._backend.feed.publish(Event("TYPING_START", data, None if server is None else server.id, channel.id))

    def react(self, message: Message, emoji: str) -> None:
        """React to a message."""
        self._check_seen(message, force=False)
        if message.reader is not None:
            raise Refused("nobody else sees this message")
        if message.channel.thread is not None and message.channel.thread.archived:
            raise Refused("this thread is archived")
        known = self._known_emoji(emoji)
        if known not in message.reactions and not self.bits(message.channel) & Permission.ADD_REACTIONS:
            raise Refused("you cannot react here")
        try:
            self._backend.reactions.add(message, self.user, known)
        except ApiError as refusal:
            raise Refused(str(refusal)) from None

    def unreact(self, message: Message, emoji: str) -> None:
        """Remove the person's own reaction from a message."""
        self._backend.reactions.remove(message, self.user.id, self._known_emoji(emoji))

    def _known_emoji(self, emoji: str) -> str:
        try:
            return self._backend.reactions.read(emoji)
        except ApiError as refusal:
            raise Refused(str(refusal)) from None

    def _resolved(self, channel: Channel) -> Resolved:
        return Resolved(self._backend, channel, self.user)

    def _wake(self, channel: Channel) -> None:
        """Take a thread out of the archive, as the client does before it acts there."""
        thread = channel.thread
        if thread is None or not thread.archived:
            return
        bits = self.bits(channel)
        if not bits & Permission.MANAGE_THREADS and (thread.locked or not bits & Permission.SEND_MESSAGES_IN_THREADS):
            raise Refused("this thread is archived")
        self._backend.threads.unarchive(channel)
        self._backend.threads.changed(channel)

    def _check_writing(self, channel: Channel) -> None:
        sending = Permission.SEND_MESSAGES if channel.thread is None else Permission.SEND_MESSAGES_IN_THREADS
        if not self.sees_channel(channel) or not self.bits(channel) & sending:
            raise Refused("you cannot write here")

    def _command(self, channel: Channel, name: str, kind: int) -> JsonObject:
        if not self.sees_channel(channel):
            raise Refused("you do not see this channel")
        self._wake(channel)
        offered = self.commands(channel)
        for command in offered:
            if command["name"] == name and command["type"] == kind:
                return command
        names = sorted(each["name"] for each in offered if each["type"] == kind)
        raise Refused(f"there is no command {name!r} here; there are {names}")

    def _check_seen(self, message: Message, *, force: bool) -> None:
        hidden = message.reader is not None and message.reader != self.user.id
        if hidden or not self.sees_channel(message.channel):
            raise Refused("you cannot see this message")
        if message.deleted and not force:
            raise Refused("this message is gone")

    async def _component(self, message: Message, data: JsonObject) -> Reply:
        if message.channel.thread is not None:
            self._wake(message.channel)
        interaction = self._backend.interactions.open(
            InteractionType.COMPONENT, self.user, message.channel, data, source=message
        )
        return await self._outcome(interaction)

    async def _outcome(self, interaction: Interaction, failure: str | None = None) -> Reply:
        response = await interaction.first
        if response is None:
            words = failure or (NO_RESPONSE if interaction.kind == InteractionType.COMMAND else FAILED)
            elapsed = time.perf_counter() - interaction.started
            return Reply("failed", elapsed, interaction.id, reason=words)
        modal = None
        if response.modal is not None:
            self._modals[interaction.id] = interaction
            self._open[interaction.id] = response.modal
            modal = ModalView(interaction.id, response.modal)
        return Reply(
            KINDS[response.kind],
            response.elapsed,
            interaction.id,
            None if response.message is None else MessageView(response.message),
            modal,
            response.choices,
        )


def _check_selection(control: JsonObject | None, custom_id: str, values: Sequence[str]) -> None:
    if control is None or control["type"] not in SELECTS:
        raise Refused(f"no select {custom_id!r} is on this message")
    if control.get("disabled"):
        raise Refused(f"the select {custom_id!r} is disabled")
    if not control.get("min_values", 1) <= len(values) <= control.get("max_values", 1):
        raise Refused("too few or too many values are chosen")
    if len(set(values)) != len(values):
        raise Refused("a value is chosen once")
    if control["type"] == Kind.STRING_SELECT:
        unknown = set(values) - {each["value"] for each in control["options"]}
        if unknown:
            raise Refused(f"no such option: {sorted(unknown)}")
