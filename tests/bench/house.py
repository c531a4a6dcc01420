"""What benchmarks through Discord begin with: a sandbox with matches laid out in it, and bots as processes.

The sandbox and the people are in this process. Whatever is started is gone when the house closes, however it closes.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from discord_sandbox import JsonObject, Sandbox
from tests.bench.world import Laid, lay
from tests.end_to_end.process import ROOT, BotProcess
from tests.postgresql.server import NoServerError, Server

Copied: TypeAlias = Callable[[Path], None]


class OneOfSeveral(BotProcess):
    """A process beside others, which stay connected when it ends."""

    async def _until_unheard(self) -> None:
        """There is nothing to wait for."""


@dataclass(frozen=True, slots=True)
class House:
    """A sandbox, the live matches in it, and a folder on a disk."""

    sandbox: Sandbox
    folder: Path
    laid: Sequence[Laid]
    stack: AsyncExitStack

    @property
    def log(self) -> Path:
        """What the bots that save here have logged."""
        return self.folder / "log"

    def bot(self, module: str = "bot", *, beside_others: bool = False, **settings: str) -> BotProcess:
        """A bot that saves here; it isn't started yet."""
        kind = OneOfSeveral if beside_others else BotProcess
        quiet = {"CARDROOM_BACKUP_HOURS": "0", "CARDROOM_COMPUTER_WORKERS": "1", "CARDROOM_LOG_LEVEL": "WARNING"}
        bot = kind(self.sandbox, self.folder, module=module, log=str(self.log), **quiet | settings)
        self.stack.push_async_callback(_end, bot)
        return bot


@contextmanager
def folder_on_disk() -> Iterator[Path]:
    """A new folder, gone in the end. The system's folder for such may be memory, and commits would cost nothing."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        yield Path(folder)


@contextmanager
def server_on_disk() -> Iterator[Server | None]:
    """A PostgreSQL that waits for the disk, as in use: not one in memory. None if none is installed."""
    with folder_on_disk() as folder:
        folder.chmod(0o755)  # the server may run as somebody else
        try:
            server = Server(fsync=True, place=folder)
        except NoServerError:
            yield None
            return
        with server:
            yield server


@asynccontextmanager
async def opened(
    world: JsonObject | None = None, matches: int = 0, *, transcript_entries: int = 0, copied: Copied | None = None
) -> AsyncIterator[House]:
    """A house in a world, with so many live matches; in a copy of a database, if one is `copied` to the path."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(folder_on_disk())
        sandbox = await stack.enter_async_context(Sandbox.running(world, transcript_entries=transcript_entries))
        if copied is not None:
            copied(folder / "cardroom.db")
        laid = lay(sandbox, folder / "cardroom.db", matches) if matches else []
        gc.collect()
        gc.freeze()  # the sandbox's own pauses are not what is measured
        yield House(sandbox, folder, laid, stack)


async def until(condition: Callable[[], object], within: float) -> None:
    """Wait for something that a process does beside the sandbox. Raises TimeoutError after so many seconds."""
    async with asyncio.timeout(within):
        while not condition():  # noqa: ASYNC110  another process's
            await asyncio.sleep(0.05)


async def _end(bot: BotProcess) -> None:
    if bot.running:
        await bot.kill()
