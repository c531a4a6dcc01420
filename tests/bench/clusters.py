"""Several processes, and PostgreSQL beside SQLite: ``python -m tests.bench.clusters [--brief]``.

Bots are processes of their own, all on one machine: one on a SQLite file, two with half of the shards and a file each,
one on PostgreSQL, two on the same PostgreSQL. The databases wait for the same disk. 1, 16 and 50 tables are played as
fast as answers come, a few seconds at each bot in turn, several times; the sandbox and the people are in this process.
So what slows the machine slows all, and the first bot is the baseline of the others. CPU time is the bots' and the
database server's.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final

from discord_sandbox import JsonObject, Refused
from tests.bench.house import House, opened, server_on_disk
from tests.bench.processes import CpuMeter, children, cpu_seconds
from tests.bench.sizes import sized
from tests.bench.tables import MOVES, Table
from tests.end_to_end.process import BotProcess
from tests.postgresql import server as postgresql
from tests.postgresql.fixtures import NOTICE
from tests.soak.report import percentile

TABLES: Final = sized((1, 16, 50), brief=(2,))
ROUNDS: Final = sized(4, brief=1)
SECONDS: Final = sized(5.0, brief=0.5)
"""Of each turn."""
WARMING: Final = sized(1.0, brief=0.1)
PROCESSES: Final = (1, 2)
AT_MOST: Final = sized(2, brief=1)
"""Bots on each database."""
GAME: Final = "unbreakable"
"""A move of it is one press."""
PEOPLE_A_SERVER: Final = 2
IDLE: Final = 0.002
"""Seconds until the next look at a table where nobody has anything to press."""
UP_WITHIN: Final = 120.0


@dataclass
class Seen:
    """What was measured at one bot with one number of tables."""

    waits: list[float] = field(default_factory=list)
    """Seconds from each press that makes a move to its first response."""
    failed: int = 0
    seconds: float = 0.0
    cpu_of_bots: float = 0.0
    cpu_of_database: float = 0.0


@dataclass
class Bot:
    """One process or several, on a sandbox of their own."""

    name: str
    parts: Sequence[BotProcess]
    tables: Sequence[Table]
    server: postgresql.Server | None = None
    seen: dict[int, Seen] = field(default_factory=dict)

    def database_cpu(self) -> float:
        """CPU seconds of the database server's processes that live now."""
        if self.server is None:
            return 0.0
        first = int((self.server.data / "postmaster.pid").read_text("ascii").splitlines()[0])
        return sum(cpu_seconds(each) for each in (first, *children(first)))


async def keep_at(table: Table, seen: Seen, stop: asyncio.Event) -> None:
    """Two people play one match after the other until told to stop, as fast as they are answered."""
    while not stop.is_set():
        try:
            made = await table.play()
        except Refused:  # the hand changed meanwhile
            continue
        if made is None:
            await asyncio.sleep(IDLE)
            continue
        kind, reply = made
        if reply.failed:
            seen.failed += 1
        elif kind == MOVES and not stop.is_set():
            seen.waits.append(reply.elapsed)


def main() -> int:
    """Print the figures; 1 if a press was not answered."""
    return asyncio.run(run())


async def run() -> int:
    """Play at all bots."""
    async with AsyncExitStack() as stack:
        server = stack.enter_context(server_on_disk())
        if server is None:
            print(NOTICE.format(count="ALL"))
        failed = await speed(stack, server)
    return 1 if failed else 0


def _plan(tables: int) -> JsonObject:
    """A server for each table, so that they are spread evenly over the shards."""
    people = [[f"P{number}-{side}" for side in range(PEOPLE_A_SERVER)] for number in range(tables)]
    return {
        "people": [{"name": name} for names in people for name in names],
        "servers": [
            {"name": f"Server {number}", "members": names, "owner": names[0], "channels": [{"name": "lobby"}]}
            for number, names in enumerate(people)
        ],
    }


async def speed(stack: AsyncExitStack, server: postgresql.Server | None) -> int:
    """Play at each bot in turn, and print what it did; how many presses failed."""
    bots = [await open_bot(stack, "SQLite", number) for number in PROCESSES[:AT_MOST]]
    if server is not None:
        bots += [await open_bot(stack, "PostgreSQL", number, server) for number in PROCESSES[-AT_MOST:]]
    print(f"{ROUNDS} turns of {SECONDS:g} s each at every bot, load {os.getloadavg()[0]:.1f}\n")
    print("| tables | bot | moves/s | of the first | p50 | p99 | CPU of the bot a move | CPU of the database a move |")
    print("|---|---|---|---|---|---|---|---|")
    failed = 0
    for count in TABLES:
        for turn in range(ROUNDS):
            for bot in bots[turn % len(bots) :] + bots[: turn % len(bots)]:
                await play(bot, count)
        for bot in bots:
            report(bot.name, count, bot.seen[count], bots[0].seen[count])
            failed += bot.seen[count].failed
    return failed


async def open_bot(
    stack: AsyncExitStack, database: str, processes: int, server: postgresql.Server | None = None
) -> Bot:
    """A bot of so many processes, each with a folder of its own."""
    house = await stack.enter_async_context(opened(_plan(max(TABLES))))
    sandbox = house.sandbox
    sandbox.limits.max_concurrency = processes
    settings = {} if server is None else {"CARDROOM_DATABASE": server.url(server.new_database())}
    parts = []
    for number in range(processes):
        shards = {"CARDROOM_SHARDS": f"{number}/{processes}"} if processes > 1 else {}
        part = House(sandbox, house.folder / str(number), (), house.stack)
        part.folder.mkdir()
        parts.append(part.bot(beside_others=True, **settings, **shards))
        await parts[-1].spawn()
    await sandbox.wait_for_shards(timeout=UP_WITHIN)
    tables = []
    for number in range(max(TABLES)):
        people = [sandbox.user(f"P{number}-{side}") for side in range(PEOPLE_A_SERVER)]
        tables.append(Table(people, sandbox.channel("lobby", server=f"Server {number}"), number, GAME))
    return Bot(f"{database}, {processes} process{'es' if processes > 1 else ''}", parts, tables, server)


async def play(bot: Bot, count: int) -> None:
    """One turn of so many tables."""
    seen = bot.seen.setdefault(count, Seen())
    warm = Seen()
    tables = bot.tables[:count]
    for each in (warm, seen):
        seconds = WARMING if each is warm else SECONDS
        stop = asyncio.Event()
        meters, database = [CpuMeter(part.pid) for part in bot.parts], bot.database_cpu()
        begun = time.perf_counter()
        playing = [asyncio.create_task(keep_at(table, each, stop)) for table in tables]
        await asyncio.sleep(seconds)
        stop.set()
        each.seconds += time.perf_counter() - begun
        each.cpu_of_bots += sum(meter.lap() for meter in meters)
        each.cpu_of_database += max(0.0, bot.database_cpu() - database)
        await asyncio.gather(*playing)
    seen.failed += warm.failed


def report(name: str, count: int, seen: Seen, first: Seen) -> None:
    """One row."""
    rate, moves = len(seen.waits) / seen.seconds, max(1, len(seen.waits))
    print(
        f"| {count} | {name} | {rate:.0f} | {rate / max(0.001, len(first.waits) / first.seconds):.2f}"
        f" | {percentile(seen.waits, 50):.0f} ms | {percentile(seen.waits, 99):.0f} ms"
        f" | {seen.cpu_of_bots / moves * 1000:.1f} ms | {seen.cpu_of_database / moves * 1000:.1f} ms |",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
