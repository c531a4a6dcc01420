"""The clock of all matches: it acts on their deadlines, and sometimes waits.

It acts as a player does, through the match's queue, so whatever entered the queue earlier counts first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace

from bot import logs
from bot.play.access import Access, obstacles
from bot.play.clocks.deadlines import GRACE, Deadlines
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.observers import Observer
from bot.play.refusals import Refused, Unsaved
from bot.scheduler import Scheduler, Tasks
from bot.store.errors import StoreError
from bot.store.queries.matches import Obstacle, TimerRow, Unrated
from bot.store.special_ids import people
from bot.store.store import Store
from bot.telemetry import NO_TELEMETRY, Telemetry
from engines.game import IllegalAction

_log = logging.getLogger(__name__)

UNSAVED_GRACE = 30_000
"""Milliseconds for which a question stays open after its time ran out while nothing could be saved."""
RESTORED_GRACE = 60_000
"""Milliseconds for which nobody's time runs out in a match that was restored while the other clocks ran already. Nobody
gets back more than the time that their match waited."""
_PRESSES_TAKE = 20.0
"""Seconds after which the clock stops waiting for presses that are being worked out."""


class MatchClock:
    """The deadlines of matches in play, and the presses being worked out."""

    def __init__(
        self,
        store: Store,
        registry: MatchRegistry,
        observers: Observer,
        scheduler: Scheduler,
        *,
        access: Access,
        telemetry: Telemetry = NO_TELEMETRY,
    ) -> None:
        """`access` tells who could act when their time ran out."""
        self.now = scheduler.now
        """The time of day in ms UTC."""
        self._store = store
        self._registry = registry
        self._observers = observers
        self._telemetry = telemetry
        self._access = access
        self._paused_at: int | None = None
        self.credited_at = 0
        """When all clocks were last credited with an outage (ms UTC). What was due by then, as the deadlines are now,
        was due before the outage."""
        self._ran_since: int | None = None
        self._deadlines = Deadlines(scheduler)
        self._not_before = 0
        self._presses: dict[str, set[asyncio.Future[None]]] = {}
        self._tasks = Tasks()

    # ------------------------------------------------------------------------------------ all clocks together

    @property
    def paused(self) -> bool:
        """Whether all clocks are paused."""
        return self._deadlines.paused

    @property
    def idle(self) -> bool:
        """Whether no deadline is followed, no act of the clock is under way and no press is waited for."""
        return self._deadlines.idle and not self.acting and not self._presses

    @property
    def acting(self) -> bool:
        """Whether an act of the clock is under way, or waits for a press or in a match's queue."""
        return bool(self._tasks)

    def pause(self) -> None:
        """Pause all clocks because nobody can play."""
        self._paused_at = self.now() if self._paused_at is None else self._paused_at
        self._deadlines.pause()

    def resume(self) -> None:
        """Resume the clocks. Nobody's time runs out within `GRACE`: presses may be late."""
        self._not_before = self.now() + GRACE
        if self._ran_since is None:
            self._ran_since = self.now()
        self._paused_at = None
        self._deadlines.resume()

    async def credit(self) -> None:
        """Credit the clocks, which are paused, with the time since the last heartbeat. Raises StoreError.

        Acts wait meanwhile: one would be saved with the deadlines as they were.
        """
        async with self.kept_waiting():
            now, live = self.now(), self._registry.live()
            credited = await self._store.credit_downtime(now)  # alike for all: their heartbeat is the same
            self.note_credit()
            if self._paused_at is not None:
                self._paused_at = now  # the deadlines have just been moved to it
            if self._ran_since is not None:
                self._ran_since += credited
            for match in live:  # in this step, so that memory and store can't differ
                match.credit(credited)
                self.follow(match)

    def note_credit(self) -> None:
        """Record that the store has just credited all clocks with the time since the last heartbeat."""
        self.credited_at = self.now()

    @asynccontextmanager
    async def kept_waiting(self) -> AsyncIterator[None]:
        """Keep every change of every match waiting within the block."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._registry.waiting.changing())
            for match in self._registry.live():
                await stack.enter_async_context(match.kept_waiting())
            yield

    def shift_time(self, by: int) -> None:
        """Move all deadlines, because the time of day is corrected by this many ms. Nobody wins or loses time.

        Only while the matches are `kept_waiting`, and in the same step as the correction.
        """
        self._not_before += by
        self.credited_at += by
        if self._ran_since is not None:
            self._ran_since += by
        if self._paused_at is not None:
            self._paused_at += by
        for match in self._registry.live():
            match.shift_time(by)
            self.follow(match)

    def show_again(self) -> None:
        """Have the observers bring the screens of every match up to date."""
        for match in self._registry.live():
            self._observers.match_repaired(match)

    @property
    def stopped_at(self) -> int:
        """The moment that all clocks show (ms UTC): now, or when they were paused."""
        return self.now() if self._paused_at is None else self._paused_at

    async def close(self) -> None:
        """Clear all deadlines and wait for acts of the clock that are under way."""
        self._deadlines.close()
        await self._tasks.ended()

    # ------------------------------------------------------------------------------------ one match

    def follow(self, match: LiveMatch) -> None:
        """Act on a match's current deadlines; on none if it is over or on hold."""
        if match.over or match.inactive:
            self.forget(match)
        else:
            self._deadlines.set(
                match.id,
                match.position.timers,
                lambda timer: self._tasks.begin(self._time_up(match, timer)),
                lambda timer: self._due(match, timer),
            )

    def after_waiting(self, timers: Sequence[TimerRow]) -> list[TimerRow]:
        """The deadlines of a match that is restored now. If the clocks run already, this one stood until now."""
        if self._ran_since is None:
            return list(timers)
        waited, soonest = self.stopped_at - self._ran_since, self.now() + RESTORED_GRACE
        return [replace(timer, deadline=max(timer.deadline, min(timer.deadline + waited, soonest))) for timer in timers]

    def take_up(self, match: LiveMatch) -> None:
        """Follow a match that was just restored. If the clocks ran already, its screens are brought up to date."""
        self.follow(match)
        if self._ran_since is not None:
            self._observers.match_repaired(match)

    def forget(self, match: LiveMatch) -> None:
        """Stop acting on a match's deadlines."""
        self._deadlines.clear(match.id)

    def mark_shown(self, match: LiveMatch, window: int) -> None:
        """The board shows the question of this number. If that took a while, the question's time starts now."""
        if match.mark_shown(window):
            self.follow(match)

    @contextmanager
    def waiting_for(self, match_id: str) -> Iterator[None]:
        """Make the clock of a match wait while a press on it is worked out within the block.

        Nearly always the match's queue decides who came first, but a press may wait for the database before that.
        """
        press: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        under_way = self._presses.setdefault(match_id, set())
        under_way.add(press)
        try:
            yield
        finally:
            press.set_result(None)
            under_way.discard(press)
            if not under_way:
                self._presses.pop(match_id, None)

    # ------------------------------------------------------------------------------------ its acts

    def _due(self, match: LiveMatch, timer: TimerRow) -> int:
        return max(self._not_before, match.deadline_with_grace(timer))

    async def _time_up(self, match: LiveMatch, timer: TimerRow) -> None:
        if not self._is_running(match, timer):
            return
        if self.now() < self._due(match, timer):  # the question has not appeared yet
            self.follow(match)
            return
        could_not = await self._could_not_act(match, timer) if match.awaited else ()
        if match.awaited and match.id in self._presses:
            await asyncio.wait(tuple(self._presses[match.id]), timeout=_PRESSES_TAKE)
        failed = match.failed
        try:
            if not self._is_running(match, timer) or not await match.run_out(timer, *could_not):
                return
        except IllegalAction:
            return  # the question was answered while the clock's act waited in the queue
        except Unsaved:  # no player's act could be saved either, so give them time to play
            await self._put_off(match)
        except Refused:
            if match.failed == failed:
                return
        except StoreError as error:  # a damaged file, a conflict: no player's act could be saved either
            _log.warning("the time of match %s could not be taken: %s", match.id, type(error).__name__)
            await self._put_off(match)
        except Exception as error:  # noqa: BLE001  whatever it is, the match must not wait for its clock for ever
            logs.log_error(error, "taking a player's time", self._telemetry, match_id=match.id)
            await self._put_off(match)
        self.settle(match)
        self._observers.match_changed(match)

    async def _could_not_act(self, match: LiveMatch, timer: TimerRow) -> tuple[Unrated, ...]:
        """Who could not have acted of those who lose if this deadline runs out: the match will then not count.

        A loss counts only if it is known that they could. Discord may be in trouble where it does not answer, and then
        they could not reach it either.
        """
        losers = match.losers_by(timer)
        if not losers or match.unrated is not None:
            return ()
        seats = {match.seats[seat]: seat for seat in sorted(losers)}
        found = await obstacles(self._access, match.guild_id, match.channel_id, people(seats))
        return tuple([Unrated(seats[user], why) for user, why in found.items() if why is not Obstacle.NO_SENDING])

    async def _put_off(self, match: LiveMatch) -> None:
        """Keep the question open for another `UNSAVED_GRACE`; then the clock tries again."""
        soonest = self.now() + UNSAVED_GRACE
        await match.postpone(lambda _: soonest)

    def settle(self, match: LiveMatch) -> None:
        """Follow a match's new deadlines after an act, or take it out of play if it is over."""
        if match.over:
            self._registry.remove(match)
        self.follow(match)

    def _is_running(self, match: LiveMatch, timer: TimerRow) -> bool:
        """Whether a deadline still runs."""
        return timer in match.position.timers and not match.over and not self.paused
