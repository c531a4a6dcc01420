"""Watches the requests of the library's HTTP session."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Final

import aiohttp

from bot.telemetry import Telemetry

CALLBACK: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
SCOPES: Final = frozenset({"user", "global", "shared"})
INVALID: Final = frozenset({401, 403, 429})
"""The statuses that Discord counts against an address, except 429 from a shared limit. It bans an address with 10,000
in ten minutes for a while
(https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans)."""


def request_trace(telemetry: Telemetry) -> aiohttp.TraceConfig:
    """A trace for the HTTP session that reports the result of each request."""

    async def ended(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        status = params.response.status
        scope = params.response.headers.get("X-RateLimit-Scope", "user")
        if status == 429:
            telemetry.rate_limited(scope if scope in SCOPES else "user")
        if status in INVALID and not (status == 429 and scope == "shared"):
            telemetry.invalid_request(status)
        callback = CALLBACK.search(params.url.path)
        if callback is not None and status < 300:
            telemetry.first_response(int(callback[1]))

    async def failed(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, _params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        telemetry.request_failed()

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace
