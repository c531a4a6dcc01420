"""One request on its way through a route: what was asked, and what the route finds out about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sandbox import errors, permissions
from sandbox.attachments import Upload
from sandbox.backend import Backend
from sandbox.errors import Faults
from sandbox.forms import Form
from sandbox.permissions import Permission
from sandbox.state import Channel, Message, Server, User
from sandbox.transcript import Audience
from sandbox.wire import JsonObject


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
        if raw.isascii() and raw.isdecimal():
            return int(raw)
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
        """The bot that asks."""
        return self.backend.world.application.bot

    def own_application(self) -> None:
        """Raise ApiError 10002 unless the address names the caller's own application."""
        if self.number("application_id") != self.backend.world.application.id:
            raise errors.unknown_application()

    def server(self) -> Server:
        """The server in the address; raises ApiError 10004 if the bot is not in it."""
        server = self.backend.world.servers.get(self.number("guild_id"))
        if server is None or self.bot.id not in server.members:
            raise errors.unknown_server()
        return server

    def channel(self, *needed: Permission) -> Channel:
        """The channel in the address, where the bot may see it and has what is needed.

        Raises ApiError 10003, 50001 without View Channel, 50013 without another permission.
        """
        channel = self.backend.world.channels.get(self.number("channel_id"))
        if channel is None:
            raise errors.unknown_channel()
        server = channel.server
        if server is None:
            return channel
        member = server.members.get(self.bot.id)
        bits = 0 if member is None else permissions.in_channel(server, channel, member, self.backend.clock.now())
        if not bits & Permission.VIEW_CHANNEL:
            raise errors.missing_access()
        if any(not bits & each for each in needed):
            raise errors.missing_permissions()
        return channel

    def message(self, channel: Channel) -> Message:
        """The public message in the address; raises ApiError 10008."""
        message = channel.messages.get(self.number("message_id"))
        if message is None or message.reader is not None:
            raise errors.unknown_message()
        return message


Route = Callable[[Call], object]
"""Answers a call with what becomes the JSON body; None makes 204."""
