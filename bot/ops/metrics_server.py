"""Serves `/metrics` for Prometheus and `/health`, on loopback only."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.ops.loopback_requests import refuse_strangers
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
