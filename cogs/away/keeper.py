"""Brings to all slow matches who is away: after a command, a start or a new match, and when another process changed it.

What is kept of a person counts. Each match keeps until when its clock stands for a seat, with the deadline. So whatever
is cut off between the two is made up for at the next look.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Final

from bot.play.clocks.stops import ClockStops
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.observers import Observer
from bot.play.refusals import translate_errors
from bot.scheduler import Scheduler, Tasks
from bot.store.errors import StoreError
from cogs.away.queries import Absences
from engines.game import Seat

_log = logging.getLogger(__name__)

EVERY: Final = 30.0
"""Seconds between two looks. No turn of a slow match is as short."""


@dataclass(slots=True, eq=False)
class AwayKeeper(Observer):
    """Keeps matches and absences alike."""

    absences: Absences
    matches: MatchRegistry
    stops: ClockStops
    scheduler: Scheduler
    _acts: dict[tuple[str, Seat], int] = field(default_factory=dict, init=False)
    """How many acts had been made on the seats of those who are away. Who makes one more is back."""
    _changing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held while what is kept of people is read or changed, and brought to matches: a look must not bring what was true
    before somebody left."""
    _tasks: Tasks = field(default_factory=Tasks, init=False)

    async def resume(self) -> None:
        """Look again and again until closed."""
        self._tasks.begin(self._run())

    async def close(self) -> None:
        """Look no more."""
        await self._tasks.ended(cancelled=True)

    async def leave(self, user_id: int, days: int) -> int | None:
        """Have somebody be away for this many days from now on. Returns until when (ms UTC); None if they have too few
        days off left. Raises Refused if it can't be saved."""
        async with self._changing:
            until = await translate_errors(self.absences.begin(user_id, self.scheduler.now(), days))
            if until is not None:
                await self._bring_to_all(user_id, until)
        return until

    async def come_back(self, user_id: int) -> None:
        """Have somebody be back. Raises Refused if it can't be saved."""
        async with self._changing:
            await translate_errors(self.absences.end(user_id, self.scheduler.now()))
            await self._bring_to_all(user_id, 0)

    def match_changed(self, match: LiveMatch) -> None:
        """Who plays is back."""
        for seat in match.away:
            known = self._acts.get((match.id, seat))
            if known is not None and match.own_acts.count(seat) > known and not match.has_stand_in(seat):
                del self._acts[match.id, seat]
                self._tasks.begin(self._come_back(match.seats[seat]))

    async def look(self) -> None:
        """Bring all matches in line with who is away. Raises StoreError."""
        async with self._changing:
            away = dict(await self.absences.current(self.scheduler.now()))
            seen: set[tuple[str, Seat]] = set()
            for match in tuple(self.matches.live()):
                if match.can_stand:
                    for seat, user in enumerate(match.seats):
                        await self._bring(match, seat, away.get(user, 0))
                    seen.update((match.id, seat) for seat in match.away)
                    if match.rest_is_over:
                        await self.stops.end_rest(match)
            self._acts = {key: acts for key, acts in self._acts.items() if key in seen}

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except StoreError as error:
                _log.warning("who is away could not be read: %s", type(error).__name__)
            await self.scheduler.sleep(EVERY)

    async def _come_back(self, user_id: int) -> None:
        try:
            await self.come_back(user_id)
        except Exception as error:  # noqa: BLE001  nobody awaits this, and the next act tries again
            _log.warning("that somebody is back could not be saved: %s", type(error).__name__)

    async def _bring_to_all(self, user_id: int, until: int) -> None:
        for match in self.matches.of_player(user_id, None):
            seat = match.seat_of(user_id)
            if seat is not None:
                await self._bring(match, seat, until)

    async def _bring(self, match: LiveMatch, seat: Seat, until: int) -> None:
        """Have a match know until when a seat's player is away; 0 if they aren't."""
        if until != match.away_until(seat):
            await self.stops.set_away(match, seat, until)
        if seat in match.away:
            self._acts[match.id, seat] = match.own_acts.count(seat)
