"""The processes of one bot, each forked with everything loaded, and what a test asks of them."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

from discord_sandbox import Sandbox, Server
from tests.faults.bot_process import UP_WITHIN, ForkedBot
from tests.fork_server import ForkServer

PROGRAM = "tests.clusters.quick_bot"
LEASE = 4.0
"""Seconds of a lease in these tests."""
AT_ONCE = "50"
"""Milliseconds between two sessions: the sandbox asks for more only where limits are enforced."""
TAKEN_OVER_WITHIN = 30.0
"""Real seconds for a takeover on a busy machine."""


class Part(ForkedBot):
    """One process of the bot, with a folder of its own."""

    def __init__(self, fork_server: ForkServer, sandbox: Sandbox, folder: Path, **settings: str) -> None:
        folder.mkdir()
        super().__init__(fork_server, sandbox, folder)
        self.folder = folder
        self._settings = settings

    async def serve(self, shards: str, *, wait: bool = True) -> None:
        """Start it for these shards, and with `wait` wait until it plays."""
        settings = {"LEASE": str(LEASE), "TURNS": AT_ONCE, **self._settings}
        await self.start(wait=False, program=PROGRAM, CARDROOM_SHARDS=shards, **settings)
        if wait:
            await self.settle()

    def freeze_at(self, step: str) -> None:
        """Have it stopped (SIGSTOP) at a step of the next move."""
        self.kill_at(f"freeze {step}")

    async def frozen(self) -> None:
        """Wait until it has been stopped."""
        for _ in range(int(UP_WITHIN / 0.02)):
            if is_stopped(self.pid):
                return
            await asyncio.sleep(0.02)
        raise TimeoutError("the process was never stopped")

    async def crash(self) -> None:
        """Kill it with SIGKILL."""
        self.send(signal.SIGKILL)
        await self.ended()

    async def _until_unheard(self) -> None:
        """Other processes stay connected, so there is nothing to wait for."""


def is_stopped(pid: int) -> bool:
    """Whether a process has been stopped by a signal (proc(5))."""
    return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] == "T"


def servers_of(sandbox: Sandbox, shard: int, shards: int) -> list[Server]:
    """The servers that belong to a shard."""
    return [each for each in sandbox.world.servers.values() if (each.id >> 22) % shards == shard]


def commands_announced(sandbox: Sandbox) -> int:
    """How often Discord was told of the commands of all servers."""
    return sum(each.method == "PUT" and each.path.endswith("/commands") for each in sandbox.transcript.requests)
