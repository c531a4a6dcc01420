"""The bot's answers to interactions: the first response in every type, and follow-ups by token.

Source: Discord's developer documentation, "Interaction Callback Type" and "Followup Messages".
"""

from __future__ import annotations

import time
from collections.abc import Collection
from enum import IntEnum

from discord_sandbox.model import errors, snowflake
from discord_sandbox.model.state import Message, MessageFlag, World
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.interactions import FirstResponse, Interaction, Interactions, InteractionType
from discord_sandbox.service.messages import Messages, Request
from discord_sandbox.validation.forms import Form, choices_text
from discord_sandbox.validation.modals import read_modal


class Callback(IntEnum):
    """The types of a first response."""

    MESSAGE = 4
    DEFERRED = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


_BY_COMMAND = frozenset({Callback.MESSAGE, Callback.DEFERRED, Callback.MODAL})
_BY_COMPONENT = _BY_COMMAND | {Callback.DEFERRED_UPDATE, Callback.UPDATE}
MOST_CHOICES = 25
MOST_EXTERNAL_FOLLOW_UPS = 5
"""Of one interaction, where only the person has installed the application."""

_MESSAGE_TYPES = {1: 20, 2: 23, 3: 23}  # of a first answer, by the command's type
_REPLY = 19


class Responses:
    """Carries out a bot's answers."""

    def __init__(self, world: World, messages: Messages, interactions: Interactions) -> None:
        self._world = world
        self._messages = messages
        self._interactions = interactions

    def first(self, interaction: Interaction, form: Form, request: Request) -> FirstResponse:
        """Carry out a callback: `form` is its body, `request` the message in its `data`.

        Raises ApiError 50035 for a faulty form; the interaction then stays unanswered.
        """
        kind = form.one_of("type", _allowed(interaction), required=True)
        form.faults.check()
        message: Message | None = None
        modal = None
        choices: tuple[JsonObject, ...] = ()
        if kind == Callback.MESSAGE:
            message = self._message(interaction, request, self._origin(interaction, is_first=True))
            interaction.original = message
        elif kind == Callback.DEFERRED:
            message = self._messages.loading(
                interaction.channel,
                self._world.application.bot,
                reader=self._reader(interaction, request.form),
                origin=self._origin(interaction, is_first=True),
            )
            interaction.made.add(message.id)
            interaction.original = message
        elif kind in (Callback.DEFERRED_UPDATE, Callback.UPDATE):
            message = interaction.original = interaction.source
            if message is None or (kind == Callback.UPDATE and message.deleted):
                raise errors.unknown_message()
            if kind == Callback.UPDATE:
                self._messages.edit(message, request)
        elif kind == Callback.CHOICES:
            choices = _choices(request.form)
        else:
            modal = read_modal(request.form, self._world.application.emojis)
        elapsed = time.perf_counter() - interaction.started
        response = FirstResponse(int(kind or 0), elapsed, message, modal, choices)
        self._interactions.answer(interaction, response)
        return response

    def follow_up(self, interaction: Interaction, request: Request) -> Message:
        """Post a further message; the first one after a deferral fills the deferred answer.

        A public deferral is then filled in public, whatever the follow-up's own flags say.
        """
        original = interaction.original
        if original is not None and not original.deleted and original.flags & MessageFlag.LOADING:
            return self._messages.edit(original, request, is_edit=False)
        if self._interactions.is_external(interaction) and interaction.followed_up >= MOST_EXTERNAL_FOLLOW_UPS:
            raise errors.too_many_follow_ups()
        message = self._message(interaction, request, self._origin(interaction, is_first=False))
        interaction.followed_up += 1
        return message

    def find(self, interaction: Interaction, which: str) -> Message:
        """The message a token's route names, by id or as @original; raises ApiError 10008."""
        if which == "@original":
            message = interaction.original
        else:
            message = interaction.channel.messages.get(snowflake.parsed(str(which)) or 0)
        if message is None or message.deleted or not interaction.reaches(message):
            raise errors.unknown_message()
        return message

    def _message(self, interaction: Interaction, request: Request, origin: JsonObject) -> Message:
        message = self._messages.create(
            interaction.channel,
            self._world.application.bot,
            request,
            reader=self._reader(interaction, request.form),
            origin=origin,
        )
        interaction.made.add(message.id)
        return message

    def _reader(self, interaction: Interaction, form: Form) -> int | None:
        flags = form.value.get("flags")
        wanted = isinstance(flags, int) and flags & MessageFlag.EPHEMERAL
        return interaction.user.id if wanted or self._interactions.must_be_ephemeral(interaction) else None

    def _origin(self, interaction: Interaction, *, is_first: bool) -> JsonObject:
        """The fields that say which interaction a message answers."""
        application_id = str(self._world.application.id)
        metadata = interaction.metadata
        origin: JsonObject = {"webhook_id": application_id, "application_id": application_id}
        replied: Message | None = interaction.source
        if is_first and interaction.kind == InteractionType.COMMAND:
            origin["type"] = _MESSAGE_TYPES[metadata["command_type"]]
            origin["interaction"] = {
                "id": str(interaction.id),
                "type": int(interaction.kind),
                "name": interaction.command_name,
                "user": metadata["user"],
            }
        elif not is_first:
            replied = interaction.original
            if replied is not None:
                metadata = {**metadata, "original_response_message_id": str(replied.id)}
        if replied is not None:
            channel = replied.channel
            origin["type"] = _REPLY
            origin["message_reference"] = {
                "type": 0,
                "message_id": str(replied.id),
                "channel_id": str(channel.id),
            }
            if channel.server is not None:
                origin["message_reference"]["guild_id"] = str(channel.server.id)
        origin["interaction_metadata"] = metadata
        return origin


def _allowed(interaction: Interaction) -> Collection[int]:
    if interaction.kind == InteractionType.AUTOCOMPLETE:
        return (Callback.CHOICES,)
    if interaction.kind == InteractionType.COMMAND:
        return _BY_COMMAND
    if interaction.kind == InteractionType.COMPONENT:
        return _BY_COMPONENT
    allowed = _BY_COMMAND if interaction.source is None else _BY_COMPONENT
    return allowed - {Callback.MODAL}


def _choices(form: Form) -> tuple[JsonObject, ...]:
    found: list[JsonObject] = []
    for choice in form.forms("choices", 0, MOST_CHOICES, required=True):
        choice.text("name", 1, 100, required=True)
        value = choice.value.get("value")
        if isinstance(value, str):
            choice.text("value", 1, 100, required=True)
        elif isinstance(value, bool) or not isinstance(value, int | float):
            choice.fault("value", "UNION_TYPE_CHOICES", f"Value must be one of {choices_text((3, 4, 10))}.")
        found.append({"name": choice.value.get("name"), "value": value})
    form.faults.check()
    return tuple(found)
