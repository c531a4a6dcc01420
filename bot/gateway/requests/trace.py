"""Limits and watches the requests to Discord: those of the library's HTTP session, and those that go past it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Final

import aiohttp

from bot.gateway.requests.rate_limiter import RateLimiter
from bot.telemetry import Telemetry

CALLBACK: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
SCOPES: Final = frozenset({"user", "global", "shared"})
INVALID: Final = frozenset({401, 403, 429})
"""The statuses that Discord counts against an address, except 429 from a shared limit. It bans an address with 10,000
in ten minutes for a while
(https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans)."""


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
        callback = CALLBACK.search(path)
        if callback is not None and status < 300:
            self._telemetry.first_response(int(callback[1]))

    def failed(self) -> None:
        """A request got no answer at all."""
        self._telemetry.request_failed()


def request_trace(watch: RequestWatch | None, limiter: RateLimiter | None = None) -> aiohttp.TraceConfig:
    """A trace for the HTTP session that lets each request wait for `limiter`, and notes it in `watch`."""

    async def begun(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        if limiter is not None:
            await limiter.wait(params.url.path)

    async def ended(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
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
