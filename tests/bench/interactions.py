"""How fast presses are answered: ``python -m tests.bench.interactions``.

Matches are played through discord.py on the sandbox, by 1 and by 16 people who press at once, beside a bot that only
says "pong". Each bot is a process of its own on a sandbox of its own; the sandboxes and the people are in this one. The
bots take turns of less than a second, so that whatever slows the machine down slows both.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from sandbox import DrivenChannel, Reply, Sandbox
from sandbox.model.wire import JsonObject
from tests.bench.tables import Table
from tests.end_to_end.process import ROOT, bot_process

AT_ONCE = (1, 16)
CHANNELS = 8
TURNS = 12
SECONDS = 0.5
WARMING = 2
"""How many turns are not counted, before the others."""
AIM = 0.6
BARE = "tests.bench.bare_bot"

Act = Callable[[], Awaitable[tuple[str, Reply]]]


@dataclass(slots=True)
class Turn:
    """What so many people at once got from one bot in a moment."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.waits) / self.seconds


class Unanswered(RuntimeError):  # noqa: N818  named for what it is
    """Raised when a press failed: figures of a bot that does not answer mean nothing."""


def main() -> None:
    """Print the figures."""
    asyncio.run(compare())


async def compare() -> None:
    """Both bots in turns."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        # Not in the system's folder for temporary files: that may be memory, and commits would cost nothing.
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=build)))
        ours = await stack.enter_async_context(Sandbox.running(_world(), transcript_entries=0))
        bare = await stack.enter_async_context(Sandbox.running(_world(), transcript_entries=0))
        await stack.enter_async_context(bot_process(ours, folder))
        await stack.enter_async_context(bot_process(bare, folder, module=BARE))
        await bare.wait_for(lambda: all(_channel(bare, number).messages for number in range(CHANNELS)))
        numbers = range(max(AT_ONCE))
        matches, bells = [_match(ours, number) for number in numbers], [_bell(bare, number) for number in numbers]
        for people in AT_ONCE:
            _report(people, *await _turns(matches[:people], bells[:people]))


def _world() -> JsonObject:
    people = [f"Player {number}" for number in range(2 * max(AT_ONCE))]
    channels = [f"table-{number}" for number in range(CHANNELS)]
    return {
        "people": [{"name": name} for name in people],
        "servers": [{"name": "Cardroom", "channels": [{"name": name} for name in channels]}],
    }


def _channel(sandbox: Sandbox, number: int) -> DrivenChannel:
    return sandbox.channel(f"table-{number % CHANNELS}")


def _match(sandbox: Sandbox, number: int) -> Act:
    """A table at which two play match after match."""
    host, guest = sandbox.people[2 * number : 2 * number + 2]
    return Table((host, guest), _channel(sandbox, number), seed=number).play


def _bell(sandbox: Sandbox, number: int) -> Act:
    """A button that one presses again and again."""
    person, message = sandbox.people[number], _channel(sandbox, number).last

    async def ring() -> tuple[str, Reply]:
        return "pongs", await person.press(message, label="My cards")

    return ring


async def _turns(matches: Sequence[Act], bells: Sequence[Act]) -> tuple[list[Turn], list[Turn]]:
    """Turn by turn what Cardroom answered, and what the other did."""
    ours, bare = [], []
    for _ in range(WARMING + TURNS):
        ours.append(await _turn(matches))
        bare.append(await _turn(bells))
    return ours[WARMING:], bare[WARMING:]


async def _turn(acts: Sequence[Act]) -> Turn:
    """Everybody at once, each as soon as they are answered."""
    gc.collect()
    gc.freeze()  # the sandbox's own pauses are not what is measured
    turn = Turn()
    begun = time.perf_counter()
    await asyncio.gather(*(_keep_at_it(act, turn, begun + SECONDS) for act in acts))
    turn.seconds = time.perf_counter() - begun
    return turn


async def _keep_at_it(act: Act, turn: Turn, end: float) -> None:
    while time.perf_counter() < end:
        kind, reply = await act()
        if reply.failed:
            raise Unanswered(f"one of the {kind}: {reply.reason}")
        turn.waits.append(reply.elapsed)
        turn.kinds[kind] += 1


def _report(people: int, ours: Sequence[Turn], bare: Sequence[Turn]) -> None:
    kinds = sum((one.kinds for one in ours), Counter[str]())
    mix = ", ".join(f"{count / kinds.total():.0%} {kind}" for kind, count in kinds.most_common())
    ratio = median(one.rate / other.rate for one, other in zip(ours, bare, strict=True))
    print(f"presses of matches, {people} at once: {mix}")
    print(f"{_figures('bare discord.py', bare)}\n{_figures('Cardroom', ours)}  {ratio:.2f} of bare (aim {AIM})")


def _figures(bot: str, turns: Sequence[Turn]) -> str:
    """One line: the median of the turns' rates, and percentiles (nearest rank) of all waits for a first response."""
    waits = sorted(wait * 1000 for turn in turns for wait in turn.waits)
    middle, late = (waits[len(waits) * percent // 100] for percent in (50, 99))
    rate = median(turn.rate for turn in turns)
    return f"{bot:<28} {rate:>8.0f} answers/s  p50 {middle:>6.2f} ms  p99 {late:>6.2f} ms"


if __name__ == "__main__":
    main()
