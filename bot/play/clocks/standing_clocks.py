"""Has the clocks of slow matches stand for who is away, and go on when they are back (C-14)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from dataclasses import dataclass

from bot.play.clocks.match_clock import MatchClock
from bot.play.live_match import LiveMatch
from bot.play.observers import Observer
from bot.play.refusals import Unsaved
from bot.store.errors import StoreError
from engines.game import Seat

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class StandingClocks:
    """Changes until when a clock stands, and tells the observers."""

    clock: MatchClock
    observers: Observer

    async def set_away(self, match: LiveMatch, seat: Seat, until: int) -> None:
        """Have a match know that a seat's player is away until then (ms UTC); that they are back if it is past."""
        await self._change(match, match.set_away(seat, until))

    async def end_rest(self, match: LiveMatch) -> None:
        """Have a match go on whose pause is over."""
        await self._change(match, match.end_rest())

    async def _change(self, match: LiveMatch, change: Awaitable[bool]) -> None:
        """Change how a clock stands. If that can't be saved, it continues as before."""
        try:
            changed = await change
        except (Unsaved, StoreError) as error:
            _log.warning("how its clock stands could not be saved in match %s: %s", match.id, type(error).__name__)
            return
        if changed:
            self.clock.follow(match)
            self.observers.match_changed(match)
