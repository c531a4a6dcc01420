"""The sandbox's time, which a test may move forward without waiting."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable


class Timer:
    """One call that is due at a moment of the sandbox's time."""

    __slots__ = ("_callback", "_clock", "_handle", "due")

    def __init__(self, clock: Clock, due: float, callback: Callable[[], None]) -> None:
        self._clock = clock
        self._callback = callback
        self.due = due
        self._handle: asyncio.TimerHandle | None = None

    def arm(self) -> None:
        """Schedule the call in the event loop, by the sandbox's time."""
        if self._handle is not None:
            self._handle.cancel()
        loop = asyncio.get_running_loop()
        self._handle = loop.call_later(max(0.0, self.due - self._clock.now()), self._fire)

    def cancel(self) -> None:
        """Cancel the call; harmless if it was already made."""
        if self._handle is not None:
            self._handle.cancel()
        self._clock.forget(self)

    def _fire(self) -> None:
        self._clock.forget(self)
        self._callback()


class Clock:
    """The sandbox's time in seconds since 1970: the machine's time plus what tests have added.

    The machine's time of day is read once, so no later jump of its clock moves the sandbox's time.
    """

    def __init__(self) -> None:
        self._ahead = time.time() - time.monotonic()
        self._timers: dict[Timer, None] = {}  # in the order in which they were set, which breaks ties

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        return time.monotonic() + self._ahead

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass at once; timers that come due fire in the loop's next turn."""
        if seconds < 0:
            raise ValueError("the sandbox's time does not run backwards")
        self._ahead += seconds
        for timer in sorted(self._timers, key=lambda timer: timer.due):
            timer.arm()

    def after(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call `callback` once `seconds` of the sandbox's time have passed."""
        timer = Timer(self, self.now() + seconds, callback)
        self._timers[timer] = None
        timer.arm()
        return timer

    async def sleep(self, seconds: float) -> None:
        """Wait until `seconds` of the sandbox's time have passed."""
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        timer = self.after(seconds, lambda: over.set_result(None))
        try:
            await over
        finally:
            timer.cancel()

    def forget(self, timer: Timer) -> None:
        """Drop `timer`."""
        self._timers.pop(timer, None)

    def stop(self) -> None:
        """Cancel every timer, at the sandbox's end."""
        for timer in list(self._timers):
            timer.cancel()
