"""Has the clocks of newcomers wait while they read the rules or a lesson (ruling C-13)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.play.clocks.match_clock import MatchClock
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.observers import Observer
from bot.play.refusals import Unsaved
from bot.store.errors import StoreError
from engines.game import Seat

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class ReadingTime:
    """Begins and ends the time for which clocks wait for somebody who reads."""

    registry: MatchRegistry
    clock: MatchClock
    observers: Observer

    async def begin(self, user_id: int) -> None:
        """Have the clocks wait in all matches that wait for a newcomer, who reads from now on."""
        for match in self.registry.of_player(user_id, None):
            await self._change(match, user_id, match.begin_reading)

    async def end(self, match: LiveMatch, user_id: int) -> None:
        """Have the clock of a match go on: a newcomer has pressed something in it."""
        await self._change(match, user_id, match.end_reading)

    async def _change(self, match: LiveMatch, user_id: int, change: Callable[[Seat], Awaitable[bool]]) -> None:
        """Change how a clock waits. If that can't be saved, it runs as before."""
        seat = match.seat_of(user_id)
        if seat is None or seat not in match.newcomers:
            return
        try:
            changed = await change(seat)
        except (Unsaved, StoreError) as error:
            _log.warning("that somebody reads could not be saved in match %s: %s", match.id, type(error).__name__)
            return
        if changed:
            self.clock.follow(match)
            self.observers.match_changed(match)
