"""How fast presses are answered: ``python -m tests.bench.interactions``.

Matches are played through discord.py on the sandbox, by 1 and by 16 people who press at once, beside a bot that only
says "pong". Each bot is a process of its own; the sandbox and the people are in this one. The bots take turns, so that
a machine that slows down slows both, and each figure is the median of the rounds.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from sandbox import Reply, Sandbox
from sandbox.wire import JsonObject
from tests.bench.tables import Table
from tests.house.process import ROOT, bot_process

AT_ONCE = (1, 16)
CHANNELS = 8
ROUNDS = 3
SECONDS = 2.0
WARMING = 0.5
AIM = 0.6
BARE = "tests.bench.bare_bot"

Press = Callable[[Table], Awaitable[tuple[str, Reply]]]


@dataclass(slots=True)
class Round:
    """What so many people at once got from one bot in a few seconds."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def rate(self) -> float:
        """Answered presses a second."""
        return len(self.waits) / self.seconds

    def percentile(self, percent: int) -> float:
        """The nearest-rank percentile of the wait for the first response, in milliseconds."""
        return sorted(self.waits)[len(self.waits) * percent // 100] * 1000


class Unanswered(RuntimeError):  # noqa: N818  named for what it is
    """Raised when a press failed: figures of a bot that does not answer mean nothing."""


def main() -> None:
    """Print the figures."""
    asyncio.run(compare())


async def compare() -> None:
    """Both bots in turn on one sandbox."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    ours: dict[int, list[Round]] = {people: [] for people in AT_ONCE}
    bare: dict[int, list[Round]] = {people: [] for people in AT_ONCE}
    # Not in the system's folder for temporary files: that may be memory, and commits would cost nothing.
    with tempfile.TemporaryDirectory(dir=build) as folder:
        async with Sandbox.running(_world(), transcript_entries=1000) as sandbox:
            tables = _tables(sandbox)
            for _ in range(ROUNDS):
                async with bot_process(sandbox, Path(folder)) as bot:
                    for people in AT_ONCE:
                        ours[people].append(await _round(tables[:people], _play))
                    await bot.stop()
                async with bot_process(sandbox, Path(folder), module=BARE):
                    for people in AT_ONCE:
                        bare[people].append(await _round(tables[:people], _prod))
    for people in AT_ONCE:
        _report(people, ours[people], bare[people])


def _world() -> JsonObject:
    people = [f"Player {number}" for number in range(2 * max(AT_ONCE))]
    channels = [f"table-{number}" for number in range(CHANNELS)]
    return {
        "people": [{"name": name} for name in people],
        "servers": [{"name": "Cardroom", "channels": [{"name": name} for name in channels]}],
    }


def _tables(sandbox: Sandbox) -> list[Table]:
    people = sandbox.people
    return [
        Table((people[2 * n], people[2 * n + 1]), sandbox.channel(f"table-{n % CHANNELS}"), seed=n)
        for n in range(max(AT_ONCE))
    ]


async def _play(table: Table) -> tuple[str, Reply]:
    """A press of a match with our bot."""
    if not table.sitting:
        await table.sit_down()
    return await table.press()


async def _prod(table: Table) -> tuple[str, Reply]:
    """A press of a match's board with the other."""
    return "pongs", await table.press_board()


async def _round(tables: Sequence[Table], press: Press) -> Round:
    """All tables at once, first for a while that does not count."""
    await asyncio.gather(*(_keep_pressing(table, press, Round(), WARMING) for table in tables))
    gc.collect()
    found = Round()
    begun = time.perf_counter()
    await asyncio.gather(*(_keep_pressing(table, press, found, SECONDS) for table in tables))
    found.seconds = time.perf_counter() - begun
    return found


async def _keep_pressing(table: Table, press: Press, found: Round, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        kind, reply = await press(table)
        if reply.failed:
            raise Unanswered(f"one of the {kind}: {reply.reason}")
        found.waits.append(reply.elapsed)
        found.kinds[kind] += 1


def _report(people: int, ours: Sequence[Round], bare: Sequence[Round]) -> None:
    kinds = sum((one.kinds for one in ours), Counter[str]())
    mix = ", ".join(f"{count / kinds.total():.0%} {kind}" for kind, count in kinds.most_common())
    ratio = median(one.rate / other.rate for one, other in zip(ours, bare, strict=True))
    print(f"presses of matches, {people} at once: {mix}")
    print(f"{_figures('bare discord.py', bare)}\n{_figures('Cardroom', ours)}  {ratio:.2f} of bare (aim {AIM})")


def _figures(bot: str, rounds: Sequence[Round]) -> str:
    """One line: the medians of the rounds."""
    rate = median(one.rate for one in rounds)
    middle, late = (median(one.percentile(percent) for one in rounds) for percent in (50, 99))
    return f"{bot:<28} {rate:>8.0f} answers/s  p50 {middle:>6.2f} ms  p99 {late:>6.2f} ms"


if __name__ == "__main__":
    main()
