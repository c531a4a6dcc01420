"""A worker as the bot sees it: started, asked, ended."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from typing import Final

from bot.workers.serving import LENGTH

READY_WITHIN: Final = 20.0
"""Seconds that a worker may take to start. On a quiet machine it takes a quarter of a second."""
ENDS_WITHIN: Final = 0.5
"""Seconds that a worker gets to end by itself, after which it is killed."""
PIPE_BYTES: Final = 1 << 20
"""As much as Linux lets anybody have."""
KEPT_VARIABLES: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE")
"""What Python may need to start here. All else stays with the bot: its environment holds the token."""


class WorkerDied(Exception):  # noqa: N818  named for what it is
    """The process ended before it replied."""


class WorkerProcess:
    """A process of a module that ends in `bot.workers.serving.serve`. Make one by `start`."""

    def __init__(self, process: Process, requests: asyncio.StreamWriter, replies: asyncio.StreamReader) -> None:
        self._process = process
        self._requests = requests
        self._replies = replies

    @classmethod
    async def start(cls, module: str) -> WorkerProcess:
        """Start one of this module, and return once it is ready.

        Raises WorkerDied, or OSError if the system can start no process.

        What it prints is dropped, because a message of Python's own may contain a hand. It is in a process group of
        its own, so that Ctrl+C in a terminal doesn't reach it before it can ignore that. It stays in the bot's
        session, because Linux may divide the processors among sessions first, and then its low priority would not
        help the bot.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # import nothing from the current folder, as in `bot.launcher`
            "-m",
            module,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=environment(),
            process_group=0,
        )
        if process.stdin is None or process.stdout is None:
            raise WorkerDied
        _enlarge(process.stdin)
        started = cls(process, process.stdin, process.stdout)
        ready = False
        try:
            async with asyncio.timeout(READY_WITHIN):
                await started._reply()
            ready = True
        except TimeoutError:
            raise WorkerDied from None
        finally:
            if not ready:
                started.kill()
                await started.close()
        return started

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.returncode is not None

    @property
    def ending(self) -> str:
        """How it ended, for the log."""
        code = self._process.returncode or 0
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    async def ask(self, request: bytes) -> bytes:
        """The reply to a request; one at a time. Raises WorkerDied."""
        try:
            self._requests.write(LENGTH.pack(len(request)) + request)
            await self._requests.drain()
            return await self._reply()
        except OSError:
            raise WorkerDied from None

    async def close(self) -> None:
        """End it, and return once it has ended."""
        self._requests.close()
        try:
            async with asyncio.timeout(ENDS_WITHIN):
                await self._process.wait()
        except TimeoutError:
            self.kill()
            await self._process.wait()

    def kill(self) -> None:
        """End it by force."""
        if not self.ended:
            # Before Python 3.13, asyncio's own `kill` may take the exit code away from those who wait for it.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)

    async def _reply(self) -> bytes:
        try:
            (length,) = LENGTH.unpack(await self._replies.readexactly(LENGTH.size))
            return await self._replies.readexactly(length)
        except (OSError, asyncio.IncompleteReadError):
            raise WorkerDied from None


def _enlarge(requests: asyncio.StreamWriter) -> None:
    """Let a pipe hold a whole request, so that a worker begins at once and not when the event loop is free again. Only
    Linux has that, and where it isn't allowed the pipe works all the same."""
    pipe = requests.get_extra_info("pipe")
    with contextlib.suppress(OSError, AttributeError, ValueError):  # ValueError: the process has ended already
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def environment() -> dict[str, str]:
    """A worker's whole environment.

    With it the worker finds the packages that this process finds. Hashes are the same in every worker, so that no order
    of a set makes two of them answer differently.
    """
    kept = {key: os.environ[key] for key in KEPT_VARIABLES if key in os.environ}
    packages = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return kept | {"PYTHONPATH": packages, "PYTHONHASHSEED": "0"}
