"""The command line of the simulator."""

# ruff: noqa: T201  what is found is printed

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from pathlib import Path
from typing import IO, Final

from tests.simulation import children, dials, patches
from tests.simulation.laws import Judges, reasons
from tests.simulation.planted.command import plant
from tests.simulation.run import Result, simulate
from tests.simulation.weather import draw

DESCRIPTION: Final = """\
Runs the bot and its Discord in virtual time, in a weather that each seed draws for itself, and looks whether all laws
hold. A failure prints the line that replays it. Exit code 1 if a law did not hold."""
MINUTE: Final = 60.0
HOUR: Final = 3600.0


def processors() -> int:
    """How many processors this process, with those that it starts, may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main(argv: Sequence[str]) -> int:
    """Run the simulations that are asked for; the exit code."""
    parser = _parser()
    given = parser.parse_args(argv)
    try:
        given.weather = None if given.faults is None else dials.read(given.faults)
    except dials.NoSuchDial as error:
        parser.error(str(error))
    if given.planted is not None:
        return plant(given.planted, slow=given.slow, whole=given.whole)
    if given.until is not None:
        given.hours = min(given.hours, given.until / HOUR)
    if given.laws:
        for law, why in reasons().items():
            print(f"{law}: {why}")
        return 0
    return _run(given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=DESCRIPTION)
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default: 1)")
    parser.add_argument("--seeds", type=int, default=1, metavar="K", help="how many seeds, one after the other")
    parser.add_argument("--minutes", type=float, metavar="M", help="new seeds until so many real minutes have passed")
    parser.add_argument("--hours", type=float, default=1.0, metavar="H", help="virtual hours of each (default: 1)")
    parser.add_argument("--until", type=float, metavar="T", help="end at this virtual second")
    parser.add_argument("--steps", type=int, metavar="S", help="end each after about so many steps: busy ones earlier")
    parser.add_argument(
        "--faults",
        metavar="DIALS",
        help="the weather, as latency=0.3,kills=2; `calm` for none; without it each seed draws its own",
    )
    parser.add_argument("--trace", type=Path, metavar="FILE", help="write every step into a file")
    parser.add_argument("--workers", type=int, default=processors(), metavar="N", help="processes (default: cores)")
    parser.add_argument("--without", action="append", default=[], metavar="LAW", help="do not ask this law")
    parser.add_argument("--no-laws", action="store_true", help="ask no law at all")
    parser.add_argument("--hashes", action="store_true", help="print the hash of each trace")
    parser.add_argument(
        "--planted",
        nargs="*",
        metavar="FAULT",
        help="plant faults, or these, one after the other: exit code 1 if no law finds one",
    )
    parser.add_argument("--slow", action="store_true", help="with --planted: also those that take longer to find")
    parser.add_argument(
        "--whole", action="store_true", help="with --planted: run the same without the faults; no law may find anything"
    )
    parser.add_argument("--laws", action="store_true", help="print the laws and their reasons, and run nothing")
    return parser


def _run(given: argparse.Namespace) -> int:
    began = patches.REAL_SECONDS()
    failures, hours, steps, counts = 0, 0.0, 0, Counter[str]()
    jobs = ((seed, _job(given, seed)) for seed in _seeds(given, began))
    for seed, result in children.run_all(jobs, min(given.workers, processors())):
        failures += bool(result.violations)
        hours += result.hours
        steps += result.steps
        counts += result.counts
        if given.hashes:
            print(f"seed {seed}: {result.trace_hash} after {result.steps} steps")
        _tell(given, seed, result)
    seconds = patches.REAL_SECONDS() - began
    print(
        f"{hours:.1f} virtual hours in {seconds:.0f} s ({hours / seconds * MINUTE:.0f} a minute,"
        f" {steps / seconds:.0f} steps a second); {failures} failed"
    )
    print(", ".join(f"{number} {what}" for what, number in sorted(counts.items())))
    return 1 if failures else 0


def _seeds(given: argparse.Namespace, began: float) -> Iterator[int]:
    if given.minutes is None:
        yield from range(given.seed, given.seed + given.seeds)
        return
    for seed in count(given.seed):
        if patches.REAL_SECONDS() - began > given.minutes * MINUTE:
            return
        yield seed


def _job(given: argparse.Namespace, seed: int) -> Callable[[], Result]:
    weather = draw(seed) if given.weather is None else given.weather

    def work() -> Result:
        with Judges(given.without) as judges, _trace(given.trace) as trace:
            laws = () if given.no_laws else judges.laws
            return simulate(seed, given.hours, weather, laws, trace=trace, most_steps=given.steps)

    return work


def _trace(file: Path | None) -> AbstractContextManager[IO[str] | None]:
    return nullcontext() if file is None else file.open("w", encoding="utf-8")


def _tell(given: argparse.Namespace, seed: int, result: Result) -> None:
    """Print what failed, each time with the line that replays it."""
    for violation in result.violations:
        print(f"FAIL {violation.law}, at {violation.at:.1f} s: {violation.what}")
    if result.violations:
        print(f"     {_replay(given, seed)}")
        sys.stdout.flush()


def _replay(given: argparse.Namespace, seed: int) -> str:
    line = f"python -m tests.simulation --seed {seed} --hours {given.hours:g}"
    if given.steps is not None:
        line += f" --steps {given.steps}"
    if given.weather is not None:
        line += f" --faults {dials.as_text(given.weather)}"
    return line + "".join(f" --without '{law}'" for law in given.without)
