"""`cardroom check` names a try at a deal of the week that isn't one at that week's deal."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.ops.match_check import verify_all
from bot.store.sqlite.store import SqliteStore
from tests.bot.store.rows import tried_weekly

REASON = "its deal is not that of its week"
GONE = "gone"
"""A game that is not installed: what these rows hold follows from no seed, and nothing else may be named."""


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    path = tmp_path / "cardroom.db"
    store = await SqliteStore.open(path, now=lambda: 1500)
    await tried_weekly(store, game=GONE)
    await store.close()
    return path


def reasons(path: Path, harm: str) -> str:
    with closing(sqlite3.connect(path)) as db:
        db.execute(harm)
        return verify_all(db).altered.get("w1", "")


def test_one_that_is_as_it_was_saved_is_not_named(path: Path) -> None:
    assert reasons(path, "SELECT 1") == ""


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE weekly_deals SET seed = zeroblob(32)",
        f"UPDATE weekly_deals SET day = day + 7 WHERE game = '{GONE}'",
        "UPDATE weekly_attempts SET user_id = user_id + 9",
        "DELETE FROM weekly_attempts",
        "DELETE FROM weekly_deals",
    ],
)
def test_an_altered_one_is_named(path: Path, harm: str) -> None:
    assert reasons(path, harm) == REASON
