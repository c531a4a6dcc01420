"""``python -m tests.bench [NAME …] [--brief]``: the benchmarks, each in a process of its own.

Without names, all that take minutes at most; the others must be named. With ``--brief`` each runs for a second or a
few, some at once, and what it prints is shown only if it fails: that shows that it still runs, and nothing else. The
exit code is 1 if one failed.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.bench.sizes import BRIEF

ROOT: Final = Path(__file__).parents[2]
SHORT: Final = ("restarts", "tournaments", "interactions", "tokens", "stores", "memory", "servers")
"""Those that take minutes at most."""
LONG: Final = ("live", "clusters", "operations", "packed", "lengths", "slow_week")
AT_ONCE: Final = 1 + (os.cpu_count() or 1)
"""How many run at once when they are brief: some of them mostly wait."""
MOST_SECONDS: Final = 180.0
"""After which a brief run counts as hanging."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run what is named. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Benchmarks.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join((*SHORT, *LONG))}; or the first ones")
    parser.add_argument(BRIEF, action="store_true", help="all of them for a moment each, only that they run")
    given = parser.parse_args(argv)
    unknown = set(given.names) - {*SHORT, *LONG}
    if unknown:
        parser.error(f"there is no benchmark called {', '.join(sorted(unknown))}")
    if given.brief:
        failed = asyncio.run(_briefly(given.names or (*SHORT, *LONG)))
    else:
        failed = [name for name in given.names or SHORT if asyncio.run(_whole(name))]
    for name in failed:
        print(f"FAILED: {' '.join(command(name, *[BRIEF] * given.brief)[1:])}")
    return 1 if failed else 0


def command(name: str, *more: str) -> tuple[str, ...]:
    """What runs one."""
    return sys.executable, "-m", f"tests.bench.{name}", *more


async def _whole(name: str) -> int:
    """Run one; its exit code."""
    print(f"\n{name}", flush=True)
    process = await asyncio.create_subprocess_exec(*command(name), cwd=ROOT)
    return await process.wait()


async def _briefly(names: Sequence[str]) -> list[str]:
    """Run these, some at once; those that failed."""
    free, failed = asyncio.Semaphore(AT_ONCE), list[str]()

    async def run(name: str) -> None:
        async with free:
            begun = time.monotonic()
            returned, printed = await briefly(command(name, BRIEF), MOST_SECONDS)
        print(f"{name:<14} {time.monotonic() - begun:>5.1f} s", flush=True)
        if returned:
            print(printed, flush=True)
            failed.append(name)

    await asyncio.gather(*map(run, names))
    return failed


async def briefly(program: Sequence[str], most_seconds: float) -> tuple[int, str]:
    """Run a program; its exit code and what it printed. After so many seconds it ends with all that it has started:
    whatever lives on holds its output open, and would be waited for."""
    process = await asyncio.create_subprocess_exec(
        *program, cwd=ROOT, stdout=PIPE, stderr=STDOUT, start_new_session=True
    )
    reading = asyncio.create_task(process.communicate())
    done, _ = await asyncio.wait([reading], timeout=most_seconds)
    if not done:
        os.killpg(process.pid, signal.SIGKILL)
    printed, _ = await reading
    return process.returncode or 0, printed.decode()


if __name__ == "__main__":
    sys.exit(main())
