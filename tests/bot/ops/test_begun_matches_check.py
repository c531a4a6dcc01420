"""What `cardroom check` finds altered in matches that were begun from an earlier one."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from bot.ops.match_check import verify_all
from bot.scheduler import LoopScheduler
from bot.store import verification
from bot.store.queries import matches
from bot.store.queries.matches import Record
from bot.store.sqlite.store import SqliteStore
from bot.store.verification import Altered, verify
from tests.bot.play.parts import BEGUN, Parts
from tests.cogs.reviews.test_differently import begun, ended
from tests.known import there

OTHER: Final = "it doesn't begin as the match that it was begun from"
TERMS: Final = "its terms are not its invitation's"


@dataclass
class Begun:
    """A database with a finished match, and one that was begun from it."""

    path: Path
    source: str
    match: str

    def altered(self) -> dict[str, str]:
        """What `cardroom check` finds."""
        with closing(sqlite3.connect(self.path)) as db:
            return verify_all(db).altered

    def is_taken_up(self) -> bool:
        """Whether a start takes the match up."""
        with closing(sqlite3.connect(self.path)) as db:
            row = there(matches.find(db, self.match))
            try:
                verify(row, matches.records(db, self.match), None)
            except Altered:
                return False
        return True

    def change(self, sql: str, *values: object) -> None:
        """Alter rows as somebody does who has the file."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as db:
            db.execute("DROP TRIGGER IF EXISTS records_are_never_changed")
            assert db.execute(sql, values).rowcount > 0


@pytest.fixture
async def database(tmp_path: Path) -> Begun:
    scheduler = LoopScheduler(BEGUN)
    store = await SqliteStore.open(tmp_path / "made.db", now=scheduler.now)
    parts = Parts(store, scheduler)
    try:
        source = await ended(parts)
        match = await begun(parts, source)
    finally:
        await parts.close()
        await store.close()
    found = Begun(Path(shutil.copy(tmp_path / "made.db", tmp_path / "cardroom.db")), source.id, match.id)
    assert found.altered() == {}
    assert found.is_taken_up()
    return found


def _in_the_opening(database: Begun) -> None:
    database.change("UPDATE records SET events = replace(events, '3', '4') WHERE match_id = ?", database.match)


def _with_a_new_chain(database: Begun) -> bytes:
    """The opening altered, and a new chain for it. Returns the new opening's digest."""
    _in_the_opening(database)
    with closing(sqlite3.connect(database.path)) as db:
        (record,) = matches.records(db, database.match)
    _chain(database, record)
    return hashlib.sha256(record.events.encode()).digest()


def _chain(database: Begun, record: Record) -> None:
    value = verification.link_of(verification.first_link(database.match), record)
    database.change("UPDATE records SET chain = ? WHERE match_id = ?", value, database.match)


def _with_a_new_digest(database: Begun) -> None:
    digest = _with_a_new_chain(database)
    database.change("UPDATE matches SET origin_digest = ? WHERE id = ?", digest, database.match)


def _with_new_digests(database: Begun) -> None:
    digest = _with_a_new_chain(database)
    for table in ("matches", "invitations"):
        database.change(f"UPDATE {table} SET origin_digest = ? WHERE id = ?", digest, database.match)


def _fewer_facts(database: Begun) -> None:
    for table in ("matches", "invitations"):
        database.change(f"UPDATE {table} SET origin_facts = origin_facts - 1 WHERE id = ?", database.match)


def _without_origin(database: Begun) -> None:
    for table in ("matches", "invitations"):
        none = "origin_id = NULL, origin_facts = NULL, origin_digest = NULL"
        database.change(f"UPDATE {table} SET {none} WHERE id = ?", database.match)


@pytest.mark.parametrize(
    ("harm", "reason", "at_a_start"),
    [
        (_in_the_opening, "its log was altered at record 0", True),
        (_with_a_new_chain, "its log was altered at record 0", True),
        (_with_a_new_digest, OTHER, False),
        (_with_new_digests, OTHER, False),
        (_fewer_facts, OTHER, False),
        (_without_origin, "its deal doesn't follow from its seed", False),
    ],
)
async def test_an_altered_opening_is_named(
    database: Begun, harm: Callable[[Begun], object], reason: str, at_a_start: bool
) -> None:
    harm(database)
    assert database.altered()[database.match] == reason
    assert database.is_taken_up() is not at_a_start


@pytest.mark.parametrize("column", ["origin_id", "origin_facts"])
async def test_another_origin_than_the_invitations_is_named(database: Begun, column: str) -> None:
    other = {"origin_id": "x", "origin_facts": 3}[column]
    database.change(f"UPDATE invitations SET {column} = ? WHERE id = ?", other, database.match)
    assert database.altered() == {database.match: TERMS}


async def test_a_seed_that_was_altered_is_named_though_nobody_saw_a_seal(database: Begun) -> None:
    database.change("UPDATE matches SET seed = zeroblob(32) WHERE id = ?", database.match)
    assert database.match in database.altered()
    assert not database.is_taken_up()


async def test_a_missing_match_to_begin_from_is_named(database: Begun) -> None:
    for table in ("matches", "invitations"):
        database.change(f"UPDATE {table} SET origin_id = 'nowhere' WHERE id = ?", database.match)
    assert database.altered() == {database.match: "the match that it was begun from is missing"}
