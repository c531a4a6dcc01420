"""Moving an installation from SQLite to PostgreSQL and back: every row as it was, and matches that go on."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import psycopg
import pytest

from bot.cluster import dump, tools
from bot.cluster.store import PostgresqlStore
from bot.ops import databases
from bot.settings import Settings
from bot.store.dump_format import DumpReader, NotADumpError
from bot.store.errors import InUse, NotSaved
from bot.store.migrations import LATEST, Migration, migrations
from bot.store.sqlite import backup as sqlite_backup
from bot.store.sqlite import dump as sqlite_dump
from bot.store.sqlite.dump import dump_lines, load_dump
from tests.bot.store.rows import ANN, BOB, opened, played
from tests.upgrades.old import lay, rows

pytestmark = pytest.mark.real_time  # another process makes the database


async def filled(folder: Path) -> Path:
    """A SQLite database of the present tables in a folder, with rows in all of them."""
    path = lay(folder)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("INSERT INTO facts VALUES ('odd', ?)", ("\u2028\U0001f0a1 '\"\\\t\\N\\.\r\n",))
        db.execute("INSERT INTO names VALUES (?, ?, '')", (2**63 - 1, -(2**63)))
        (match_id,) = db.execute("SELECT min(id) FROM matches").fetchone()
        for table, found in rows(path).items():
            if not found:
                columns = db.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
                texts = {"TEXT": "haymaker", "BLOB": b"\x00\xff"}
                values = [
                    match_id if name == "match_id" else texts.get(kind, int(name != "shard")) for name, kind in columns
                ]
                db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)
    assert all(rows(path).values())
    return path


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """Such a database."""
    folder = tmp_path / "filled"
    folder.mkdir()
    return await filled(folder)


def content(lines: list[str]) -> list[str]:
    """The rows of a dump in any order, but for the number of the last commit, which only SQLite counts on."""
    return sorted(line for line in lines[1:-1] if '{"table":"progress"' not in line)


def test_every_row_goes_over_and_comes_back_as_it_was(path: Path, empty_database: str, tmp_path: Path) -> None:
    lines = list(dump_lines(path))
    assert dump.load_dump(DumpReader(lines, LATEST), empty_database) == len(lines) - 2
    there = list(dump.dump_lines(empty_database))
    assert json.loads(there[0]) == json.loads(lines[0])
    assert content(there) == content(lines)
    back = tmp_path / "back" / "cardroom.db"
    back.parent.mkdir()
    load_dump(there, back)
    assert content(list(dump_lines(back))) == content(lines)
    assert list(dump.dump_lines(empty_database)) == there  # the same in each dump, in the same order


def test_matches_and_invitations_keep_their_order(path: Path, empty_database: str) -> None:
    def order(lines: list[str], table: str) -> list[str]:
        parsed = [json.loads(line) for line in lines[1:-1]]
        return [each["row"]["id"] for each in parsed if each["table"] == table]

    with closing(sqlite3.connect(path, isolation_level=None)) as db:  # not that of their ids
        db.execute("UPDATE invitations SET rowid = 1000 - rowid")
        db.execute("UPDATE matches SET rowid = 1000 - rowid")
    lines = list(dump_lines(path))
    dump.load_dump(DumpReader(lines, LATEST), empty_database)
    there = list(dump.dump_lines(empty_database))
    for table in ("matches", "invitations"):
        assert order(there, table) == order(lines, table) != sorted(order(lines, table))


async def test_numbers_go_on_after_the_largest(path: Path, empty_database: str) -> None:
    before = {table: rows(path)[table] for table in ("results", "matches")}
    dump.load_dump(DumpReader(dump_lines(path), LATEST), empty_database)
    store = await PostgresqlStore.open(empty_database, now=lambda: 1500, person_key=path.parent / "person-key")
    try:
        await played(store, "next", (1, 2), seats=(ANN, BOB))
        await opened(store, "later")
        found = await store.result("next")
    finally:
        await store.close()
    assert found is not None
    with psycopg.connect(empty_database) as db:
        (number,) = db.execute("SELECT number FROM results WHERE match_id = 'next'").fetchone() or (0,)
        assert number == max(row["number"] for row in before["results"]) + 1
        last = db.execute("SELECT id FROM matches ORDER BY rowid DESC LIMIT 2").fetchall()
        assert last == [("later",), ("next",)]


def test_the_rules_for_rows_are_the_same_after_a_load(path: Path, empty_database: str) -> None:
    def constraints() -> list[tuple[object, ...]]:
        with psycopg.connect(empty_database) as db:
            return db.execute(
                "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint"
                " WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2"
            ).fetchall()

    with pytest.raises(NotADumpError):
        dump.load_dump(DumpReader([next(dump_lines(path))], LATEST), empty_database)
    before = constraints()  # of the tables that were made, and nothing was loaded
    assert len(before) > 50
    dump.load_dump(DumpReader(dump_lines(path), LATEST), empty_database)
    assert constraints() == before


def test_a_dump_of_earlier_tables_is_brought_up_to_date_in_a_sqlite_file_on_its_way(
    path: Path, empty_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = list(dump_lines(path))
    step = Migration(LATEST + 1, "ALTER TABLE facts ADD COLUMN noted INTEGER;\nUPDATE facts SET noted = 7;\n")
    steps = (*migrations(), step)
    for module in (dump, sqlite_backup, sqlite_dump, tools):
        monkeypatch.setattr(module, "migrations", lambda: steps)
    for module in (databases, sqlite_dump):
        monkeypatch.setattr(module, "LATEST", LATEST + 1)
    data = tmp_path / "data"
    data.mkdir()
    settings = Settings.model_validate({"CARDROOM_DATA_DIR": data, "CARDROOM_DATABASE": empty_database})
    assert databases.load_dump(settings, lines) == (len(lines) - 2, None)
    assert not list(data.iterdir())
    with psycopg.connect(empty_database) as db:
        assert db.execute("SELECT DISTINCT noted FROM facts").fetchall() == [(7,)]
        assert db.execute("SELECT version FROM schema_version").fetchone() == (LATEST + 1,)


# ------------------------------------------------------------------------------------- what is refused

HEAD = json.dumps({"cardroom": "dump", "format": 1, "tables": LATEST})
FACT = json.dumps({"table": "facts", "row": {"key": "a", "value": "b"}})
ORPHAN = {"match_id": "m", "name": "turn", "key": "1", "guild_id": 7, "deadline": 5}
END = json.dumps({"rows": 1})


NOT_WHOLE: Final[list[tuple[list[str], int]]] = [
    ([HEAD, FACT.replace("facts", "secrets"), END], 2),
    ([HEAD, FACT.replace("facts", "writers"), END], 2),
    ([HEAD, FACT.replace('"value"', '"price"'), END], 2),
    ([HEAD, FACT.replace('"b"', "null"), END], 2),
    ([HEAD, FACT.replace('"b"', '{"hex": "00"}'), END], 2),
    ([HEAD, FACT.replace('"b"', "[1]"), END], 2),
    ([HEAD, FACT, json.dumps({"table": "heartbeat", "row": {"only": 1, "at": 2**64}}), json.dumps({"rows": 2})], 3),
    ([HEAD, json.dumps({"table": "heartbeat", "row": {"only": 1, "at": "noon"}}), END], 2),
    ([HEAD, json.dumps({"table": "heartbeat", "row": {"only": 1, "at": 0.5}}), END], 2),
    ([HEAD, json.dumps({"table": "timers", "row": ORPHAN}), END], 3),
]
"""What these tables do not take, and the line that says so."""


def test_what_is_not_whole_is_not_loaded(empty_database: str) -> None:
    """Nothing of it is left either: a database that is not empty refuses the next one for that."""
    for lines, line in NOT_WHOLE:
        with pytest.raises(NotADumpError, match=rf"^line {line} ") as caught:
            dump.load_dump(DumpReader(lines, LATEST), empty_database)
        assert "\n" not in str(caught.value)
    whole = [HEAD, FACT, END]
    assert dump.load_dump(DumpReader(whole, LATEST), empty_database) == 1


async def test_nothing_is_loaded_over_something_or_beside_a_bot(path: Path, empty_database: str) -> None:
    store = await PostgresqlStore.open(empty_database, now=lambda: 1500, person_key=path.parent / "person-key")
    lines = list(dump_lines(path))
    try:
        with pytest.raises(InUse, match="a process of the bot is connected"):
            await asyncio.to_thread(dump.load_dump, DumpReader(lines, LATEST), empty_database)
        await store.set_metadata("a", "b")
    finally:
        await store.close()
    before = list(dump.dump_lines(empty_database))
    with pytest.raises(NotSaved, match="not empty"):
        dump.load_dump(DumpReader(lines, LATEST), empty_database)
    assert list(dump.dump_lines(empty_database)) == before


def test_a_database_without_tables_is_not_dumped(empty_database: str) -> None:
    with pytest.raises(NotSaved, match="is empty"):
        list(dump.dump_lines(empty_database))


def test_nul_becomes_what_the_store_makes_of_it(empty_database: str) -> None:
    lines = [HEAD, json.dumps({"table": "facts", "row": {"key": "a", "value": "b\0c"}}), END]
    dump.load_dump(DumpReader(lines, LATEST), empty_database)
    _, fact, _ = dump.dump_lines(empty_database)
    assert json.loads(fact)["row"]["value"] == "b\N{REPLACEMENT CHARACTER}c"
