"""Makes the library's connections to the gateway wait for the identify budget, and sets what it has no setting for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from asyncio import selector_events, sslproto
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import EventItem, EventType

from bot.gateway.sessions import ForeignAnswers, IdentifyBudget, SessionTurns
from bot.logs import AtMostHourly
from bot.shard_range import EVERYTHING, ShardRange

_log = logging.getLogger(__name__)

CLEARING_SECONDS = 60.0
WATCH_SECONDS: Final = 3600.0
LOOK_AGAIN_SECONDS: Final = 1.0
"""How often a waiting session asks the identify budget again, or whether it may be resumed."""
STAYS: Final = 4000
"""A close code after which Discord keeps the session; 1000 and 1001 end it
(https://discord.com/developers/docs/events/gateway#initiating-a-disconnect)."""
GOODBYE_SECONDS: Final = 1.0
"""How long to wait for the gateway when closing a connection."""

READ_SIZE: Final = 16 * 1024
"""Bytes that asyncio reads at once from a connection. TLS has no longer records.

By itself asyncio takes 256 KiB (CPython 3.11 to 3.14), keeps what was received and gives the rest back. What is kept
for a while, such as an answer that is being worked on, then lies in the middle of a gap that the next read doesn't fit
into. So the process grew by a MiB a minute under load, although it kept nothing more. Discord's messages are a few KiB
long; a longer one takes several reads.
"""
READERS: Final[tuple[Any, ...]] = (
    selector_events._SelectorSocketTransport,  # type: ignore[attr-defined]
    sslproto.SSLProtocol,
)
"""What asyncio reads with, plain and over TLS. The library offers no setting, but an attribute of each."""


@dataclass(frozen=True, slots=True)
class Resumable:
    """A session of a shard: its id and address, which are secrets, and the last event that was read."""

    shard: int
    id: str = field(repr=False)
    address: str = field(repr=False)
    sequence: int


class ResumingWebSocket(DiscordWebSocket):
    """A connection that resumes the session which another process left, where the library would begin one."""

    @classmethod
    async def from_client(  # type: ignore[override]  # the library's options, as they come
        cls, client: discord.Client, *, shard_id: int | None = None, resume: bool = False, **options: Any
    ) -> DiscordWebSocket:
        """Connect. If nobody answers where a session was left, a new one begins."""
        left = client.resumable.pop(shard_id or 0, None) if isinstance(client, BudgetedClient) and not resume else None
        if isinstance(client, BudgetedClient) and left is not None:
            _log.info("shard %d resumes its session", left.shard)
            session = {"session": left.id, "sequence": left.sequence, "gateway": yarl.URL(left.address)}
            try:
                return await super().from_client(client, shard_id=shard_id, resume=True, **options | session)
            except (aiohttp.ClientError, OSError) as error:  # the library would log a traceback, and wait
                _log.info("shard %d can't resume its session: %s", left.shard, type(error).__name__)
            await client.wait_to_begin(left.shard)
        return await super().from_client(client, shard_id=shard_id, resume=resume, **options)


class _WithoutSessions(logging.Filter):
    """Leaves the ids of sessions out of the library's lines. They come last."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log the record, which is changed."""
        if "session" in str(record.msg).lower() and isinstance(record.args, tuple) and len(record.args) > 1:
            record.args = (*record.args[:-1], "[redacted]")
        return True


class _TryAgain(Exception):  # noqa: N818  a signal between two calls, not an error
    """A shard could not connect, and the library's pause after that is over."""


class BudgetedShard(discord.shard.Shard):
    """One connection of the client. A new session waits until the budget allows it; resuming does not wait.

    The library (2.7) begins a new session at once, again and again, if Discord invalidates each. Waiting here, before a
    connection is opened, delays no other shard, and closing the client ends the wait.
    """

    async def reidentify(self, exc: ReconnectWebSocket) -> None:
        """Resume if the session is still this process's, or begin a new one when the budget allows it."""
        if exc.resume and isinstance(self._client, BudgetedClient) and not await self._client.may_resume():
            self._dispatch("shard_disconnect", self.id)
            self._task = asyncio.get_running_loop().create_task(self._requeue_later(exc))
        elif exc.resume or not self._must_wait(EventItem(EventType.identify, self, exc)):
            await super().reidentify(exc)

    async def reconnect(self) -> None:
        """Begin a new session when the budget allows it."""
        if not self._must_wait(EventItem(EventType.reconnect, self, None)):
            await super().reconnect()

    def _must_wait(self, item: EventItem) -> bool:
        if not isinstance(self._client, BudgetedClient) or not self._client.identify_budget.delay_ms():
            return False
        self._dispatch("shard_disconnect", self.id)
        self._task = asyncio.get_running_loop().create_task(self._requeue_when_due(self._client, item))
        return True

    async def close(self) -> None:
        """Close the connection. Do not wait for a silent gateway; the library (2.7) would give it 30 s. And the session
        lives on: with the library's 1000 Discord would end it."""
        self._cancel_task()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_SECONDS):
                await self.ws.close(code=STAYS)

    async def _requeue_later(self, exc: ReconnectWebSocket) -> None:
        await asyncio.sleep(LOOK_AGAIN_SECONDS)
        self._queue_put(EventItem(EventType.resume, self, exc))

    async def _requeue_when_due(self, client: BudgetedClient, item: EventItem) -> None:
        await client.wait_for_identify()
        self._queue_put(item)


# The library offers no other way to set the classes of its connections.
discord.shard.Shard = BudgetedShard  # type: ignore[misc]
discord.shard.DiscordWebSocket = ResumingWebSocket  # type: ignore[misc]


# The library logs each attempt of a first connection, with a traceback: 720 lines an hour while the gateway is down.
logging.getLogger("discord.shard").addFilter(AtMostHourly("Failed to connect for shard_id"))
logging.getLogger("discord.gateway").addFilter(_WithoutSessions())


class BudgetedClient(discord.AutoShardedClient):
    """A client whose sessions wait for the identify budget, also across restarts, and for those of other processes."""

    def __init__(
        self,
        identify_budget: IdentifyBudget,
        turns: SessionTurns,
        serves: ShardRange = EVERYTHING,
        **options: Any,
    ) -> None:
        """`turns` are those of all processes. `serves` are the shards to connect: all that Discord recommends unless it
        names a number of them."""
        if serves.total > 1:
            options |= {"shard_count": serves.total, "shard_ids": list(serves.ids)}
        super().__init__(**options)
        self.identify_budget = identify_budget
        self._turns = turns
        self.foreign_answers = ForeignAnswers()
        self.resumable: dict[int, Resumable] = {}
        """Sessions that another process left, by their shard, until they are tried."""
        self.stopping = asyncio.Event()
        """Set when the client is closed."""
        self._connecting = False
        _clear_limits_seldom(self.http)

    async def fetch_gateway(self) -> None:
        """Ask Discord where to connect, and how many sessions it still grants."""
        shards, gateway, limit = await self.http.get_bot_gateway()
        if shards > 1 or self.shard_ids is not None:
            _log.info("Discord recommends %d shards", shards)
        if self.shard_ids is None:
            self.shard_count = shards  # otherwise the library asks again, and may wait because of the rate limit
        self._turns.learn(limit.get("max_concurrency", 1))
        # After a session that cannot be resumed, the library uses this constant again, not the address that Discord
        # gave.
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
        await self.identify_budget.load(
            self.application_id or 0,
            self._shards_of_budget,
            total=limit["total"],
            remaining=limit["remaining"],
            reset_after=limit["reset_after"],
        )

    @property
    def own_shards(self) -> Sequence[int]:
        """The shards that this process connects."""
        return self.shard_ids if self.shard_ids is not None else range(self.shard_count or 1)

    async def may_resume(self) -> bool:
        """Whether no other process goes on with the sessions of this one."""
        return True

    def sessions(self) -> Iterator[Resumable]:
        """The sessions of this process as they are now."""
        for shard, info in self.shards.items():
            line = info._parent.ws
            if line.session_id is not None and line.sequence is not None:
                yield Resumable(shard, line.session_id, str(line.gateway), line.sequence)

    def settle(self) -> None:
        """All shards have a session, some resumed: the library would wait for READY of each for ever."""
        if not self.is_ready():
            self._connection.call_handlers("ready")
            self.dispatch("ready")

    @property
    def _shards_of_budget(self) -> int:
        """How many shards the record of sessions is about: those of all processes that share it."""
        return (self.shard_count or 1) if self._turns.shared else len(self.own_shards)

    async def watch_sessions(self) -> None:
        """Ask Discord every hour how many sessions are left, and notice those that another process began."""
        while not self.stopping.is_set():
            await asyncio.sleep(WATCH_SECONDS)
            try:
                _, _, limit = await self.http.get_bot_gateway()
            except (discord.DiscordException, aiohttp.ClientError, OSError):
                continue  # the next hour asks again
            await self.identify_budget.look()
            left = {"remaining": limit["remaining"], "reset_after": limit["reset_after"]}
            if self.identify_budget.count_foreign(**left):
                self.foreign_answers.session_of_another()

    async def launch_shards(self) -> None:
        """Connect, unless the client was closed before."""
        if not self.stopping.is_set():
            await super().launch_shards()

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect one shard. A failure is retried every five seconds until the client is closed.

        The library's own method (2.7) retries by calling itself, which after about 80 minutes exceeds Python's
        recursion limit. Here the second call only ends the first.
        """
        if self._connecting:
            raise _TryAgain
        waited = shard_id not in self.resumable
        while not self.stopping.is_set():
            if shard_id not in self.resumable:
                if waited:
                    await self._wait_for_turn(shard_id)
                else:  # its session could not be resumed
                    await self.wait_to_begin(shard_id)
            if self.stopping.is_set():
                return
            self._connecting = True
            try:
                await super().launch_shard(gateway, shard_id, initial=initial)
            except _TryAgain:
                initial = False
            else:
                return
            finally:
                self._connecting = False

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Record an identify in the budget, and wait for its turn, just before the library sends it."""
        await self.identify_budget.record_identify()
        if self._turns.shared:
            await self._sleep(await self._turns.to_identify(shard_id or 0))
        else:
            await super().before_identify_hook(shard_id, initial=initial)

    async def wait_to_begin(self, shard_id: int) -> None:
        """Wait until a shard may begin a session."""
        await self.wait_for_identify()
        await self._wait_for_turn(shard_id)

    async def _wait_for_turn(self, shard_id: int) -> None:
        await self._sleep(await self._turns.to_connect(shard_id))

    async def _sleep(self, milliseconds: int) -> None:
        """Wait, or until the client is closed."""
        if milliseconds:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), milliseconds / 1000)

    async def wait_for_identify(self) -> None:
        """Wait until the identify budget allows a session, or until the client is closed."""
        await self.identify_budget.look()
        wait = self.identify_budget.delay_ms()
        if not wait:
            return
        _log.warning(
            "the next session begins in %d s: %d began in the last hour, Discord leaves us %d today",
            math.ceil(wait / 1000),
            self.identify_budget.used_last_hour,
            self.identify_budget.remaining,
        )
        while self.identify_budget.delay_ms() and not self.stopping.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), LOOK_AGAIN_SECONDS)


def _clear_limits_seldom(http: discord.http.HTTPClient) -> None:
    """Let the library clear expired rate limits once a minute.

    The library (2.7) goes through all recent limits at each new channel. With thousands of boards to edit, that takes a
    tenth of the time.
    """
    clear, last = http._try_clear_expired_ratelimits, time.monotonic()

    def seldom() -> None:
        nonlocal last
        if time.monotonic() - last >= CLEARING_SECONDS:
            last = time.monotonic()
            clear()

    http._try_clear_expired_ratelimits = seldom  # type: ignore[method-assign]  # the library offers no other way


def read_in_small_pieces() -> None:
    """Let every connection that asyncio opens in this process read this much at once."""
    for reader in READERS:
        reader.max_size = READ_SIZE
