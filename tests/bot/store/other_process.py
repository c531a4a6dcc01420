"""Programs with a store of their own, as processes that a test kills: `python -m tests.bot.store.other_process PROGRAM
DATABASE …`. They are forked with everything loaded, so they begin at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path

from bot.store.errors import InUse
from bot.store.sqlite.store import SqliteStore
from tests.bot.ops.databases import ROOT, environment
from tests.bot.store.packing import pack_all
from tests.bot.store.rows import opened, record, result, timer
from tests.failing_sync import fail_flushes
from tests.fork_server import ENDS_WITHIN, command_server

PLAYED = 8
"""Matches at once of `play`."""


class OtherProcess:
    """One of the programs, under way."""

    def __init__(self, program: str, database: Path, *arguments: object) -> None:
        self._said = database.with_name("said")
        self._said.unlink(missing_ok=True)
        self._pid = command_server().start(
            "tests.bot.store.other_process",
            program,
            *map(str, (database, *arguments)),
            environ=environment(database.parent),
            folder=ROOT,
            out=self._said,
            err=database.with_name("complained"),
        )

    @property
    def said(self) -> str:
        """What it has printed."""
        return self._said.read_text() if self._said.exists() else ""

    def until_said(self) -> None:
        """Wait for its first line."""
        latest = time.monotonic() + ENDS_WITHIN
        while "\n" not in self.said:
            assert time.monotonic() < latest
            time.sleep(0.001)

    def kill(self) -> None:
        """Kill it, unless it has ended by itself."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)

    def ended(self) -> int:
        """Wait for its end; the exit code, negative for a signal."""
        return command_server().wait(self._pid)


def say(*words: object) -> None:
    """Print a line at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def play(database: str) -> None:
    """Play matches at once and for ever. Print what is acknowledged: a match and its record."""
    store = await SqliteStore.open(Path(database), now=lambda: 0)
    await asyncio.gather(*[_play_on(store, seat) for seat in range(PLAYED)])


async def _play_on(store: SqliteStore, seat: int) -> None:
    number = 0
    while True:
        match_id = f"m{seat}.{number}"
        await opened(store, match_id)
        for seq in range(1, 20):
            told = record(
                seq, match_id, interaction=(seat << 40) + (number << 8) + seq, events="[" + "1," * 200 + f"{seq}]"
            )
            await store.append(told, [timer(str(seq), match_id)], result(match_id) if seq == 19 else None)
            say(match_id, seq)
        number += 1


async def pack(database: str) -> None:
    """Print that it begins, and pack all logs."""
    store = await SqliteStore.open(Path(database), now=lambda: 0, accept_older=True)
    say("begun")
    await pack_all(store)
    await store.close()


async def migrate(database: str, steps: str) -> None:
    """Open the database, with the steps of another folder."""
    await SqliteStore.open(Path(database), now=lambda: 0, migrations_folder=Path(steps))


async def fail(database: str, times: str) -> None:
    """Write while so many flushes fail, print what came of it, and be killed."""
    store = await SqliteStore.open(Path(database), now=lambda: 0)
    await opened(store)
    await store.database.read(lambda db: fail_flushes(db, int(times)))
    _, *came = await asyncio.gather(
        store.database.read(lambda _: time.sleep(0.2)),  # so that both wait, and are written in one commit
        store.append(record(1, interaction=71), ()),
        store.set_metadata("a", "b"),
        return_exceptions=True,
    )
    say(*[type(each).__name__ for each in came])
    os.kill(os.getpid(), signal.SIGKILL)


async def look(database: str) -> None:
    """Open the database, and print who it is or why it may not."""
    try:
        store = await SqliteStore.open(Path(database), now=lambda: 0)
    except InUse as error:
        say(json.dumps({"refused": str(error), "holder": error.holder}))
    else:
        await store.close()
        say(json.dumps({"opened": os.getpid()}))


if __name__ == "__main__":
    programs = {each.__name__: each for each in (play, pack, migrate, fail, look)}
    asyncio.run(programs[sys.argv[1]](*sys.argv[2:]))
