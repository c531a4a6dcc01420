"""Serves `/metrics` for Prometheus and `/health`, on loopback only."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler
from prometheus_client import CONTENT_TYPE_LATEST

from bot.ops.metrics import Metrics
from bot.settings import ConfigurationError
from bot.store.errors import StoreError
from bot.store.store import Store

HOST: Final = "127.0.0.1"
STORE_WITHIN: Final = 2.0
"""Seconds after which a store that does not answer counts as failing."""
STORE_FAILED_WITHIN: Final = 15.0
"""Seconds for which a refused write counts. The bot writes a heartbeat every five, so a full disk is noticed as long as
it is full, and soon no longer."""


@asynccontextmanager
async def serving(
    metrics: Metrics | None,
    store: Store,
    connected: Callable[[], bool],
    live_matches: Callable[[], int],
    port: int,
) -> AsyncIterator[None]:
    """Serve `/metrics` and `/health` until the block ends; serve nothing without metrics.

    Each request calls `connected` and `live_matches` (the number of matches being played). Raises ConfigurationError
    when the port cannot be used.
    """
    if metrics is None:
        yield
        return
    runner = web.AppRunner(_application(metrics, store, connected, live_matches), access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, HOST, port).start()
        except OSError as error:
            raise ConfigurationError(f"CARDROOM_METRICS_PORT: port {port} cannot be used ({error.strerror})") from None
        yield
    finally:
        await runner.cleanup()


def _application(
    metrics: Metrics, store: Store, connected: Callable[[], bool], live_matches: Callable[[], int]
) -> web.Application:
    async def figures(_: web.Request) -> web.Response:
        return web.Response(body=metrics.text(live_matches()), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def health(_: web.Request) -> web.Response:
        here, stored = connected(), await _answers(store) and not metrics.store_failed_within(STORE_FAILED_WITHIN)
        state = {
            "status": "ok" if here and stored else "failing",
            "connected": here,
            "store": stored,
            "live_matches": live_matches(),
            "loop_lag_seconds": round(metrics.last_lag, 4),
        }
        if not store.serves.is_everything:
            state["shards"] = str(store.serves)
        return web.json_response(state, status=200 if here and stored else 503)

    application = web.Application(middlewares=[refuse_strangers])
    application.add_routes([web.get("/metrics", figures), web.get("/health", health)])
    return application


async def _answers(store: Store) -> bool:
    try:
        async with asyncio.timeout(STORE_WITHIN):
            await store.last_heartbeat()
    except (StoreError, TimeoutError):
        return False
    return True


# ---------------------------------------------------------------------------------------------- strangers


@web.middleware
async def refuse_strangers(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer 403 to a request that names another host or comes from a page of another origin.

    A page in a browser on this machine can send requests to loopback, and another site's name can be made to mean
    loopback (DNS rebinding), which lets its page read the answers. Programs such as Prometheus and curl send neither
    `Origin` nor `Sec-Fetch-Site`. Source: the Fetch standard (Origin) and W3C's Fetch Metadata Request Headers.
    """
    if not _names_loopback(request.host):
        raise web.HTTPForbidden(text="use 127.0.0.1 or localhost\n")
    if _is_from_a_page(request):
        raise web.HTTPForbidden(text="not for web pages\n")
    return await handler(request)


def _names_loopback(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:  # a name that is no address, or an IPv6 address without its second bracket
        return False


def _is_from_a_page(request: web.Request) -> bool:
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.host}":
        return True
    return request.headers.get("Sec-Fetch-Site", "none") not in {"none", "same-origin"}
