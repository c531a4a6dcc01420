"""Matches without a clock, which one person plays alone, and which end by themselves: attempts at a deal of the day
(`cogs.daily`) with their day, and practice a day after its last act.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field
from typing import Final

from bot.play.clocks.deadlines import GRACE
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_registry import MatchRegistry
from bot.play.quarantine import Quarantine
from bot.play.refusals import Unsaved
from bot.scheduler import Scheduler, day_of, ends_at
from bot.store.errors import StoreError
from bot.store.queries.matches import MatchRow

_log = logging.getLogger(__name__)

LOOKS_EVERY: Final = 600.0
"""Seconds after which the end of the day is looked for again: the time of day may have been corrected meanwhile."""
IDLE: Final = 24 * 3_600_000
"""After how long (ms) practice ends that nobody plays on."""
UNSAVED: Final = 30.0
"""Seconds after which a match whose time is over is ended again, if that could not be saved."""


@dataclass(slots=True, eq=False)
class Days:
    """Ends matches without a clock."""

    registry: MatchRegistry
    lifecycle: MatchLifecycle
    quarantine: Quarantine
    scheduler: Scheduler
    _watching: asyncio.Task[None] | None = field(default=None, init=False)
    _ending: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held while attempts are ended."""
    _closed: bool = field(default=False, init=False)

    def today(self) -> int:
        """The number of the present day."""
        return day_of(self.scheduler.now())

    def resume(self) -> None:
        """See to it that these matches end in time, also those of an earlier process: at once, if they are late."""
        if self.idle and self._ends() and not self._closed:
            self._watching = asyncio.get_running_loop().create_task(self._watch())

    async def close(self) -> None:
        """Stop looking for matches to end. One that is being ended is ended."""
        self._closed = True
        async with self._ending:
            if self._watching is not None:
                self._watching.cancel()

    @property
    def idle(self) -> bool:
        """Whether no end is waited for."""
        return self._watching is None or self._watching.done()

    def _ends(self) -> list[int]:
        """When each of these matches ends, if nothing happens in it."""
        quarantined = [each.row for each in self.quarantine.live()]
        matches: list[LiveMatch | MatchRow] = [*self.registry.live(), *self.registry.waiting.rows(), *quarantined]
        return [end for end in map(end_of, matches) if end is not None]

    async def _watch(self) -> None:
        """End matches once their time is over, with some more for presses that are under way, until none is left."""
        while True:
            async with self._ending:
                try:
                    await self._end_all()
                except Exception as error:  # noqa: BLE001  whatever it is, they must end sooner or later
                    _log.warning("matches without a clock could not end: %s", type(error).__name__)
            ends = self._ends()
            if not ends:
                return
            ends.append(ends_at(self.today()))  # an attempt that begins meanwhile ends then
            left = (min(ends) + GRACE - self.scheduler.now()) / 1000
            await self.scheduler.sleep(min(left, LOOKS_EVERY) if left > 0 else UNSAVED)

    def _is_late(self, end: int | None) -> bool:
        return end is not None and self.scheduler.now() >= end + GRACE

    async def _end_all(self) -> None:
        """End every match whose time is over."""
        with contextlib.suppress(StoreError):  # those that cannot be read now are ended later
            waiting = self.registry.waiting
            await waiting.restored([row.id for row in waiting.rows() if self._is_late(end_of(row))])
        for match in self.registry.live():
            if self._is_late(end_of(match)):
                try:
                    await self.lifecycle.end_alone(match, match.asked_at)
                except (Unsaved, StoreError) as error:
                    _log.warning("match %s could not end in time: %s", match.id, type(error).__name__)
        for quarantined in self.quarantine.live():
            row = quarantined.row
            if self._is_late(end_of(row)):
                try:
                    await self.lifecycle.end_quarantined(quarantined, "idle" if row.is_practice else "day_over")
                except (Unsaved, StoreError) as error:
                    _log.warning("match %s could not end in time: %s", row.id, type(error).__name__)


def end_of(match: LiveMatch | MatchRow) -> int | None:
    """When a match ends by itself (ms UTC); None with a clock. That of a row may be too early, because it does not say
    when the match was last played: one that waits is restored first, and one in quarantine can't be played anyway."""
    if match.day is not None:
        return ends_at(match.day)
    if isinstance(match, LiveMatch):
        return None if match.has_clock else match.asked_at + IDLE
    return match.opened_at + IDLE if match.alone else None
