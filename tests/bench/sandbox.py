"""The sandbox's own ceiling: ``python -m tests.bench.sandbox``.

Slash commands by 1 and by 16 people at once, answered by the cheapest bot there can be (`tests.bench.null_bot`), in a
process of its own; the sandbox and the people are in this one. No bot measured on the sandbox can be faster, and one
that comes near is not what was measured. Each figure is the median of the rounds.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import gc
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import median, quantiles

import aiohttp

from discord_sandbox import Person, Sandbox
from tests.bench.sizes import sized

AT_ONCE = (1, 16)
ROUNDS = sized(5, brief=1)
SECONDS = sized(1.0, brief=0.2)
WARMING = sized(0.3, brief=0.1)
UP_WITHIN = 15.0


@dataclass(frozen=True, slots=True)
class Round:
    """What so many people at once got in a round: answers a second, and milliseconds to an answer."""

    rate: float
    waits: list[float]

    def percentile(self, percent: int) -> float:
        """The wait in milliseconds that so many per cent of the answers stay under."""
        return quantiles(self.waits, n=100)[percent - 1] * 1000


class UnansweredError(RuntimeError):
    """Raised when an interaction failed: figures of a bot that does not answer mean nothing."""


def main() -> None:
    """Print the figures."""
    for people, rounds in asyncio.run(measure()).items():
        rate = median(one.rate for one in rounds)
        middle, late = (median(one.percentile(percent) for one in rounds) for percent in (50, 99))
        print(f"the sandbox's ceiling, {people} at once")
        print(f"{'null bot':<28} {rate:>8.0f} answers/s  p50 {middle:>6.2f} ms  p99 {late:>6.2f} ms")


async def measure(rounds: int = ROUNDS, seconds: float = SECONDS) -> dict[int, list[Round]]:
    """The rounds, by how many people were at it; the numbers of people take turns."""
    found: dict[int, list[Round]] = {people: [] for people in AT_ONCE}
    names = [{"name": f"Person {number}"} for number in range(max(AT_ONCE))]
    async with Sandbox.running({"people": names}, transcript_entries=100) as sandbox:
        await _register(sandbox)
        async with _bot(sandbox):
            await _round(sandbox, sandbox.people, WARMING)
            for _ in range(rounds):
                for people, done in found.items():
                    done.append(await _round(sandbox, sandbox.people[:people], seconds))
    return found


async def _register(sandbox: Sandbox) -> None:
    path = f"{sandbox.api_base}/applications/{sandbox.world.application.id}/commands"
    command = {"name": "ping", "description": "Ping", "type": 1}
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with aiohttp.ClientSession(headers=headers) as session, session.post(path, json=command) as answer:
        answer.raise_for_status()


@asynccontextmanager
async def _bot(sandbox: Sandbox) -> AsyncIterator[None]:
    """The null bot, gone at the end."""
    environ = {**os.environ, "DISCORD_API_BASE": sandbox.api_base, "DISCORD_TOKEN": sandbox.token}
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.bench.null_bot", env=environ)
    try:
        await sandbox.wait_for_bot(UP_WITHIN)
        yield
    finally:
        process.kill()
        await process.wait()


async def _round(sandbox: Sandbox, people: list[Person], seconds: float) -> Round:
    gc.collect()
    waits: list[float] = []
    begun = time.perf_counter()
    await asyncio.gather(*(_keep_asking(sandbox, person, waits, begun + seconds) for person in people))
    return Round(len(waits) / (time.perf_counter() - begun), waits)


async def _keep_asking(sandbox: Sandbox, person: Person, waits: list[float], end: float) -> None:
    channel = sandbox.channel(next(iter(sandbox.server().channels.values())).name)
    while time.perf_counter() < end:
        reply = await person.slash(channel, "ping")
        if reply.failed:
            raise UnansweredError(reply.reason)
        waits.append(reply.elapsed)


if __name__ == "__main__":
    main()
