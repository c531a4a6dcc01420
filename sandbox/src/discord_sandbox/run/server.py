"""The sandbox: a Discord on loopback, started and stopped as one object."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from discord_sandbox.api import files
from discord_sandbox.api.http_adapter import MOST_REQUEST_BYTES, add_routes
from discord_sandbox.clients.driver import DrivenChannel, Person
from discord_sandbox.clients.page_server import PageServer
from discord_sandbox.clients.views import MessageView
from discord_sandbox.gateway import socket
from discord_sandbox.gateway.gateway import Gateway
from discord_sandbox.model import payloads
from discord_sandbox.model.clock import Clock
from discord_sandbox.model.faults import FaultsOnDemand
from discord_sandbox.model.feed import Event
from discord_sandbox.model.limits import Limits
from discord_sandbox.model.rate_limits import RateLimits
from discord_sandbox.model.state import Server
from discord_sandbox.model.transcript import Transcript
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.run import front_door
from discord_sandbox.run.control_api import ControlApi
from discord_sandbox.service import channels, guild_events, world_plan
from discord_sandbox.service.backend import Backend
from discord_sandbox.service.old_edit_limit import OldEditLimit
from discord_sandbox.service.watchers import Watcher
from discord_sandbox.validation.attachments import StoredFile

_PREFIXES = ("/api/v10", "/api/v9", "/api")
_CLOSING_SECONDS = 0.5
_KEY_BYTES = 16
WITHIN = 30.0
"""Seconds until a wait gives up unless told otherwise: a busy machine is slow, not wrong."""


class NotLoopbackError(ValueError):
    """The sandbox serves only this machine, but got another address."""


class Sandbox:
    """A Discord on this machine, and the driver's way into it.

    `plan` is a world as `discord_sandbox.service.world_plan` describes it (None: the default one), `token` the bot's,
    `page_key` what a page must know to be somebody (None: a random one), `transcript_entries` how much of the traffic
    is kept (None: all), `control` whether the control API (`discord_sandbox.run.control_api`) is served.
    """

    def __init__(
        self,
        plan: JsonObject | None = None,
        *,
        token: str | None = None,
        page_key: str | None = None,
        transcript_entries: int | None = None,
        control: bool = False,
    ) -> None:
        self.clock = Clock()
        world = world_plan.build(plan or {}, self.clock, token)
        self.backend = Backend(world, self.clock, transcript_entries=transcript_entries)
        self.world = world
        self.page_key = page_key or secrets.token_urlsafe(_KEY_BYTES)
        self._page = PageServer(self.backend, self.page_key)
        self._control = ControlApi(self) if control else None
        self._people: dict[int, Person] = {}
        self._runner: web.AppRunner | None = None
        self.host = ""
        self.port = 0

    # Its life.

    @classmethod
    @asynccontextmanager
    async def running(
        cls,
        plan: JsonObject | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str | None = None,
        transcript_entries: int | None = None,
        control: bool = False,
    ) -> AsyncIterator[Sandbox]:
        """A sandbox that runs within an `async with`; port 0 picks a free one."""
        sandbox = cls(plan, token=token, transcript_entries=transcript_entries, control=control)
        await sandbox.start(host, port)
        try:
            yield sandbox
        finally:
            await sandbox.stop()

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen. Raises NotLoopbackError for an address others could reach, OSError for a taken port."""
        check_loopback(host)
        app = self.application()
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=_CLOSING_SECONDS)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        try:
            await site.start()
        except OSError:
            await self.stop()
            raise
        self.host = host
        self.port = self._runner.addresses[0][1]
        self.backend.attachments.origin = self.origin

    def application(self) -> web.Application:
        """All that the sandbox serves, for whatever listens."""
        app = web.Application(client_max_size=MOST_REQUEST_BYTES)
        front_door.close_to_strangers(app)
        add_routes(app, self.backend, _PREFIXES)
        app.router.add_get("/gateway", self._serve_gateway)
        app.router.add_get("/gateway/", self._serve_gateway)
        files.add_routes(app, self.backend)
        self._page.add_routes(app)
        if self._control is not None:
            self._control.add_routes(app)
        return app

    async def stop(self) -> None:
        """Close every connection and stop listening; a second call does nothing."""
        runner, self._runner = self._runner, None
        if runner is None:
            return
        self.backend.interactions.close()
        await self.backend.gateway.close()
        await self._page.close()
        await runner.cleanup()
        self.clock.stop()

    # Its addresses.

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def api_base(self) -> str:
        """The address of the API for a bot, e.g. http://127.0.0.1:8787/api/v10."""
        return f"{self.origin}/api/v10"

    @property
    def gateway_url(self) -> str:
        """The address of the gateway for a bot, e.g. ws://127.0.0.1:8787/gateway."""
        return f"{self.origin.replace('http', 'ws', 1)}/gateway"

    @property
    def page_url(self) -> str:
        """The page's address for a browser, with the key that it needs. A browser doesn't send that part."""
        return f"{self.origin}/#key={self.page_key}"

    @property
    def token(self) -> str:
        """The bot's token."""
        return self.world.application.token

    # Who and what is in it.

    @property
    def limits(self) -> Limits:
        """Times and counts a test may change."""
        return self.backend.limits

    @property
    def faults(self) -> FaultsOnDemand:
        """The faults on demand. Others may be set, such as some that strike by chance."""
        return self.backend.faults

    @faults.setter
    def faults(self, faults: FaultsOnDemand) -> None:
        self.backend.faults = self.backend.gateway.faults = faults

    @property
    def old_edit_limit(self) -> OldEditLimit:
        """How many edits of old messages a channel allows (`most`), and in how many seconds (`window`)."""
        return self.backend.old_edit_limit

    @property
    def rate_limits(self) -> RateLimits:
        """The rate limits, and the switch that enforces them."""
        return self.backend.rate_limits

    @property
    def gateway(self) -> Gateway:
        """The gateway and its connections."""
        return self.backend.gateway

    @property
    def transcript(self) -> Transcript:
        """The traffic so far."""
        return self.backend.transcript

    @property
    def people(self) -> list[Person]:
        """Everybody except the bot."""
        return [self._person(user.id) for user in self.world.people]

    def user(self, name: str) -> Person:
        """A person by the name others see; raises LookupError."""
        for user in self.world.people:
            if user.shown_name == name:
                return self._person(user.id)
        raise LookupError(f"there is no person called {name!r}")

    def chat(self, *people: Person, name: str | None = None) -> DrivenChannel:
        """The direct messages of two people, or a group of more or with a name: without the bot, and new if there is
        none of the kind yet."""
        made = world_plan.chat(self.world.snowflakes.next(), tuple(each.user for each in people), name)
        for each in self.world.chats:
            if (each.kind, each.name, each.recipients) == (made.kind, made.name, made.recipients):
                return DrivenChannel(self.backend, each)
        return DrivenChannel(self.backend, self.world.add_chat(made))

    def server(self, name: str | None = None) -> Server:
        """A server by name, or the first; raises LookupError."""
        for server in self.world.servers.values():
            if name is None or server.name == name:
                return server
        raise LookupError(f"there is no server called {name!r}")

    def channel(self, name: str, server: str | None = None) -> DrivenChannel:
        """A channel by name, of the first server unless told otherwise; raises LookupError."""
        for channel in self.server(server).channels.values():
            if channel.name == name:
                return DrivenChannel(self.backend, channel)
        raise LookupError(f"there is no channel called {name!r}")

    def channels(self) -> list[DrivenChannel]:
        """Every channel of every server, without threads."""
        return [
            DrivenChannel(self.backend, each)
            for server in self.world.servers.values()
            for each in server.channels.values()
        ]

    def commands(self) -> list[JsonObject]:
        """The application's global commands, as Discord returns them."""
        return self.backend.commands.in_scope(None)

    def file(self, attachment_id: int) -> bytes:
        """The content of a file that was sent with a message; raises LookupError."""
        return self.backend.attachments.files[attachment_id].content

    def add_emoji(self, name: str, png: bytes) -> int:
        """Give the application an emoji, without a request of the bot's. Its id."""
        application, number = self.world.application, self.world.snowflakes.next()
        application.emojis[number] = payloads.emoji(number, name, application.bot)
        self.backend.attachments.emojis[number] = StoredFile("image/png", png)
        return number

    def _person(self, user_id: int) -> Person:
        person = self._people.get(user_id)
        if person is None:
            person = self._people[user_id] = Person(self.backend, self.world.users[user_id])
        return person

    def describe(self) -> JsonObject:
        """The world as it is now, as a plan that builds it again; without messages and threads."""
        return world_plan.describe(self.world)

    # Seeing what happens.

    def listen(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Call `listener` with each event, whether the bot gets it or not. Call the result to stop."""
        return self.backend.feed.listen(listener)

    def watch(self, watcher: Watcher) -> None:
        """Let `watcher` see every interaction and every request when it takes effect."""
        self.backend.watchers.add(watcher)

    # Waiting and moving time.

    async def wait_for(self, condition: Callable[[], object], timeout: float = WITHIN) -> None:  # noqa: ASYNC109  the bound is part of the promise
        """Return once `condition()` is true, asked after every change; TimeoutError after `timeout` s."""
        await self.backend.feed.wait_until(condition, timeout)

    async def wait_for_bot(self, timeout: float = WITHIN) -> None:  # noqa: ASYNC109  as above
        """Return once a bot is connected to the gateway."""
        await self.wait_for(lambda: self.backend.gateway.connected, timeout)

    async def wait_until_bot_left(self, timeout: float = WITHIN) -> None:  # noqa: ASYNC109  as above
        """Return once no bot is connected: the gateway learns of a process's end a moment after its parent does."""
        await self.wait_for(lambda: not self.backend.gateway.connected, timeout)

    async def wait_for_shards(self, *servers: Server, timeout: float = WITHIN) -> None:  # noqa: ASYNC109  as above
        """Return once some process gets the events of each of these servers; without any named, of all that the bot is
        in, and of direct messages."""
        gateway = self.backend.gateway
        if servers:
            await self.wait_for(lambda: all(gateway.hears(each.id) for each in servers), timeout)
        else:
            await self.wait_for(lambda: gateway.attendance() == {"connected": True, "away": []}, timeout)

    def advance(self, seconds: float) -> None:
        """Let the sandbox's time pass at once: tokens age, answers come too late."""
        self.clock.advance(seconds)

    # What happens to a bot.

    def drop_gateway(self, *, resumable: bool = True, code: int | None = None, shard: int | None = None) -> None:
        """Cut every gateway connection, or those of one shard: with a close code, or (None) as a broken line does."""
        self.backend.gateway.drop(resumable=resumable, code=code, shard=shard)

    def delete_message(self, message: MessageView) -> None:
        """Let a moderator delete a message."""
        self.backend.messages.delete(message.record)

    def delete_channel(self, channel: DrivenChannel) -> None:
        """Let a channel disappear, with its messages."""
        channels.delete(self.backend, channel.record)

    def remove_member(self, person: Person, server: Server | None = None) -> None:
        """Let a person leave a server (None: the first)."""
        guild_events.remove_member(self.backend, server or self.server(), person.user)

    def add_member(self, person: Person, server: Server | None = None) -> None:
        """Let a person join a server (None: the first)."""
        guild_events.add_member(self.backend, server or self.server(), person.user)

    def remove_bot(self, server: Server | None = None) -> None:
        """Let the bot be removed from a server (None: the first)."""
        guild_events.remove_bot(self.backend, server or self.server())

    def add_bot(self, server: Server | None = None) -> None:
        """Let the bot be added to a server again (None: the first)."""
        guild_events.add_bot(self.backend, server or self.server())

    def lose_server(self, server: Server | None = None) -> None:
        """Let a server (None: the first) become unavailable, as in an outage."""
        self.backend.gateway.server_lost(server or self.server())

    def restore_server(self, server: Server | None = None) -> None:
        """Let a server (None: the first) be available again."""
        self.backend.gateway.server_joined(server or self.server())

    async def _serve_gateway(self, request: web.Request) -> web.StreamResponse:
        return await socket.serve(self.backend.gateway, request)


def check_loopback(host: str) -> None:
    """Raise NotLoopbackError unless `host` is an address only this machine can reach."""
    if not front_door.is_loopback(host):
        raise NotLoopbackError(f"the sandbox listens on loopback only, not on {host!r}")
