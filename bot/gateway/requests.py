"""Requests to Discord: limited in number, watched, and answered without an echo.

Discord takes 50 requests per second with a bot's own token
(https://discord.com/developers/docs/topics/rate-limits#global-rate-limit). The library notices that limit when it is
broken: then all requests under way wait, are sent together, and most are refused once more. Each refusal counts towards
a ban of the address. So requests wait before they are sent (`RateLimiter`). Answers to interactions and edits through
their tokens count for nothing and don't wait.

discord.py (2.7) asks Discord to send back every message that answers an interaction, and makes objects of it; for a
hand that is a fifth of a press's work. The bot requests only new public messages, because it needs their ids
(`NoEcho`).
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
from discord import InteractionResponseType, MessageFlags
from discord.http import MultipartParameters, Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.telemetry import Telemetry

WITHOUT_LIMIT: Final = re.compile(r"/(interactions|webhooks)/")
SECOND: Final = 1.0
REQUESTS_PER_SECOND: Final = 45
"""How many requests a bot's processes make together. Discord counts its 50 as they arrive, and some are late."""
EDITS_PER_SECOND: Final = 40
"""How many of these may be edits, posts and removals of the edit queue. The difference leaves it room to catch up."""
LEAST: Final = 5
"""How many requests per second a process may make however few shards it has: people wait for the answers."""

FIRST_RESPONSE: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
SCOPES: Final = frozenset({"user", "global", "shared"})
INVALID: Final = frozenset({401, 403, 429})
"""The statuses that Discord counts against an address, except 429 from a shared limit. It bans an address with 10,000
in ten minutes for a while
(https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans)."""
SERVER_FAILURE: Final = 500
"""The least status of a failure of Discord's own."""
CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
_NEW_MESSAGE = InteractionResponseType.channel_message.value
_CHANGED_MESSAGE = InteractionResponseType.message_update.value
_EPHEMERAL = MessageFlags(ephemeral=True).value


class RateLimiter:
    """Sends a limited number of requests in any second, in the order in which they came."""

    def __init__(self, share: float = 1.0) -> None:
        """`share` is this process's of all that the bot may make; more than 1 if something else keeps the limit."""
        self.edits_per_second: Final = EDITS_PER_SECOND * share
        most = max(LEAST, math.floor(REQUESTS_PER_SECOND * share))
        self._sent: deque[float] = deque(maxlen=most)
        self._count: Callable[[], None] = lambda: None

    def count_with(self, count: Callable[[], None]) -> None:
        """Call this for each request that Discord counts, in the task that makes it."""
        self._count = count

    async def wait(self, path: str) -> None:
        """Wait until a request for this path may be sent."""
        if WITHOUT_LIMIT.search(path):
            return
        self._count()
        now = asyncio.get_running_loop().time()
        at = now
        if len(self._sent) == self._sent.maxlen:
            at = max(now, self._sent[0] + SECOND)
        self._sent.append(at)
        if at > now:
            await asyncio.sleep(at - now)


class RequestWatch:
    """Reports the result of each request."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._telemetry = telemetry

    def ended(self, path: str, status: int, headers: Mapping[str, str]) -> None:
        """A request for this path, without its query, was answered."""
        scope = headers.get("X-RateLimit-Scope", "user")
        if status == 429:
            self._telemetry.rate_limited(scope if scope in SCOPES else "user")
        if status in INVALID and not (status == 429 and scope == "shared"):
            self._telemetry.invalid_request(status)
        callback = FIRST_RESPONSE.search(path)
        if callback is not None and status < 300:
            self._telemetry.first_response(int(callback[1]))

    def failed(self) -> None:
        """A request got no answer at all."""
        self._telemetry.request_failed()


def request_trace(
    watch: RequestWatch | None,
    limiter: RateLimiter | None = None,
    replied: Callable[[Mapping[str, str]], None] = lambda _headers: None,
) -> aiohttp.TraceConfig:
    """A trace for the HTTP session that lets each request wait for `limiter`, and notes it in `watch`. `replied` is
    called with the headers of each reply."""

    async def begun(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        if limiter is not None:
            await limiter.wait(params.url.path)

    async def ended(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        replied(params.response.headers)
        if watch is not None:
            watch.ended(params.url.path, params.response.status, params.response.headers)

    async def failed(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, _params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if watch is not None:
            watch.failed()

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(begun)
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace


class ServerFailed(aiohttp.ClientError):
    """Discord's server failed (5xx) at a first response. It may have taken it, as when a connection is cut."""


class _Telling:
    """A stand-in for the library's session that raises ServerFailed, where the library would send the request again
    after a second and take the refusal of its own second try for the answer."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session

    @asynccontextmanager
    async def request(self, method: str, url: str, **options: Any) -> AsyncIterator[Any]:
        """As `aiohttp.ClientSession.request`; raises ServerFailed as well."""
        async with self._session.request(method, url, **options) as response:
            if response.status >= SERVER_FAILURE:
                raise ServerFailed(f"HTTP {response.status}")
            yield response


class NoEcho(AsyncWebhookAdapter):
    """The library's adapter for interactions, without the echo of private messages and of changed ones.

    A first response at which Discord's server fails is not sent again: it raises ServerFailed.
    """

    async def request(self, route: Route, session: aiohttp.ClientSession, **more: Any) -> Any:
        """As the library does, but for first responses at which Discord's server fails."""
        sent: Any = _Telling(session) if route.path == CALLBACK else session
        return await super().request(route, sent, **more)

    def create_interaction_response(
        self,
        interaction_id: int,
        token: str,
        *,
        session: aiohttp.ClientSession,
        proxy: str | None = None,
        proxy_auth: aiohttp.BasicAuth | None = None,
        params: MultipartParameters,
    ) -> Coroutine[Any, Any, Any]:
        """Give the first response. The result is Discord's or, without an echo, the part of it that is known."""
        payload = params.payload
        if payload is None or _echo_wanted(payload):
            return super().create_interaction_response(
                interaction_id, token, session=session, proxy=proxy, proxy_auth=proxy_auth, params=params
            )
        route = Route("POST", CALLBACK, webhook_id=interaction_id, webhook_token=token)
        answering = self.request(route, session, payload=payload, proxy=proxy, proxy_auth=proxy_auth)
        return _known(interaction_id, answering)


def request_none() -> None:
    """Request no echoes in the current task, and in tasks that it starts."""
    async_context.set(NoEcho())  # type: ignore[no-untyped-call]  # the library's constructor has no types


async def _known(interaction_id: int, answering: Coroutine[Any, Any, Any]) -> dict[str, Any]:
    await answering
    return {"interaction": {"id": interaction_id}}


def _echo_wanted(payload: dict[str, Any]) -> bool:
    kind = payload.get("type")
    if kind == _NEW_MESSAGE:
        return not payload["data"].get("flags", 0) & _EPHEMERAL
    return kind != _CHANGED_MESSAGE
