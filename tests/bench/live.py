"""Large houses: ``python -m tests.bench.live [l2] [l3] [l5]``, all three where none is named.

| load | house | asks |
|---|---|---|
| L2 | 1,000 live matches in 500 servers, 20 moves a second | how fast presses are answered |
| L3 | 5,000 live matches, 50 moves a second | that, how late boards are, how many requests, whether memory grows |
| L5 | a cold start with 20,000 live matches | its first answer, all taken up, play beside repairs, memory |
| brief | 30 live matches, a few seconds; with ``--brief`` | only that this program runs |

The bot is a process of its own, with its database on a disk; the sandbox and the people are in this one, so the two
share what cores there are. Matches are laid out beforehand (`tests.bench.world`), and people sit down at them at random
for a few moves. Beside it a bare discord.py bot is pressed now and then, and one that saves three of ten presses in
SQLite before it answers (`tests.bench.library_bot`): what slows the machine and the disk slows them too.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import gc
import random
import sys
import tempfile
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

import aiohttp

from discord_sandbox import Entry, Exchange, Reply, Sandbox
from tests.bench.processes import CpuMeter, free_port, resident_mebibytes
from tests.bench.sizes import sized, without_brief
from tests.bench.world import Laid, lay, plan
from tests.end_to_end.process import ROOT, BotProcess, bot_process
from tests.figures import read
from tests.soak.people import MY_CARDS, Manners, Table
from tests.soak.report import Load, percentile, table, waited

MOVES = 6
"""Moves that people make at a table before they leave it."""
MOST_PRESSES = 80
"""Presses after which they leave it all the same, unless the scale says another number."""
THINKING = (0.2, 0.8)
"""Seconds between two presses at a table."""
PROBE_EVERY = 0.1
"""Seconds between two presses of the bare bot."""
SAMPLE_EVERY = 2.0
"""Seconds between two looks at the bot's memory."""
UP_WITHIN = 300.0
STEADY = 5
"""Seconds over which the requests of a second are averaged: they arrive in bunches when a process had to wait."""
GRANTED = 50
"""Requests of a bot's token that Discord takes in a second."""
BARE = "tests.bench.bare_bot"
LIBRARY = "tests.bench.library_bot"
CALM = Manners(twice=0, stale=0, cards=0, rules=0, onlooker=0, resign=0)


@dataclass(frozen=True, slots=True)
class Scale:
    """A house, what is done in it, and what must hold: milliseconds to the first response, and p99 as a multiple of the
    bare bot's; seconds of boards, requests of the bot's token a second, growth of its memory from half-time on and its
    size (MiB); seconds from the process's start to the first answer, and until it has all matches. None: nothing is
    asked."""

    name: str
    servers: int
    channels: int
    matches: int
    moves_a_second: float
    seconds: float
    warming: float
    presses: int = MOST_PRESSES
    p50: float | None = None
    p99: float | None = None
    times_bare: float | None = None
    board_lag: float | None = None
    requests: int | None = None
    growth: float | None = None
    memory: float | None = None
    first_answer: float | None = None
    all_up: float | None = None


SCALES = {
    "l2": Scale("L2", 500, 1, 1_000, 20, 90, 15, p50=60, p99=300, times_bare=3),
    "l3": Scale("L3", 500, 5, 5_000, 50, 120, 20, p99=500, board_lag=3, requests=45, growth=0.1),
    "l5": Scale(
        "L5", 1_000, 10, 20_000, 10, 60, 5, p99=500, board_lag=3, requests=45, memory=500, first_answer=5, all_up=45
    ),
    "brief": Scale("brief", 15, 1, 30, 20, 3, 1, presses=8),
}
DEFAULT = sized(["l2", "l3", "l5"], brief=["brief"])


@dataclass
class Seen:
    """What came over the wire and from the process."""

    waits: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    saving: list[float] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    requests: list[float] = field(default_factory=list)
    resident: list[float] = field(default_factory=list)
    moves: int = 0
    made: list[int] = field(default_factory=list)
    """The moves of each sitting that is over."""

    @property
    def moves_a_sitting(self) -> float:
        """How many moves people make before they leave: some matches end first."""
        return mean((MOVES, *self.made))

    def hear(self, entry: Entry) -> None:
        """Judge one entry of the transcript."""
        if not isinstance(entry, Exchange):
            return
        if "/interactions/" not in entry.path and "/webhooks/" not in entry.path:
            self.requests.append(entry.at)
        if entry.status >= 400:
            code = entry.answer.get("code") if isinstance(entry.answer, dict) else None
            self.refused[f"{entry.method} {code}"] += 1


def main(argv: list[str]) -> int:
    """Run the loads that are named, or all, and print a line each."""
    unknown = set(argv) - SCALES.keys()
    if unknown:
        print(f"there is no load called {', '.join(sorted(unknown))}; there are {', '.join(SCALES)}")
        return 2
    loads = [asyncio.run(run(SCALES[name])) for name in argv or DEFAULT]
    return 0 if table(loads) else 1


async def run(scale: Scale) -> Load:
    """Lay the house out, start the bot, let people play, and judge."""
    load, seen = Load(scale.name), Seen()
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        # Not in the system's folder for temporary files: that may be memory, and commits would cost nothing.
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=build)))
        sandbox = await stack.enter_async_context(
            Sandbox.running(plan(scale.servers, scale.channels), transcript_entries=0)
        )
        laid = lay(sandbox, folder / "cardroom.db", scale.matches)
        gc.collect()
        gc.freeze()  # the sandbox's own pauses are not what is measured
        port = free_port()
        settings = {"CARDROOM_METRICS_PORT": str(port), "CARDROOM_BACKUP_HOURS": "0", "CARDROOM_LOG_LEVEL": "ERROR"}
        bot = BotProcess(sandbox, folder, **settings)
        stack.push_async_callback(_end, bot)
        await _start(scale, bot, laid, port, load)
        bare = await stack.enter_async_context(probing(seen.bare))
        await stack.enter_async_context(probing(seen.saving, LIBRARY))
        await _play(scale, laid, seen, scale.warming)
        for measured in (seen.waits, seen.bare, seen.saving, seen.resident):
            measured.clear()
        seen.moves = 0
        before = await _samples(port)
        sandbox.transcript.listen(seen.hear)
        async with _watching(bot, seen):
            playing, meters = time.monotonic(), (CpuMeter(bot.pid), CpuMeter(bare.pid))
            await _play(scale, laid, seen, scale.seconds)
            playing, (worked, bare_worked) = time.monotonic() - playing, [meter.lap() for meter in meters]
        load.figures += [
            f"the bot took {worked / playing:.0%} of a core",
            f"{cost(worked, seen.waits)} of CPU a press, boards and all (bare bot {cost(bare_worked, seen.bare)})",
        ]
        _judge(scale, seen, playing, load)
        _judge_boards(scale, _board_lags(before), _board_lags(await _samples(port)), load)
    return load


async def _start(scale: Scale, bot: BotProcess, laid: Sequence[Laid], port: int, load: Load) -> None:
    """Start the bot, and note when it first showed somebody their cards and when it had all matches."""
    begun = time.monotonic()
    await bot.start(UP_WITHIN)
    at = laid[0]
    async with asyncio.timeout(UP_WITHIN):
        while not _shows_cards(await at.people[0].press(at.board, label=MY_CARDS)):  # noqa: ASYNC110  presses again
            await asyncio.sleep(PROBE_EVERY)
        answered = time.monotonic() - begun
        while (await _samples(port)).get("cardroom_live_matches", 0) < len(laid):  # noqa: ASYNC110  asks again
            await asyncio.sleep(PROBE_EVERY)
        up = time.monotonic() - begun
    load.figures.append(f"{len(laid)} live matches: first answer after {answered:.1f} s, all up after {up:.1f} s")
    for measured, most, what in ((answered, scale.first_answer, "first answer"), (up, scale.all_up, "all up")):
        load.expect(most is None or measured < most, f"{what} after {measured:.1f} s, more than {most}")


def cost(cpu: float, presses: Sequence[float]) -> str:
    """CPU seconds for a number of presses, in ms a press."""
    return f"{1000 * cpu / len(presses):.2f} ms"


def _shows_cards(reply: Reply) -> bool:
    """Whether a press was answered with more than a deferral."""
    return reply.visibility == "ephemeral" and bool(reply.message.text)


async def _end(bot: BotProcess) -> None:
    if bot.running:
        await bot.kill()


# ---------------------------------------------------------------------------------------------- people


async def _play(scale: Scale, laid: Sequence[Laid], seen: Seen, seconds: float) -> None:
    """People sit down at free tables, at the pace of the scale, and at the end get up again."""
    rng, loop = random.Random(len(seen.waits)), asyncio.get_running_loop()
    begun = loop.time()
    taken: set[str] = set()
    sittings: list[asyncio.Task[None]] = []
    due, end = begun, begun + seconds
    while (due := due + seen.moves_a_sitting / scale.moves_a_second) < end:
        await asyncio.sleep(max(0.0, due - loop.time()))
        at = next(each for each in iter(lambda: rng.choice(laid), None) if each.match_id not in taken)
        taken.add(at.match_id)
        sittings.append(asyncio.create_task(_sit(scale, at, seen, random.Random(rng.random()), taken)))
    await asyncio.gather(*sittings)


async def _sit(scale: Scale, at: Laid, seen: Seen, rng: random.Random, taken: set[str]) -> None:
    def note(reply: Reply, kind: str) -> None:
        seen.waits.append(reply.elapsed)
        if reply.failed:
            seen.failed[kind] += 1

    sitting = Table(at.people, at.channel, at.board, at.people[0], rng, note, CALM)
    for _ in range(scale.presses):
        if sitting.over or sitting.acts >= MOVES:
            break
        before = sitting.acts
        await sitting.step(at.people)
        seen.moves += sitting.acts - before
        await asyncio.sleep(rng.uniform(*THINKING))
    seen.made.append(sitting.acts)
    if not sitting.over:
        taken.discard(at.match_id)


@asynccontextmanager
async def probing(waits: list[float], module: str = BARE) -> AsyncIterator[BotProcess]:
    """Another bot on a sandbox of its own, pressed now and then until the block ends. Its waits are noted."""

    async def probe(sandbox: Sandbox) -> None:
        person, message = sandbox.people[0], sandbox.channel("lobby").last
        while True:
            reply = await person.press(message, label="My cards")
            waits.append(reply.elapsed)
            await asyncio.sleep(PROBE_EVERY)

    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:  # on a disk, as the bot's
        async with (
            Sandbox.running(transcript_entries=0) as sandbox,
            bot_process(sandbox, Path(folder), module=module) as bot,
        ):
            await sandbox.wait_for(lambda: sandbox.channel("lobby").messages)
            task = asyncio.create_task(probe(sandbox))
            try:
                yield bot
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)


# ---------------------------------------------------------------------------------------------- the process


@asynccontextmanager
async def _watching(bot: BotProcess, seen: Seen) -> AsyncIterator[None]:
    """The bot's memory is looked at until the block ends."""

    async def watch() -> None:
        while True:
            seen.resident.append(resident_mebibytes(bot.pid))
            await asyncio.sleep(SAMPLE_EVERY)

    task = asyncio.create_task(watch())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _samples(port: int) -> dict[str, float]:
    """All figures of the bot, by their names and labels; none while it does not listen yet."""
    try:
        async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/metrics") as answer:
            return read(await answer.text())
    except aiohttp.ClientConnectionError:
        return {}


def _board_lags(samples: dict[str, float]) -> dict[float, float]:
    """How many boards were shown within so many seconds of their change, as the bot counts them."""
    bucket = "cardroom_board_lag_seconds_bucket le="
    return {float(key.removeprefix(bucket)): value for key, value in samples.items() if key.startswith(bucket)}


# ---------------------------------------------------------------------------------------------- judging


def _judge(scale: Scale, seen: Seen, seconds: float, load: Load) -> None:
    middle, late = percentile(seen.waits, 50), percentile(seen.waits, 99)
    half = seen.resident[len(seen.resident) // 2 :]  # before that hands are opened for the first time, and caches fill
    first, last = mean(half[:3]), mean(half[-3:])
    load.figures += [
        f"{seen.moves / seconds:.0f} moves/s, {len(seen.waits) / seconds:.0f} presses/s for {seconds:.0f} s",
        f"first response {waited(seen.waits)} (bare bot beside it {waited(seen.bare)})",
        f"one that saves too {waited(seen.saving)}",
        f"requests/s {len(seen.requests) / seconds:.1f}, in the fullest second {_fullest(seen.requests, 1)}",
        f"memory {first:.0f} MiB at half-time, {last:.0f} at the end, at most {max(seen.resident):.0f}",
    ]
    if seen.refused:
        load.figures.append(f"refused: {', '.join(f'{count} x {what}' for what, count in seen.refused.items())}")
    for what in ("10062", "40060"):
        load.expect(not any(what in code for code in seen.refused), f"{what} was answered")
    for kind, count in seen.failed.items():
        load.faults[f"a press ({kind}) was not answered"] += count
    for measured, most, what in ((middle, scale.p50, "p50"), (late, scale.p99, "p99")):
        load.expect(most is None or measured < most, f"{what} {measured:.0f} ms, more than {most}")
    if scale.times_bare is not None:
        times = late / percentile(seen.bare, 99)
        saving = late / percentile(seen.saving, 99)
        load.figures.append(
            f"p99 is {times:.1f} times the bare bot's and {saving:.1f} times that of one that saves too"
        )
        load.expect(times <= scale.times_bare, f"p99 is {times:.1f} times the bare bot's, more than {scale.times_bare}")
    if scale.requests is not None:
        fullest, steady = _fullest(seen.requests, 1), _fullest(seen.requests, STEADY) / STEADY
        load.expect(steady <= scale.requests, f"{steady:.1f} requests a second for {STEADY} s, over {scale.requests}")
        load.expect(fullest <= GRANTED, f"{fullest} requests in a second, more than the {GRANTED} that Discord grants")
    if scale.memory is not None:
        load.expect(max(seen.resident) < scale.memory, f"{max(seen.resident):.0f} MiB, more than {scale.memory:.0f}")
    if scale.growth is not None:
        load.expect(last / first - 1 < scale.growth, f"memory grew by {last / first - 1:.0%}")


def _judge_boards(scale: Scale, before: dict[float, float], after: dict[float, float], load: Load) -> None:
    """The smallest bucket that holds 99 of 100 boards that changed."""
    counts = {bound: count - before.get(bound, 0) for bound, count in sorted(after.items())}
    shown = max(counts.values(), default=0)
    if not shown:
        load.faults["no board was shown"] += 1
        return
    middle, late = (next(bound for bound, n in counts.items() if n >= share * shown) for share in (0.5, 0.99))
    load.figures.append(f"{shown:.0f} boards shown, half within {middle:g} s and 99 of 100 within {late:g} s")
    load.expect(scale.board_lag is None or late <= scale.board_lag, f"boards were later than {scale.board_lag} s")


def _fullest(times: Sequence[float], seconds: float) -> int:
    """The most in any so many seconds."""
    ordered = sorted(times)
    return max((index - bisect_left(ordered, at - seconds) + 1 for index, at in enumerate(ordered)), default=0)


if __name__ == "__main__":
    sys.exit(main(without_brief(sys.argv[1:])))
