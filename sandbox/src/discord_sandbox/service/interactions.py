"""Interactions: opened by a person's act, answered once in time, followed up for 15 minutes.

Source: Discord's developer documentation, "Receiving and Responding" to interactions.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from discord_sandbox.model import errors, payloads, permissions
from discord_sandbox.model.clock import Clock, Timer
from discord_sandbox.model.limits import Limits
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import Channel, Message, Server, User, World
from discord_sandbox.model.transcript import Audience
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.commands import context_of
from discord_sandbox.service.watchers import Opened, Watchers
from discord_sandbox.validation.modals import Modal


class InteractionType(IntEnum):
    """The kind of act behind an interaction."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


@dataclass(frozen=True, slots=True)
class FirstResponse:
    """The bot's one first response. `kind` is the callback's type; `elapsed` in seconds of real time."""

    kind: int
    elapsed: float
    message: Message | None = None
    modal: Modal | None = None
    choices: tuple[JsonObject, ...] = ()


def _seconds() -> float:
    """`time.perf_counter` as it is when it is called: tests put another clock in its place."""
    return time.perf_counter()


@dataclass(slots=True, eq=False)
class Interaction:
    """One act of one person, and its results.

    `source` is the message whose component was pressed, `parent` the interaction whose modal this
    submits, `original` what `@original` means, `made` the ids of messages made through the token.
    `first` returns the first response, or None once it is too late.
    """

    id: int
    token: str
    kind: InteractionType
    user: User
    channel: Channel
    opened_at: float
    command_name: str | None
    first: asyncio.Future[FirstResponse | None]
    metadata: JsonObject
    source: Message | None = None
    parent: Interaction | None = None
    started: float = field(default_factory=_seconds)
    answered: bool = False
    lapsed: bool = False
    original: Message | None = None
    made: set[int] = field(default_factory=set)
    target: JsonObject | None = None
    followed_up: int = 0

    @property
    def server(self) -> Server | None:
        """The server it happened in; None in direct messages."""
        return self.channel.server

    def reaches(self, message: Message) -> bool:
        """Whether this token may read, edit and delete `message`: what this interaction made, and the message that was
        pressed, if the first response updated it or said that it will."""
        return message.id in self.made or message is self.original

    def audience_of(self, flags: object) -> Audience:
        """Who would see a message answered with these flags."""
        return self.user.id if isinstance(flags, int) and flags & 64 else "public"


Dispatch = Callable[[str, JsonObject, int | None], None]


class Interactions:
    """Every interaction with a valid token; all are opened here."""

    def __init__(self, world: World, clock: Clock, limits: Limits, dispatch: Dispatch, watchers: Watchers) -> None:
        self._world = world
        self._clock = clock
        self._limits = limits
        self._dispatch = dispatch
        self._watchers = watchers
        self._by_token: dict[str, Interaction] = {}
        self._timers: dict[int, Timer] = {}

    def open(
        self,
        kind: InteractionType,
        user: User,
        channel: Channel,
        data: JsonObject,
        *,
        command_name: str | None = None,
        source: Message | None = None,
        parent: Interaction | None = None,
        target: JsonObject | None = None,
    ) -> Interaction:
        """Tell the bot of an act, and start the time in which it must answer."""
        self._forget_the_old()
        new_id = self._world.snowflakes.next()
        interaction = Interaction(
            id=new_id,
            token=secrets.token_urlsafe(96),
            kind=kind,
            user=user,
            channel=channel,
            opened_at=self._clock.now(),
            command_name=command_name,
            first=asyncio.get_running_loop().create_future(),
            metadata={},
            source=source,
            parent=parent,
            target=target,
        )
        interaction.metadata = self._metadata(interaction)
        self._by_token[interaction.token] = interaction
        self._timers[new_id] = self._clock.after(self._limits.first_response, lambda: self._lapse(interaction))
        pressed = 0 if source is None else source.id
        self._watchers.opened(Opened(new_id, interaction.token, user.id, channel.id, command_name or "", pressed, data))
        server_id = None if channel.server is None else channel.server.id
        self._dispatch("INTERACTION_CREATE", self._payload(interaction, data), server_id)
        return interaction

    def to_answer(self, interaction_id: int, token: str) -> Interaction:
        """The interaction a callback is for; raises ApiError 10062 or 40060."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id or interaction.lapsed:
            raise errors.unknown_interaction()
        if interaction.answered:
            raise errors.already_acknowledged()
        return interaction

    def by_token(self, token: str) -> Interaction:
        """The interaction of a follow-up; raises ApiError 50027 for a dead token, 10015 before an answer."""
        interaction = self._by_token.get(token)
        if interaction is None or self._is_old(interaction):
            raise errors.dead_webhook_token()
        if not interaction.answered:
            raise errors.unknown_webhook()
        return interaction

    def answer(self, interaction: Interaction, response: FirstResponse) -> None:
        """Record the first response and notify the person's client."""
        interaction.answered = True
        timer = self._timers.pop(interaction.id, None)
        if timer is not None:
            timer.cancel()
        if not interaction.first.done():
            interaction.first.set_result(response)

    def close(self) -> None:
        """Let every act that still waits fail, at the sandbox's end."""
        for interaction in self._by_token.values():
            if not interaction.answered and not interaction.lapsed:
                self._lapse(interaction)

    def is_external(self, interaction: Interaction) -> bool:
        """Whether the person brought the application along to a server or a conversation that it is not in."""
        return self._world.is_without_bot(interaction.channel)

    def must_be_ephemeral(self, interaction: Interaction) -> bool:
        """Whether answers are private because the person may not use external apps in public."""
        server = interaction.server
        if server is None or not self.is_external(interaction):
            return False
        member = server.members.get(interaction.user.id)
        bits = 0 if member is None else permissions.in_channel(server, interaction.channel, member, self._clock.now())
        return not bits & Permission.USE_EXTERNAL_APPS

    def _lapse(self, interaction: Interaction) -> None:
        self._timers.pop(interaction.id, None)
        interaction.lapsed = True
        self._watchers.lapsed(interaction.id)
        if not interaction.first.done():
            interaction.first.set_result(None)

    def _is_old(self, interaction: Interaction) -> bool:
        return self._clock.now() - interaction.opened_at > self._limits.token_life

    def _forget_the_old(self) -> None:
        """Drop interactions whose token has expired; the oldest come first."""
        while self._by_token:
            token, oldest = next(iter(self._by_token.items()))
            if not self._is_old(oldest):
                return
            del self._by_token[token]

    def _metadata(self, interaction: Interaction) -> JsonObject:
        """The `interaction_metadata` of messages that answer this interaction."""
        metadata: JsonObject = {
            "id": str(interaction.id),
            "type": int(interaction.kind),
            "user": payloads.user(interaction.user),
            "authorizing_integration_owners": self._owners(interaction),
        }
        if interaction.kind == InteractionType.COMMAND:
            metadata["name"] = interaction.command_name
            metadata["command_type"] = 1 if interaction.target is None else interaction.target["type"]
            if interaction.target is not None:
                metadata.update(interaction.target["metadata"])
        elif interaction.kind == InteractionType.COMPONENT and interaction.source is not None:
            metadata["interacted_message_id"] = str(interaction.source.id)
        elif interaction.kind == InteractionType.MODAL_SUBMIT and interaction.parent is not None:
            metadata["triggering_interaction_metadata"] = interaction.parent.metadata
        return metadata

    def _owners(self, interaction: Interaction) -> JsonObject:
        """Who let the application act here: the server (or "0" beside the bot), the person. Where the bot isn't,
        it is who has let in the message that was pressed."""
        server, owners = interaction.server, {}
        if not self.is_external(interaction):
            owners["0"] = "0" if server is None else str(server.id)
        elif interaction.source is not None:
            metadata = interaction.source.data.get("interaction_metadata", {})
            return {**metadata.get("authorizing_integration_owners", {})}
        if interaction.user.has_installed:
            owners["1"] = str(interaction.user.id)
        return owners

    def _payload(self, interaction: Interaction, data: JsonObject) -> JsonObject:
        application = self._world.application
        channel, user = interaction.channel, interaction.user
        payload: JsonObject = {
            "version": 1,
            "type": int(interaction.kind),
            "token": interaction.token,
            "id": str(interaction.id),
            "application_id": str(application.id),
            "channel_id": str(channel.id),
            "locale": user.locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "attachment_size_limit": 10 * 1024 * 1024,
            "authorizing_integration_owners": self._owners(interaction),
            "data": data,
        }
        server = channel.server
        if server is None:
            payload["user"] = payloads.user(user)
            payload["context"] = context_of(self._world, channel)
            payload["app_permissions"] = str(permissions.IN_DIRECT_MESSAGES)
            payload["channel"] = payloads.interaction_channel(channel, permissions.IN_DIRECT_MESSAGES)
        else:
            member = server.members[user.id]
            bits = permissions.in_channel(server, channel, member, interaction.opened_at)
            own = server.members.get(application.bot.id)
            app_bits = 0 if own is None else permissions.in_channel(server, channel, own, interaction.opened_at)
            payload["guild_id"] = str(server.id)
            payload["guild"] = {"id": str(server.id), "locale": server.locale, "features": []}
            payload["guild_locale"] = server.locale
            payload["context"] = 0
            payload["app_permissions"] = str(app_bits)
            payload["channel"] = payloads.interaction_channel(channel, bits)
            payload["member"] = {**payloads.member(member), "permissions": str(bits)}
        if interaction.source is not None:
            payload["message"] = interaction.source.data
        return payload
