"""Reads logs of unfinished matches in a second process, so that a start uses a second processor."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Final, Protocol

from bot.play.facts.replayed_log import ReplayedLog
from bot.play.restoring.log_packing import SavedLog, pack_logs, unpack_found
from bot.play.restoring.log_worker import MODULE, read
from bot.workers.process import WorkerDied, WorkerProcess, processors

WORTHWHILE: Final = 500
"""With fewer matches a start is over before a second process would help: it needs a second to start."""
HANGS_AFTER: Final = 5.0
"""Seconds after which a worker that hasn't replied is killed. Presses on waiting matches wait for it too."""

_log = logging.getLogger(__name__)


class LogReader(Protocol):
    """Reads logs beside the bot."""

    @property
    def ready(self) -> bool:
        """Whether it reads now. That may change at any time."""
        ...

    def begin(self, matches: int) -> None:
        """Get ready, because this many matches will be restored."""
        ...

    async def read(self, logs: Sequence[SavedLog]) -> Sequence[ReplayedLog | None]:
        """What each of these logs says; None for one that it could not read. One call at a time."""
        ...

    async def close(self) -> None:
        """End it: no more logs will be read."""
        ...


class LogWorker(LogReader):
    """A `LogReader` with a process. If that fails, it isn't started again, and the bot reads all logs itself."""

    def __init__(self, worthwhile: int = WORTHWHILE) -> None:
        """The process is started for this many matches or more."""
        self._worthwhile = worthwhile
        self._starting: asyncio.Task[None] | None = None
        self._worker: WorkerProcess | None = None

    @property
    def ready(self) -> bool:
        return self._worker is not None

    @property
    def pid(self) -> int | None:
        """The process's id; None while there is none."""
        return None if self._worker is None else self._worker.pid

    def begin(self, matches: int) -> None:
        if self._starting is None and matches >= self._worthwhile and processors() > 1:
            self._starting = asyncio.create_task(self._start())

    async def read(self, logs: Sequence[SavedLog]) -> Sequence[ReplayedLog | None]:
        if self._worker is None:
            return [None] * len(logs)
        try:
            async with asyncio.timeout(HANGS_AFTER):
                return unpack_found(await self._worker.ask(pack_logs(logs)))
        except BaseException as error:
            await self._end()  # its reply, if it still comes, would be taken for the next one's
            if not isinstance(error, Exception):
                raise
            _log.warning("the worker that reads logs failed (%s)", type(error).__name__)
        return [None] * len(logs)

    async def close(self) -> None:
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        await self._end()

    async def _start(self) -> None:
        try:
            self._worker = await WorkerProcess.start(MODULE)
        except (WorkerDied, OSError) as error:
            _log.warning("no worker that reads logs starts (%s)", type(error).__name__)

    async def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.kill()
            await worker.close()


class InLoop(LogReader):
    """A `LogReader` for tests. It holds up the event loop."""

    ready = True

    def begin(self, matches: int) -> None:
        """It is always ready."""

    async def read(self, logs: Sequence[SavedLog]) -> Sequence[ReplayedLog | None]:
        return [read(saved) for saved in logs]

    async def close(self) -> None:
        return
