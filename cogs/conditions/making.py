"""Makes the moves that people planned, when their time comes.

Every question of a match that lets people plan is looked at, whether somebody has planned something or not, after a
time that a person may take too. So nothing tells that there is a plan: no call, no moment, no number, no line of a log.
Only the move itself may, once it is made.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from bot import logs
from bot.play.live_match import LiveMatch
from bot.play.match_press import NO_PRESS, MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.admission import Admission
from bot.play.observers import Observer
from bot.play.refusals import Refused, Unsaved
from bot.scheduler import ScheduledCall, Scheduler
from bot.store.errors import StoreError
from bot.telemetry import Telemetry
from bot.ui.catalogue import Translations
from cogs.conditions.plans import holds, open_moves, outcome_of, planning, stands
from cogs.conditions.queries import ConditionalMove, ConditionQueries, PlanOutcome
from cogs.screens.presenter import PlansAhead, Presenters
from engines.game import IllegalAction, Seat

SOONEST: Final = 20.0
LATEST: Final = 90.0
"""Seconds between a question and the move that was planned for it, drawn each time."""
SPARE: Final = 10.0
"""Seconds that it leaves before the question's time runs out."""

Moment: TypeAlias = tuple[int, bool, bool]


@dataclass(slots=True, eq=False)
class Conditions(Observer):
    """Looks at each question after a while, and makes the first move that was planned for it and fits.

    What doesn't hold any more is forgotten, and so is all that was planned if none of it fits.
    """

    queries: ConditionQueries
    matches: MatchRegistry
    presses: MatchPresses
    presenters: Presenters
    admission: Admission
    scheduler: Scheduler
    telemetry: Telemetry
    _random: random.Random = field(default_factory=random.SystemRandom)
    _calls: dict[str, tuple[Moment | None, ScheduledCall]] = field(default_factory=dict, init=False)
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _closed: bool = field(default=False, init=False)

    async def resume(self) -> None:
        """Look at the matches for which something was kept when the last process ended. Raises StoreError."""
        for match_id in await self.queries.matches():
            self._look_later(match_id, None, self._pause())

    async def close(self) -> None:
        """Look at nothing more. A move that is being made is made."""
        self._closed = True
        for _, call in self._calls.values():
            call.cancel()
        self._calls.clear()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def match_changed(self, match: LiveMatch) -> None:
        """Look at its new question after a while."""
        if planning(match, self.presenters.get(match.game.info.key)) is None:
            return
        moment = match.position.acts, match.over, match.inactive
        known = self._calls.get(match.id)
        if known is None or known[0] != moment:
            self._look_later(match.id, moment, min(self._pause(), self._seconds_left(match)))

    def _pause(self) -> float:
        return self._random.uniform(SOONEST, LATEST)

    def _seconds_left(self, match: LiveMatch) -> float:
        deadlines = [timer.deadline for timer in match.position.timers]
        return max(0.0, (min(deadlines) - self.scheduler.now()) / 1000 - SPARE) if deadlines else LATEST

    def _look_later(self, match_id: str, moment: Moment | None, seconds: float) -> None:
        if self._closed:
            return
        if match_id in self._calls:
            self._calls[match_id][1].cancel()
        self._calls[match_id] = moment, self.scheduler.call_later(seconds, self._look, match_id)

    def _look(self, match_id: str) -> None:
        moment, _ = self._calls.pop(match_id)
        if match_id in self._tasks:
            self._look_later(match_id, moment, SOONEST)
            return
        task = asyncio.get_running_loop().create_task(self._work_out(match_id, moment))
        self._tasks[match_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(match_id))

    async def _work_out(self, match_id: str, moment: Moment | None) -> None:
        """Do what is due in a match. What can't be read or saved is tried again."""
        try:
            await self._do(match_id)
        except (StoreError, Unsaved):
            if match_id not in self._calls:
                self._look_later(match_id, moment, self._pause())
        except Refused:
            pass  # the match has changed, or is on hold: it is looked at again when it changes
        except Exception as error:  # noqa: BLE001  whatever it is, its player is simply asked
            logs.log_error(error, "looking at a question", self.telemetry, match_id=match_id)

    async def _do(self, match_id: str) -> None:
        kept = await self.queries.of_match(match_id)
        if not kept:
            return
        await self.matches.bring_in(0, match_id)
        match = self.matches.playing(match_id)
        if match is None:
            over = await self.queries.is_over(match_id)
            for each in kept if over else ():
                await self.queries.forget(match_id, each.seat, each.acts)
            return
        for each in kept:
            if not holds(match, each):
                await self.queries.forget(match_id, each.seat, each.acts)
        presenter = planning(match, self.presenters.get(match.game.info.key))
        for seat in sorted(match.awaited) if presenter is not None and not stands(match) else ():
            planned = open_moves(match, seat, kept)
            if planned and presenter is not None:
                await self._answer(match, seat, planned, presenter)

    async def _answer(
        self, match: LiveMatch, seat: Seat, planned: list[ConditionalMove], presenter: PlansAhead
    ) -> None:
        """Answer the question that a seat is asked with the first planned move that fits. Raises Refused if it can't be
        answered any more, and StoreError."""
        window = match.window_number
        if not await self.admission.may_begin(match.guild_id, match.seats[seat]):
            # They are barred: what they have begun they may end, but they play it themselves.
            await self.queries.forget(match.id, seat, planned[0].acts)
            return
        outcome = PlanOutcome.UNFIT
        for move in planned:
            if presenter.occurs(move.occasion, match.private(seat)) and await self._make(match, seat, window, move):
                outcome = PlanOutcome.MADE
                break
        if outcome is PlanOutcome.UNFIT and match.window_number != window:
            return  # their player was faster
        await self.queries.conclude(planned[0], outcome, match.own_acts.count(seat))

    async def _make(self, match: LiveMatch, seat: Seat, window: int, move: ConditionalMove) -> bool:
        """Make a move, unless the rules refuse it. Returns whether it was made. Raises as `MatchPress.make_planned`."""
        action = match.game.read(move.move)
        with self.presses.take_up(match.id, NO_PRESS) as press:
            try:
                await press.make_planned(match, seat, move.verb, window, action)
            except IllegalAction:
                return False
        return True


@dataclass(slots=True, eq=False)
class PlanNotes:
    """Tells a player who opens their hand what became of what they planned."""

    queries: ConditionQueries
    presenters: Presenters

    async def note(self, match: LiveMatch, seat: Seat, words: Translations) -> str:
        """The sentence; empty if there is nothing to tell, or nothing can be read."""
        if planning(match, self.presenters.get(match.game.info.key)) is None:
            return ""
        try:
            outcome = outcome_of(match, seat, await self.queries.of_match(match.id))
        except StoreError:
            return ""
        return "" if outcome is PlanOutcome.OPEN else words(f"plan.{outcome}")
