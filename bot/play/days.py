"""Matches that end with their day: attempts at a deal of the day (`cogs.daily`), whose cards stay closed until then.

Such a match has no board, no clock and no limits. Until its day is over nothing about its deal is shown to anybody,
also not to those who have finished (`check_open`).
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
from bot.play.refusals import Refused, Unsaved
from bot.scheduler import Scheduler, day_of, ends_at
from bot.store.errors import StoreError
from bot.store.queries.matches import MatchRow

_log = logging.getLogger(__name__)

LOOKS_EVERY: Final = 600.0
"""Seconds after which the end of the day is looked for again: the time of day may have been corrected meanwhile."""
UNSAVED: Final = 30.0
"""Seconds after which a match whose day is over is ended again, if that could not be saved."""


@dataclass(slots=True, eq=False)
class Days:
    """Ends matches with their day, and says until when what they were dealt from is closed."""

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

    def closed_until(self, match: LiveMatch | MatchRow) -> int | None:
        """When what a match was dealt from may be shown (ms UTC); None for now.

        The deal opens when its day is over and nobody plays it any more.
        """
        if match.day is None:
            return None
        opens = ends_at(match.day)
        return opens if self.scheduler.now() < opens or self._is_played(match.deal_id) else None

    def _is_played(self, deal_id: str) -> bool:
        matches: list[LiveMatch | MatchRow] = [*self.registry.live(), *self.registry.waiting.rows()]
        playing = any(each.day is not None and each.deal_id == deal_id for each in matches)
        return playing or any(each.row.deal_id == deal_id for each in self.quarantine.live())

    def check_open(self, match: LiveMatch | MatchRow) -> None:
        """Raise Refused while a deal of the day is closed."""
        opens = self.closed_until(match)
        if opens is not None:
            raise Refused("daily.closed", when=f"<t:{opens // 1000}:R>")

    # ------------------------------------------------------------------------------------ the end of a day

    def resume(self) -> None:
        """See to it that attempts end with their day, also those of an earlier process: at once, if it is over."""
        if self.idle and self._days() and not self._closed:
            self._watching = asyncio.get_running_loop().create_task(self._watch())

    async def close(self) -> None:
        """Stop looking for the end of the day. A match that is being ended is ended."""
        self._closed = True
        async with self._ending:
            if self._watching is not None:
                self._watching.cancel()

    @property
    def idle(self) -> bool:
        """Whether no end of a day is waited for."""
        return self._watching is None or self._watching.done()

    def _days(self) -> list[int]:
        """The days of the attempts that are not over."""
        waiting = [*self.registry.waiting.rows(), *(each.row for each in self.quarantine.live())]
        days = (*(match.day for match in self.registry.live()), *(row.day for row in waiting))
        return [day for day in days if day is not None]

    async def _watch(self) -> None:
        """End attempts once their day is over, with time for presses that are under way, until none is left."""
        while True:
            async with self._ending:
                try:
                    await self._end_all()
                except Exception as error:  # noqa: BLE001  whatever it is, attempts must end sooner or later
                    _log.warning("attempts could not end with their day: %s", type(error).__name__)
            days = self._days()
            if not days:
                return
            left = (ends_at(min(days)) + GRACE - self.scheduler.now()) / 1000
            await self.scheduler.sleep(min(left, LOOKS_EVERY) if left > 0 else UNSAVED)

    def _is_late(self, day: int | None) -> bool:
        return day is not None and self.scheduler.now() >= ends_at(day) + GRACE

    async def _end_all(self) -> None:
        """End every attempt whose day is over."""
        with contextlib.suppress(StoreError):  # those that cannot be read now are ended later
            waiting = self.registry.waiting
            await waiting.restored([row.id for row in waiting.rows() if self._is_late(row.day)])
        for match in self.registry.live():
            if self._is_late(match.day):
                try:
                    await self.lifecycle.end_with_day(match)
                except (Unsaved, StoreError) as error:
                    _log.warning("match %s could not end with its day: %s", match.id, type(error).__name__)
        for quarantined in self.quarantine.live():
            if self._is_late(quarantined.row.day):
                try:
                    await self.lifecycle.end_quarantined(quarantined, "day_over")
                except (Unsaved, StoreError) as error:
                    _log.warning("match %s could not end with its day: %s", quarantined.row.id, type(error).__name__)
