"""Restores the unfinished matches of an earlier process, a few at a time, between everything else that the bot does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeAlias

from bot import error_numbers
from bot.play.clocks.match_clock import MatchClock
from bot.play.facts.replayed_log import ReplayedLog
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.quarantine import Quarantine
from bot.play.restoring.batch import Batch
from bot.play.restoring.log_reader import LogReader
from bot.play.restoring.result_effects import effects_of
from bot.store.errors import StoreError
from bot.store.protocols.matches import MatchStore
from bot.store.protocols.servers import ServerStore
from bot.store.protocols.standings import StandingStore
from bot.store.rows.matches import MatchRow, SavedMatch
from bot.telemetry import Telemetry

_log = logging.getLogger(__name__)

RECENTLY: Final = 60_000
"""A match that ended less than this (ms) before the last heartbeat may lack its last board."""
AT_A_TIME: Final = 10
"""How many matches are read together. A press on another match waits for them."""
TOGETHER: Final = 20
"""How many where a second process reads logs as well, so that they take about as long."""
BESIDE: Final = 12
"""How many of them that process reads: more than half, because only this one puts them in play."""
AGAIN_SECONDS: Final = 1.0
"""How long to wait if the store failed."""


Prepare: TypeAlias = Callable[[MatchRow], Awaitable[None]]
"""Runs before each match. It may raise StoreError."""
Restored: TypeAlias = Callable[[LiveMatch, SavedMatch], None]
"""Called in the step that puts a match in play."""


class _RestorerStore(MatchStore, ServerStore, StandingStore, Protocol):
    """What `MatchRestorer` needs from the store."""


async def _nothing_to_prepare(_: MatchRow) -> None:
    """No names are needed."""


def _nobody_to_tell(_match: LiveMatch, _saved: SavedMatch) -> None:
    """Nothing shows the match."""


class MatchRestorer:
    """Restores matches: `begin`, and then `run`, while presses already come.

    A match that somebody presses is restored before all others, then those whose time runs out first. Until a match is
    restored its clock stands, because nothing acts on it.
    """

    def __init__(
        self,
        store: _RestorerStore,
        registry: MatchRegistry,
        clock: MatchClock,
        *,
        quarantine: Quarantine,
        now: Callable[[], int],
        telemetry: Telemetry,
        log_reader: LogReader | None = None,
    ) -> None:
        """`log_reader` reads part of the logs; without one all are read here."""
        self._store = store
        self._registry = registry
        self._waiting = registry.waiting
        self._clock = clock
        self._quarantine = quarantine
        self._now = now
        self._telemetry = telemetry
        self._log_reader = log_reader
        self._were_quarantined: frozenset[str] = frozenset()
        self._recorded: frozenset[str] = frozenset()
        self._ahead: Batch | None = None
        """The matches that come next, which are being read already."""

    async def begin(self) -> list[MatchRow]:
        """Credit all clocks with the time that the bot was down, and let every unfinished match wait to be restored.

        Returns the matches that ended so shortly before that their last board may be missing. Raises StoreError.
        """
        last_heartbeat_at = await self._store.last_heartbeat()
        credited = await self._store.credit_downtime(self._now())
        self._clock.note_credit()
        self._were_quarantined = self._recorded = await self._quarantine.previous()
        nearest: dict[str, int] = {}
        for timer in await self._store.all_timers():
            nearest.setdefault(timer.match_id, len(nearest))
        rows = await self._store.live_matches()
        self._waiting.add(sorted(rows, key=lambda row: nearest.get(row.id, len(nearest))))
        _log.info("%d matches are unfinished; clocks credited %d ms", len(rows), credited)
        return [] if last_heartbeat_at is None else await self._store.matches_ended_since(last_heartbeat_at - RECENTLY)

    async def run(
        self,
        prepare: Prepare = _nothing_to_prepare,
        restored: Restored = _nobody_to_tell,
    ) -> None:
        """Restore the waiting matches until none is left. If the store fails, it is tried again.

        `prepare` runs before each match; it may raise StoreError. `restored` is called in the step that puts the match
        in play, with what was saved of it; its timers are left out if its deadlines begin again. A match that was
        altered, whose log cannot be replayed, or whose game is not installed, is quarantined alone.
        """
        if self._log_reader is not None:
            self._log_reader.begin(len(self._waiting))
        try:
            while not await self._restore_all(prepare, restored):
                pass
        finally:
            self._forget()
            if self._log_reader is not None:
                await self._log_reader.close()
        self._quarantine.log_missing_games()
        _log.info("resumed %d matches", len(self._registry))

    async def ended(self, rows: Sequence[MatchRow]) -> AsyncIterator[LiveMatch]:
        """The matches that `begin` returned, read again, without those that cannot be read. Raises StoreError."""
        for row in rows:
            match = await self._registry.read(row)
            if match is not None:
                match.note_effects(await effects_of(self._store, match))
                yield match

    async def _restore_all(self, prepare: Prepare, restored: Restored) -> bool:
        """Restore the waiting matches. Returns False, after a while, if the store failed."""
        try:
            while batch := self._coming():
                await self._restore_some(batch, prepare, restored)
            await self._record_quarantine(frozenset())
        except StoreError as error:
            self._forget()
            _log.warning("matches could not be restored yet: %s", type(error).__name__)
            self._waiting.fail()
            await asyncio.sleep(AGAIN_SECONDS)
            return False
        return True

    async def _restore_some(self, batch: Batch, prepare: Prepare, restored: Restored) -> None:
        async with self._waiting.lock:
            self._ahead = None
            try:
                saved = await batch.saved(self._waiting.changes)
                reading = batch.read_logs()
                self._ahead = self._next_batch([row.id for row in batch.rows])
                for row in batch.here:
                    await asyncio.sleep(0)  # presses and answers go between, and requests of those who read
                    await prepare(row)
                    await self._restore(row, saved[row.id], restored)
                logs = await reading
                if self._ahead is not None:
                    self._ahead.read_logs()  # while these are put in play
                for row, log in zip(batch.beside, logs, strict=True):
                    await asyncio.sleep(0)
                    await prepare(row)
                    await self._restore(row, saved[row.id], restored, log)
            finally:
                batch.forget()
        await self._record_quarantine(self._were_quarantined)

    def _coming(self) -> Batch | None:
        """The matches that come next, which are being read."""
        self._ahead = self._ahead or self._next_batch()
        return self._ahead

    def _next_batch(self, but: Collection[str] = ()) -> Batch | None:
        """The matches that come next, without these ones. They are read from now on."""
        beside = self._log_reader is not None and self._log_reader.ready
        rows = self._waiting.next(TOGETHER if beside else AT_A_TIME, but)
        if not rows:
            return None
        theirs = len(rows) * BESIDE // TOGETHER if beside else 0
        return Batch(rows, self._store, self._waiting.changes, self._log_reader, theirs)

    def _forget(self) -> None:
        """What was read ahead is read again."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            ahead.forget()

    async def _restore(
        self, row: MatchRow, saved: SavedMatch, restored: Restored, log: ReplayedLog | None = None
    ) -> None:
        was_stopped = row.paused is not None or row.id in self._were_quarantined
        timers = self._clock.after_waiting(saved.timers)
        match = await self._registry.restore(row, saved.records, timers, was_stopped=was_stopped, log=log)
        if match is not None:
            try:
                restored(match, replace(saved, timers=()) if was_stopped else saved)
                self._clock.take_up(match)
            except Exception as error:  # noqa: BLE001  the match is in play, and the others must follow
                error_numbers.log_error(error, "showing a restored match", self._telemetry, match_id=row.id)
        self._waiting.remove(row.id)

    async def _record_quarantine(self, before: frozenset[str]) -> None:
        """Record for the next start which matches are quarantined: those that `before` were, and those found since."""
        found = before | {match.row.id for match in self._quarantine.live()}
        if found != self._recorded:
            await self._quarantine.remember(found)
            self._recorded = found
