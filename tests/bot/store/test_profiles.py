"""What is kept for profiles is what the results make of it: when matches end, and rebuilt."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.bot.ops.test_recount import history
from tests.bot.store.recounts import rebuild_standings

TABLES = ("player_results", "opponents")


def kept(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as db:
        return {table: sorted(db.execute(f"SELECT * FROM {table}")) for table in TABLES}


def lose(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("DELETE FROM player_results WHERE user_id = 3")
        db.execute("UPDATE opponents SET wins = wins + 1")
        db.commit()


async def test_it_is_the_same_as_it_came_and_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "cardroom.db"
    await history(path, matches=90)
    came = kept(path)
    assert all(len(rows) > 30 for rows in came.values())
    assert any(int(str(row[1])) < 0 for row in came["opponents"])  # somebody was deleted
    lose(path)
    assert kept(path) != came
    rebuild_standings(path)
    assert kept(path) == came
