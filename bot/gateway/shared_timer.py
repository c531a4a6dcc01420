"""One timer of the event loop for many things that nearly always end in time.

Each answer and each request has a limit, and nearly none is ever reached. A timer of its own for each would be made,
sorted in among all others and cancelled again: that took a twentieth of the processor time of a press.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType


class SharedTimer:
    """Calls what has not been stopped in time."""

    def __init__(self) -> None:
        self._due: dict[Callable[[], object], float] = {}
        """When each call is due, in seconds of the loop's time."""
        self._next: asyncio.TimerHandle | None = None
        """The next look at them: no later than the first is due."""

    def __len__(self) -> int:
        """How many calls are still to come."""
        return len(self._due)

    def start(self, seconds: float, call: Callable[[], object]) -> None:
        """Make a call after this many seconds of the loop's time, in place of an equal one."""
        loop = asyncio.get_running_loop()
        self._due[call] = due = loop.time() + seconds
        if self._next is None or due < self._next.when():
            self._look_at(loop, due)

    def stop(self, call: Callable[[], object]) -> None:
        """Do not make a call. If it was made, or never started, this does nothing."""
        self._due.pop(call, None)

    def _look_at(self, loop: asyncio.AbstractEventLoop, moment: float) -> None:
        if self._next is not None:
            self._next.cancel()
        self._next = loop.call_at(moment, self._look)

    def _look(self) -> None:
        """Make the calls that are due, and look again when the next one is."""
        loop, self._next = asyncio.get_running_loop(), None
        now = loop.time()
        try:
            for call in [call for call, due in self._due.items() if due <= now]:
                if self._due.pop(call, None) is not None:  # an earlier one may have stopped it
                    call()
        finally:
            if self._due:
                self._look_at(loop, min(self._due.values()))


class TimeLimit:
    """As `asyncio.timeout`: cancels what runs within the block after these seconds, and raises TimeoutError then."""

    __slots__ = ("_cancelling", "_is_over", "_seconds", "_task", "_timer")

    def __init__(self, seconds: float, timer: SharedTimer) -> None:
        self._seconds = seconds
        self._timer = timer
        self._is_over = False
        self._task: asyncio.Task[object]
        self._cancelling = 0

    def __enter__(self) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a limit is a task's")
        self._task, self._cancelling = task, task.cancelling()
        self._timer.start(self._seconds, self._expire)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._timer.stop(self._expire)
        # Somebody else may have cancelled it as well, and that must not get lost.
        if self._is_over and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def _expire(self) -> None:
        self._is_over = True
        self._task.cancel()
