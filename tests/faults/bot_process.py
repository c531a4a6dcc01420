"""Bots as processes of their own, quickly started; see `tests.fork_server` and `tests.faults.kill_points`."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import FAST
from tests.fork_server import ROOT, ForkServer

UP_WITHIN = 120.0
PATIENCE = 20.0
"""Seconds instead of 3 in which such a bot must answer: they are real, and a busy machine is slow, not wrong."""
LATE = PATIENCE + 1
"""So far the sandbox's time must be advanced for an answer to come too late."""
KILL_POINTS = "tests.faults.kill_points"
THE_BOT = "bot"
"""The program that people run."""


class ForkedBot:
    """A bot on a sandbox, with its data in a folder that outlives it. Of its program, what the server has not loaded is
    taken from the folder `root` first."""

    def __init__(self, fork_server: ForkServer, sandbox: Sandbox, folder: Path, *, root: Path | str = ROOT) -> None:
        self._fork_server = fork_server
        self._sandbox = sandbox
        self._folder = folder
        self._root = Path(root)
        self._step = folder / "kill_at"
        self._log = folder / "log"
        self._pid: int | None = None

    async def start(self, *arguments: str, wait: bool = True, program: str = KILL_POINTS, **settings: str) -> None:
        """Start it and, with `wait`, wait until it plays; `settings` are keys of the environment."""
        environ = {
            **os.environ,
            "DISCORD_TOKEN": self._sandbox.token,
            "DISCORD_API_BASE": self._sandbox.api_base,
            "CARDROOM_DATA_DIR": str(self._folder),
            "CARDROOM_PRESSES_PER_SECOND": FAST,
            "CARDROOM_POSTS_PER_MINUTE": FAST,
            "CARDROOM_CARD_EMOJIS": "off",
            "KILL_AT": str(self._step),
            **settings,
        }
        self._log.unlink(missing_ok=True)  # or what the last one wrote could be taken for this one's
        self._pid = await asyncio.to_thread(
            self._fork_server.start,
            program,
            *arguments,
            environ=environ,
            folder=self._root,
            out=Path(os.devnull),
            err=self._log,
        )
        if wait:
            await self._sandbox.wait_for_bot(UP_WITHIN)

    async def settle(self) -> None:
        """Wait until it has heard all of its servers: before that a close may reach it in the middle of a write."""
        await self.has_logged('message="ready: ')

    async def has_logged(self, text: str) -> None:
        """Wait until it has written this to standard error."""
        for _ in range(int(UP_WITHIN / 0.05)):
            if text in self.logged:
                return
            await asyncio.sleep(0.05)
        raise TimeoutError(f"the bot never wrote {text!r}")

    def kill_at(self, step: str) -> None:
        """Have it killed at a step of the next move."""
        self._step.write_text(step, "ascii")

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    async def ended(self) -> int:
        """Wait until it has ended by itself; the exit code, negative for a signal."""
        code = await self._fork_server.ended(self._pid)
        self._pid = None
        self._step.unlink(missing_ok=True)
        await self._until_unheard()
        return code

    async def _until_unheard(self) -> None:
        """Wait until the sandbox has noticed that it is gone."""
        await self._sandbox.wait_for(lambda: not self._sandbox.gateway.connected, UP_WITHIN)

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it with a signal; the exit code."""
        self.send(number)
        return await self.ended()

    @property
    def pid(self) -> int:
        """The number of its process."""
        if self._pid is None:
            raise RuntimeError("the bot is not started")
        return self._pid

    @property
    def logged(self) -> str:
        """What it has written to standard error since its last start; empty before the first."""
        return self._log.read_text("utf-8") if self._log.exists() else ""

    @property
    def alive(self) -> bool:
        """Whether it was started and has not been seen to end."""
        return self._pid is not None


@asynccontextmanager
async def forked(
    fork_server: ForkServer, sandbox: Sandbox, folder: Path, *, root: Path | str = ROOT, **settings: str
) -> AsyncIterator[ForkedBot]:
    """A bot as people run it, ready to play until the block ends."""
    bot = ForkedBot(fork_server, sandbox, folder, root=root)
    try:
        await bot.start(wait=True, program=THE_BOT, **settings)
        yield bot
    finally:
        if bot.alive:
            await bot.stop(signal.SIGKILL)
