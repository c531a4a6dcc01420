"""A deploy of a bot of many shards: ``python -m tests.bench.redeploy [--brief]``.

A bot of 16 shards with a match in each of 64 servers is stopped and started again, and then killed and started again.
For each it prints the sessions that were begun (identifies), the seconds from the start of the process to the first
answered press, where somebody presses five times a second, and the processor's time until then. The exit code is 1 if a
session was begun, or if the first press took longer than `MOST_SECONDS`.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from discord_sandbox import Sandbox
from tests.bench.processes import cpu_seconds
from tests.bench.sizes import BRIEF, sized
from tests.bench.world import Laid, lay, plan
from tests.end_to_end.process import ROOT, BotProcess

SHARDS: Final = sized(16, brief=2)
SERVERS: Final = sized(64, brief=4)
MOST_SECONDS: Final = 5.0
WITHIN: Final = 180.0
"""Seconds after which a start has failed. The very first takes five for each shard, as Discord wants it."""
LOOK_SECONDS: Final = 0.2
SETTLES: Final = 2.0
"""Seconds that a bot has for itself before it is ended."""


async def run() -> bool:
    """Print the figures. Returns whether they are good enough."""
    good = True
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as name:
        folder = Path(name)
        async with Sandbox.running(plan(SERVERS, 1), transcript_entries=0) as sandbox:
            sandbox.limits.shards = sandbox.limits.max_concurrency = SHARDS
            laid = lay(sandbox, folder / "cardroom.db", SERVERS)
            bot = BotProcess(sandbox, folder, log=os.devnull, CARDROOM_BACKUP_HOURS="0")
            try:
                head = f"{SHARDS} shards, {SERVERS} live matches"
                print(f"{head:<40}{'identifies':>12}{'first press, s':>16}{'CPU s':>8}")
                await _started(sandbox, bot, laid, "the first start")
                await bot.stop()
                good &= await _started(sandbox, bot, laid, "after a stop")
                await bot.kill()
                good &= await _started(sandbox, bot, laid, "after a kill")
            finally:
                if bot.running:
                    await bot.kill()
    return good


async def _started(sandbox: Sandbox, bot: BotProcess, laid: list[Laid], name: str) -> bool:
    limits, began = sandbox.gateway.identify_limits, time.monotonic()
    left = limits.left
    await bot.spawn()
    async with asyncio.timeout(WITHIN):
        await _answered(laid[-1])
    first, cpu = time.monotonic() - began, cpu_seconds(bot.pid)
    await sandbox.wait_for(lambda: sandbox.gateway.connected == SHARDS, WITHIN)
    await asyncio.sleep(SETTLES)
    print(f"{name:<40}{left - limits.left:>12}{first:>16.1f}{cpu:>8.1f}")
    return limits.left == left and first <= MOST_SECONDS


async def _answered(laid: Laid) -> None:
    """Press until a press is answered, again before Discord has given up on the last one."""
    presses: list[asyncio.Task[bool]] = []
    while not any(press.done() and press.result() for press in presses):
        presses.append(asyncio.create_task(_press(laid)))
        await asyncio.sleep(LOOK_SECONDS)
    for press in presses:
        press.cancel()


async def _press(laid: Laid) -> bool:
    """Whether a press is answered."""
    return not (await laid.people[0].press(laid.board, label="My cards")).failed


def main() -> int:
    """Measure. Returns the exit code."""
    good = asyncio.run(run())
    return 0 if good or BRIEF in sys.argv else 1  # a brief run is one of several at once


if __name__ == "__main__":
    sys.exit(main())
