"""A cold start of a large house: ``python -m tests.bench.start [--matches N] [--servers N] [--brief]``.

It prints the seconds from the start of the process to the first answered press and until all matches are in play, the
CPU that it and the process that reads logs for it took until then, the most memory that both had together, and how many
boards and mentions were edited: first after a kill, when nothing is known of them, and then after a clean stop. The
sandbox is this process, so they share what cores there are.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import os
import signal
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from discord_sandbox import Entry, Exchange, Sandbox
from tests.bench.processes import children, cpu_seconds, resident_mebibytes
from tests.bench.sizes import BRIEF, sized
from tests.bench.world import Laid, lay, plan
from tests.end_to_end.process import ROOT

WITHIN = 600.0
"""Seconds after which a start has failed."""
LOOKS_EVERY = 0.2
"""Seconds between two looks at what the processes have taken."""
QUIET = 3.0
"""Seconds without an edit after which all boards are taken to be edited."""
CHANNELS = 10
"""Channels of a server."""


async def run(matches: int, servers: int, painting: float) -> None:
    """Lay the house out, and start the bot in it twice."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        # Not in the system's folder for temporary files: that may be memory, and commits would cost nothing.
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=build)))
        sandbox = await stack.enter_async_context(Sandbox.running(plan(servers, CHANNELS), transcript_entries=0))
        laid = lay(sandbox, folder / "cardroom.db", matches)
        gc.collect()
        gc.freeze()
        size = (folder / "cardroom.db").stat().st_size >> 20
        print(f"{matches} live matches in {servers} servers, {size} MiB of database")
        for name in ("first start", "after a clean stop"):
            print(f"{name}: {await _start(sandbox, folder, laid, painting)}")


async def _start(sandbox: Sandbox, folder: Path, laid: Sequence[Laid], painting: float) -> str:
    boards = {str(each.board.id) for each in laid}
    edits = others = 0

    def hear(entry: Entry) -> None:
        nonlocal edits, others
        if isinstance(entry, Exchange) and entry.method == "PATCH" and "/channels/" in entry.path:
            of_board = entry.path.rpartition("/")[2] in boards
            edits, others = edits + of_board, others + (not of_board)

    sandbox.transcript.listen(hear)
    environ = {
        **os.environ,
        "DISCORD_TOKEN": sandbox.token,
        "DISCORD_API_BASE": sandbox.api_base,
        "CARDROOM_DATA_DIR": str(folder),
        "CARDROOM_CARD_EMOJIS": "off",
        "CARDROOM_BACKUP_HOURS": "0",
    }
    began = time.monotonic()
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", cwd=ROOT, env=environ, stderr=PIPE)
    restored = asyncio.create_task(_line(process, 'message="resumed ', "matches"))
    taken = _Taken(process.pid)
    looking = asyncio.create_task(taken.look())
    await sandbox.wait_for_bot(WITHIN)
    pressed = laid[-1]
    presses = 1
    while (await pressed.people[0].press(pressed.board, label="My cards")).failed:
        # Discord waits three seconds. On a busy machine a press as early as this one may take longer, and then
        # people press again.
        if time.monotonic() - began > WITHIN:
            raise RuntimeError(f"none of {presses} presses was answered within {WITHIN:.0f} s")
        presses += 1
    first = time.monotonic() - began
    await asyncio.wait_for(restored, WITHIN)
    up = time.monotonic() - began
    looking.cancel()
    cpu, resident = sum(taken.cpu.values()), taken.resident
    reading = asyncio.create_task(process.communicate())
    painted_by, before = time.monotonic() + painting, -1
    while edits + others != before and time.monotonic() < painted_by:
        before = edits + others
        await asyncio.sleep(QUIET)
    process.send_signal(signal.SIGTERM)
    await reading
    again = "" if presses == 1 else f" (press {presses})"
    figures = f"first press answered after {first:.1f} s{again}, all in play after {up:.1f} s ({cpu:.1f} s of CPU)"
    return f"{figures}, {resident:.0f} MiB, {edits} boards and {others} mentions edited"


class _Taken:
    """What a process and those that it starts have taken."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.cpu: dict[int, float] = {}
        """Seconds of each process, also of those that have ended."""
        self.resident = 0.0
        """The most MiB that all had together."""

    async def look(self) -> None:
        """Look at them a few times a second."""
        while True:
            pids = [self._pid, *children(self._pid)]
            with contextlib.suppress(OSError, StopIteration):  # one may just have ended
                self.cpu |= {pid: cpu_seconds(pid) for pid in pids}
                self.resident = max(self.resident, sum(resident_mebibytes(pid) for pid in pids))
            await asyncio.sleep(LOOKS_EVERY)


async def _line(process: Process, *parts: str) -> None:
    """Wait until the bot has logged a line with all these parts."""
    if process.stderr is None:
        raise RuntimeError("its log is not read")
    async for line in process.stderr:
        if all(part in line.decode() for part in parts):
            return
    raise RuntimeError("the bot ended")


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.start")
    parser.add_argument("--matches", type=int, default=sized(20_000, brief=60))
    parser.add_argument("--servers", type=int, default=sized(1_000, brief=6))
    patience = sized(WITHIN, brief=15.0)
    parser.add_argument("--painting", type=float, default=patience, help="seconds to wait for boards before each stop")
    parser.add_argument(BRIEF, action="store_true", help="a few matches, only that it runs")
    arguments = parser.parse_args()
    asyncio.run(run(arguments.matches, arguments.servers, arguments.painting))


if __name__ == "__main__":
    main()
