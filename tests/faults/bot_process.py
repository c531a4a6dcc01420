"""Bots as processes of their own, quickly started; see `tests.faults.kill_points`."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

from sandbox import Sandbox
from tests.end_to_end.cardroom import FAST

ROOT = Path(__file__).parents[2]
UP_WITHIN = 30.0
ENDS_WITHIN = 20.0


class ForkServer:
    """A process with everything loaded, from which bots are forked, one at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.kill_points"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._child: int | None = None

    def close(self) -> None:
        """Kill the bot that still runs, and end the fork server."""
        if self._child is not None:
            os.kill(self._child, signal.SIGKILL)
        self._process.communicate(timeout=10)

    async def fork(self, log: Path, environ: dict[str, str]) -> int:
        """Start a bot; its process id."""
        wanted = json.dumps({"log": str(log), "environ": environ})
        self._child = await asyncio.to_thread(self._ask, wanted)
        return self._child

    async def ended(self) -> int:
        """Wait until the bot has ended; its exit code, negative for a signal."""
        reading = asyncio.ensure_future(asyncio.to_thread(self._read))
        done, _ = await asyncio.wait({reading}, timeout=ENDS_WITHIN)
        if not done and self._child is not None:  # or the thread that reads would hold the whole run up
            os.kill(self._child, signal.SIGKILL)
            await reading
            self._child = None
            raise TimeoutError(f"the bot did not end within {ENDS_WITHIN} s")
        self._child = None
        return await reading

    def _ask(self, line: str) -> int:
        asking = _open(self._process.stdin)
        asking.write(f"{line}\n")
        asking.flush()
        return self._read()

    def _read(self) -> int:
        return int(_open(self._process.stdout).readline())


def _open(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise RuntimeError("the fork server was started without pipes")
    return pipe


class ForkedBot:
    """A bot on a sandbox, with its data in a folder that outlives it."""

    def __init__(self, fork_server: ForkServer, sandbox: Sandbox, folder: Path) -> None:
        self._fork_server = fork_server
        self._sandbox = sandbox
        self._folder = folder
        self._step = folder / "kill_at"
        self._log = folder / "log"
        self._pid: int | None = None

    async def start(self, *, wait: bool = True, **settings: str) -> None:
        """Start it and, with `wait`, wait until it plays; `settings` are keys of the environment."""
        environ = {
            "DISCORD_TOKEN": self._sandbox.token,
            "DISCORD_API_BASE": self._sandbox.api_base,
            "CARDROOM_DATA_DIR": str(self._folder),
            "CARDROOM_PRESSES_PER_SECOND": FAST,
            "KILL_AT": str(self._step),
            **settings,
        }
        self._pid = await self._fork_server.fork(self._log, environ)
        if wait:
            await self._sandbox.wait_for_bot(UP_WITHIN)

    async def settle(self) -> None:
        """Wait until it has heard all of its servers: before that a close may reach it in the middle of a write."""
        for _ in range(int(UP_WITHIN / 0.05)):
            if 'message="ready: ' in self.logged:
                return
            await asyncio.sleep(0.05)
        raise TimeoutError("the bot was never ready")

    def kill_at(self, step: str) -> None:
        """Have it killed at a step of the next move."""
        self._step.write_text(step, "ascii")

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self._pid is None:
            raise RuntimeError("the bot is not started")
        os.kill(self._pid, number)

    async def ended(self) -> int:
        """Wait until it has ended by itself; the exit code, negative for a signal."""
        code = await self._fork_server.ended()
        self._pid = None
        self._step.unlink(missing_ok=True)
        await self._sandbox.wait_for(lambda: not self._sandbox.gateway.connected)
        return code

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it with a signal; the exit code."""
        self.send(number)
        return await self.ended()

    @property
    def logged(self) -> str:
        """What it has written to standard error since its last start; empty before the first."""
        return self._log.read_text("utf-8") if self._log.exists() else ""

    @property
    def alive(self) -> bool:
        """Whether it was started and has not been seen to end."""
        return self._pid is not None
