"""What backups cost an hour: ``python -m tests.bench.backups``.

A database of about 1 GiB with real rows. The baseline is a backup as it was made before: each hour a copy of all of it
in one step, read to its end. Then a whole one beside play, as the bot makes it once a day; what changed in an hour of
few and of many moves; and what a new process has to compare. For each the CPU time of this process, the bytes written,
how large the WAL became, and how long a move that was made meanwhile waited at most.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from bot.ops.backups import Backups
from bot.store.queries.matches import Record
from bot.store.sqlite.backup import back_up
from bot.store.sqlite.store import SqliteStore
from bot.telemetry import NO_TELEMETRY
from tests.bench.large_database import ACTION, EVENTS, NOW, Size, lay_out, live
from tests.bench.sizes import sized
from tests.end_to_end.process import ROOT

SIZE: Final = sized(Size(results=18_000, live=200, records=100, attempts=100), brief=Size(100, 20, 4, 10))
FEW, MANY = sized((600, 20_000), brief=(5, 20))
"""Moves in an hour."""
PAUSE: Final = 0.5
"""Seconds between two moves that are made while a backup is."""
MIB: Final = 2**20
_NEXT: Final[dict[int, Iterator[int]]] = defaultdict(lambda: count(SIZE.records))
"""The numbers of the next moves of each match."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What something took: seconds of CPU and in all, bytes of the WAL at most, and the longest wait of a move in
    milliseconds."""

    cpu: float
    seconds: float
    wal: int
    wait: float

    def __str__(self) -> str:
        return (
            f"{self.cpu:.2f} s of CPU in {self.seconds:.1f} s; the WAL at most {self.wal / MIB:.1f} MiB, "
            f"the longest wait of a move {self.wait:.0f} ms"
        )


class House:
    """A database in use."""

    def __init__(self, store: SqliteStore, path: Path) -> None:
        self._store = store
        self._path = path
        self.backups = Backups(store.copies, path.parent / "backups", NO_TELEMETRY)

    async def moves(self, number: int, at_once: int = 20) -> None:
        """Make so many moves."""
        for _ in range(0, number, at_once):
            await asyncio.gather(*(self._move(match) for match in range(min(at_once, SIZE.live - 1))))

    async def cost(self, work: Callable[[], Awaitable[object]], *, busy: bool = True) -> Cost:
        """Do something, while moves are made if the house is `busy`. Their own CPU time counts, too: it is little."""
        waits = [0.0]
        wal = [0]

        async def play() -> None:
            while True:
                began = time.perf_counter()
                await self._move(SIZE.live - 1)
                waits.append(time.perf_counter() - began)
                wal.append(self._path.with_name(f"{self._path.name}-wal").stat().st_size)
                await asyncio.sleep(PAUSE)

        playing = asyncio.create_task(play()) if busy else None
        cpu, began = time.process_time(), time.perf_counter()
        await work()
        cpu, seconds = time.process_time() - cpu, time.perf_counter() - began
        if playing is not None:
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await playing
        return Cost(cpu, seconds, max(wal), max(waits) * 1000)

    async def _move(self, match: int) -> None:
        seq = next(_NEXT[match])
        await self._store.append(Record(live(match), seq, (seq << 20) + match, 0, ACTION, EVENTS, NOW), ())


async def measure(folder: Path) -> None:
    """Print the figures."""
    path = folder / "cardroom.db"
    lay_out(path, SIZE)
    gib = path.stat().st_size / 2**30
    print(f"a database of {gib:.2f} GiB; before: a whole copy each hour, in one step, read to its end")
    async with in_use(path) as house:
        before = await house.cost(lambda: asyncio.to_thread(back_up, path, folder / "before.db"))
        print(f"  {before}; {(folder / 'before.db').stat().st_size / MIB:.1f} MiB")
        (folder / "before.db").unlink()
        await report(house, "a whole one, once a day", before)
        for name, moves in (("an hour with few moves", FEW), ("an hour with many", MANY)):
            await house.moves(moves)
            await report(house, f"{name} ({moves})", before)
    async with in_use(path) as house:
        await report(house, "the first one of a new process", before)


@asynccontextmanager
async def in_use(path: Path) -> AsyncIterator[House]:
    """Open the database, and close it at the end."""
    store = await SqliteStore.open(path, now=lambda: NOW)
    try:
        yield House(store, path)
    finally:
        await store.close()


async def report(house: House, name: str, before: Cost) -> None:
    """Print what the next backup costs."""
    made: list[Path] = []

    async def back_up_once() -> None:
        new = await house.backups.back_up()
        if new is None:
            raise RuntimeError("the backup failed")
        made.append(new)

    cost = await house.cost(back_up_once)
    size = made[0].stat().st_size / MIB
    print(f"{name}\n  {cost}; {size:.1f} MiB; {cost.cpu / before.cpu:.3f} of the CPU time before")


def main() -> None:
    """Print the figures."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as name:  # not in memory, see `tests.bench.store`
        asyncio.run(measure(Path(name)))


if __name__ == "__main__":
    main()
