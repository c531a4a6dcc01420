"""What a person at a Discord client can see and do, and what the client would not let them do."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from sandbox import commands, modals, permissions, shapes
from sandbox.backend import Backend
from sandbox.controls import LINK_STYLE, SELECTS, Kind
from sandbox.errors import ApiError, Faults
from sandbox.forms import Form
from sandbox.interactions import Interaction, InteractionType
from sandbox.mentions import BY_DEFAULT
from sandbox.permissions import Permission
from sandbox.posting import Request
from sandbox.reply import FAILED, KINDS, NO_OPTIONS, NO_RESPONSE, Reply
from sandbox.state import Channel, Message, Server, User
from sandbox.typed import Refused, resolve_selection, type_command, type_unfinished
from sandbox.views import MessageView, ModalView
from sandbox.wire import JsonObject


class Client:
    """One person's client. Several may run for one person; modals open in the one that acted."""

    def __init__(self, backend: Backend, user: User) -> None:
        self.user = user
        self._backend = backend
        self._modals: dict[int, Interaction] = {}
        self._open: dict[int, modals.Modal] = {}

    # What is seen.

    def servers(self) -> list[Server]:
        """The servers the person is in."""
        return [each for each in self._backend.world.servers.values() if self.user.id in each.members]

    def channels(self, server: Server) -> list[Channel]:
        """The channels of a server the person sees."""
        return [each for each in server.channels.values() if self.sees_channel(each)]

    def bits(self, channel: Channel) -> int:
        """The person's permissions in a channel."""
        server = channel.server
        if server is None:
            return permissions.IN_DIRECT_MESSAGES if self.user in channel.recipients else 0
        member = server.members.get(self.user.id)
        return 0 if member is None else permissions.in_channel(server, channel, member, self._backend.clock.now())

    def sees_channel(self, channel: Channel) -> bool:
        """Whether the person sees the channel at all."""
        return bool(self.bits(channel) & Permission.VIEW_CHANNEL)

    def sees(self, message: Message) -> bool:
        """Whether the message stands before the person's eyes."""
        mine = message.reader is None or message.reader == self.user.id
        return mine and not message.deleted and self.sees_channel(message.channel)

    def messages(self, channel: Channel) -> list[MessageView]:
        """Public messages and the person's own ephemeral ones, oldest first."""
        if not self.sees_channel(channel):
            return []
        return [MessageView(each) for each in channel.messages.values() if self.sees(each)]

    def commands(self, channel: Channel) -> list[JsonObject]:
        """The commands the client offers here."""
        bits = self.bits(channel)
        if channel.server is not None and not bits & Permission.USE_APPLICATION_COMMANDS:
            return []
        server_id = None if channel.server is None else channel.server.id
        if channel.server is not None and self._backend.world.application.bot.id not in channel.server.members:
            return []
        return [each for each in self._backend.commands.offered_in(server_id) if _may_use(each, bits)]

    # What is done.

    async def slash(self, channel: Channel, name: str, path: Sequence[str], given: Mapping[str, object]) -> Reply:
        """Send a slash command; `path` names subcommand group and subcommand, `given` the options."""
        command = self._command(channel, name, commands.CHAT_INPUT)
        typed = type_command(self._backend.world, channel, command, path, given)
        interaction = self._backend.interactions.open(
            InteractionType.COMMAND, self.user, channel, typed.data, command_name=typed.name
        )
        return await self._outcome(interaction)

    async def context_menu(self, channel: Channel, name: str, target: User) -> Reply:
        """Choose a user command from the menu of a person."""
        command = self._command(channel, name, commands.USER)
        data: JsonObject = {
            "id": command["id"],
            "name": name,
            "type": commands.USER,
            "target_id": str(target.id),
            "resolved": resolve_selection(self._backend.world, channel, Kind.USER_SELECT, [str(target.id)]),
        }
        interaction = self._backend.interactions.open(
            InteractionType.COMMAND,
            self.user,
            channel,
            data,
            command_name=name,
            target={"type": commands.USER, "metadata": {"target_user": shapes.user(target)}},
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
        """Ask for completions of what stands in the focused option."""
        command = self._command(channel, name, commands.CHAT_INPUT)
        typed = type_unfinished(self._backend.world, channel, command, path, given, focused=focused, value=value)
        interaction = self._backend.interactions.open(
            InteractionType.AUTOCOMPLETE, self.user, channel, typed.data, command_name=typed.name
        )
        return await self._outcome(interaction, failure=NO_OPTIONS)

    async def press(self, message: Message, custom_id: str, *, force: bool = False) -> Reply:
        """Press a button. `force` presses what is not there, or is disabled, as a forger could."""
        self._check_seen(message, force=force)
        control = message.controls.get(custom_id)
        if not force:
            if control is None or control["type"] != Kind.BUTTON or control["style"] == LINK_STYLE:
                raise Refused(f"no button {custom_id!r} stands on this message")
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
        if kind != Kind.STRING_SELECT:
            data["resolved"] = resolve_selection(self._backend.world, message.channel, kind, values)
        return await self._component(message, data)

    async def submit(self, modal_id: int, values: Mapping[str, str | list[str]]) -> Reply:
        """Send an open modal. It closes when the bot answers, and stays open when that fails."""
        parent = self._modals.get(modal_id)
        if parent is None:
            raise Refused("this modal is not open")
        modal = self._open[modal_id]
        faults = modals.faults_of(modal, values)
        if faults:
            raise Refused(f"the modal cannot be sent: {faults}")
        data = {"custom_id": modal.custom_id, "components": modals.submission(modal, values)}
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
        """Take one's own ephemeral message away."""
        if message.reader != self.user.id:
            raise Refused("only a message for oneself can be dismissed")
        self._backend.posting.delete(message)

    def say(self, channel: Channel, content: str) -> MessageView:
        """Write an ordinary message."""
        if not self.bits(channel) & Permission.SEND_MESSAGES:
            raise Refused("you cannot write here")
        form = Form({"content": content}, Faults())
        try:
            message = self._backend.posting.create(channel, self.user, Request(form, {}, BY_DEFAULT))
        except ApiError as refusal:
            raise Refused(str(refusal)) from None
        return MessageView(message)

    def _command(self, channel: Channel, name: str, kind: int) -> JsonObject:
        if not self.sees_channel(channel):
            raise Refused("you do not see this channel")
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


def _may_use(command: JsonObject, bits: int) -> bool:
    needed = command["default_member_permissions"]
    if needed is None:
        return True
    if needed == "0":
        return bool(bits & Permission.ADMINISTRATOR)
    return bits & int(needed) == int(needed)


def _check_selection(control: JsonObject | None, custom_id: str, values: Sequence[str]) -> None:
    if control is None or control["type"] not in SELECTS:
        raise Refused(f"no select {custom_id!r} stands on this message")
    if control.get("disabled"):
        raise Refused(f"the select {custom_id!r} is disabled")
    if not control.get("min_values", 1) <= len(values) <= control.get("max_values", 1):
        raise Refused("too few or too many values are chosen")
    if control["type"] == Kind.STRING_SELECT:
        unknown = set(values) - {each["value"] for each in control["options"]}
        if unknown:
            raise Refused(f"no such option: {sorted(unknown)}")
