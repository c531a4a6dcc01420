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
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from discord_sandbox import JsonObject, MessageView, Refused, Reply, Sandbox
from tests.bench.processes import CpuMeter, children, cpu_seconds
from tests.bench.sizes import sized
from tests.end_to_end.players import acts, challenge, hand_of
from tests.end_to_end.process import ROOT, BotProcess
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
"""Seconds until hands are opened again where nobody has a button."""
UP_WITHIN: Final = 120.0
SHARDS: Final = 2
QUIET: Final = {"CARDROOM_BACKUP_HOURS": "0", "CARDROOM_LOG_LEVEL": "ERROR", "CARDROOM_COMPUTER_WORKERS": "1"}


class PartProcess(BotProcess):
    """One process of a bot."""

    async def _until_unheard(self) -> None:
        """Others stay connected."""


@dataclass
class Seen:
    """What was measured at one bot with one number of tables."""

    waits: list[float] = field(default_factory=list)
    """Seconds from each press that makes a move to its first response."""
    moves: int = 0
    failed: int = 0
    seconds: float = 0.0
    cpu_of_bots: float = 0.0
    cpu_of_database: float = 0.0


@dataclass
class House:
    """A bot of one or several processes on a sandbox of its own."""

    name: str
    sandbox: Sandbox
    parts: Sequence[PartProcess]
    tables: Sequence[Table]
    server: postgresql.Server | None = None
    seen: dict[int, Seen] = field(default_factory=dict)

    def database_cpu(self) -> float:
        """CPU seconds of the database server's processes that live now."""
        if self.server is None:
            return 0.0
        first = int((self.server.data / "postmaster.pid").read_text("ascii").splitlines()[0])
        return sum(cpu_seconds(each) for each in (first, *children(first)))


class Table:
    """Two people who play one match after the other, each from their own hand, as fast as they are answered."""

    def __init__(self, sandbox: Sandbox, number: int) -> None:
        self._people = (sandbox.user(f"P{number}-0"), sandbox.user(f"P{number}-1"))
        self._channel = sandbox.channel("lobby", server=f"Server {number}")
        self._rng = random.Random(number)
        self._board: MessageView | None = None
        self._hands: list[MessageView] = []

    async def sit_down(self) -> None:
        """Begin a match, or open the hands of the one that goes on."""
        if self._board is None or "My cards" not in self._board.labels:
            self._board = await challenge(*self._people, self._channel, GAME, clock="daily")
        self._hands = [await hand_of(person, self._board) for person in self._people]

    async def play(self, seen: Seen, stop: asyncio.Event) -> None:
        """Move until told to stop. Whoever has no button opens their hand again, which writes nothing."""
        while not stop.is_set():
            side = next((side for side in range(PEOPLE_A_SERVER) if acts(self._hands[side])), None)
            if side is None:
                await self._sit_down_again(seen)
                await asyncio.sleep(IDLE)
                continue
            button = self._rng.choice(acts(self._hands[side]))
            try:
                reply = await self._people[side].press(self._hands[side], custom_id=button.custom_id)
            except Refused:  # the hand changed meanwhile
                continue
            self._note(reply, seen, stop)

    async def _sit_down_again(self, seen: Seen) -> None:
        try:
            await self.sit_down()
        except (AssertionError, LookupError, Refused):  # what was to be shown was not
            seen.failed += 1

    def _note(self, reply: Reply, seen: Seen, stop: asyncio.Event) -> None:
        if reply.failed:
            seen.failed += 1
        elif not stop.is_set():
            seen.waits.append(reply.elapsed)
            seen.moves += 1


def main() -> int:
    """Print the figures; 1 if a press was not answered."""
    return asyncio.run(run())


async def run() -> int:
    """Play at all bots."""
    async with AsyncExitStack() as stack:
        build = ROOT / "build"
        build.mkdir(exist_ok=True)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=build)))
        server = stack.enter_context(server_on_disk())
        if server is None:
            print(NOTICE.format(count="ALL"))
        failed = await speed(stack, folder, server)
    return 1 if failed else 0


@contextmanager
def server_on_disk() -> Iterator[postgresql.Server | None]:
    """A server that waits for the disk, as in use: not one in memory. None if none is installed."""
    vars(postgresql)["MEMORY"] = Path("/nowhere")
    try:
        server = postgresql.Server(fsync=True)
    except postgresql.NoServerError:
        yield None
        return
    with server:
        yield server


# ---------------------------------------------------------------------------------------------- speed


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


async def speed(stack: AsyncExitStack, folder: Path, server: postgresql.Server | None) -> int:
    """Play at each bot in turn, and print what it did; how many presses failed."""
    houses = [await open_house(stack, folder, "SQLite", number) for number in PROCESSES[:AT_MOST]]
    if server is not None:
        houses += [await open_house(stack, folder, "PostgreSQL", number, server) for number in PROCESSES[-AT_MOST:]]
    print(f"{ROUNDS} turns of {SECONDS:g} s each at every bot, load {os.getloadavg()[0]:.1f}\n")
    print("| tables | bot | moves/s | of the first | p50 | p99 | CPU of the bot a move | CPU of the database a move |")
    print("|---|---|---|---|---|---|---|---|")
    failed = 0
    for count in TABLES:
        for turn in range(ROUNDS):
            for house in houses[turn % len(houses) :] + houses[: turn % len(houses)]:
                await play(house, count)
        for house in houses:
            report(house.name, count, house.seen[count], houses[0].seen[count])
            failed += house.seen[count].failed
    return failed


async def open_house(
    stack: AsyncExitStack, folder: Path, database: str, processes: int, server: postgresql.Server | None = None
) -> House:
    """A bot with everybody seated."""
    sandbox = await stack.enter_async_context(Sandbox.running(_plan(max(TABLES)), transcript_entries=0))
    sandbox.limits.max_concurrency = processes
    name = f"{database}, {processes} process{'es' if processes > 1 else ''}"
    settings = QUIET if server is None else {**QUIET, "CARDROOM_DATABASE": server.url(server.new_database())}
    parts = []
    for number in range(processes):
        shards = {"CARDROOM_SHARDS": f"{number}/{processes}"} if processes > 1 else {}
        place = folder / f"{database}-{processes}-{number}"
        place.mkdir()
        part = PartProcess(sandbox, place, **settings, **shards)
        parts.append(part)
        stack.push_async_callback(end, part)
        await part.spawn()
    await sandbox.wait_for_shards(timeout=UP_WITHIN)
    tables = [Table(sandbox, number) for number in range(max(TABLES))]
    for table in tables:
        await table.sit_down()
    return House(name, sandbox, parts, tables, server)


async def end(part: PartProcess) -> None:
    """Kill a process that still runs."""
    if part.running:
        await part.kill()


async def play(house: House, count: int) -> None:
    """One turn of so many tables."""
    seen = house.seen.setdefault(count, Seen())
    warm = Seen()
    tables = house.tables[:count]
    for each in (warm, seen):
        seconds = WARMING if each is warm else SECONDS
        stop = asyncio.Event()
        meters, database = [CpuMeter(part.pid) for part in house.parts], house.database_cpu()
        begun = time.perf_counter()
        playing = [asyncio.create_task(table.play(each, stop)) for table in tables]
        await asyncio.sleep(seconds)
        stop.set()
        each.seconds += time.perf_counter() - begun
        each.cpu_of_bots += sum(meter.lap() for meter in meters)
        each.cpu_of_database += max(0.0, house.database_cpu() - database)
        await asyncio.gather(*playing)
    seen.failed += warm.failed


def report(name: str, count: int, seen: Seen, first: Seen) -> None:
    """One row."""
    rate, moves = seen.moves / seen.seconds, max(1, seen.moves)
    print(
        f"| {count} | {name} | {rate:.0f} | {rate / max(0.001, first.moves / first.seconds):.2f}"
        f" | {percentile(seen.waits, 50):.0f} ms | {percentile(seen.waits, 99):.0f} ms"
        f" | {seen.cpu_of_bots / moves * 1000:.1f} ms | {seen.cpu_of_database / moves * 1000:.1f} ms |",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
