"""An event loop whose time is virtual: when nothing is left to do, it jumps to the next timer.

So a test that waits for a day takes no time, everything between comes in its order, and no test depends on how fast the
machine is. The loop's time passes only

- by a jump, when no callback is ready, no socket has anything, and no thread has work of this loop's;
- as real time does, while a thread has had work for long: the database's waits for a lock, for instance;
- by a millisecond whenever a socket has something, for nothing on a network takes no time;
- by `time.sleep` in the loop's own thread, at once.

discord.py's heartbeats go by it too, or the sandbox would end each session after a virtual minute.

While such a loop is open, `time` tells its time to this process, so the bot, its library and the sandbox agree on it.
Other processes, and threads that do not work for the loop, go on in real time: a test that waits for one of them needs
an ordinary loop. A library with a thread of its own says by `open_loop` when that has work.
"""

from __future__ import annotations

import asyncio
import importlib.util
import selectors
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

T = TypeVar("T")

STUCK_AFTER: Final = 60.0
"""Real seconds that the loop waits, with no timer set, before it says that what is awaited will never come: on a busy
machine a process that it waits for may take half of that."""
LOOK: Final = 0.01
"""For this part of a jump the sockets are watched in real time: what was sent on loopback may take a moment."""
SHORTEST_LOOK: Final = 0.002
LONGEST_LOOK: Final = 0.01
"""How long they are watched at once, in real seconds. Less than the shortest look is saved up for a later jump."""
QUICK_WORK: Final = 1.0
"""Real seconds. What a thread does in less takes no virtual time, or a slow disk would fail tests."""
HOP: Final = 0.001
"""Virtual seconds that pass whenever a socket has something."""

_MOMENT: Final = 1e-6
"""Virtual seconds. It is passed only when nothing else is left to do."""

_real_time, _real_monotonic, _real_sleep = time.time, time.monotonic, time.sleep


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """A loop whose `time()` begins at 0 and passes only while all wait."""

    def __init__(self) -> None:
        self._began = _real_time()
        self._passed = 0.0
        self._look_owed = 0.0
        self._waited_for_work = 0.0
        self._thread = threading.get_ident()
        self._pieces_of_work = 0
        self._count = threading.Lock()
        super().__init__(_JumpingSelector(self))
        _Told.by = self

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._passed

    def time_of_day(self) -> float:
        """Seconds since 1970: when the loop was made, and what has passed since."""
        return self._began + self._passed

    def jump(self, seconds: float) -> None:
        """Let time pass at once, without what is due meanwhile: as if the loop had been blocked."""
        self._passed += seconds

    def sleep(self, seconds: float) -> None:
        """What `time.sleep` does: blocks the loop in no time, and any other thread in real time."""
        if self.in_its_thread():
            self.jump(seconds)
        else:
            _real_sleep(seconds)

    def in_its_thread(self) -> bool:
        """Whether this is the thread that the loop runs in."""
        return threading.get_ident() == self._thread

    def close(self) -> None:
        """Close it; `time` tells real time again."""
        super().close()
        if _Told.by is self:
            _Told.by = None

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]  # typeshed's variadic generics say no more here
        """As usual; nothing is jumped over until it is done."""
        self.work_begun()
        running: asyncio.Future[T] = super().run_in_executor(executor, func, *args)
        running.add_done_callback(lambda _: self.work_ended())
        return running

    def work_begun(self) -> None:
        """A thread has a piece of work of this loop's."""
        with self._count:
            self._pieces_of_work += 1

    def work_ended(self) -> None:
        """The piece of work is done, and the loop has been called about it."""
        with self._count:
            self._pieces_of_work -= 1

    def wait(self, watch: Callable[[float], list[Any]], seconds: float, *, sockets: bool) -> list[Any]:
        """Let virtual time pass, less if something happens first. What has happened to the sockets, as `watch` finds.

        `watch` looks at the sockets for some real seconds, less if something happens. Without any `sockets` but the
        loop's own, by which threads wake it, nothing can be on its way.
        """
        while seconds > 0 and self._pieces_of_work:
            before = _real_monotonic()
            found = watch(min(seconds, LONGEST_LOOK))
            if found:
                self._passed += HOP
                self._waited_for_work = 0.0
                return found
            waited = _real_monotonic() - before
            self._waited_for_work += waited
            if self._waited_for_work > QUICK_WORK:
                waited = min(waited, seconds)
                self._passed += waited
                seconds -= waited
        self._waited_for_work = 0.0
        self._look_owed += seconds * LOOK if sockets else 0.0
        look = 0.0
        if self._look_owed >= SHORTEST_LOOK:
            look, self._look_owed = min(self._look_owed, LONGEST_LOOK), 0.0
        found = watch(look)
        self._passed += HOP if found else seconds
        return found


class _JumpingSelector(selectors.DefaultSelector):
    """Asks what is ready, and instead of waiting lets the loop's time pass."""

    def __init__(self, loop: VirtualTimeLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None:
            return self._loop.wait(super().select, max(0.0, timeout), sockets=len(self.get_map()) > 1)
        ready = super().select(STUCK_AFTER)
        if not ready:
            raise RuntimeError("the test waits for something that will never come")
        return ready


class _GuardedProcess(subprocess.Popen[Any]):
    """A process. The loop's thread may start none, for what a process does takes real time; an executor's may."""

    def __init__(self, *args: Any, **options: Any) -> None:
        if _Told.by is not None and _Told.by.in_its_thread():
            raise RuntimeError("a test that starts another process needs an ordinary loop")
        super().__init__(*args, **options)


class _Told:
    """Whose time `time` tells."""

    by: VirtualTimeLoop | None = None


def _time() -> float:
    return _real_time() if _Told.by is None else _Told.by.time_of_day()


def _monotonic() -> float:
    return _real_monotonic() if _Told.by is None else _Told.by.time()


def _sleep(seconds: float) -> None:
    return _real_sleep(seconds) if _Told.by is None else _Told.by.sleep(seconds)


def open_loop() -> VirtualTimeLoop | None:
    """The loop whose time `time` tells now, if there is one."""
    return _Told.by


def install() -> None:
    """From now on `time` tells the time of the open loop, and real time when there is none. Once for each process."""
    for name, function in (
        ("time", _time),
        ("monotonic", _monotonic),
        ("perf_counter", _monotonic),
        ("time_ns", lambda: round(_time() * 1e9)),
        ("monotonic_ns", lambda: round(_monotonic() * 1e9)),
        ("sleep", _sleep),
    ):
        setattr(time, name, function)
    subprocess.Popen = _GuardedProcess  # type: ignore[misc]  # a class takes a class's place
    if importlib.util.find_spec("discord") is not None:
        from discord_sandbox import virtual_heartbeats  # noqa: PLC0415  not everybody's bot has discord.py

        virtual_heartbeats.install(lambda: open_loop() is not None)


def loop_factories() -> Mapping[str, type[asyncio.SelectorEventLoop]]:
    """What a conftest's `pytest_asyncio_loop_factories` returns."""
    return {"virtual": VirtualTimeLoop}


async def settle() -> None:
    """Return once nothing is left to do at this moment."""
    await asyncio.sleep(_MOMENT)


def block(seconds: float) -> None:
    """Block the running loop for so long: nothing is called meanwhile."""
    time.sleep(seconds)
