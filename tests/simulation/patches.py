"""What is put in the place of the machine's clock, its chance and its threads, and put back afterwards.

`install_clocks` comes before anything else is imported, since some libraries take `time.monotonic` for themselves; it
changes nothing while no simulation runs. `applied` is for one simulation.
"""

from __future__ import annotations

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

REAL_SECONDS: Final = time.perf_counter
_REAL_URANDOM: Final = os.urandom
_REAL_RANDOM: Final = random.Random
_REAL_DATETIME: Final = dt.datetime

_OURS: Final = ("bot", "cogs", "discord_sandbox", "discord", "aiohttp")
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
    if installed():
        return
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
    for module, name in ((os, "urandom"), (random, "_urandom")):  # the second is what `secrets` draws from
        setattr(module, name, _urandom)
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

    from discord_sandbox.virtual_heartbeats import KeepAlive  # noqa: PLC0415  as above

    patches = Patches()
    patches.set(_Simulated, "kernel", kernel)
    patches.set(discord.gateway, "KeepAliveHandler", KeepAlive)
    for module in _modules():
        if getattr(module, "datetime", None) is _REAL_DATETIME:
            patches.set(module, "datetime", SimulatedDatetime)
    patches.set(dt, "datetime", SimulatedDatetime)
    patches.set(os, "setpriority", _leave_priority)  # a thread that steps back would be this one: there is no other
    random.seed(kernel.seed)
    try:
        yield patches
    finally:
        patches.put_back()


def _leave_priority(*_: int) -> None:
    """Set no priority."""


def _modules() -> list[ModuleType]:
    return [module for name, module in list(sys.modules.items()) if name.partition(".")[0] in _OURS]
