"""The bot as a process of its own, which a test may kill."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import FAST

ROOT = Path(__file__).parents[2]
UP_WITHIN = 120.0


class BotProcess:
    """`python -m bot` (or another module) on a sandbox, with its data in a folder that outlives it. The program is the
    one in the folder `root`.

    Its log goes to the file at `log`. Without one it stays in a pipe until the end, so it must be short: the bot stands
    still once a pipe is full.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        folder: Path,
        *,
        module: str = "bot",
        log: str = "",
        root: Path | str = ROOT,
        **settings: str,
    ) -> None:
        self._sandbox = sandbox
        self._module = module
        self._log = log
        self._root = root
        self._environ = {
            **os.environ,
            "DISCORD_TOKEN": sandbox.token,
            "DISCORD_API_BASE": sandbox.api_base,
            "CARDROOM_DATA_DIR": str(folder),
            "CARDROOM_PRESSES_PER_SECOND": FAST,
            "CARDROOM_POSTS_PER_MINUTE": FAST,
            "CARDROOM_CARD_EMOJIS": "off",
            **settings,
        }
        self._process: Process | None = None

    @property
    def running(self) -> bool:
        """Whether it was started, and neither killed nor stopped since."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._started().pid

    async def start(self, within: float = UP_WITHIN) -> None:
        """Start it and wait until it plays, so many seconds at most."""
        await self.spawn()
        await self._sandbox.wait_for_bot(within)

    async def spawn(self) -> None:
        """Start it, and don't wait for it."""
        with Path(self._log).open("ab") if self._log else nullcontext(PIPE) as stderr:  # noqa: ASYNC230  a file that nobody reads meanwhile
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", self._module, cwd=self._root, env=self._environ, stderr=stderr
            )

    async def kill(self) -> str:
        """`kill -9`; what it had logged, unless that went to a file."""
        return await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """SIGTERM, as a deploy does; the exit code."""
        process = self._started()
        await self._end(signal.SIGTERM)
        return process.returncode or 0

    async def _end(self, how: signal.Signals) -> str:
        process = self._started()
        if process.returncode is None:
            process.send_signal(how)
        _, logged = await asyncio.wait_for(process.communicate(), UP_WITHIN)
        await self._until_unheard()
        self._process = None
        return (logged or b"").decode()

    async def _until_unheard(self) -> None:
        """Wait until the sandbox has noticed that it is gone."""
        await self._sandbox.wait_for(lambda: not self._sandbox.gateway.connected, UP_WITHIN)

    def _started(self) -> Process:
        if self._process is None:
            raise RuntimeError("the bot is not started")
        return self._process


@asynccontextmanager
async def bot_process(
    sandbox: Sandbox, folder: Path, *, module: str = "bot", root: Path | str = ROOT, **settings: str
) -> AsyncIterator[BotProcess]:
    """A bot process that is gone when the block ends, however it ends."""
    bot = BotProcess(sandbox, folder, module=module, root=root, **settings)
    await bot.start()
    try:
        yield bot
    finally:
        if bot.running:
            await bot.kill()
