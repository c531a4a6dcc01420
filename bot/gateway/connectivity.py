"""Watches whether Discord and the bot can reach each other, and whether the bot may answer. While nobody can press, all
clocks are paused.

The bot records a heartbeat in the store every few seconds. So after a restart, a new session or a suspended process it
knows for how long nobody could play, and credits every clock with that time.

`LoopLag` measures how late the event loop runs. While it is blocked nobody gets an answer, so that is logged. The cause
is an error in the program or a machine that is too busy. A press that waited longer than three seconds is dropped
(`cogs.interactions.arrivals`), because Discord told its sender that it failed. It may be handled before the standstill
is measured, so `LoopLag.stood_still` also looks at when the next measurement was due.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from typing import Any, Final

import aiohttp

from bot.gateway.discord_time import DiscordTime
from bot.play.clocks.match_clock import MatchClock
from bot.play.matchmaking.invitations import Invitations
from bot.scheduler import ScheduledCall, Scheduler, Tasks
from bot.shard_range import shard_of
from bot.store.store import Store
from bot.telemetry import Telemetry

_log = logging.getLogger(__name__)

BEAT_SECONDS: Final = 5.0
AWAY_SECONDS: Final = 10.0
"""A shorter outage pauses the clocks too, but is not credited."""
MOST_DRIFT: Final = 2000
"""The most (ms) by which the bot's time of day may differ from Discord's, which may be known to a second only."""
AGAIN_SECONDS: Final = 5.0
"""How long to wait before trying to resume the clocks again, if the store failed."""

MEASURE_SECONDS: Final = 0.5
"""How long to wait between two measurements of the event loop's lag."""
STANDSTILL: Final = 1.0
"""A lag of this many seconds or more is logged."""
HELD_UP: Final = 2.5
"""A standstill of this many seconds, or more, may have made a press too old to answer."""
DRAINED_AFTER: Final = 1.0
"""Seconds until everything that arrived during a standstill is surely read."""


class ConnectionGuard:
    """Pauses and resumes all clocks. After a start they are paused until `connection_restored`."""

    def __init__(self, store: Store, clock: MatchClock, invitations: Invitations, scheduler: Scheduler) -> None:
        self._store = store
        self._clock = clock
        self._invitations = invitations
        self._scheduler = scheduler
        self.discord_time = DiscordTime()
        self._away_timer: ScheduledCall | None = None
        self._tasks = Tasks()
        self._correcting = asyncio.Lock()
        """Held while the deadlines of all matches and invitations are changed."""
        self._is_lost = True
        """Whether Discord is out of reach; true before the first connection."""
        self._is_crediting = False
        self._is_silent = False
        """Whether this process answers nobody, because another one may have its shards."""
        self.is_away = True
        """Whether the outage is long enough to be credited; true before the first connection."""

    def pause_clocks(self) -> None:
        """Pause the clocks of all matches and invitations."""
        self._clock.pause()
        self._invitations.pause_clocks()

    def connection_lost(self) -> None:
        """Pause the clocks because Discord is out of reach. After `AWAY_SECONDS` the outage counts as long."""
        self._is_lost = True
        if self._away_timer is None and not self.is_away:
            self._away_timer = self._scheduler.call_later(AWAY_SECONDS, self.mark_away)
            self.pause_clocks()

    def mark_away(self) -> None:
        """The outage is now long enough to be credited."""
        self._away_timer = None
        self.is_away = True
        _log.warning("Discord is out of reach: all clocks stand")

    async def connection_restored(self, *, whole: bool = True) -> None:
        """Discord is in reach again, with all sessions (`whole`) or with one of several."""
        if whole:
            self._is_lost = False
            await self._resume()

    def fall_silent(self) -> None:
        """Pause the clocks because this process answers nobody. That counts as long at once: it may have stood still or
        saved nothing for longer than anybody here knows."""
        self._end_wait()
        self._is_silent = self.is_away = True
        self.pause_clocks()

    def end_silence(self) -> None:
        """This process answers again."""
        self._is_silent = False
        self._tasks.begin(self._speak_again())

    async def _speak_again(self) -> None:
        await self._resume()
        self.show_again()  # nothing of what changed meanwhile was sent

    async def _resume(self) -> None:
        """Resume the clocks, with credit after a long outage, unless there is still a reason why nobody can press."""
        if not self._can_be_pressed() or self._is_crediting:  # after the credit it looks again
            return
        waited = self._end_wait()
        if not self.is_away:
            if waited:
                self._let_go()
            return
        self._is_crediting = True
        try:
            await self._credit()
        except Exception as error:  # noqa: BLE001  whatever it is, the clocks must not stand for ever
            _log.warning("the clocks could not be let go: %s", type(error).__name__)
            self._away_timer = self._scheduler.call_later(AGAIN_SECONDS, lambda: self._tasks.begin(self._resume()))
            return
        finally:
            self._is_crediting = False
        if not self._can_be_pressed():  # it was lost again meanwhile
            return
        self.is_away = False
        self._let_go()
        self._clock.show_again()
        _log.info("Discord is there: all clocks go on")

    async def _credit(self) -> None:
        """Credit all clocks with the time since the last heartbeat. If that takes so long that it's an outage itself,
        because the store is slow or the process stood still, credit them again: meanwhile nobody could play either."""
        took = AWAY_SECONDS
        while took >= AWAY_SECONDS and self._can_be_pressed():
            begun = self._scheduler.monotonic()
            async with self._correcting:
                await self._clock.credit()
                await self._invitations.read_deadlines()
            took = self._scheduler.monotonic() - begun

    def _let_go(self) -> None:
        self._clock.resume()
        self._invitations.resume_clocks()

    def _can_be_pressed(self) -> bool:
        return not self._is_lost and not self._is_silent

    def _end_wait(self) -> bool:
        """Cancel the timer, if there is one. Returns whether there was."""
        timer, self._away_timer = self._away_timer, None
        if timer is not None:
            timer.cancel()
        return timer is not None

    def begin_time(self) -> None:
        """Go by Discord's time of day from the start, before any deadline was read: those are by it already."""
        if by := self._amiss():
            self._scheduler.correct(by)
            _log.warning("the machine's clock is %.0f s behind Discord's: the bot goes by Discord's", by / 1000)

    async def correct_time(self) -> None:
        """If the bot's time of day is no longer Discord's, go by Discord's again, and show all times again. As long as
        nothing is known of Discord's, the machine's stands for it.

        It differs after the machine slept, and after its clock was put right while Discord's was unknown. Deadlines
        move with it, so nobody wins or loses time. Raises StoreError; then nothing has changed.
        """
        by = self._amiss()
        if not by:
            return
        async with self._correcting, self._invitations.changing, self._clock.kept_waiting():
            self._shift_time(by)  # in one step with the next line: what is written later is reckoned by the new time
            try:
                await self._store.shift_time(by)
            except BaseException:
                self._shift_time(-by)
                raise
        _log.warning("Discord's clock differs by %.0f s: times are shown by it, and deadlines moved", by / 1000)
        self.show_again()

    def _amiss(self) -> int:
        """How many ms the bot's time of day is behind Discord's; 0 if that is too little to matter."""
        by = self._scheduler.drift() + self.discord_time.ahead
        return by if abs(by) > MOST_DRIFT else 0

    def show_again(self) -> None:
        """Bring the screens of all matches and invitations up to date."""
        self._clock.show_again()
        self._invitations.show_again()

    def _shift_time(self, by: int) -> None:
        self._scheduler.correct(by)
        self._clock.shift_time(by)
        self._invitations.shift_time(by)

    async def run_beats(self) -> None:
        """Record a heartbeat every few seconds until cancelled. If the process was suspended, credit the clocks."""
        loop = asyncio.get_running_loop()  # what is measured here is whether the loop itself stood still
        woken = loop.time()
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            before, woken = woken, loop.time()  # it may stand still while a heartbeat is recorded, too
            stalled = woken - before - BEAT_SECONDS
            try:
                await self.correct_time()
            except Exception as error:  # noqa: BLE001  a full disk must not end this loop; the next beat tries again
                _log.warning("the time of day could not be corrected: %s", type(error).__name__)
            if self._away_timer is not None or self.is_away:
                continue
            try:
                if stalled > AWAY_SECONDS:
                    _log.warning("the process stood still for %.0f s: all clocks are given it back", stalled)
                    self.pause_clocks()
                    self.is_away = True  # if the credit cannot be given now, it is tried again until it can
                    await self._resume()
                else:
                    await self._store.record_heartbeat(self._clock.now())
            except Exception as error:  # noqa: BLE001  a full disk must not end this loop; the next beat tries again
                _log.warning("the time could not be noted: %s", type(error).__name__)

    async def close(self) -> None:
        """Cancel all tasks and timers."""
        self._end_wait()
        await self._tasks.ended(cancelled=True)


class Replays:
    """Which shards have lost their connection and have not yet caught up.

    After a lost connection the gateway first sends what was missed, then RESUMED, then what happens
    (https://discord.com/developers/docs/events/gateway#resuming). Nothing else tells one from the other.
    """

    def __init__(self) -> None:
        self._behind: set[int] = set()

    def connection_lost(self, shard: int) -> None:
        """What this shard receives from now on may have happened during the outage."""
        self._behind.add(shard)

    def caught_up(self, shard: int) -> None:
        """RESUMED, or READY, which replays nothing: what this shard receives from now on just happened."""
        self._behind.discard(shard)

    def include(self, guild_id: int | None, shards: int) -> bool:
        """Whether an event of this server may be a replayed one; of direct messages it is None. `shards` is their
        number."""
        return bool(self._behind) and shard_of(guild_id or 0, shards) in self._behind


class Silenced(aiohttp.ClientConnectionError):
    """No request is sent, because this process may have been replaced."""


def close_while(connector: aiohttp.BaseConnector, silent: Callable[[], bool]) -> None:
    """Refuse every new request of a connector while `silent()`. Requests under way are not cut."""
    connect = connector.connect

    async def guarded(*args: Any, **kwargs: Any) -> Any:
        if silent():
            raise Silenced("another process may serve these shards")
        return await connect(*args, **kwargs)

    connector.connect = guarded  # type: ignore[method-assign]  # whatever sends requests asks the connector


class LoopLag:
    """Measures the lag of the running loop."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._telemetry = telemetry
        self._due: float | None = None
        self._drained_at = -math.inf

    async def watch(self) -> None:
        """Measure until cancelled, and report every lag."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                self._due = loop.time() + MEASURE_SECONDS
                await asyncio.sleep(MEASURE_SECONDS)
                lag = max(0.0, loop.time() - self._due)
                self._telemetry.loop_lag(lag)
                if lag >= STANDSTILL:
                    _log.warning("the event loop stood still for %.1f s", lag)
                if lag >= HELD_UP:
                    self._drained_at = loop.time() + DRAINED_AFTER
        finally:
            self._due = None

    def stood_still(self) -> bool:
        """Whether what is handled now may have waited during a standstill of `HELD_UP` seconds."""
        now = asyncio.get_running_loop().time()
        return now < self._drained_at or (self._due is not None and now - self._due >= HELD_UP)
