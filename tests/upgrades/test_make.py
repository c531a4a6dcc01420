"""What `tests.upgrades.make` would keep of the program as it is: something of everything."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.store.migrations import LATEST, migrations
from bot.store.sqlite.schema import known_version
from engines import GAMES
from engines.chance import Chance
from engines.game import Facts, Seat
from engines.haymaker import Ended, Haymaker
from engines.run import Run
from tests.games.cases import case_of
from tests.upgrades import make
from tests.upgrades.old import rows


@pytest.mark.newcomers  # as where it is kept
async def test_the_database_of_today_has_a_row_in_every_table(tmp_path: Path) -> None:
    made = await make.make_database(tmp_path)
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


def test_what_is_there_is_never_written_over(folders: Path) -> None:
    files = [make.database_file(LATEST), *[make.logs_file(key, game.info.rules_version) for key, game in GAMES.items()]]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text("of its day")
    make.main(["--database"])
    make.main([])
    assert [file.read_text() for file in files] == ["of its day"] * len(files)
    files[-1].unlink()
    make.main([])
    assert files[-1].read_text().startswith('{"match":')


def test_matches_of_one_game_are_kept_and_nothing_else(folders: Path) -> None:
    make.main(["--game", "haymaker"])
    assert found(folders) == ["logs/haymaker-v1.jsonl"]


def test_a_database_is_kept_only_when_it_is_asked_for(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "make_logs", lambda case: [case.key])

    async def made(folder: Path) -> Path:
        return folder

    monkeypatch.setattr(make, "make_database", made)
    monkeypatch.setattr(make, "as_sql", lambda _: "tables")
    make.main([])
    assert found(folders) == sorted(
        f"logs/{make.logs_file(key, game.info.rules_version).name}" for key, game in GAMES.items()
    )
    make.main(["--database"])
    assert make.database_file(LATEST).read_text() == "tables"


class Brief(Haymaker):
    """Haymaker, won by whoever makes the first move."""

    def decide(self, state: Any, actor: Seat | None, action: Any, chance: Chance) -> Facts[Any, Any]:
        facts = super().decide(state, actor, action, chance)
        over = any(isinstance(fact, Ended) for fact in facts)
        return facts if over else Run(self.evolve, state, chance).add(*facts, Ended("knockout", state.asked)).facts


def test_matches_of_a_short_game_are_kept(folders: Path) -> None:
    lines = [json.loads(line) for line in make.make_logs(replace(case_of("haymaker"), game=Brief()))]
    matches = [line["match"]["id"] for line in lines if "match" in line]
    assert matches
    assert sum("record" in line for line in lines) == 2 * len(matches)
    assert sum("known" in line for line in lines) == 2 * len(matches)
