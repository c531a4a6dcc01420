"""Work that grows with the house: ``python -m tests.bench.maintenance [MATCHES]``. With ``--brief`` it takes seconds.

A house of 1,000 servers is laid out (`tests.bench.house`), with a million finished matches unless another number is
given. Each command runs in a process of its own, and its CPU time and the most memory that it had are printed. Then a
month's season ends, and who played most in the largest server is deleted: how many pieces of work that takes, and the
CPU time of the longest. The exit code is 1 if a command had more than `LIMIT`.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from bot.store.queries.leaderboards import LeaderboardDates
from bot.store.sqlite.store import SqliteStore
from cogs.leaderboards.queries import LeaderboardQueries
from tests.bench.house import FIRST_PERSON, FIRST_SERVER, lay_out
from tests.bench.large_database import NOW, TODAY
from tests.bench.operations import Holds
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
        asyncio.run(_beside_play(Path(folder) / "cardroom.db"))
    return int(most > LIMIT)


async def _beside_play(database: Path) -> None:
    """Do what the running bot does."""
    store = await SqliteStore.open(database, now=lambda: NOW)
    holds = Holds(store.database)
    dates = LeaderboardDates.on(TODAY + 1, TODAY + 1)

    async def roll(guild_id: int) -> None:
        while not await LeaderboardQueries(store).roll(guild_id, dates):
            pass

    async def roll_all() -> None:
        for guild_id in await LeaderboardQueries(store).played_in():
            await roll(guild_id)

    async def delete() -> None:
        known = {row.id for row in await store.matches_of(FIRST_SERVER, FIRST_PERSON)}
        print(f"{len(known)} matches of one person")
        await store.anonymise(FIRST_SERVER, FIRST_PERSON, -7, known)

    try:
        for what, job in (
            ("a season ends in the largest server", roll(FIRST_SERVER)),
            ("a season ends everywhere else", roll_all()),
            ("a person is deleted", delete()),
        ):
            begun, holds.pieces = time.monotonic(), []
            await job
            wall, pieces = time.monotonic() - begun, holds.pieces
            print(
                f"{what:<40} {sum(pieces) / 1000:>8.1f} s of CPU, {wall:.1f} s, {len(pieces)} pieces,"
                f" {max(pieces):.1f} ms at most",
                flush=True,
            )
    finally:
        await store.close()


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
