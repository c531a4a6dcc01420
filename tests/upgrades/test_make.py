"""What `tests.upgrades.make` would keep of the program as it is: something of everything."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.migrations import LATEST, migrations
from bot.store.sqlite.schema import known_version
from engines import GAMES
from tests.upgrades import make
from tests.upgrades.old import lay, rows


def test_the_database_of_today_has_a_row_in_every_table(tmp_path: Path) -> None:
    made = lay(tmp_path)
    path = tmp_path / "again.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(make.as_sql(made))
        assert known_version(db, path, migrations()) == LATEST
    kept = rows(path)
    assert kept == rows(made)
    empty = sorted(table for table, found in kept.items() if not found)
    assert not empty, f"have `fill_the_rest` in tests/upgrades/make.py put a row into {empty}"
    for live in (0, 1):
        assert {row["game"] for row in kept["matches"] if row["live"] == live} == set(GAMES)


@pytest.fixture
def folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where files are kept, for once: nothing is there yet."""
    monkeypatch.setattr(make, "DATABASES", tmp_path / "databases")
    monkeypatch.setattr(make, "LOGS", tmp_path / "logs")
    return tmp_path


def found(folders: Path) -> list[str]:
    """The files that are there."""
    return sorted(file.relative_to(folders).as_posix() for file in folders.rglob("*") if file.is_file())


def test_matches_of_one_game_are_kept_and_nothing_else(folders: Path) -> None:
    make.main(["--game", "haymaker"])
    assert found(folders) == ["logs/haymaker-v1.jsonl"]
