"""Matches that a moderator has called off: each is on hold for ten minutes, in which that can be taken back.

Then it ends.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Final

from bot.play.clocks.match_clock import UNSAVED_GRACE
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_registry import MatchRegistry
from bot.play.refusals import Refused, Unsaved
from bot.scheduler import ScheduledCall, Scheduler, Tasks
from bot.store.errors import StoreError
from bot.store.queries.matches import Suspension

_log = logging.getLogger(__name__)

HOLD: Final = 10 * 60_000
"""Milliseconds for which a match is held before it ends."""


@dataclass(slots=True, eq=False)
class Holds:
    """The matches that are held. They end also if the process that held them has ended."""

    registry: MatchRegistry
    lifecycle: MatchLifecycle
    scheduler: Scheduler
    _ends: dict[str, ScheduledCall] = field(default_factory=dict, init=False)
    _ending: Tasks = field(default_factory=Tasks, init=False)

    async def hold(self, match: LiveMatch) -> None:
        """Hold a match, and end it later. Nothing changes if it is held. Raises Refused if it is over, or if this could
        not be saved."""
        await self.lifecycle.suspend(match, Suspension.MODERATED)
        if match.over:
            raise Refused("refusal.match_over")
        if match.suspended is not Suspension.MODERATED:
            raise Unsaved(busy=True)
        self._end_later(match.id, match.suspended_at)

    async def release(self, match: LiveMatch) -> bool:
        """Have a match go on. Returns whether it was held. Raises Unsaved."""
        released = await self.lifecycle.release(match)
        if released and match.id in self._ends:
            self._ends.pop(match.id).cancel()
        return released

    def resume(self) -> None:
        """See to it that the matches end which an earlier process held: at once, if it is time."""
        for row in self.registry.waiting.rows():
            if row.suspended_why is Suspension.MODERATED:
                self._end_later(row.id, row.suspended_at or 0)

    async def close(self) -> None:
        """End no more. A match that is being ended is ended."""
        for call in self._ends.values():
            call.cancel()
        await self._ending.ended()

    def _end_later(self, match_id: str, since: int) -> None:
        self._call(match_id, max(0, since + HOLD - self.scheduler.now()))

    def _call(self, match_id: str, after: int) -> None:
        if match_id in self._ends:
            self._ends[match_id].cancel()
        self._ends[match_id] = self.scheduler.call_later(after / 1000, lambda: self._ending.begin(self._end(match_id)))

    async def _end(self, match_id: str) -> None:
        """End a match that is still held. What can't be saved is tried again a little later."""
        self._ends.pop(match_id, None)
        try:
            await self.registry.waiting.restored((match_id,))
            match = self.registry.playing(match_id)
            if match is not None:
                await self.lifecycle.end_held(match)
            for stopped in self.registry.quarantined():
                if stopped.row.id == match_id and stopped.row.suspended_why is Suspension.MODERATED:
                    await self.lifecycle.end_quarantined(stopped)
        except (Unsaved, StoreError) as error:
            _log.warning("match %s could not be called off: %s", match_id, type(error).__name__)
            self._call(match_id, UNSAVED_GRACE)
