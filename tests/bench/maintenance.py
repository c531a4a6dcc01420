"""Work that grows with the house: ``python -m tests.bench.maintenance [MATCHES]``. With ``--brief`` it takes seconds.

A house of 1,000 servers is laid out (`tests.bench.house`), with a million finished matches unless another number is
given. Each job runs in a process of its own, and its CPU time and the most memory that it had are printed. The exit
code is 1 if one had more than `LIMIT`.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.bench.house import lay_out
from tests.bench.sizes import sized, without_brief

LIMIT: Final = 300.0
"""MiB that a job may have."""
SERVERS: Final = sized(1_000, brief=20)


def main() -> int:
    """Print what each job took. Returns the exit code."""
    given = without_brief(sys.argv[1:])
    matches = int(given[0]) if given else sized(1_000_000, brief=500)
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        lay_out(Path(folder) / "cardroom.db", matches, SERVERS)
        print(f"{matches} matches in {SERVERS} servers")
        most = max(
            _run("rebuild-standings of all of it", folder, "rebuild-standings"),
            _run("rebuild-standings of nothing", folder, "rebuild-standings"),
        )
    return int(most > LIMIT)


def _run(what: str, folder: str, command: str) -> float:
    """Run a command; the MiB that it had at most. Raises CalledProcessError."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bot.launcher", command],
        env={**os.environ, "CARDROOM_DATA_DIR": folder},
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    mebibytes = used.ru_maxrss / 1024
    print(f"{what:<40} {used.ru_utime + used.ru_stime:>8.1f} s of CPU  {mebibytes:>6.0f} MiB", flush=True)
    return mebibytes


if __name__ == "__main__":
    sys.exit(main())
