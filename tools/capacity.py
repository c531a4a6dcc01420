"""What an installation needs, from its servers, matches a day and matches at once: memory, disk, cores, shards.

``python -m tools.capacity 25000 50000 1500`` prints it for yours. `make reference` writes the tables of
docs/benchmarks.md. Where each figure comes from is named beside it.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[1] / "docs" / "benchmarks.md"
BEGINS, ENDS = "<!-- what an installation needs, by `make reference` -->", "<!-- until here -->"


@dataclass(frozen=True, slots=True)
class Cost:
    """What one of something costs, the unit, and the benchmark or the page that says so."""

    what: str
    figure: float
    unit: str
    source: str


PROCESS: Final = Cost("memory of a process without servers or matches", 100, "MiB", "`live`")
WORKER: Final = Cost("memory of a process that thinks for computer players", 35, "MiB", "`live`")
SERVER: Final = Cost("memory of a server, at most", 2, "KiB", "`servers`")
READING: Final = Cost("processor time to read a server at a new session, at most", 0.4, "ms", "`servers`")
MATCH: Final = Cost("memory of a live match", 7, "KiB", "`memory`")
FINISHED: Final = Cost("disk of a finished match, all tables", 5.5, "KB", "`packed`")
FINISHED_ON_POSTGRESQL: Final = Cost("the same on PostgreSQL", 1.5, "times", "`packed`")
BACKUPS: Final = Cost(
    "disk of all backups if there is room, of the database's size",
    11,
    "times",
    "[decision 62](decisions/0062-backups-that-give-way.md): 7 days and 4 weeks",
)
MOVE: Final = Cost("processor time of a move with its presses, board and commit", 5, "ms", "`live`")
ON_POSTGRESQL: Final = Cost("the same on PostgreSQL", 1.2, "times", "`clusters`")
EDITS: Final = Cost("requests by the bot's token a move, in matches of 40 minutes", 0.62, "", "`tokens`")
COSTS: Final = (
    PROCESS,
    WORKER,
    SERVER,
    READING,
    MATCH,
    FINISHED,
    FINISHED_ON_POSTGRESQL,
    BACKUPS,
    MOVE,
    ON_POSTGRESQL,
    EDITS,
)

MOVE_EVERY: Final = 15.0
"""Seconds between two moves of a match that is being played. One with days to a move costs memory and disk alone."""
YEAR: Final = 365
SHARD: Final = 1000
"""Servers a shard, as Discord recommends."""
IDENTIFY: Final = 5.5
"""Seconds between two new sessions, for each group of `max_concurrency`."""
MOST_OF_CORE: Final = 0.7
"""What an event loop may take of its core at the busiest time, or first responses grow."""
MOST_EDITS: Final = 40.0
"""A second by the bot's token, of all its processes together (docs/scaling.md)."""
MOST_SHARDS: Final = 16
"""In one process."""


@dataclass(frozen=True, slots=True)
class Installation:
    """Servers, matches that are finished a day, and those being played at the busiest time."""

    servers: int
    a_day: int
    at_once: int

    def __str__(self) -> str:
        """As the table's heading has it."""
        return f"{self.servers:,} servers, {self.a_day:,} matches a day, {self.at_once:,} at once"

    @property
    def shards(self) -> int:
        """As Discord recommends."""
        return max(1, math.ceil(self.servers / SHARD))

    @property
    def processes(self) -> int:
        """How many it takes for cores and shards."""
        return max(math.ceil(self.cores / MOST_OF_CORE), math.ceil(self.shards / MOST_SHARDS))

    @property
    def memory(self) -> float:
        """Of all processes together, in MiB."""
        held = self.servers * SERVER.figure + self.at_once * MATCH.figure
        return self.processes * (PROCESS.figure + WORKER.figure) + held / 1024

    @property
    def disk(self) -> float:
        """A year's, in GB, without backups."""
        return self.a_day * YEAR * FINISHED.figure / 1e6

    @property
    def cores(self) -> float:
        """At the busiest time."""
        return self._moves * MOVE.figure / 1000

    @property
    def edits(self) -> float:
        """By the bot's token a second, at the busiest time."""
        return self._moves * EDITS.figure

    @property
    def _moves(self) -> float:
        return self.at_once / MOVE_EVERY

    @property
    def ends_first(self) -> str:
        """What one process lacks first as it grows, and how much of it that takes."""
        shares = {
            "the core": self.cores / MOST_OF_CORE,
            "requests": self.edits / MOST_EDITS,
            "shards": self.shards / MOST_SHARDS,
        }
        most = max(shares, key=lambda what: shares[what])
        return f"{most}, at {shares[most]:.0%}"


EXAMPLES: Final = (
    Installation(1_000, 1_000, 50),
    Installation(25_000, 25_000, 1_000),
    Installation(100_000, 100_000, 5_000),
)
"""What the page shows."""
LINES: Final[Sequence[tuple[str, Callable[[Installation], str]]]] = (
    ("shards", lambda it: f"{it.shards}"),
    ("processes", lambda it: f"{it.processes}"),
    ("memory of all", lambda it: f"{it.memory:,.0f} MiB"),
    ("disk a year", lambda it: f"{it.disk:,.0f} GB"),
    ("the same on PostgreSQL", lambda it: f"{it.disk * FINISHED_ON_POSTGRESQL.figure:,.0f} GB"),
    ("backups after a year, on SQLite", lambda it: f"{it.disk * BACKUPS.figure:,.0f} GB"),
    ("cores at the busiest time", lambda it: f"{it.cores:.2f}"),
    ("the same on PostgreSQL", lambda it: f"{it.cores * ON_POSTGRESQL.figure:.2f}"),
    ("edits a second by the bot's token then", lambda it: f"{it.edits:.0f} of {MOST_EDITS:.0f}"),
    ("a deploy whose sessions are resumed", lambda _: "seconds"),
    ("one that begins them, at `max_concurrency` 1", lambda it: f"{it.shards * IDENTIFY / 60:.1f} minutes"),
    ("processor time to read all servers then", lambda it: f"{it.servers * READING.figure / 1000:.1f} s"),
    ("one process lacks first", lambda it: it.ends_first),
)


def costs_table() -> Iterator[str]:
    """The lines of the table of costs."""
    yield "| what | figure | by `tests.bench.…` |"
    yield "|---|---|---|"
    for cost in COSTS:
        yield f"| {cost.what} | {f'{cost.figure:g} {cost.unit}'.strip()} | {cost.source} |"


def needs_table(examples: Sequence[Installation]) -> Iterator[str]:
    """The lines of a table with a column for each."""
    yield f"|  | {' | '.join(map(str, examples))} |"
    yield f"|---|{'---|' * len(examples)}"
    for what, told in LINES:
        yield f"| {what} | {' | '.join(told(it) for it in examples)} |"


def written() -> str:
    """The page with its tables as they are now."""
    text = "\n\n".join("\n".join(table) for table in (costs_table(), needs_table(EXAMPLES)))
    inside = re.compile(f"{re.escape(BEGINS)}.*?{re.escape(ENDS)}", re.DOTALL)
    return inside.sub(lambda _: f"{BEGINS}\n\n{text}\n\n{ENDS}", PAGE.read_text(encoding="utf-8"))


def main(argv: Sequence[str] | None = None) -> None:
    """Print what an installation needs."""
    parser = argparse.ArgumentParser(prog="python -m tools.capacity", description="What an installation needs.")
    for name in ("servers", "matches a day", "matches at once"):
        parser.add_argument(name.replace(" ", "_"), metavar=name.upper(), type=int)
    print("\n".join(needs_table([Installation(*vars(parser.parse_args(argv)).values())])))


if __name__ == "__main__":
    main()
