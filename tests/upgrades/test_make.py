"""What `tests.upgrades.make` would keep of the program as it is: something of everything."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engines import GAMES
from tests.upgrades import make
from tests.upgrades.old import LATEST, rows


async def test_the_database_of_today_has_a_row_in_every_table(tmp_path: Path) -> None:
    made = await make.make_database(tmp_path)
    path = tmp_path / "again.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(made)
        assert db.execute("PRAGMA user_version").fetchone() == (LATEST,)
    kept = rows(path)
    assert kept == rows(tmp_path / "cardroom.db")
    empty = sorted(table for table, found in kept.items() if not found)
    assert not empty, f"have `since_the_first` in tests/upgrades/make.py put a row into {empty}"
    assert {row["game"] for row in kept["matches"] if row["live"]} == set(GAMES)


def test_what_is_there_is_never_written_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(make, "DATABASES", tmp_path / "databases")
    monkeypatch.setattr(make, "LOGS", tmp_path / "logs")
    for folder in (make.DATABASES, make.LOGS):
        folder.mkdir()
    files = [make.database_file(LATEST), *[make.logs_file(key, game.info.rules_version) for key, game in GAMES.items()]]
    for file in files:
        file.write_text("of its day")
    make.main()
    assert [file.read_text() for file in files] == ["of its day"] * len(files)
    files[-1].unlink()
    make.main()
    assert files[-1].read_text().startswith('{"match":')
