"""Databases with something in them, and the `cardroom` command on them as a process of its own."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from bot.store.queries.screens import Notice
from bot.store.sqlite.store import SqliteStore
from tests.bot.store.open_stores import closed_after
from tests.bot.store.rows import ANN, BOB, CAT, GUILD, invitation, opened, played, record, timer
from tests.fork_server import command_server

ROOT = Path(__file__).parents[3]

NOT_OURS = "whist"
"""A game that is not installed. Matches of ours that were never dealt would fail `cardroom check`."""


_filled: dict[int, dict[str, bytes]] = {}
"""What `fill` leaves, by the number of live matches. It is made once."""


async def fill(path: Path, live: int = 1) -> None:
    """A closed database with rows in every table: a match that counted, an open challenge, and so many live matches."""
    if live not in _filled:
        await _fill(path, live)
        _filled[live] = {file.name.removeprefix(path.name): file.read_bytes() for file in _files_of(path)}
    for suffix, content in _filled[live].items():
        file = path.with_name(path.name + suffix)
        file.touch(0o600)
        file.write_bytes(content)


def _files_of(path: Path) -> list[Path]:
    """A database's files, but for the lock, which names a process."""
    return [file for file in path.parent.glob(f"{path.name}*") if file.suffix != ".lock"]


async def _fill(path: Path, live: int) -> None:
    async with closed_after(SqliteStore.open(path, now=lambda: 1500)) as store:
        await played(store, "over", (1, 2), seats=(ANN, BOB), game=NOT_OURS)
        await store.add_invitation(invitation("asked", invited=(CAT,), game=NOT_OURS))
        for number in range(live):
            await opened(store, f"live{number}", timers=(timer(match_id=f"live{number}"),), game=NOT_OURS)
            await store.append(record(1, f"live{number}", interaction=71 + number), (timer(match_id=f"live{number}"),))
        await store.add_notice(Notice("live0", 1, BOB, 910000000000000001, 930000000000000001))
        await store.set_name(GUILD, ANN, 'Änn "the\nCard" 🂡')
        await store.set_metadata("a", "b")
        await store.record_departure(GUILD + 1, 1000)
        await store.record_heartbeat(1500)


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, but for the number of the last commit: a restore counts on."""
    with closing(sqlite3.connect(path)) as db:
        tables = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        names = [name for (name,) in tables if name != "progress"]
        return {name: sorted(db.execute(f"SELECT * FROM {name}"), key=repr) for name in names}


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """The environment of a process that keeps its data in a folder."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "CARDROOM_"))}
    return {**inherited, "PYTHONPATH": str(ROOT), "CARDROOM_DATA_DIR": str(folder), **settings}


def cardroom(folder: Path, *arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
    """What `cardroom` did with these arguments, its data in `folder`."""
    return command_server().run(
        "bot.launcher", *map(str, arguments), environ=environment(folder, **settings), folder=folder
    )


def refused(ended: subprocess.CompletedProcess[str], code: int) -> str:
    """The one line with which a command gave up with this exit code."""
    assert ended.returncode == code, ended.stderr
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.startswith("cardroom: ")
    assert ended.stdout == ""
    return ended.stderr
