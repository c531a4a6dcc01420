"""What computer players cost the event loop, and how soon they answer: ``python -m tests.bench.computers``.

- *round trip*: a question to a worker and back, one at a time, beside the same answered in the event loop: how long it
  takes, and the CPU time of this process alone, which is what the loop loses.
- *lag*: how late the event loop wakes from sleeps of 2 ms. First while nothing happens, then with 200 questions at
  once, and with 200 matches whose players ask every 4 s or so; for the baseline the same questions are answered in the
  event loop.
- *kills*: 100 workers killed in mid thought, and which answers were lost or different.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import logging
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path

from bot.computers.pool import MOST_DEATHS, WorkerPool
from bot.ops.metrics import Metrics
from bot.workers.serving import packed
from engines.players.answering import answer, fallback
from engines.players.levels import LEVELS
from engines.players.question import Answer, Question
from laws.players import positions
from tests.bench.sizes import sized
from tests.figures import now
from tests.games.cases import case_of

POSITIONS = sized(100, brief=2)
MATCHES = sized(200, brief=4)
EVERY = sized(4.0, brief=0.2)
"""Seconds between two questions of a match, on average."""
SECONDS = sized(15.0, brief=0.5)
"""How long the matches are played."""
PROBE = 0.002
IDLE = sized(5.0, brief=0.2)
"""Seconds in which nothing happens."""
KILLED = sized(100, brief=1)

Asking = Callable[[Question], Awaitable[Answer]]


def main() -> None:
    """Print the figures."""
    logging.getLogger("bot.computers").setLevel(logging.ERROR)  # each death is a warning
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    asyncio.run(round_trips())
    asyncio.run(lags())
    asyncio.run(kills())


def questions(game: str, level: str, count: int = POSITIONS) -> list[Question]:
    """Questions at positions of random matches, with the level's budget."""
    budget = LEVELS[game][level].rollouts
    return [position.question(level, budget) for position in positions(case_of(game), count)]


def figures(seconds: Sequence[float]) -> str:
    """Percentiles by nearest rank, in milliseconds."""
    ordered = sorted(seconds)
    middle, late = (ordered[len(ordered) * percent // 100] for percent in (50, 99))
    return f"p50 {1000 * middle:7.2f}  p99 {1000 * late:7.2f}  max {1000 * ordered[-1]:7.2f} ms"


# ---------------------------------------------------------------------------------------------- round trips


async def round_trips() -> None:
    """Each level alone."""
    pool = WorkerPool(1)
    for game, levels in LEVELS.items():
        for level in levels:
            asked = questions(game, level)
            await pool.answer(asked[0], deadline_seconds=None)
            trips, began = [], time.process_time()
            for question in asked:
                begun = time.perf_counter()
                await pool.answer(question, deadline_seconds=None)
                trips.append(time.perf_counter() - begun)
            lost = (time.process_time() - began) / len(asked)
            print(f"{game} {level:<8} round trip {figures(trips)}; the loop's share {1000 * lost:.2f} ms")
        asked = questions(game, "normal")
        print(f"{game} packing             {figures(list(timed(packed, asked)))}")
        print(f"{game} rule of thumb       {figures(list(timed(fallback, asked)))}")
    (process,) = pool.processes
    print(f"a worker's memory: {most_memory(process)} at most")
    await pool.close()


def most_memory(process: int) -> str:
    """The most memory that a process has had resident, as Linux says it."""
    status = Path(f"/proc/{process}/status").read_text("ascii")
    (memory,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return " ".join(memory.split()[1:])


def timed(call: Callable[[Question], object], asked: Sequence[Question]) -> Iterator[float]:
    """The CPU seconds of each call."""
    for question in asked:
        begun = time.process_time()
        call(question)
        yield time.process_time() - begun


# ---------------------------------------------------------------------------------------------- lag


async def lags() -> None:
    """The loop's lag while computers think, beside a loop that is idle and one that thinks itself."""
    with lag_of("nothing"):
        await asyncio.sleep(IDLE)
    hard = list(islice(cycle(questions("ciq", "hard")), MATCHES))
    mixed = [
        question for game in LEVELS for level in LEVELS[game] for question in questions(game, level, min(POSITIONS, 40))
    ]
    random.Random(1).shuffle(mixed)

    one_at_a_time = asyncio.Lock()

    async def in_the_loop(question: Question) -> Answer:
        async with one_at_a_time:
            await asyncio.sleep(0)
            return answer(question, lambda: False)

    with lag_of("the mixed questions, in the loop"):
        await asyncio.gather(*map(in_the_loop, mixed[:MATCHES]))
    for workers in (1, 2):
        for name, asked in (("hard CIQ", hard), ("mixed", mixed[:MATCHES])):
            await measured(f"{MATCHES} {name} at once, workers: {workers}", workers, asked, at_once)
        await measured(f"{MATCHES} mixed matches, workers: {workers}", workers, mixed, matches)


@contextmanager
def lag_of(what: str) -> Iterator[None]:
    """Measure the loop's lag within the block, and print it."""
    late: list[float] = []

    async def probe() -> None:
        while True:
            due = time.perf_counter() + PROBE
            await asyncio.sleep(PROBE)
            late.append(time.perf_counter() - due)

    probing = asyncio.create_task(probe())
    yield
    probing.cancel()
    print(f"{what}: lag {figures(late)}")


async def measured(
    what: str, workers: int, asked: Sequence[Question], play: Callable[[Asking, Sequence[Question]], Awaitable[None]]
) -> None:
    """The lag, the times of answers and what was cut short, with a pool that has all its workers."""
    metrics = Metrics()
    pool = WorkerPool(workers, metrics)
    await asyncio.gather(*(pool.answer(question, deadline_seconds=None) for question in asked[: 2 * workers]))
    before = now(metrics)
    took: list[float] = []

    async def asking(question: Question) -> Answer:
        begun = time.perf_counter()
        found = await pool.answer(question, deadline_seconds=30)
        took.append(time.perf_counter() - begun)
        return found

    with lag_of(what):
        await play(asking, asked)
    counted = {key: value - before[key] for key, value in now(metrics).items() if key in before}
    short = counted["cardroom_computer_answers_cut_short_total"]
    fell = sum(value for key, value in counted.items() if key.startswith("cardroom_computer_fallbacks_total"))
    print(f"    {len(took)} answers {figures(took)}; cut short {short:.0f}, by the loop's rule of thumb {fell:.0f}")
    await pool.close()


async def at_once(asking: Asking, asked: Sequence[Question]) -> None:
    """All questions at the same moment."""
    await asyncio.gather(*map(asking, asked))


async def matches(asking: Asking, asked: Sequence[Question]) -> None:
    """Matches whose computer is asked again and again."""
    end = time.perf_counter() + SECONDS

    async def match(number: int) -> None:
        rng = random.Random(number)
        while True:
            await asyncio.sleep(rng.uniform(0, 2 * EVERY))
            if time.perf_counter() > end:
                return
            await asking(rng.choice(asked))

    await asyncio.gather(*map(match, range(MATCHES)))


# ---------------------------------------------------------------------------------------------- kills


async def kills() -> None:
    """Kill the worker while it thinks, again and again."""
    metrics = Metrics()
    pool = WorkerPool(1, metrics)
    asked = [
        question for question in questions("ciq", "hard", 3 * POSITIONS) if answer(question, lambda: False).rollouts
    ]
    right, killed = 0, 0
    for question in cycle(asked):
        thinking = asyncio.create_task(pool.answer(question, deadline_seconds=30))
        for _ in range(MOST_DEATHS - 1):
            while not thinking.done() and not pool.processes:  # noqa: ASYNC110  a pool announces nothing
                await asyncio.sleep(0.002)
            if not thinking.done():
                os.kill(pool.processes[0], signal.SIGKILL)
                killed += 1
                while pool.processes:  # noqa: ASYNC110  the same
                    await asyncio.sleep(0.002)
        found = await thinking
        right += found == answer(question, lambda: False)
        if killed >= KILLED:
            break
    counted = now(metrics)
    fell = sum(value for key, value in counted.items() if key.startswith("cardroom_computer_fallbacks_total"))
    answers = counted["cardroom_computer_answer_seconds_count"]
    print(
        f"killed {killed} workers in mid thought: {answers:.0f} answers, {right} of them as without, "
        f"cut short {counted['cardroom_computer_answers_cut_short_total']:.0f}, by the loop's rule of thumb {fell:.0f}"
    )
    await pool.close()


if __name__ == "__main__":
    main()
