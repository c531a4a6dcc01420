"""Whether Discord and we can reach one another; while we cannot, all clocks stand, for nobody can press.

That we are here is noted in the store every few seconds. So the next start, the next session, and a process that was
put to sleep know for how long nobody could play, and give every clock that time back (P4).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from typing import Any, Final

from bot.play.invitations import Invitations
from bot.play.match_clock import MatchClock
from bot.store.errors import StoreError
from bot.store.protocols.servers import ServerStore

_log = logging.getLogger(__name__)

BEAT_SECONDS: Final = 5.0
AWAY_SECONDS: Final = 10.0
"""What is lost by a connection gone for less than this is not given back; the clocks stand all the same."""
AGAIN_SECONDS: Final = 5.0
"""When the clocks could not be let go, for the store failed, they are tried again after this."""


class ConnectionGuard:
    """The clocks of everything open, paused and resumed together. They are resumed first by `connection_restored`."""

    def __init__(self, store: ServerStore, clock: MatchClock, invitations: Invitations) -> None:
        self._store = store
        self._clock = clock
        self._invitations = invitations
        self._away_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_away = True
        """Whether we have been out of reach for longer than a moment."""

    def pause_clocks(self) -> None:
        """Let no clock run from now on."""
        self._clock.pause()
        self._invitations.pause_clocks()

    def connection_lost(self) -> None:
        """Discord is out of reach."""
        if self._away_timer is None and not self.is_away:
            self._away_timer = asyncio.get_running_loop().call_later(AWAY_SECONDS, self.mark_away)
            self.pause_clocks()

    def mark_away(self) -> None:
        """It has been for so long that the time is to be given back."""
        self._away_timer = None
        self.is_away = True
        _log.warning("Discord is out of reach: all clocks stand")

    async def connection_restored(self, *, whole: bool = True) -> None:
        """Discord is there again, with all of its sessions (`whole`) or with one of several."""
        if self._away_timer is not None:
            self._away_timer.cancel()
            self._away_timer = None
            if not self.is_away:
                self._clock.resume()
                self._invitations.resume_clocks()
        if not self.is_away or not whole:
            return
        self.is_away = False
        try:
            await self._resume_with_credit()
        except StoreError as error:
            self.is_away = True
            _log.warning("the clocks could not be let go: %s", type(error).__name__)
            self._away_timer = asyncio.get_running_loop().call_later(
                AGAIN_SECONDS, lambda: self._spawn(self.connection_restored())
            )
            return
        _log.info("Discord is there: all clocks go on")

    async def run_beats(self) -> None:
        """Note in the store that we are here, until cancelled; so it is known how long we were not."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(BEAT_SECONDS)
            stood = time.monotonic() - before - BEAT_SECONDS
            if self._away_timer is not None or self.is_away:
                continue
            try:
                if stood > AWAY_SECONDS:
                    _log.warning("the process stood still for %.0f s: all clocks are given it back", stood)
                    await self._resume_with_credit()
                else:
                    await self._store.record_heartbeat(self._clock.now())
            except Exception as error:  # noqa: BLE001  a full disk must not stop the heart; the next beat tries again
                _log.warning("the time could not be noted: %s", type(error).__name__)

    async def close(self) -> None:
        """Leave nothing running."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._away_timer is not None:
            self._away_timer.cancel()

    async def _resume_with_credit(self) -> None:
        """Let the clocks go on, credited with the time since the last beat."""
        await self._clock.resume_with_credit()
        await self._invitations.resume_with_credit()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
