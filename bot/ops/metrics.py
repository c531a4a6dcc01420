"""What is counted and measured while the bot runs, in Prometheus's terms.

Nothing in the house calls this. It watches from three places: the requests of the library's HTTP session (an aiohttp
trace), what the client tells it (the gateway's interactions and identifies, the lag of boards and of the event loop),
and the log, of which the lines in `COUNTED` are counted. No label holds an id or a name.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Final

import aiohttp
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from bot.play.quarantine import REPLAYING

SECONDS: Final = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
"""Upper bounds of the first response's buckets; at 3 Discord has told the player that it failed."""

LAGS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the event loop's lag, in seconds."""

BOARD_LAGS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of a board's lag, in seconds; an edit a second in a channel is what Discord grants."""

WAITING_AT_MOST: Final = 4096
"""Interactions whose first response is awaited; the oldest beyond that are forgotten, for they were never answered."""

CALLBACK: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
INVALID: Final = frozenset({401, 403, 429})
"""What Discord counts against an address: 10,000 in ten minutes close the door
(https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans)."""

PRESS_LATE: Final = "dropped a press that came %.1f s late"
COMMAND_LATE: Final = "dropped a command that came %.1f s late"
REFUSED: Final = "an answer was refused: HTTP %d, code %d (interaction %d)"
TOO_SLOW: Final = "an answer took longer than %.1f s (interaction %d)"
FAULT: Final = "error %d while %s: %s at %s"
STORE_FAILED: Final = "the store failed: %s"
BACKUP_FAILED: Final = "the backup failed: %s"
DEADLINES: Final = "match %s: %d deadlines were missing and %d surplus"
COUNTED: Final = {
    PRESS_LATE: "cogs.actions.router",
    COMMAND_LATE: "cogs.actions.dispatcher",
    REFUSED: "cogs.interactions.responses",
    TOO_SLOW: "cogs.interactions.responses",
    FAULT: "bot.error_numbers",
    STORE_FAILED: "bot.store.sqlite.database",
    BACKUP_FAILED: "bot.ops.backups",
    DEADLINES: "bot.play.match_registry",
}
"""The lines of the log that are counted, and who writes them."""


class Metrics(logging.Handler):
    """All figures of one bot. `live` gives the number of live matches. May be told things by any thread."""

    def __init__(self, live: Callable[[], int]) -> None:
        super().__init__(logging.INFO)
        self.live = live
        self._registry = registry = CollectorRegistry()
        self._came: dict[int, float] = {}
        self._store_failed_at = float("-inf")
        self._first_response = Histogram(
            "cardroom_first_response_seconds",
            "From an interaction's arrival to its first response, taken by Discord",
            buckets=SECONDS,
            registry=registry,
        )
        self._late = Counter(
            "cardroom_late_interactions", "Dropped, for they came too late to be answered", ["kind"], registry=registry
        )
        self._refused = Counter(
            "cardroom_answers_refused",
            "Answers that Discord did not take, by its error code",
            ["code"],
            registry=registry,
        )
        self._slow = Counter("cardroom_answers_too_slow", "Answers given up at their deadline", registry=registry)
        self._limited = Counter(
            "cardroom_rate_limited", "Requests answered with 429, by the limit's scope", ["scope"], registry=registry
        )
        self._invalid = Counter(
            "cardroom_invalid_requests", "Requests that count against the address", ["status"], registry=registry
        )
        self._unreachable = Counter("cardroom_failed_requests", "Requests without an answer", registry=registry)
        self._identifies = Counter("cardroom_identifies", "Sessions begun anew at the gateway", registry=registry)
        self._faults = Counter(
            "cardroom_faults", "Faults of ours, by what was being done", ["doing"], registry=registry
        )
        self._store = Counter("cardroom_store_failures", "Reads and writes the database refused", registry=registry)
        self._backups = Counter("cardroom_backup_failures", "Backups that failed", registry=registry)
        self._mismatches = Counter(
            "cardroom_replay_mismatches",
            "Logs that could not be replayed, or deadlines they do not ask for",
            ["of"],
            registry=registry,
        )
        self._lag = Histogram(
            "cardroom_loop_lag_seconds", "How late the event loop was", buckets=LAGS, registry=registry
        )
        self._board_lag = Histogram(
            "cardroom_board_lag_seconds",
            "From a board's change to its edit, taken by Discord",
            buckets=BOARD_LAGS,
            registry=registry,
        )
        self.last_lag = 0.0
        Gauge("cardroom_live_matches", "Matches being played", registry=registry).set_function(live)
        self._counted: dict[str, Callable[[Sequence[object]], None]] = {
            PRESS_LATE: lambda _: self._late.labels("press").inc(),
            COMMAND_LATE: lambda _: self._late.labels("command").inc(),
            REFUSED: lambda values: self._refused.labels(values[1]).inc(),
            TOO_SLOW: lambda _: self._slow.inc(),
            FAULT: lambda values: self._fault(str(values[1]).partition(" in match ")[0]),
            STORE_FAILED: lambda _: self._note_store_failure(),
            BACKUP_FAILED: lambda _: self._backups.inc(),
            DEADLINES: lambda _: self._mismatches.labels("deadlines").inc(),
        }
        for kind in ("press", "command"):
            self._late.labels(kind)
        for code in (10062, 40060):
            self._refused.labels(code)
        for scope in ("user", "global", "shared"):
            self._limited.labels(scope)
        for of in ("log", "deadlines"):
            self._mismatches.labels(of)

    def text(self) -> bytes:
        """All figures in Prometheus's text format."""
        return generate_latest(self._registry)

    # ------------------------------------------------------------------------------------ the gateway

    def interaction(self, interaction_id: int) -> None:
        """An interaction has arrived."""
        self._came[interaction_id] = time.monotonic()
        if len(self._came) > WAITING_AT_MOST:
            del self._came[next(iter(self._came))]

    def identify(self) -> None:
        """A session is about to begin anew."""
        self._identifies.inc()

    # ------------------------------------------------------------------------------------ requests

    def trace(self) -> aiohttp.TraceConfig:
        """What the library's HTTP session is to be given, so that its requests are seen."""
        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(self._request_ended)
        trace.on_request_exception.append(self._request_failed)
        return trace

    async def _request_ended(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        status = params.response.status
        scope = params.response.headers.get("X-RateLimit-Scope", "user")
        if status == 429:
            self._limited.labels(scope if scope in {"user", "global", "shared"} else "user").inc()
        if status in INVALID and not (status == 429 and scope == "shared"):
            self._invalid.labels(status).inc()
        callback = CALLBACK.search(params.url.path)
        if callback is not None and status < 300:
            came = self._came.pop(int(callback[1]), None)
            if came is not None:
                self._first_response.observe(time.monotonic() - came)

    async def _request_failed(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, _params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        self._unreachable.inc()

    # ------------------------------------------------------------------------------------ the log

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line of the log."""
        if isinstance(record.msg, str) and COUNTED.get(record.msg) == record.name:
            values = record.args if isinstance(record.args, tuple) else ()
            self._counted[record.msg](values)

    def _fault(self, doing: str) -> None:
        self._faults.labels(doing).inc()
        if doing == REPLAYING:
            self._mismatches.labels("log").inc()

    def store_failed(self, within: float) -> bool:
        """Whether the database refused something in the last so many seconds."""
        return time.monotonic() - self._store_failed_at < within

    def _note_store_failure(self) -> None:
        self._store.inc()
        self._store_failed_at = time.monotonic()

    def listen(self) -> None:
        """Hear the lines that are counted, also where the log is set to say less than they do."""
        root = logging.getLogger()
        for handler in root.handlers:
            handler.setLevel(max(handler.level, root.level))
        for name in set(COUNTED.values()):
            logger = logging.getLogger(name)
            logger.setLevel(min(logging.INFO, logger.getEffectiveLevel()))
            logger.addHandler(self)

    def hear_no_more(self) -> None:
        """Stop listening; harmless for one that never did."""
        for name in set(COUNTED.values()):
            logging.getLogger(name).removeHandler(self)

    # ------------------------------------------------------------------------------------ boards and the loop

    def board_lag(self, seconds: float) -> None:
        """A board that changed so long ago is shown."""
        self._board_lag.observe(seconds)

    def loop_lag(self, seconds: float) -> None:
        """The event loop was so late (`bot.ops.loop_lag`)."""
        self.last_lag = seconds
        self._lag.observe(seconds)
