"""Has the clocks of matches stand and go on: while newcomers read the rules or a lesson (C-13), and in slow matches
while somebody is away (C-14)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
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
class ClockStops:
    """Changes how clocks stand, and tells the observers. If that can't be saved, they run as before."""

    registry: MatchRegistry
    clock: MatchClock
    observers: Observer

    async def begin_reading(self, user_id: int) -> None:
        """Have the clocks wait in all matches that wait for a newcomer, who reads from now on."""
        for match in self.registry.of_player(user_id, None):
            seat = match.seat_of(user_id)
            if seat in match.newcomers:
                await self._change(match, match.begin_reading(seat))

    async def end_reading(self, match: LiveMatch, user_id: int) -> None:
        """Have the clock of a match go on: a newcomer has pressed something in it."""
        seat = match.seat_of(user_id)
        if seat in match.newcomers:
            await self._change(match, match.end_reading(seat))

    async def set_away(self, match: LiveMatch, seat: Seat, until: int) -> None:
        """Have a match know that a seat's player is away until then (ms UTC); that they are back if it is past."""
        await self._change(match, match.set_away(seat, until))

    async def end_rest(self, match: LiveMatch) -> None:
        """Have a match go on whose pause is over."""
        await self._change(match, match.end_rest())

    async def _change(self, match: LiveMatch, change: Awaitable[bool]) -> None:
        try:
            changed = await change
        except (Unsaved, StoreError) as error:
            _log.warning("how its clock stands could not be saved in match %s: %s", match.id, type(error).__name__)
            return
        if changed:
            self.clock.follow(match)
            self.observers.match_changed(match)
