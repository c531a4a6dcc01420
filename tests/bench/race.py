"""How a race is judged and how fast it is answered: ``python -m tests.bench.race``.

Six people play Tiv-Miv, each in a task of their own, and press again as soon as they are answered; first alone, then
while other people play Haymaker without a pause. The bot is a process of its own; the sandbox and the people are in
this one. From the bot's log of acts it is then read in which order the presses were taken, and compared with the times
that Discord wrote into them (the first 42 bits of an interaction's id are milliseconds).
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from discord_sandbox import JsonObject, Person, Reply, Sandbox
from tests.bench.sizes import sized
from tests.bench.tables import Table
from tests.end_to_end.players import sit_down
from tests.end_to_end.process import ROOT, bot_process
from tests.end_to_end.racers import Racer

RACERS = sized(6, brief=2)
OTHERS = sized((0, 8), brief=(1,))
"""How many tables of two play beside the race."""
PHASES = sized(3, brief=1)
ROUNDS = sized(3, brief=1)


@dataclass(frozen=True, slots=True)
class Race:
    """What came of one match: every press's reply and kind, how many plays were told what was on top, and the times
    of the acts taken (ms), in the order of taking."""

    replies: tuple[Reply, ...]
    kinds: Counter[str]
    too_late: int
    taken: tuple[int, ...]

    @property
    def waits(self) -> list[float]:
        """From press to answer, in milliseconds, shortest first."""
        return sorted(reply.elapsed * 1000 for reply in self.replies)


def main() -> None:
    """Print the figures."""
    for others in OTHERS:
        races = [asyncio.run(race(others, seed)) for seed in range(ROUNDS)]
        print(f"Tiv-Miv, {RACERS} people, {others} other tables, {ROUNDS} matches of {PHASES} phases")
        report(races)


async def race(others: int, seed: int) -> Race:
    """One match, so many tables of Haymaker beside it."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        async with (
            Sandbox.running(_world(others), transcript_entries=1000) as sandbox,
            bot_process(sandbox, Path(folder)) as bot,
        ):
            people = sandbox.people[:RACERS]
            board = await sit_down(people, sandbox.channel("race"), "tivmiv", phases=PHASES)
            racers = [Racer(person, board, random.Random(f"{seed} {n}")) for n, person in enumerate(people)]
            async with _load(sandbox, sandbox.people[RACERS:]):
                await asyncio.gather(*(racer.race() for racer in racers))
            await bot.stop()
        taken = _taken(Path(folder) / "cardroom.db")
    replies = tuple(reply for racer in racers for reply in racer.replies)
    kinds = sum((racer.told for racer in racers), Counter[str]())
    return Race(replies, kinds, sum(racer.too_late for racer in racers), taken)


def _world(others: int) -> JsonObject:
    names = [f"Player {number}" for number in range(RACERS + 2 * others)]
    channels = ["race", *(f"table-{number}" for number in range(others))]
    return {
        "people": [{"name": name} for name in names],
        "servers": [{"name": "Cardroom", "channels": [{"name": name} for name in channels]}],
    }


@asynccontextmanager
async def _load(sandbox: Sandbox, people: Sequence[Person]) -> AsyncIterator[None]:
    """Pairs of these people play without a pause, each in a channel of its own, until the block ends."""

    async def play(table: Table) -> None:
        while True:
            await table.play()

    pairs = zip(people[::2], people[1::2], strict=True)
    tables = [Table(pair, sandbox.channel(f"table-{number}"), seed=number) for number, pair in enumerate(pairs)]
    tasks = [asyncio.create_task(play(table)) for table in tables]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _taken(database: Path) -> tuple[int, ...]:
    """The times (ms) of the race's acts as Discord stamped them, in the order in which the bot took them."""
    with sqlite3.connect(database) as connection:
        rows = connection.execute(
            "SELECT interaction_id FROM records JOIN matches ON matches.id = records.match_id"
            " WHERE game = 'tivmiv' AND interaction_id IS NOT NULL ORDER BY seq"
        ).fetchall()
    return tuple(interaction >> 22 for (interaction,) in rows)


def report(races: Sequence[Race]) -> None:
    """Four lines: the presses, how they were answered, what they led to, and in which order they were taken."""
    waits = sorted(wait for each in races for wait in each.waits)
    kinds = sum((each.kinds for each in races), Counter[str]())
    taken, late = sum(len(each.taken) for each in races), sum(each.too_late for each in races)
    pairs = sum(len(each.taken) * (len(each.taken) - 1) // 2 for each in races)
    behind = [gap for each in races for gap in overtaken(each.taken)]
    worst_gap = f", by {max(behind)} ms at most" if behind else ""
    middle, most = (waits[len(waits) * percent // 100] for percent in (50, 99))
    print(f"  {len(waits)} presses ({', '.join(f'{count} {kind}' for kind, count in kinds.most_common())})")
    print(f"  answered: p50 {middle:.1f} ms, p99 {most:.1f} ms, slowest {waits[-1]:.1f} ms")
    print(f"  taken: {taken} acts; {late} plays were told what is on top now")
    print(f"  out of the order of their own times: {len(behind)} of {pairs} pairs{worst_gap}")


def overtaken(times: Sequence[int]) -> list[int]:
    """For every pair that was taken in the wrong order, by how many milliseconds."""
    return [earlier - later for place, earlier in enumerate(times) for later in times[place + 1 :] if earlier > later]


if __name__ == "__main__":
    main()
