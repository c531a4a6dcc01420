"""What an installation needs, from its servers, matches a day and matches at once: memory, disk, cores, shards.

``python -m tools.capacity 25000 50000 1500`` prints it for yours. `make reference` writes the tables of
docs/benchmarks.md. Each figure is one that a benchmark prints; its name is beside it.
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
    """What one of something costs on SQLite and on PostgreSQL, the unit, and the benchmark that says so."""

    what: str
    sqlite: float
    postgresql: float
    unit: str
    bench: str

    def on(self, database: str) -> float:
        """The figure with this database."""
        return self.sqlite if database == SQLITE else self.postgresql


SQLITE, POSTGRESQL = "SQLite", "PostgreSQL"

PROCESS: Final = Cost("memory of a process without servers or matches", 100, 100, "MiB", "start")
SERVER: Final = Cost("memory of a server", 2, 2, "KiB", "servers")
MATCH: Final = Cost("memory of a live match", 7, 7, "KiB", "memory")
WORKER: Final = Cost("memory of a process that thinks for computer players", 35, 35, "MiB", "computers")
FINISHED: Final = Cost("disk of a finished match, all tables", 5.9, 5.9, "KB", "packed")
BACKUPS: Final = Cost("disk of all backups, if there is room, of the database's size", 11, 0, "times", "backups")
MOVE: Final = Cost("processor time of a move with its presses, board and commit", 5, 6, "ms", "live")
EDITS: Final = Cost("requests by the bot's token a move", 0.4, 0.4, "", "tokens")
JOIN: Final = Cost("processor time to read a server at a new session", 0.2, 0.2, "ms", "servers")
COSTS: Final = (PROCESS, SERVER, MATCH, WORKER, FINISHED, BACKUPS, MOVE, EDITS, JOIN)

MOVE_EVERY: Final = 15.0
"""Seconds between two moves of a match that is being played. One with days to a move costs memory and disk alone."""
YEAR: Final = 365
SHARD: Final = 1000
"""Servers a shard, as Discord recommends."""
IDENTIFY: Final = 5.5
"""Seconds between two new sessions, for each group of `max_concurrency`."""
MOST_OF_CORE: Final = 0.7
"""What an event loop may take of its core at the busiest time, or first responses grow."""
MOST_REQUESTS: Final = 45.0
"""A second, of Discord's 50 for a bot's token."""
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
    def moves(self) -> float:
        """A second, at the busiest time."""
        return self.at_once / MOVE_EVERY

    @property
    def shards(self) -> int:
        """As Discord recommends."""
        return max(1, math.ceil(self.servers / SHARD))

    def memory(self, database: str) -> float:
        """Of all processes together, in MiB."""
        each = PROCESS.on(database) + WORKER.on(database)
        held = self.servers * SERVER.on(database) + self.at_once * MATCH.on(database)
        return self.processes(database) * each + held / 1024

    def disk(self, database: str) -> float:
        """A year's, in GB, without backups."""
        return self.a_day * YEAR * FINISHED.on(database) / 1e6

    def cores(self, database: str) -> float:
        """At the busiest time."""
        return self.moves * MOVE.on(database) / 1000

    def requests(self) -> float:
        """By the bot's token a second, at the busiest time."""
        return self.moves * EDITS.sqlite

    def processes(self, database: str) -> int:
        """How many it takes for cores and shards."""
        return max(math.ceil(self.cores(database) / MOST_OF_CORE), math.ceil(self.shards / MOST_SHARDS))

    def new_sessions(self) -> float:
        """Minutes until all shards have a new session, if none could be resumed."""
        return self.shards * IDENTIFY / 60

    def ends_first(self, database: str) -> str:
        """What one process lacks first as it grows."""
        shares = {
            "the core": self.cores(database) / MOST_OF_CORE,
            "requests": self.requests() / MOST_REQUESTS,
            "shards": self.shards / MOST_SHARDS,
        }
        most = max(shares, key=lambda what: shares[what])
        return f"{most}, {shares[most]:.0%} of what one process has"


EXAMPLES: Final = (
    Installation(1_000, 1_000, 50),
    Installation(25_000, 25_000, 1_000),
    Installation(100_000, 100_000, 5_000),
)
"""What the page shows."""
LINES: Final[Sequence[tuple[str, Callable[[Installation, str], str]]]] = (
    ("processes", lambda it, on: f"{it.processes(on)}"),
    ("memory", lambda it, on: f"{it.memory(on):,.0f} MiB"),
    ("disk a year", lambda it, on: f"{it.disk(on):,.0f} GB"),
    (
        "backups",
        lambda it, on: f"{it.disk(on) * BACKUPS.on(on):,.0f} GB" if BACKUPS.on(on) else "the server's own",
    ),
    ("cores at the busiest time", lambda it, on: f"{it.cores(on):.1f}"),
    ("requests a second then", lambda it, _: f"{it.requests():.0f}"),
    ("shards", lambda it, _: f"{it.shards}"),
    ("minutes of new sessions, if none is resumed", lambda it, _: f"{it.new_sessions():.0f}"),
    ("ends first", lambda it, on: it.ends_first(on)),
)


def costs_table() -> Iterator[str]:
    """The lines of the table of costs."""
    yield "| what | SQLite | PostgreSQL | `tests.bench.…` |"
    yield "|---|---|---|---|"
    for cost in COSTS:
        on = (f"{figure:g} {cost.unit}".strip() for figure in (cost.sqlite, cost.postgresql))
        yield f"| {cost.what} | {' | '.join(on)} | `{cost.bench}` |"


def needs_table(examples: Sequence[Installation], database: str) -> Iterator[str]:
    """The lines of a table with a column for each."""
    yield f"| {database} | {' | '.join(map(str, examples))} |"
    yield f"|---|{'---|' * len(examples)}"
    for what, told in LINES:
        yield f"| {what} | {' | '.join(told(it, database) for it in examples)} |"


def written() -> str:
    """The page with its tables as they are now."""
    tables = (costs_table(), needs_table(EXAMPLES, SQLITE), needs_table(EXAMPLES, POSTGRESQL))
    text = "\n\n".join("\n".join(table) for table in tables)
    inside = re.compile(f"{re.escape(BEGINS)}.*?{re.escape(ENDS)}", re.DOTALL)
    return inside.sub(lambda _: f"{BEGINS}\n\n{text}\n\n{ENDS}", PAGE.read_text(encoding="utf-8"))


def main(argv: Sequence[str] | None = None) -> None:
    """Print what an installation needs."""
    parser = argparse.ArgumentParser(prog="python -m tools.capacity", description="What an installation needs.")
    for name in ("servers", "matches a day", "matches at once"):
        parser.add_argument(name.replace(" ", "_"), metavar=name.upper(), type=int)
    wanted = Installation(*vars(parser.parse_args(argv)).values())
    for database in (SQLITE, POSTGRESQL):
        print("\n".join(needs_table([wanted], database)), end="\n\n")


if __name__ == "__main__":
    main()
