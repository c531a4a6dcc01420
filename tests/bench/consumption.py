"""What a bot's process takes in the course of a long run, and whether that stays level."""

# ruff: noqa: T201  a long run says how it is going

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Final

from tests.bench.processes import children, handles, resident_mebibytes, threads
from tests.soak.report import Load

EVERY: Final = 10.0
"""Seconds between two samples."""
SAID_EVERY: Final = 60.0
"""Seconds between two lines that say how it is going."""
LEVEL_AFTER: Final = 1800.0
"""Seconds of a run from which memory must be level in its second half: tokens of hands are kept for a quarter of an
hour, so until then there are more and more of them."""
MOST_GROWTH: Final = 0.05
"""Of memory, in the second half."""
MORE_HANDLES, MORE_THREADS, MORE_TASKS = 50, 2, 50
"""How many more there may be at the end of the second half than at its beginning. There are more while the machine is
busy; if one of a thousand presses left one behind, an hour would leave a hundred."""
MOST_WAL: Final = 16.0
"""MiB. SQLite moves the WAL into the file every thousand pages, and after a large transaction it is longer."""
SAME_BYTES: Final = 0.25
"""How far the bytes an act in the second half may be from those in the first."""
MEBIBYTE: Final = 2**20


@dataclass(frozen=True, slots=True)
class Sample:
    """A process at one moment: `at` seconds from the first one, memory and files in MiB, the workers' beside it."""

    at: float
    resident: float
    workers: float
    blocks: int
    handles: int
    threads: int
    tasks: int
    wal: float
    database: float
    acts: int
    kept: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)
    """How many entries there are of what is kept in memory, and how many there may be (`bot.kept`)."""

    def __str__(self) -> str:
        return (
            f"{self.at / 60:.0f} min: {self.resident:.1f} MiB ({self.blocks} blocks), workers {self.workers:.1f} MiB,"
            f" {self.handles} handles, {self.threads} threads, {self.tasks} tasks,"
            f" WAL {self.wal:.1f} MiB, database {self.database:.1f} MiB with {self.acts} acts"
        )


@dataclass
class Consumption:
    """The samples of a process that plays from a database, and that `tests.bench.observed_bot` observes."""

    pid: int
    database: Path
    observed: Path
    samples: list[Sample] = field(default_factory=list)
    _packed_before: int = 0

    def take(self, at: float) -> Sample:
        """Another sample."""
        if not self.samples:
            self._packed_before = _last_packed(self.database)
        counted = json.loads(self.observed.read_text(encoding="utf-8"))
        wal = self.database.with_name(f"{self.database.name}-wal")
        sample = Sample(
            at,
            resident_mebibytes(self.pid),
            sum(map(resident_mebibytes, children(self.pid))),
            counted["blocks"],
            handles(self.pid),
            threads(self.pid),
            counted["tasks"],
            wal.stat().st_size / MEBIBYTE if wal.exists() else 0.0,
            self.database.stat().st_size / MEBIBYTE,
            _acts(self.database, self._packed_before),
            {name: (size, most) for name, (size, most) in counted["kept"].items()},
        )
        self.samples.append(sample)
        return sample

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Samples are taken until the block ends, and one a minute is printed."""
        begun = time.monotonic()

        async def watch() -> None:
            said = 0.0
            while True:
                sample = self.take(time.monotonic() - begun)
                if sample.at >= said:
                    print(sample, flush=True)
                    said += SAID_EVERY
                await asyncio.sleep(EVERY)

        watching = asyncio.create_task(watch())
        try:
            yield
        finally:
            watching.cancel()
            (stopped,) = await asyncio.gather(watching, return_exceptions=True)
        if isinstance(stopped, Exception):
            raise stopped  # half of the samples would be missing unseen
        print(self.take(time.monotonic() - begun), flush=True)

    def judge(self, load: Load, *, grows: bool = True) -> None:
        """Say what was taken, and what did not stay level. The database `grows` with the acts alone, unless much is
        deleted and packed meanwhile."""
        first, last = self.samples[0], self.samples[-1]
        first_half = [sample for sample in self.samples if sample.at <= last.at / 2]
        half = [sample for sample in self.samples if sample.at >= last.at / 2]
        long = last.at >= LEVEL_AFTER
        for what, of in (
            ("memory, MiB", lambda sample: sample.resident),
            ("workers, MiB", lambda sample: sample.workers),
            ("Python's blocks", lambda sample: sample.blocks),
        ):
            (begun, _), (before, after) = _ends(first_half, of), _ends(half, of)
            load.figures.append(f"{what} {begun:.1f} at first, {before:.1f} at half-time, {after:.1f} at the end")
            load.expect(
                not long or after <= before * (1 + MOST_GROWTH), f"{what} grew from {before:.1f} to {after:.1f}"
            )
        for what, more, of in (
            ("handles", MORE_HANDLES, lambda sample: sample.handles),
            ("threads", MORE_THREADS, lambda sample: sample.threads),
            ("tasks", MORE_TASKS, lambda sample: sample.tasks),
        ):
            before, after = _ends(half, of)
            load.figures.append(f"{what} {before:.0f} and {after:.0f}")
            load.expect(after <= before + more, f"{what} grew from {before:.0f} to {after:.0f}")
        load.figures += [
            f"kept {name}: {half[0].kept.get(name, (0, None))[0]} at half-time, {size} at the end"
            + ("" if most is None else f" of {most}")
            for name, (size, most) in last.kept.items()
            if size
        ]
        for sample in self.samples:
            for name, (size, most) in sample.kept.items():
                load.expect(most is None or size <= most, f"more is kept than may be: {name}")
        longest = max(sample.wal for sample in self.samples)
        load.figures.append(f"WAL at most {longest:.1f} MiB")
        load.expect(longest <= MOST_WAL, f"a WAL of {longest:.1f} MiB, more than {MOST_WAL:.0f}")
        if not grows:
            return
        middle = half[0]
        whole, early, late = bytes_an_act(first, last), bytes_an_act(first, middle), bytes_an_act(middle, last)
        load.figures.append(
            f"database {first.database:.1f} to {last.database:.1f} MiB, {whole:.0f} bytes an act"
            f" ({early:.0f} in the first half, {late:.0f} in the second)"
        )
        rise = late / early - 1 if long else 0.0  # it may be less: after an hour logs are packed
        load.expect(rise <= SAME_BYTES, "the database does not grow with the acts alone")


def bytes_an_act(before: Sample, after: Sample) -> float:
    """By how much the database's file grew for each act between two samples; 0 without an act."""
    acts = after.acts - before.acts
    return (after.database - before.database) * MEBIBYTE / acts if acts else 0.0


def _ends(samples: Sequence[Sample], of: Callable[[Sample], float]) -> tuple[float, float]:
    """The means of the first and of the last fifth."""
    fifth = max(1, len(samples) // 5)
    return mean(map(of, samples[:fifth])), mean(map(of, samples[-fifth:]))


def _last_packed(database: Path) -> int:
    """The number of the last packed log."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        (last,) = db.execute("SELECT coalesce(max(rowid), 0) FROM packed_logs").fetchone()
    return int(last)


def _acts(database: Path, after: int) -> int:
    """How many acts are in the logs, without those that were packed before. The connection only reads, and for a
    moment."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        (unpacked,) = db.execute("SELECT count(*) FROM records").fetchone()
        (packed,) = db.execute(
            "SELECT coalesce(sum(value), 0) FROM packed_logs, json_each(acts) WHERE packed_logs.rowid > ?", (after,)
        ).fetchone()
    return int(unpacked) + int(packed)
