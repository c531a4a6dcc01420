"""Virtual time, and loops that are stepped one callback at a time.

Each simulated process is a loop of its own: Discord with its people, and every incarnation of the bot. The kernel takes
one step of one loop after the other; which of those that have something to do, a seed says. When none has, time jumps
to the earliest timer. So a process is killed by never stepping its loop again, between any two callbacks.

Within a loop callbacks come in the order in which they were scheduled: asyncio promises that, and libraries rely on it.
"""

from __future__ import annotations

import asyncio
import heapq
import random
import threading
from asyncio import events
from collections import deque
from collections.abc import Callable
from contextvars import Context
from hashlib import blake2b
from itertools import count
from typing import IO, Any, Final, TypeVar

T = TypeVar("T")

EPOCH: Final = 1_800_000_000.0
"""What a right clock shows at the beginning, in seconds since 1970."""
LONGEST_UPTIME: Final = 1e6
"""Seconds; how long a machine may have run when its process starts."""

_TIMER_SPREAD: Final = 0.0005
"""Timers come up to this many seconds late."""
_THREAD_SPREAD: Final = 0.002
"""Seconds until a loop hears from another thread."""
_EXECUTOR_TIME: Final = 0.005
"""The longest time that a call in an executor takes."""
_REBUILD_FROM: Final = 256
"""So many cancelled timers may wait before they are cleared away."""
_NOTED_AT_ONCE: Final = 1000
_WHATEVER_IS_READY: Final = 1_000_000
"""Steps: more than are ever ready at one moment."""
_NEVER: Final = float("inf")


class Kernel:
    """The virtual time, the loops that live, and the trace of what they did."""

    def __init__(self, seed: int, trace: IO[str] | None = None) -> None:
        """`trace` gets a line for each step; its hash is made in any case."""
        self.seed = seed
        self.now = 0.0
        """Virtual seconds since the beginning."""
        self.steps = 0
        self.current: SimulatedLoop | None = None
        """The loop whose step is being taken."""
        self.stopped = False
        """Once this is set, `run` returns after the step."""
        self.loops: list[SimulatedLoop] = []
        self._order = self.chance("order")
        self._numbers = count(1)
        self._trace = trace
        self._digest = blake2b(digest_size=16)
        self._noted: list[str] = []

    def chance(self, name: str) -> random.Random:
        """A generator of its own for a subject, so that a new one does not shift all others."""
        return random.Random(f"{self.seed}/{name}")

    def loop(self, name: str) -> SimulatedLoop:
        """A new process's loop."""
        loop = SimulatedLoop(self, next(self._numbers), name)
        self.loops.append(loop)
        return loop

    def kill(self, loop: SimulatedLoop) -> None:
        """Never step this loop again. Nothing of it runs any more: no `finally`, no callback."""
        loop.dead = True
        if loop in self.loops:
            self.loops.remove(loop)

    def run(self, until: float) -> None:
        """Take steps until this moment, or until `stopped` is set."""
        while not self.stopped:
            self._step_what_is_ready()
            soonest = _NEVER
            for loop in self.loops:
                soonest = min(soonest, loop.next_moment())
            if soonest > until:
                self.now = max(self.now, until)
                return
            self.now = max(self.now, soonest)
            for loop in self.loops:
                loop.make_due_timers_ready()

    def _step_what_is_ready(self) -> None:
        """Until nothing is left to do at this moment."""
        while not self.stopped:
            ready = [loop for loop in self.loops if loop.queue and loop.busy_until <= self.now]
            if not ready:
                return
            if len(ready) == 1:
                ready[0].step(_WHATEVER_IS_READY)
            else:
                self._order.choice(ready).step(1)

    # ------------------------------------------------------------------------------------ the trace

    def note(self, who: int, what: str) -> None:
        """Write something into the trace."""
        self._noted.append(f"{who} {self.now!r} {what}\n")
        if len(self._noted) >= _NOTED_AT_ONCE:
            self._write_trace()

    @property
    def trace_hash(self) -> str:
        """The hash of the trace so far."""
        self._write_trace()
        return self._digest.hexdigest()

    def _write_trace(self) -> None:
        lines = "".join(self._noted)
        self._noted.clear()
        self._digest.update(lines.encode())
        if self._trace is not None:
            self._trace.write(lines)


class _Callback(asyncio.Handle):
    """A callback that the kernel can name and run."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """What it does, without addresses: the coroutine of a task, or the function."""
        return _name(self._callback)  # type: ignore[attr-defined]  # asyncio tells nobody else

    def run(self) -> None:
        """Make the call."""
        self._run()


class _Timer(asyncio.TimerHandle):
    """The same at a moment; `waits` until it is due."""

    __slots__ = ("waits",)

    waits: bool

    @property
    def name(self) -> str:
        """What it does."""
        return _name(self._callback)  # type: ignore[attr-defined]  # as above

    def run(self) -> None:
        """Make the call."""
        self._run()


class SimulatedLoop(asyncio.BaseEventLoop):
    """The loop of one simulated process, with a clock of its own that may be wrong."""

    def __init__(self, kernel: Kernel, number: int, name: str) -> None:
        # First of all, since the base class asks for the time and whether it runs.
        self.kernel = kernel
        self.number = number
        self.name = name
        self.dead = False
        self.busy_until = 0.0
        """Until this moment of the kernel's time no step is taken: the process stands still."""
        self.step_cost: Callable[[], float] | None = None
        """Gives the seconds that a step took; None: no step takes any time."""
        self.skew = 0.0
        """Seconds that its time of day is ahead."""
        self.entropy = kernel.chance(f"entropy of {name}")
        """What the operating system gives this process for chance."""
        self.signals: dict[int, Callable[[], object]] = {}
        self.dial: Callable[[SimulatedLoop, Callable[[], Any]], Any] | None = None
        """Makes a connection to Discord: (this loop, protocol factory) -> (transport, protocol), awaited."""
        self._spread = kernel.chance(f"timers of {name}")
        self._uptime = self._spread.uniform(0.0, LONGEST_UPTIME)
        self.queue: deque[_Callback | _Timer] = deque()
        """What is ready, in the order in which it was scheduled."""
        self._timers: list[tuple[float, int, _Timer]] = []
        self._timer_numbers = count()
        self._cancelled = 0
        self._heard_until = 0.0
        self._steps_left = 0
        self._then: Callable[[], None] | None = None
        super().__init__()
        self._thread_id = threading.get_ident()  # so it is a running loop

    def __repr__(self) -> str:
        return f"<loop of {self.name}>"

    def __del__(self) -> None:
        """Dropped without a word: a killed process closes nothing."""

    # ------------------------------------------------------------------------------------ its clock

    def time(self) -> float:
        """Its machine's monotonic time: seconds since that was switched on."""
        return self.kernel.now + self._uptime

    def time_of_day(self) -> float:
        """Its machine's time of day: seconds since 1970, as far as it knows."""
        return EPOCH + self.kernel.now + self.skew

    # ------------------------------------------------------------------------------------ what the kernel does

    def next_moment(self) -> float:
        """The kernel's time at which the next step can be taken; infinity for never."""
        if self.queue:
            return self.busy_until
        timers = self._timers
        while timers and timers[0][2].cancelled():
            heapq.heappop(timers)
            self._cancelled -= 1
        return max(timers[0][0], self.busy_until) if timers else _NEVER

    def make_due_timers_ready(self) -> None:
        """Put what is due at the kernel's time into the queue, the earliest first."""
        now, timers = self.kernel.now, self._timers
        while timers and timers[0][0] <= now:
            handle = heapq.heappop(timers)[2]
            handle.waits = False
            if handle.cancelled():
                self._cancelled -= 1
            else:
                self.queue.append(handle)

    def step(self, most: int) -> None:
        """Run what is ready, in its order: so many callbacks at most."""
        kernel, queue = self.kernel, self.queue
        kernel.current = self
        events._set_running_loop(self)
        try:
            while queue and most and not kernel.stopped and not self.dead and self.busy_until <= kernel.now:
                handle = queue.popleft()
                if handle.cancelled():
                    continue
                most -= 1
                kernel.steps += 1
                kernel.note(self.number, handle.name)
                handle.run()
                if self.step_cost is not None:
                    self.busy_until = max(self.busy_until, kernel.now + self.step_cost())
                if self._then is not None:
                    self._count_down()
        finally:
            events._set_running_loop(None)
            kernel.current = None

    def _count_down(self) -> None:
        self._steps_left -= 1
        if self._steps_left <= 0 and self._then is not None:
            then, self._then = self._then, None
            then()

    def after_steps(self, steps: int, then: Callable[[], None]) -> None:
        """Call something between two of its steps, once it has taken so many more; it replaces what was to come."""
        self._steps_left, self._then = steps, then

    def stand_still(self, seconds: float) -> None:
        """Take no step for so long, as a process does that gets no time of its machine."""
        self.busy_until = max(self.busy_until, self.kernel.now + seconds)

    def send_signal(self, number: int) -> bool:
        """Send the process a signal; whether it has a handler."""
        handler = self.signals.get(number)
        if handler is not None:
            self.call_soon(handler)
        return handler is not None

    # ------------------------------------------------------------------------------------ what asyncio asks for

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> asyncio.Handle:  # type: ignore[override]  # typeshed's variadic generics say no more here
        """As always; nothing comes of it in a killed process."""
        handle = _Callback(callback, args, self, context)
        if self.dead:
            handle.cancel()
        else:
            self.queue.append(handle)
        return handle

    def call_later(  # type: ignore[override]  # as above
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """As always, up to half a millisecond late."""
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]  # as above
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """As always, up to half a millisecond late."""
        due = max(when - self._uptime, self.kernel.now) + self._spread.random() * _TIMER_SPREAD
        return self.call_at_moment(due, callback, *args, context=context)

    def call_at_moment(
        self, due: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Call something at a moment of the kernel's time. What is due at the same moment keeps its order."""
        handle = _Timer(due + self._uptime, callback, args, self, context)
        handle.waits = not self.dead
        if self.dead:
            handle.cancel()
            return handle
        heapq.heappush(self._timers, (due, next(self._timer_numbers), handle))
        return handle

    def call_soon_threadsafe(  # type: ignore[override]  # as above
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """From a simulated thread: it takes a moment until the loop hears of it."""
        due = self.kernel.now + self._spread.random() * _THREAD_SPREAD
        self._heard_until = max(self._heard_until, due)  # what one thread tells stays in its order
        return self.call_at_moment(self._heard_until, callback, *args, context=context)

    def run_in_executor(self, _executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]  # as above
        """The call is made in one step a little later, and its result is heard of later still."""
        future: asyncio.Future[T] = self.create_future()

        def work() -> None:
            try:
                result = func(*args)
            except BaseException as error:  # noqa: BLE001  whoever waits gets it, whatever it is
                self.call_soon_threadsafe(_set_exception, future, error)
            else:
                self.call_soon_threadsafe(_set_result, future, result)

        self.call_at_moment(self.kernel.now + self._spread.random() * _EXECUTOR_TIME, work)
        return future

    def add_signal_handler(self, sig: int, callback: Callable[..., object], *args: Any) -> None:  # type: ignore[override]  # as above
        """Keep it for `send_signal`."""
        self.signals[sig] = lambda: callback(*args)

    def remove_signal_handler(self, sig: int) -> bool:
        """Forget it."""
        return self.signals.pop(sig, None) is not None

    async def create_unix_connection(self, protocol_factory: Callable[[], Any], *_: Any, **__: Any) -> Any:
        """Connect to Discord; the one address that there is."""
        if self.dial is None:
            raise ConnectionRefusedError(f"{self.name} has no network")
        return await self.dial(self, protocol_factory)

    def get_debug(self) -> bool:
        """Never: it makes no difference to what is simulated."""
        return False

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """A handle tells that it was cancelled before its time."""
        if not isinstance(handle, _Timer) or not handle.waits:
            return
        self._cancelled += 1
        if self._cancelled > _REBUILD_FROM and self._cancelled * 2 > len(self._timers):
            self._timers = [each for each in self._timers if not each[2].cancelled()]
            heapq.heapify(self._timers)
            self._cancelled = 0


def _set_result(future: asyncio.Future[T], result: T) -> None:
    if not future.done():
        future.set_result(result)


def _set_exception(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)


def _name(callback: Any) -> str:
    """What a step does, without addresses: the coroutine of a task, or the function."""
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, asyncio.Task):
        return getattr(owner.get_coro(), "__qualname__", "task")
    name: str | None = getattr(callback, "__qualname__", None)
    return type(callback).__name__ if name is None else name
