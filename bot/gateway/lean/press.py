"""Presses, read as far as they are needed.

With each press Discord sends the whole message that was pressed, with all its components, and much about the person.
The library (2.7) makes objects of it all, and looks for a view that waits for the press. The router needs a few ids and
a name, and the bot has no views (decision 3). So a press is read leanly, and anything else that is asked of it is what
the library makes of the same payload, at that moment (decision 32).

Commands and forms are read by the library alone.
"""

from __future__ import annotations

from typing import Any, Final

import discord
from discord.channel import _threaded_guild_channel_factory
from discord.enums import try_enum

_EVENT: Final = "INTERACTION_CREATE"
_COMPONENT: Final = discord.InteractionType.component.value


class Presser:
    """Who pressed: `discord.Member`, or `discord.User` in direct messages, as far as the router needs it."""

    __slots__ = ("_press", "display_name", "id")

    def __init__(self, press: LeanPress, user: dict[str, Any], nick: str | None) -> None:
        self._press = press
        self.id = int(user["id"])
        self.display_name: str = nick or user.get("global_name") or user["username"]

    def __getattr__(self, name: str) -> Any:
        """Anything else, as the library reads it."""
        return getattr(self._press.whole().user, name)


class AnsweredInteraction:
    """The interaction that a message was sent for: `discord.MessageInteractionMetadata` by its id."""

    __slots__ = ("_press", "id")

    def __init__(self, press: LeanPress, metadata: dict[str, Any]) -> None:
        self._press = press
        self.id = int(metadata["id"])

    def __getattr__(self, name: str) -> Any:
        """Anything else, as the library reads it."""
        message = self._press.whole().message
        return getattr(message and message.interaction_metadata, name)


class PressedMessage:
    """The message that was pressed: `discord.Message` as far as the router needs it."""

    __slots__ = ("_press", "flags", "id", "interaction_metadata")

    def __init__(self, press: LeanPress, message: dict[str, Any]) -> None:
        self._press = press
        self.id = int(message["id"])
        self.flags = discord.MessageFlags._from_value(message.get("flags", 0))
        metadata = message.get("interaction_metadata")
        self.interaction_metadata = None if metadata is None else AnsweredInteraction(press, metadata)

    def __getattr__(self, name: str) -> Any:
        """Anything else, as the library reads it."""
        return getattr(self._press.whole().message, name)


class LeanPress(discord.Interaction[Any]):
    """A press of a component. What is not read here, the library reads when it is asked for."""

    __slots__ = ("_channel_id", "_payload")

    def _from_data(self, data: Any) -> None:
        """Read what the router needs. Raises what any payload that Discord doesn't send may cause."""
        self._payload: Any = data
        self.id = int(data["id"])
        self.type = discord.InteractionType.component
        self.data = data["data"]
        self.token = data["token"]
        self.application_id = int(data["application_id"])
        self.locale = try_enum(discord.Locale, data.get("locale", "en-US"))
        guild_id = data.get("guild_id")
        self.guild_id = None if guild_id is None else int(guild_id)
        owners = data.get("authorizing_integration_owners", {})
        self._integration_owners = {int(kind): int(owner) for kind, owner in owners.items()}
        member = data.get("member") or {}
        self._permissions = int(member.get("permissions") or 0)
        self._app_permissions = int(data.get("app_permissions", 0))
        self._channel_id = int(data["channel"]["id"])
        self.user = Presser(self, member.get("user") or data["user"], member.get("nick"))  # type: ignore[assignment]  # in its place
        self.message = PressedMessage(self, data["message"])  # type: ignore[assignment]  # in its place

    @property
    def channel_id(self) -> int | None:
        """The channel that was pressed in."""
        return self._channel_id

    def whole(self) -> discord.Interaction[Any]:
        """This, read by the library: nothing of it is lean any more."""
        payload, self._payload = self._payload, None
        if payload is not None:
            guild_id = self.guild_id
            super()._from_data(payload)
            self.guild_id = guild_id  # it may have left a foreign server
        return self

    def __getattr__(self, name: str) -> Any:
        """What was not read, as the library reads it. Its own caches, which begin unset, stay its own."""
        if name not in discord.Interaction.__slots__ or name.startswith("_cs_") or self._payload is None:
            raise AttributeError(name)
        if name == "channel" and self.guild_id is not None:
            self._read_channel(self.guild_id, self._payload)
            return self.channel
        return getattr(self.whole(), name)

    def _read_channel(self, guild_id: int, payload: Any) -> None:
        """Make the library's channel of what came with the press: no server has its own."""
        make, _ = _threaded_guild_channel_factory(payload["channel"]["type"])
        guild = self._state._get_or_create_unavailable_guild(guild_id, data=payload.get("guild"))
        self.channel = None if make is None else make(guild=guild, state=self._state, data=payload["channel"])


def read_presses_leanly(client: discord.Client) -> None:
    """Let a client read presses so. What cannot be read leanly is read by the library."""
    state = client._connection
    read_whole = state.parsers[_EVENT]

    def read(data: Any) -> None:
        if data["type"] != _COMPONENT:
            read_whole(data)
            return
        try:
            press = LeanPress(data=data, state=state)
        except Exception:  # noqa: BLE001  whatever it is, the library reads the payload itself
            read_whole(data)
        else:
            state.dispatch("interaction", press)

    state.parsers[_EVENT] = read
