"""One request on its way through a route, and what the route finds out about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from discord_sandbox.model import errors, payloads, permissions, snowflake
from discord_sandbox.model.errors import Faults
from discord_sandbox.model.feed import Event
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import Channel, Member, Message, Server, User
from discord_sandbox.model.transcript import Audience
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.backend import Backend
from discord_sandbox.validation.attachments import Upload
from discord_sandbox.validation.forms import Form


@dataclass(slots=True)
class Call:
    """A request. Routes set `status` and `audience`; both go with the answer and the transcript."""

    backend: Backend
    route: Mapping[str, str]
    query: Mapping[str, str]
    body: object
    uploads: Mapping[int, Upload] = field(default_factory=dict)
    gateway_url: str = ""
    status: int = 200
    audience: Audience = None

    def number(self, name: str) -> int:
        """A snowflake in the address; raises ApiError 50035 if it is none."""
        raw = self.route[name]
        number = snowflake.parsed(raw)
        if number is not None:
            return number
        faults = Faults()
        faults.add((name,), "NUMBER_TYPE_COERCE", f'Value "{raw}" is not snowflake.')
        faults.check()
        raise AssertionError("unreachable: the check above raises")

    def body_object(self) -> JsonObject:
        """The body as an object; an absent one counts as empty."""
        return self.body if isinstance(self.body, dict) else {}

    def form(self) -> Form:
        """The body as a form."""
        return Form(self.body_object(), Faults())

    @property
    def bot(self) -> User:
        """The bot that made the request."""
        return self.backend.world.application.bot

    def own_application(self) -> None:
        """Raise ApiError 10002 unless the address names the caller's own application."""
        if self.number("application_id") != self.backend.world.application.id:
            raise errors.unknown_application()

    def server(self, *needed: Permission) -> Server:
        """The server in the address; raises ApiError 10004 if the bot is not in it, 50013 without a permission."""
        server = self.backend.world.servers.get(self.number("guild_id"))
        own = None if server is None else server.members.get(self.bot.id)
        if server is None or own is None:
            raise errors.unknown_server()
        if needed:
            bits = permissions.in_server(server, own)
            if any(not bits & each for each in needed):
                raise errors.missing_permissions()
        return server

    def channel(self, *needed: Permission) -> Channel:
        """The channel in the address, if the bot may see it and has the permissions.

        Raises ApiError 10003, 50001 without View Channel, 50013 without another permission.
        """
        channel = self.backend.world.channels.get(self.number("channel_id"))
        if channel is None:
            raise errors.unknown_channel()
        bits = self.bits(channel)
        if not self.sees(channel, bits):
            raise errors.missing_access()
        if any(not bits & each for each in needed):
            raise errors.missing_permissions()
        return channel

    def bits(self, channel: Channel) -> int:
        """The bot's permissions in a channel."""
        server = channel.server
        if server is None:
            return permissions.IN_DIRECT_MESSAGES
        own = server.members.get(self.bot.id)
        return 0 if own is None else permissions.in_channel(server, channel, own, self.backend.clock.now())

    def sees(self, channel: Channel, bits: int) -> bool:
        """Whether the bot, with these permissions, sees a channel."""
        server = channel.server
        if server is None:
            return not self.backend.world.is_without_bot(channel)
        return self.bot.id in server.members and permissions.may_see(channel, server.members[self.bot.id], bits)

    def member(self, server: Server) -> Member:
        """The member in the address; raises ApiError 10007."""
        found = server.members.get(self.number("user_id"))
        if found is None:
            raise errors.unknown_member()
        return found

    def member_changed(self, server: Server, member: Member) -> None:
        """Publish a member's new roles, nick or timeout."""
        data = {**payloads.member(member), "guild_id": str(server.id)}
        if member.user is self.bot:  # the bot's own changes need no intent
            self.backend.gateway.dispatch("GUILD_MEMBER_UPDATE", data, server.id)
        else:
            self.backend.feed.publish(Event("GUILD_MEMBER_UPDATE", data, server.id))

    def count(self, name: str, low: int, high: int, default: int) -> int:
        """A number in the query; raises ApiError 50035 outside its bounds."""
        raw = self.query.get(name)
        if raw is None:
            return default
        number = snowflake.parsed(raw)
        form = Form({name: raw if number is None else number}, Faults())
        found = form.integer(name, low, high)
        form.faults.check()
        return default if found is None else found

    def moment(self, name: str, raw: str) -> float:
        """A moment in the query, in seconds since 1970; raises ApiError 50035 if it is none."""
        try:
            return datetime.fromisoformat(raw).timestamp()
        except ValueError:
            faults = Faults()
            faults.add((name,), "DATE_TIME_TYPE_PARSE", f"Could not parse {raw}. Should be ISO8601.")
            faults.check()
            raise AssertionError("unreachable: the check above raises") from None

    def bound(self, name: str) -> int | None:
        """A snowflake in the query; raises ApiError 50035 if it is none."""
        raw = self.query.get(name)
        number = None if raw is None else snowflake.parsed(raw)
        if raw is None or number is not None:
            return number
        faults = Faults()
        faults.add((name,), "NUMBER_TYPE_COERCE", f'Value "{raw}" is not snowflake.')
        faults.check()
        return None

    def message(self, channel: Channel) -> Message:
        """The public message in the address; raises ApiError 10008."""
        message = channel.messages.get(self.number("message_id"))
        if message is None or message.reader is not None:
            raise errors.unknown_message()
        return message


Route = Callable[[Call], object]
"""Answers a call with its JSON body; None means 204."""
