"""What is put in the place of the machine's clock, its chance and its threads, and put back afterwards.

`install_clocks` comes before anything else is imported, since some libraries take `time.monotonic` for themselves; it
changes nothing while no simulation runs. `applied` is for one simulation.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tests.simulation.kernel import Kernel, SimulatedLoop

REAL_TIME: Final = time.time
REAL_SECONDS: Final = time.perf_counter
_REAL_URANDOM: Final = os.urandom
_REAL_RANDOM: Final = random.Random
_REAL_DATETIME: Final = dt.datetime

_OURS: Final = ("bot", "cogs", "sandbox", "discord", "aiohttp")
"""Packages whose modules get the simulated `datetime`."""


class _Simulated:
    """The simulation that runs in this process, if one does."""

    kernel: Kernel | None = None


def _process() -> SimulatedLoop | None:
    """The simulated process whose code runs now."""
    return None if _Simulated.kernel is None else _Simulated.kernel.current


def _time_of_day(real: Callable[[], float]) -> Callable[[], float]:
    def told() -> float:
        kernel = _Simulated.kernel
        if kernel is None:
            return real()
        process = kernel.current
        return kernel.now if process is None else process.time_of_day()

    return told


def _monotonic(real: Callable[[], float]) -> Callable[[], float]:
    def told() -> float:
        kernel = _Simulated.kernel
        if kernel is None:
            return real()
        process = kernel.current
        return kernel.now if process is None else process.time()

    return told


def _in_ns(told: Callable[[], float], real: Callable[[], int]) -> Callable[[], int]:
    return lambda: real() if _Simulated.kernel is None else round(told() * 1e9)


def _urandom(size: int, /) -> bytes:
    """What a simulated process gets for chance; outside of a simulation, the machine's."""
    if _Simulated.kernel is None:
        return _REAL_URANDOM(size)
    process = _process()
    return (_AT_IMPORT if process is None else process.entropy).randbytes(size)


_AT_IMPORT: Final = _REAL_RANDOM(0)


class SimulatedRandom(random.Random):
    """A generator that, where no seed is given, takes one from `os.urandom` and not past it."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        """As always, but for that."""
        super().seed(
            int.from_bytes(_AT_IMPORT.randbytes(32) if _process() is None else _urandom(32)) if a is None else a,
            version,
        )


class _DatetimeMeta(type):
    """Any datetime is an instance of the simulated class, also those that C code makes."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _REAL_DATETIME)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _REAL_DATETIME)


class SimulatedDatetime(dt.datetime, metaclass=_DatetimeMeta):
    """`datetime` that asks `time.time` for now."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> Any:
        return _REAL_DATETIME.fromtimestamp(time.time(), tz)

    @classmethod
    def utcnow(cls) -> Any:
        return _REAL_DATETIME.fromtimestamp(time.time(), dt.UTC).replace(tzinfo=None)


def install_clocks() -> None:
    """Let `time`, `os.urandom` and `random` ask the running simulation, and the machine while there is none."""
    wall, monotonic = _time_of_day(time.time), _monotonic(time.monotonic)
    functions = {
        "time": wall,
        "monotonic": monotonic,
        "perf_counter": _monotonic(time.perf_counter),
        "time_ns": _in_ns(wall, time.time_ns),
        "monotonic_ns": _in_ns(monotonic, time.monotonic_ns),
        "perf_counter_ns": _in_ns(monotonic, time.perf_counter_ns),
    }
    for name, function in functions.items():
        setattr(time, name, function)
    os.urandom = _urandom
    random._urandom = _urandom  # type: ignore[attr-defined]  # what `secrets` draws from
    random.Random = SimulatedRandom  # type: ignore[misc]  # a class takes a class's place


def installed() -> bool:
    """Whether `install_clocks` was called in this process."""
    return os.urandom is _urandom


class Patches:
    """Attributes that are set, and put back in the end."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()

    def set(self, owner: object, name: str, value: object) -> None:
        """Set an attribute of a module or a class."""
        self._stack.callback(setattr, owner, name, getattr(owner, name))
        setattr(owner, name, value)

    def put_back(self) -> None:
        """Undo it all."""
        self._stack.close()


@contextlib.contextmanager
def applied(kernel: Kernel) -> Iterator[Patches]:
    """Let this simulation be the one whose time and chance are told, until the block ends."""
    if not installed():
        raise RuntimeError("patches.install_clocks() must be called before anything else is imported")
    import discord.gateway  # noqa: PLC0415  not before the clocks are there

    patches = Patches()
    patches.set(_Simulated, "kernel", kernel)
    patches.set(discord.gateway, "KeepAliveHandler", KeepAlive)
    for module in _modules():
        if getattr(module, "datetime", None) is _REAL_DATETIME:
            patches.set(module, "datetime", SimulatedDatetime)
    patches.set(dt, "datetime", SimulatedDatetime)
    random.seed(kernel.seed)
    try:
        yield patches
    finally:
        patches.put_back()


def _modules() -> list[ModuleType]:
    return [module for name, module in list(sys.modules.items()) if name.partition(".")[0] in _OURS]


class KeepAlive:
    """discord.py's `KeepAliveHandler`, as a task and not a thread: heartbeats, and the end of a silent connection."""

    def __init__(self, *, ws: Any, interval: float | None = None, shard_id: int | None = None, **_: Any) -> None:
        self.ws = ws
        self.interval = interval
        self.shard_id = shard_id
        self.latency = float("inf")
        self.heartbeat_timeout: float = ws._max_heartbeat_timeout
        self._last_ack = self._last_send = self._last_recv = time.perf_counter()
        self._stopped = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to send heartbeats."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    def stop(self) -> None:
        """Send no more."""
        self._stopped.set()

    def tick(self) -> None:
        """Something was received."""
        self._last_recv = time.perf_counter()

    def beat(self) -> dict[str, Any]:
        """Discord asked for a heartbeat."""
        self._last_send = time.perf_counter()
        return self.get_payload()

    def ack(self) -> None:
        """A heartbeat was acknowledged."""
        self._last_ack = time.perf_counter()
        self.latency = self._last_ack - self._last_send

    def get_payload(self) -> dict[str, Any]:
        """A heartbeat."""
        return {"op": self.ws.HEARTBEAT, "d": self.ws.sequence}

    async def _run(self) -> None:
        while not await self._stopped_within(self.interval):
            if self._last_recv + self.heartbeat_timeout < time.perf_counter():
                with contextlib.suppress(Exception):  # the library logs it and goes on
                    await self.ws.close(4000)
                return
            try:
                await self.ws.send_heartbeat(self.get_payload())
            except Exception:  # noqa: BLE001  the library's thread ends as well, whatever it was
                return
            self._last_send = time.perf_counter()

    async def _stopped_within(self, seconds: float | None) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopped.wait()
        return self._stopped.is_set()
