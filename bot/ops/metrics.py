"""The bot's telemetry as metrics for Prometheus, and the server of `/metrics` and `/health`, on loopback only.

Names, labels and meanings never change, because dashboards and alarms are built on them. No label contains an id or a
name.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest

from bot import kept
from bot.settings import ConfigurationError
from bot.store.errors import StoreError
from bot.store.store import Store
from bot.telemetry import Telemetry
from bot.ui.catalogue import lacking

SECONDS: Final = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
"""Upper bounds of the first response's buckets. At 3 seconds Discord tells the player that it failed."""

LAGS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the event loop's lag, in seconds."""

BOARD_LAGS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of a board's lag, in seconds. Discord allows about one edit per second in a channel."""

COMPUTER_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0)
"""Upper bounds of the time that a worker's answer takes, in seconds. After 5 seconds nothing waits for it."""

WAITING_AT_MOST: Final = 4096
"""The most interactions to wait for. Beyond that the oldest are forgotten: they were never answered."""

HOST: Final = "127.0.0.1"
STORE_WITHIN: Final = 2.0
"""Seconds after which a store that does not answer counts as failing."""
STORE_FAILED_WITHIN: Final = 15.0
"""Seconds for which a refused write counts. The bot writes a heartbeat every five, so a full disk is noticed as long as
it is full, and soon no longer."""


class Metrics(Telemetry):
    """All metrics of one bot."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        """`monotonic` gives seconds since some moment."""
        self._monotonic = monotonic
        self._registry = CollectorRegistry()
        self._came: kept.Kept[int, float] = kept.Kept("interactions that wait", WAITING_AT_MOST)
        self._store_failed_at = float("-inf")
        self.last_lag = 0.0
        self.last_backup: float | None = None
        """When the newest sound backup was made, in seconds since 1970, UTC; None if none is known of."""
        counter = partial(Counter, registry=self._registry)
        seconds = partial(Histogram, registry=self._registry)
        self._first_response = seconds(
            "cardroom_first_response_seconds",
            "Time from an interaction's arrival until Discord accepts the first response; it gives up after 3 seconds",
            buckets=SECONDS,
        )
        self._late = counter(
            "cardroom_late_interactions",
            "Presses and commands dropped because they arrived too late, by kind",
            ["kind"],
        )
        self._refused = counter(
            "cardroom_answers_refused",
            "Answers that Discord refused, by its error code: 10062 means too late, 40060 already answered",
            ["code"],
        )
        self._plain = counter(
            "cardroom_answers_given_plain",
            "Answers that Discord refused, by its error code, and that were given once more without picture and emojis",
            ["code"],
        )
        self._slow = counter("cardroom_answers_too_slow", "Answers that the bot gave up at its own deadline")
        self._limited = counter(
            "cardroom_rate_limited", "429 responses by the scope of the limit: user, global or shared", ["scope"]
        )
        self._invalid = counter(
            "cardroom_invalid_requests",
            "Responses by status, 401, 403 and 429; after 10,000 in ten minutes Discord blocks the address for a while",
            ["status"],
        )
        self._unreachable = counter("cardroom_failed_requests", "Requests that got no response")
        self._identifies = counter("cardroom_identifies", "New gateway sessions, of which a day has 1,000")
        self._faults = counter(
            "cardroom_faults", "Errors in the program by what it was doing; 'a rule of ...' paused its match", ["doing"]
        )
        self._store = counter("cardroom_store_failures", "Reads and writes that the database refused")
        self._backups = counter("cardroom_backup_failures", "Backups that failed")
        gauge = partial(Gauge, registry=self._registry)
        self._newest_backup = gauge(
            "cardroom_newest_backup_timestamp_seconds", "When the newest sound backup was made; 0 if none is known of"
        )
        self._backups_bytes = gauge("cardroom_backups_bytes", "What all backups take that the bot has made and kept")
        self._disk_free = gauge("cardroom_backups_disk_free_bytes", "What is free on the disk with the backups")
        self._mismatches = counter(
            "cardroom_replay_mismatches",
            "Matches on hold because of their log, and those whose stored deadlines it corrected (of deadlines)",
            ["of"],
        )
        self._lag = seconds(
            "cardroom_loop_lag_seconds", "How late the event loop runs, measured twice per second", buckets=LAGS
        )
        self._board_lag = seconds(
            "cardroom_board_lag_seconds",
            "Time from a board's change until Discord accepts its edit",
            buckets=BOARD_LAGS,
        )
        self._board_edits = counter(
            "cardroom_board_edits",
            "Edits of boards that Discord took: by interaction, which costs no request by the bot's token, or by bot",
            ["by"],
        )
        self._in_words = counter(
            "cardroom_boards_in_words",
            "Channels whose boards became words for a while: because edits of boards came late, or because Discord "
            "refused a picture",
            ["why"],
        )
        self._computers = seconds(
            "cardroom_computer_answer_seconds",
            "Time from a question to a computer player until a worker answers it",
            buckets=COMPUTER_SECONDS,
        )
        self._cut_short = counter(
            "cardroom_computer_answers_cut_short",
            "Answers of computer players that had to stop thinking early, because many play or the machine is busy",
        )
        self._fallbacks = counter(
            "cardroom_computer_fallbacks",
            "Acts of computer players by a rule of thumb, by why no worker answered: busy, error, late, worker",
            ["why"],
        )
        self._workers_died = counter(
            "cardroom_computer_workers_died",
            "Worker processes of computer players that ended by themselves, hung or did not start",
        )
        self._live_matches = gauge("cardroom_live_matches", "Matches being played")
        self._kept = Gauge(
            "cardroom_kept",
            "Entries that the process keeps in memory, by what of; those named as functions are remembered results",
            ["of"],
            registry=self._registry,
        )
        self._kept_most = Gauge(
            "cardroom_kept_most",
            "How many such entries there are at most; of what has no bound there is one for each server, open match, "
            "table or message, or for each thing that the program ships",
            ["of"],
            registry=self._registry,
        )
        self._lacking = Gauge(
            "cardroom_sentences_lacking",
            "Sentences that somebody read in English because their language lacks them, by language; each counts once",
            ["language"],
            registry=self._registry,
        )
        for metric, labels in (  # these are shown from the start, as 0
            (self._late, ("press", "command")),
            (self._refused, (10062, 40060)),
            (self._limited, ("user", "global", "shared")),
            (self._mismatches, ("log", "deadlines")),
            (self._board_edits, ("bot", "interaction")),
            (self._in_words, ("late", "refused")),
            (self._fallbacks, ("busy", "error", "late", "worker")),
        ):
            for label in labels:
                metric.labels(label)

    def families(self) -> Iterable[Metric]:
        """Every metric with its type and meaning, in the order of `/metrics`."""
        return self._registry.collect()

    def text(self, live_matches: int) -> bytes:
        """All metrics in Prometheus's text format, with the number of live matches."""
        self._live_matches.set(live_matches)
        for name, size, most in kept.counts():
            self._kept.labels(name).set(size)
            if most is not None:
                self._kept_most.labels(name).set(most)
        for language, count in lacking().items():
            self._lacking.labels(language).set(count)
        return generate_latest(self._registry)

    def store_failed_within(self, seconds: float) -> bool:
        """Whether the database refused a read or write in the last `seconds`."""
        return self._monotonic() - self._store_failed_at < seconds

    # ------------------------------------------------------------------------------------ Discord

    def interaction_arrived(self, interaction_id: int) -> None:
        self._came[interaction_id] = self._monotonic()

    def first_response(self, interaction_id: int) -> None:
        came = self._came.pop(interaction_id, None)
        if came is not None:
            self._first_response.observe(self._monotonic() - came)

    def identify(self) -> None:
        self._identifies.inc()

    def rate_limited(self, scope: str) -> None:
        self._limited.labels(scope).inc()

    def invalid_request(self, status: int) -> None:
        self._invalid.labels(status).inc()

    def request_failed(self) -> None:
        self._unreachable.inc()

    # ------------------------------------------------------------------------------------ answers

    def press_late(self) -> None:
        self._late.labels("press").inc()

    def command_late(self) -> None:
        self._late.labels("command").inc()

    def answer_refused(self, code: int) -> None:
        self._refused.labels(code).inc()

    def answer_given_plain(self, code: int) -> None:
        self._plain.labels(code).inc()

    def answer_slow(self) -> None:
        self._slow.inc()

    # ------------------------------------------------------------------------------------ failures

    def fault(self, doing: str) -> None:
        self._faults.labels(doing).inc()

    def replay_failed(self) -> None:
        self._mismatches.labels("log").inc()

    def deadlines_repaired(self) -> None:
        self._mismatches.labels("deadlines").inc()

    def store_failed(self) -> None:
        self._store.inc()
        self._store_failed_at = self._monotonic()

    def backup_failed(self) -> None:
        self._backups.inc()

    def newest_backup(self, made_at: float) -> None:
        self._newest_backup.set(made_at)
        self.last_backup = made_at

    def backups_take(self, size: int) -> None:
        self._backups_bytes.set(size)

    def disk_free(self, size: int) -> None:
        self._disk_free.set(size)

    # ------------------------------------------------------------------------------------ computer players

    def computer_answered(self, seconds: float) -> None:
        self._computers.observe(seconds)

    def computer_cut_short(self) -> None:
        self._cut_short.inc()

    def computer_fell_back(self, why: str) -> None:
        self._fallbacks.labels(why).inc()

    def worker_died(self) -> None:
        self._workers_died.inc()

    # ------------------------------------------------------------------------------------ lag

    def board_lag(self, seconds: float) -> None:
        self._board_lag.observe(seconds)

    def board_edited(self, by: str) -> None:
        self._board_edits.labels(by).inc()

    def boards_in_words(self, why: str) -> None:
        self._in_words.labels(why).inc()

    def loop_lag(self, seconds: float) -> None:
        self.last_lag = seconds
        self._lag.observe(seconds)


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
        if metrics.last_backup is not None:
            state["backup_age_seconds"] = round(time.time() - metrics.last_backup)
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
