"""Restores the unfinished matches of an earlier process, a few at a time, between everything else that the bot does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from bot import logs
from bot.play.clocks.match_clock import MatchClock
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import MatchState
from bot.play.quarantine import Quarantine
from bot.store.errors import StoreError
from bot.store.queries.matches import MatchRow, SavedMatch
from bot.store.queries.standings import ResultEffects
from bot.store.store import Store
from bot.telemetry import Telemetry

_log = logging.getLogger(__name__)

RECENTLY: Final = 60_000
"""A match that ended less than this (ms) before the last heartbeat may lack its last board."""
AT_A_TIME: Final = 10
"""How many matches are read together. A press on another match waits for them."""
AGAIN_SECONDS: Final = 1.0
"""How long to wait if the store failed."""


Prepare: TypeAlias = Callable[[MatchRow], Awaitable[None]]
"""Runs before each match. It may raise StoreError."""
Restored: TypeAlias = Callable[[LiveMatch, SavedMatch], None]
"""Called in the step that puts a match in play."""


@dataclass(frozen=True, slots=True)
class _Batch:
    """Some matches that are restored together. They are read while others are put in play."""

    rows: Sequence[MatchRow]
    reading: asyncio.Future[dict[str, SavedMatch]]
    """What is saved of them, by their ids."""
    changes: int
    """How often the deadlines of all matches were changed before that; if they were since, it is read again."""

    def forget(self) -> None:
        """Read no further, and let nobody miss an error."""
        self.reading.cancel()
        self.reading.add_done_callback(lambda done: done.cancelled() or done.exception())


@dataclass(slots=True, eq=False)
class MatchRestorer:
    """Restores matches: `begin`, and then `run`, while presses already come.

    A match that somebody presses is restored before all others, then those whose time runs out first. Until a match is
    restored its clock stands, because nothing acts on it.
    """

    store: Store
    registry: MatchRegistry
    clock: MatchClock
    quarantine: Quarantine
    now: Callable[[], int]
    telemetry: Telemetry
    _were_quarantined: frozenset[str] = field(default_factory=frozenset, init=False)
    _recorded: frozenset[str] = field(default_factory=frozenset, init=False)
    _ahead: _Batch | None = field(default=None, init=False)
    """The matches that come next, which are being read already."""

    async def begin(self) -> list[MatchRow]:
        """Credit all clocks with the time that the bot was down, and let every unfinished match wait to be restored.

        Returns the matches that ended so shortly before that their last board may be missing. Raises StoreError.
        """
        last_heartbeat_at = await self.store.last_heartbeat()
        credited = await self.store.credit_downtime(self.now())
        self.clock.note_credit()
        self._were_quarantined = self._recorded = await self.quarantine.previous()
        nearest: dict[str, int] = {}
        for timer in await self.store.all_timers():
            nearest.setdefault(timer.match_id, len(nearest))
        rows = await self.store.live_matches()
        self.registry.waiting.add(sorted(rows, key=lambda row: nearest.get(row.id, len(nearest))))
        _log.info("%d matches are unfinished; clocks credited %d ms", len(rows), credited)
        return [] if last_heartbeat_at is None else await self.store.matches_ended_since(last_heartbeat_at - RECENTLY)

    async def run(
        self,
        prepare: Prepare | None = None,
        restored: Restored = lambda _match, _saved: None,
    ) -> None:
        """Restore the waiting matches until none is left. If the store fails, it is tried again.

        `prepare` runs before each match; it may raise StoreError. `restored` is called in the step that puts the match
        in play, with what was saved of it; its timers are left out if its deadlines begin again. A match that was
        altered, whose log cannot be replayed, or whose game is not installed, is quarantined alone.
        """
        try:
            while not await self._restore_all(prepare, restored):
                pass
        finally:
            self._forget()
            self.registry.waiting.close()
        self.quarantine.log_missing_games()
        _log.info("resumed %d matches", len(self.registry))

    async def ended(self, rows: Sequence[MatchRow]) -> AsyncIterator[LiveMatch]:
        """The matches that `begin` returned, read again, without those that cannot be read. Raises StoreError."""
        for row in rows:
            match = await self.registry.read(row)
            if match is not None:
                match.note_effects(await effects_of(self.store, match))
                yield match

    async def _restore_all(self, prepare: Prepare | None, restored: Restored) -> bool:
        """Restore the waiting matches. Returns False, after a while, if the store failed."""
        try:
            while batch := self._coming():
                await self._restore_some(batch, prepare, restored)
            await self._record_quarantine(frozenset())
        except StoreError as error:
            self._forget()
            _log.warning("matches could not be restored yet: %s", type(error).__name__)
            self.registry.waiting.fail()
            await asyncio.sleep(AGAIN_SECONDS)
            return False
        return True

    async def _restore_some(self, batch: _Batch, prepare: Prepare | None, restored: Restored) -> None:
        async with self.registry.waiting.lock:
            self._ahead = None
            try:
                if batch.changes == self.registry.waiting.changes:
                    saved = await batch.reading
                else:
                    saved = await self._read(batch.rows)
                self._ahead = self._next_batch([row.id for row in batch.rows])
                for row in batch.rows:
                    await asyncio.sleep(0)  # presses and answers go between
                    if prepare is not None:
                        await prepare(row)
                    await self._restore(row, saved[row.id], restored)
            finally:
                batch.forget()
        await self._record_quarantine(self._were_quarantined)

    def _coming(self) -> _Batch | None:
        """The matches that come next, which are being read."""
        self._ahead = self._ahead or self._next_batch()
        return self._ahead

    def _next_batch(self, but: Collection[str] = ()) -> _Batch | None:
        """The matches that come next, without these ones. They are read from now on."""
        rows = self.registry.waiting.next(AT_A_TIME, but)
        if not rows:
            return None
        return _Batch(rows, asyncio.ensure_future(self._read(rows)), self.registry.waiting.changes)

    async def _read(self, rows: Sequence[MatchRow]) -> dict[str, SavedMatch]:
        return await self.store.saved_matches([row.id for row in rows])

    def _forget(self) -> None:
        """What was read ahead is read again."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            ahead.forget()

    async def _restore(self, row: MatchRow, saved: SavedMatch, restored: Restored) -> None:
        if self.registry.waiting.changes and (any(row.away_until) or row.rests_until is not None):
            row = await self.store.match(row.id) or row  # these moments were moved with the deadlines
        was_stopped = row.paused is not None or row.id in self._were_quarantined
        timers = self.clock.after_waiting(saved.timers)
        match = await self.registry.restore(row, saved.records, timers, was_stopped=was_stopped)
        if match is not None:
            self.clock.follow(match)  # first: it runs whatever fails below
            try:
                restored(match, replace(saved, timers=()) if was_stopped else saved)
                self.clock.take_up(match)
            except Exception as error:  # noqa: BLE001  the match is in play, and the others must follow
                logs.log_error(error, "showing a restored match", self.telemetry, match_id=row.id)
        self.registry.waiting.remove(row.id)

    async def _record_quarantine(self, before: frozenset[str]) -> None:
        """Record for the next start which matches are quarantined: those that `before` were, and those found since."""
        found = before | {match.row.id for match in self.quarantine.live()}
        if found != self._recorded:
            await self.quarantine.remember(found)
            self._recorded = found


async def effects_of(store: Store, match: MatchState) -> ResultEffects | None:
    """What a match's counted result did to the ratings, and what two players had won by then; None for any other match.

    The store says so when it saves a result. This is for a board that is shown again after a start. Raises StoreError.
    """
    if match.result is None or not match.result.counted:
        return None
    guild_id, game = match.guild_id, match.game.info.key
    ratings = await store.rating_changes(match.id)
    if not ratings:
        return None
    pair = (match.seats[0], match.seats[-1])
    head_to_head = await store.head_to_head(guild_id, game, pair, match.id) if len(match.seats) == 2 else None
    return ResultEffects(ratings, head_to_head)
