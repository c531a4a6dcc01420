"""The disk under the bot: the real SQLite code on real files, without threads, and copies of what a kill left behind.

aiosqlite's thread becomes steps of the loop that opened the connection: one piece of work after the other, each after a
time of chance. All the logic of `bot.store.sqlite` stays what it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import aiosqlite.core

from tests.simulation import vfs
from tests.simulation.kernel import Kernel, SimulatedLoop
from tests.simulation.patches import Patches
from tests.simulation.weather_fields import Weather

_DIES_WITH_THE_PROCESS: Final = ("-shm", ".lock")
"""Endings of files that are not copied: shared memory, and the lock that the system releases."""
_FAILING: Final = ("BEGIN", "COMMIT", "INSERT", "UPDATE", "DELETE")
"""How the statements begin that fail in a spell."""


class Disk:
    """The disks of all processes of a simulation."""

    def __init__(self, kernel: Kernel, weather: Weather) -> None:
        self.kernel = kernel
        self.weather = weather
        self.failing_until = 0.0
        """Until this moment of the kernel's time writes fail, in the share that the weather says."""
        self.chance = kernel.chance("disk")
        self._syncs = kernel.chance("syncs")
        self._connections: dict[SimulatedLoop, list[sqlite3.Connection]] = {}
        self._volatile: vfs.Disk | None = None
        self._calls_left: dict[SimulatedLoop, tuple[int, Callable[[], None]]] = {}

    @contextlib.contextmanager
    def put_under(self, patches: Patches) -> Iterator[None]:
        """Let all connections of the bot's processes use it, until the block ends."""
        self._put_under_aiosqlite(patches)
        weather = self.weather
        with contextlib.ExitStack() as stack:
            if (weather.power_cuts or weather.failed_syncs or weather.lying_syncs) and vfs.unavailable() is None:
                self._volatile = stack.enter_context(vfs.on(vfs.Disk(self.kernel.chance("power cuts"), self._judge)))
            yield

    def _put_under_aiosqlite(self, patches: Patches) -> None:
        connect = sqlite3.connect

        def connect_failing(
            *args: Any, factory: type[sqlite3.Connection] = sqlite3.Connection, **options: Any
        ) -> sqlite3.Connection:
            connection: Any = connect(*args, factory=_failing(factory), **options)  # type: ignore[arg-type]  # a class has a hash
            connection.disk = self
            return connection  # type: ignore[no-any-return]  # its class was made just now

        patches.set(aiosqlite.core, "SimpleQueue", lambda: _Queue(self))
        patches.set(aiosqlite.core, "Thread", _NoThread)
        if self.weather.store_spells:
            patches.set(sqlite3, "connect", connect_failing)

    def opened(self, loop: SimulatedLoop, connection: sqlite3.Connection) -> None:
        """Note a connection of a process."""
        self._connections.setdefault(loop, []).append(connection)

    @property
    def sees_calls(self) -> bool:
        """Whether it knows SQLite's single calls: then power can be cut, and a process killed within a commit."""
        return self._volatile is not None

    def leave_behind(self, folder: Path, to: Path, *, power_cut: bool) -> None:
        """Copy what a process leaves that is killed just now, or whose machine loses its power."""
        if self._volatile is None:
            copy_image(folder, to)
        else:
            self._volatile.leave(folder, to, power_cut=power_cut)

    def close(self, loop: SimulatedLoop) -> None:
        """A process is gone, and its image copied: close its files."""
        self._calls_left.pop(loop, None)
        for connection in self._connections.pop(loop, ()):
            with contextlib.suppress(sqlite3.Error):  # nobody reads these files any more
                connection.close()

    def remove(self, folder: Path) -> None:
        """Remove what a process had, once nobody has it open."""
        shutil.rmtree(folder, ignore_errors=True)
        if self._volatile is not None:
            self._volatile.forget(folder)

    def at_call(self, loop: SimulatedLoop, calls: int, then: Callable[[], None]) -> None:
        """Call something within one of SQLite's calls of this process, after so many more of them."""
        self._calls_left[loop] = calls, then

    def _judge(self, call: vfs.Call) -> vfs.Outcome:
        """What becomes of a call. Whoever looks at the files from outside sees a disk that works."""
        process = self.kernel.current
        if process is None or process not in self._connections:
            return vfs.Outcome.DONE
        if process in self._calls_left:
            left, then = self._calls_left.pop(process)
            if left > 0:
                self._calls_left[process] = left - 1, then
            else:
                then()
        if call.operation is vfs.Operation.SYNCHRONISE:
            if self.weather.lying_syncs:
                return vfs.Outcome.LIED
            if self._syncs.random() < self.weather.failed_syncs:
                return vfs.Outcome.FAILED
        return vfs.Outcome.DONE

    def fails(self) -> bool:
        """Whether the next write fails."""
        if self.kernel.now >= self.failing_until:
            return False
        return self.chance.random() < self.weather.store_spell_share


class _Queue:
    """What is to be done in the thread of a connection, one piece after the other."""

    def __init__(self, disk: Disk) -> None:
        loop = asyncio.get_running_loop()
        if not isinstance(loop, SimulatedLoop):
            raise TypeError("only a simulated process has a simulated disk")
        self._loop = loop
        self._disk = disk
        self._waiting: deque[tuple[asyncio.Future[Any] | None, Callable[[], Any]]] = deque()
        self._working = False

    def put_nowait(self, item: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Have a function called; what it returns goes to the future, if there is one."""
        self._waiting.append(item)
        if not self._working:
            self._working = True
            self._schedule()

    def _schedule(self) -> None:
        longest = self._disk.weather.disk_latency
        due = self._disk.kernel.now + self._disk.chance.uniform(longest / 20, longest)
        self._loop.call_at_moment(due, self._work)

    def _work(self) -> None:
        future, function = self._waiting.popleft()
        try:
            result = function()
        except Exception as error:  # noqa: BLE001  whoever waits gets it, whatever it is
            if future is not None:
                self._loop.call_soon_threadsafe(_set_exception, future, error)
        else:
            if isinstance(result, sqlite3.Connection):
                self._disk.opened(self._loop, result)
            if future is not None:
                self._loop.call_soon_threadsafe(_set_result, future, result)
        if self._waiting:
            self._schedule()
        else:
            self._working = False


class _NoThread:
    """Stands where aiosqlite would have its thread."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Nothing is started."""

    def start(self) -> None:
        """The loop does the work."""


@cache
def _failing(factory: type[sqlite3.Connection]) -> type[sqlite3.Connection]:
    """A connection of the bot's own class, whose writes fail while its disk does."""

    class Failing(factory):  # type: ignore[misc, valid-type]  # whichever class the bot uses
        disk: Disk | None = None

        def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
            """As always, or the error of a disk that cannot be written."""
            if self.disk is not None and sql.lstrip().startswith(_FAILING) and self.disk.fails():
                raise io_error()
            return super().execute(sql, parameters)  # type: ignore[no-any-return]  # as above

        def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
            """The same for many rows."""
            if self.disk is not None and self.disk.fails():
                raise io_error()
            return super().executemany(sql, parameters)  # type: ignore[no-any-return]  # as above

    return Failing


def io_error() -> sqlite3.OperationalError:
    """What SQLite raises where the disk fails."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    error.sqlite_errorname = "SQLITE_IOERR"
    return error


def copy_image(folder: Path, to: Path) -> None:
    """Copy what a killed process leaves in its folder. Finished backups are linked: nobody changes them."""

    def copy(source: str, target: str) -> None:
        if Path(source).parent.name == "backups":
            os.link(source, target)
        else:
            shutil.copyfile(source, target)

    def left_out(_folder: str, names: list[str]) -> list[str]:
        return [name for name in names if name.endswith(_DIES_WITH_THE_PROCESS)]

    shutil.copytree(folder, to, copy_function=copy, ignore=left_out)


def _set_result(future: asyncio.Future[Any], result: object) -> None:
    if not future.done():
        future.set_result(result)


def _set_exception(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)
