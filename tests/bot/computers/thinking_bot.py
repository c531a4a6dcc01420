"""A process with a pool that thinks, for a test that kills it.

It reads a packed question from standard input, asks it a few times, and prints its worker's process id.
"""

# ruff: noqa: T201  its parent reads what it prints

from __future__ import annotations

import asyncio
import sys
from unittest.mock import patch

from bot.computers.pool import WorkerPool
from bot.workers.serving import unpacked


async def main() -> None:
    """Think for an hour."""
    question = unpacked(sys.stdin.buffer.read())
    pool = WorkerPool(1)
    thinking = [asyncio.create_task(pool.answer(question, deadline_seconds=None)) for _ in range(4)]
    while not pool.processes:  # noqa: ASYNC110  a pool announces nothing
        await asyncio.sleep(0.01)
    print(*pool.processes, flush=True)
    await asyncio.gather(*thinking)


if __name__ == "__main__":
    with patch.multiple("bot.computers.pool", ANSWERED_WITHIN=3600.0, LONGEST_WAIT=7200.0):
        asyncio.run(main())
