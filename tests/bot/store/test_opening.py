"""Opening a database file: its settings, its version, its soundness, and who has it."""

# ruff: noqa: ASYNC240  nobody else is on the loop while a test reads a small file

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from bot.ops.databases import exit_code
from bot.settings import EXIT_DATABASE
from bot.store.errors import Busy, Damaged, InUse, NotSaved, OtherSchema, StoreError, TooNew
from bot.store.migrations import TABLES, Migration, digest, migrations
from bot.store.sqlite import schema, upkeep
from bot.store.sqlite.backup import restore
from bot.store.sqlite.reading import open_existing
from bot.store.sqlite.schema import has_altered_schema
from bot.store.sqlite.store import SqliteStore
from tests import new_database
from tests.bot.store.open_stores import closed_after
from tests.bot.store.other_process import OtherProcess
from tests.bot.store.rows import deal, match, opened, record

pytestmark = pytest.mark.slow  # damages database files in every way

LATEST = len(migrations())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cardroom.db"


async def open_store(path: Path, migrations_folder: Path = TABLES) -> SqliteStore:
    return await SqliteStore.open(path, now=lambda: 1500, busy_timeout=100, migrations_folder=migrations_folder)


async def filled(path: Path, matches: int = 1) -> None:
    """A database with live matches, closed again."""
    new_database.lay_out(path)
    store = await open_store(path)
    for number in range(1, matches + 1):
        await opened(store, f"m{number}")
        await store.append(record(1, f"m{number}"), ())
    await store.close()


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


# ------------------------------------------------------------------------------------------ settings


async def test_the_settings_that_durability_needs(path: Path) -> None:
    async with closed_after(open_store(path)) as store:
        settings = await store.database.read(
            lambda db: {
                name: db.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            }
        )
        assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 100}
        tables = await store.database.read(lambda db: db.execute("PRAGMA table_list").fetchall())
        ours = [row for row in tables if not row[1].startswith("sqlite_")]
        assert len(ours) > 8
        assert all(strict for *_, strict in ours)
        assert await store.database.read(lambda db: db.execute("PRAGMA user_version").fetchone()) == (LATEST,)


async def test_every_table_of_a_servers_rows_names_the_server(path: Path) -> None:
    async with closed_after(open_store(path)) as store:
        bare = await store.database.read(
            lambda db: {
                name
                for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
                if not db.execute("SELECT 1 FROM pragma_table_info(?) WHERE name = 'guild_id'", (name,)).fetchone()
            }
        )
        leases = {"shard_owners", "shard_leases", "shard_claims", "job_leases", "turns"}
        sessions = {"gateway_sessions", "gateway_servers"}
        assert bare == {
            "heartbeat",
            "facts",
            "looks",
            "progress",
            "preferences",
            "table_notices",
            "turn_digests",
            "last_pings",
            "blocks",
            "absences",
            "weekly_deals",
            "first_matches",
            *leases,
            *sessions,
        }


async def test_only_the_owner_may_read_the_files(path: Path) -> None:
    async with closed_after(open_store(path)) as store:
        await opened(store)
        files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        ours = ("", "-wal", "-shm", ".lock", ".witness")
        assert files == dict.fromkeys((f"cardroom.db{suffix}" for suffix in ours), 0o600)


# ------------------------------------------------------------------------------------------ migrations

SECOND = "ALTER TABLE facts ADD COLUMN noted_at INTEGER;\nCREATE TABLE extra (a TEXT, guild_id INTEGER) STRICT;\n"


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """The folder of migrations of a later version of the program."""
    folder = tmp_path / "later"
    shutil.copytree(TABLES, folder)
    (folder / f"{LATEST + 1:04}_second.sql").write_text(SECOND)
    return folder


async def test_a_new_database_is_not_backed_up(path: Path) -> None:
    await (await open_store(path)).close()
    assert {file.name for file in path.parent.iterdir()} == {
        "cardroom.db",
        "cardroom.db.lock",
        "cardroom.db.witness",
    }


async def test_a_migration_keeps_all_and_leaves_a_backup(path: Path, later: Path) -> None:
    await filled(path)
    async with closed_after(open_store(path, later)) as store:
        assert await store.live_matches() == [match()]
        assert await store.records("m1") == [deal(), record(1)]
        assert await store.database.read(lambda db: db.execute("SELECT count(*) FROM extra").fetchone()) == (0,)
    assert version(path) == LATEST + 1
    backup = path.with_name(f"cardroom.db.v{LATEST}.backup")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert not backup.with_name(f"{backup.name}.unfinished").exists()
    restored = path.with_name("restored.db")
    shutil.copy(backup, restored)
    async with closed_after(open_store(restored)) as store:
        assert await store.records("m1") == [deal(), record(1)]
    assert version(restored) == LATEST


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("CREATE TABLE extra (a TEXT) STRICT;\nINSERT INTO nowhere VALUES (1);\n", sqlite3.OperationalError),
        ("UPDATE seats SET match_id = 'nobody';\n", StoreError),
        ("CREATE TABLE extra (a TEXT) STRICT;\nCREATE TABLE half (a", ValueError),
    ],
    ids=["a statement fails", "rows refer to nothing", "the file is cut off"],
)
async def test_a_migration_that_fails_leaves_the_version_before(
    path: Path, later: Path, sql: str, error: type[Exception]
) -> None:
    await filled(path)
    (later / f"{LATEST + 1:04}_second.sql").write_text(sql)
    with pytest.raises(error):
        await open_store(path, later)
    assert version(path) == LATEST
    async with closed_after(open_store(path)) as store:
        assert await store.records("m1") == [deal(), record(1)]
        tables = await store.database.read(lambda db: db.execute("PRAGMA table_list").fetchall())
        assert "extra" not in {row[1] for row in tables}


def test_migrations_are_numbered_in_a_row(later: Path) -> None:
    (later / f"{LATEST + 3:04}_gap.sql").write_text("SELECT 1;")
    with pytest.raises(ValueError, match="not numbered in a row"):
        migrations(later)


async def test_a_later_version_is_refused_and_left_alone(path: Path, later: Path) -> None:
    await filled(path)
    await (await open_store(path, later)).close()
    before = path.read_bytes()
    with pytest.raises(TooNew) as caught:
        await open_store(path)
    assert str(caught.value).count("\n") == 0
    assert f"version {LATEST + 1}" in str(caught.value)
    assert path.read_bytes() == before


def of_another_state(folder: Path) -> Path:
    """The folder of a state of this development in which the first step made other tables."""
    shutil.copytree(TABLES, folder)
    step, *_ = migrations()
    other = step.sql.replace("    board_mark_acts    INTEGER\n", "    board_mark_acts    INTEGER,\n    mood TEXT\n")
    assert other != step.sql
    (folder / "0001_core.sql").write_text(other)
    return folder


async def assert_other_tables(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(OtherSchema) as caught:
        await open_store(path)
    assert str(path) in str(caught.value)
    assert "delete it or move it away" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert exit_code(caught.value) == EXIT_DATABASE


async def test_a_database_of_another_state_of_the_development_is_refused_and_left_alone(
    path: Path, tmp_path: Path
) -> None:
    await (await open_store(path, of_another_state(tmp_path / "other"))).close()
    await assert_other_tables(path)
    copy = tmp_path / "copy.db"
    shutil.copy(path, copy)
    with pytest.raises(OtherSchema):
        restore(copy, path)


@pytest.mark.parametrize("version", [1, LATEST, 14])
async def test_a_database_that_never_kept_what_made_its_tables_is_refused(path: Path, version: int) -> None:
    await filled(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {version:d}")
        db.execute("PRAGMA application_id = 0")
    await assert_other_tables(path)


def test_comments_and_line_breaks_make_no_other_tables() -> None:
    step, *_ = migrations()
    other = f"-- Another word.\n{step.sql}".replace("STRICT;\n", "STRICT;  -- and one more\n\n")
    assert digest((Migration(1, other),)) == digest((step,))
    assert digest((Migration(1, step.sql.replace("seat >= 0", "seat >= 1")),)) != digest((step,))


# ------------------------------------------------------------------------------------------ damage


async def assert_refused(path: Path) -> None:
    with pytest.raises(Damaged) as caught:
        await open_store(path)
    assert str(path) in str(caught.value)
    assert "backup" in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"This is a letter to my aunt, and nothing else. " * 200)
    await assert_refused(path)
    path.unlink()
    await filled(path)


def tear(path: Path) -> None:
    """Overwrite a page of rows that a start doesn't need: those are at the end of the file."""
    data = bytearray(path.read_bytes())
    torn = len(data) * 3 // 4 // 4096 * 4096
    data[torn : torn + 4096] = b"\xa5" * 4096
    path.write_bytes(data)


async def test_a_torn_page_is_found_at_the_start(path: Path) -> None:
    await filled(path, 200)
    tear(path)
    await assert_refused(path)


async def test_a_large_file_is_read_beside_play_after_a_clean_end_and_before_it_after_another(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "CHECKED_UP_TO", 0)
    await filled(path, 200)
    tear(path)
    async with closed_after(open_store(path)) as store:
        assert not json.loads((tmp_path / "cardroom.db.witness").read_text()).get("closed"), "it is open now"
        with pytest.raises(Damaged):
            await store.check_file()
    await assert_refused(path)  # what was found is remembered
    (tmp_path / "cardroom.db.witness").unlink()
    await assert_refused(path)  # nobody knows how it ended
    monkeypatch.setattr(schema, "CHECKED_AFTER_A_KILL_UP_TO", 0)
    await (await open_store(path)).close()


async def test_a_large_file_that_is_sound_is_read_once(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    await filled(path, 10)
    store = await open_store(path)
    await store.check_file()
    assert "is sound" not in caplog.text, "it was read before"
    await store.close()
    monkeypatch.setattr(schema, "CHECKED_UP_TO", 0)
    store = await open_store(path)
    await opened(store, "another")  # it holds up no write
    await store.check_file()
    assert "is sound" in caplog.text
    await store.close()


async def test_a_check_beside_play_ends_with_the_store_and_leaves_no_wal(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    monkeypatch.setattr(schema, "CHECKED_UP_TO", 0)

    def endless(connection: sqlite3.Connection, _: Path) -> None:
        connection.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n")

    monkeypatch.setattr(upkeep, "check_file", endless)
    await filled(path)
    store = await open_store(path)
    checking = asyncio.create_task(store.check_file())
    await asyncio.sleep(0.1)
    assert not checking.done()
    await asyncio.wait_for(store.close(), 10)
    await checking
    assert "checked" not in caplog.text
    assert not path.with_name("cardroom.db-wal").exists()


async def test_a_file_cut_short_is_refused(path: Path) -> None:
    await filled(path, 200)
    os.truncate(path, path.stat().st_size // 2 // 4096 * 4096)
    await assert_refused(path)


async def test_damage_that_shows_later_is_named_too(path: Path) -> None:
    await filled(path, 200)
    async with closed_after(open_store(path)) as store:
        root = await store.database.read(
            lambda db: db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'records'").fetchone()[0]
        )
        with path.open("r+b") as file:
            file.seek((root - 1) * 4096)
            file.write(b"\xa5" * 4096)
        await store.database.read(lambda db: db.execute("PRAGMA shrink_memory").close())
        with pytest.raises(Damaged):
            await store.records("m1")
        with pytest.raises(Damaged):
            await store.append(record(2), ())
        assert len(await store.live_matches()) == 200


# ------------------------------------------------------------------------------------------ who has it


async def opened_by_another_process(path: Path) -> dict[str, object]:
    other = OtherProcess("look", path)
    assert await asyncio.to_thread(other.ended) == 0
    said: dict[str, object] = json.loads(other.said)
    return said


@pytest.mark.real_time
async def test_a_second_process_is_refused_by_name_and_the_first_goes_on(path: Path) -> None:
    async with closed_after(open_store(path)) as store:
        said = await opened_by_another_process(path)
        assert said["holder"] == os.getpid()
        assert f"process {os.getpid()}" in str(said["refused"])
        await opened(store)
        assert await store.live_matches() == [match()]
    assert "opened" in await opened_by_another_process(path)


async def test_a_second_store_in_one_process_is_refused(path: Path) -> None:
    store = await open_store(path)
    with pytest.raises(InUse) as caught:
        await open_store(path)
    assert caught.value.holder == os.getpid()
    await store.close()
    await (await open_store(path)).close()


async def test_the_lock_of_a_dead_process_stops_nobody(path: Path) -> None:
    path.with_name("cardroom.db.lock").write_text("4194304\n")
    await (await open_store(path)).close()


async def test_a_database_locked_by_another_program_is_busy(path: Path) -> None:
    await filled(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Busy):
            await open_store(path)
        other.execute("ROLLBACK")


async def test_a_folder_that_is_not_there_or_stands_for_the_file_is_named(path: Path) -> None:
    with pytest.raises(NotSaved, match="nowhere"):
        await open_store(path.parent / "nowhere" / "cardroom.db")
    path.mkdir()
    with pytest.raises(NotSaved, match=r"cardroom\.db"):
        await open_store(path)


# ------------------------------------------------------------------------------------------ altered files


@pytest.mark.parametrize(
    ("what", "by"),
    [
        (b"guild_id", b"guild_ie"),  # a column's name
        (b"records_are_never_changed BEFORE UPDATE", b"records_are_never_changed BEFORE DELETE"),
        (b"raise(ABORT", b"raise(FAIL "),
        (b"counted IN (0, 1)", b"counted$IN (0, 1)"),  # a rule for rows that means something else
        (
            b"CREATE INDEX matches_guild ON matches (guild_id, game)",
            b"CREATE INDEX matches_guild ON matches (guild_id,seed )",
        ),
        (b"INTEGER", "INT\xebGER".encode("latin-1")),
        (b"lost_places", b"lost\xe5places"),  # a column's name that is no longer UTF-8
    ],
)
async def test_altered_tables_refuse_a_start(path: Path, what: bytes, by: bytes) -> None:
    new_database.lay_out(path)
    whole = path.read_bytes()
    assert what in whole
    assert len(what) == len(by)
    path.write_bytes(whole.replace(what, by, 1))
    with pytest.raises(Damaged, match="is damaged: stop the bot and put back a backup") as refused:
        await open_store(path)
    assert "\n" not in str(refused.value)


ADDED = {
    "trigger": "CREATE TRIGGER other AFTER INSERT ON records BEGIN DELETE FROM results; END",
    "view": "CREATE VIEW other AS SELECT * FROM matches",
    "table": "CREATE TABLE other (id INTEGER)",
    "index": "CREATE INDEX other ON matches (board_id)",
}
CHANGED = {
    "a trigger that is gone": "DROP TRIGGER records_are_never_changed",
    "an index that is gone": "DROP INDEX matches_guild",
    "a table that is gone": "DROP TABLE board_hidden",
    "a column that is gone": "ALTER TABLE names DROP COLUMN name",
    "a column more": "ALTER TABLE names ADD COLUMN other TEXT",
    "a default": "DROP TABLE board_hidden; CREATE TABLE board_hidden (guild_id INTEGER NOT NULL DEFAULT 1, "
    "user_id INTEGER NOT NULL, PRIMARY KEY (guild_id, user_id)) STRICT, WITHOUT ROWID",
    "a table that isn't strict": "DROP TABLE board_hidden; CREATE TABLE board_hidden (guild_id INTEGER NOT NULL, "
    "user_id INTEGER NOT NULL, PRIMARY KEY (guild_id, user_id)) WITHOUT ROWID",
    "a table of another kind": "DROP TABLE board_hidden; CREATE TABLE board_hidden (guild_id INTEGER NOT NULL, "
    "user_id INTEGER NOT NULL, PRIMARY KEY (guild_id, user_id)) STRICT",
    "a reference": "DROP TABLE judged_seasons; CREATE TABLE judged_seasons (guild_id INTEGER PRIMARY KEY "
    "REFERENCES results (number), until INTEGER NOT NULL) STRICT",
    "an index of other columns": "DROP INDEX results_ended; CREATE INDEX results_ended ON results (game)",
}


def execute(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(sql)


@pytest.mark.parametrize("kind", ADDED)
async def test_a_start_is_refused_if_something_was_added_to_the_tables(path: Path, kind: str) -> None:
    new_database.lay_out(path)
    execute(path, ADDED[kind])
    with pytest.raises(
        OtherSchema, match=f"has an? {kind} that this program doesn't make, 'other': remove it"
    ) as refused:
        await open_store(path)
    assert "\n" not in str(refused.value)
    execute(path, f"DROP {kind} other")
    await (await open_store(path)).close()


@pytest.mark.parametrize("what", CHANGED)
async def test_a_start_is_refused_if_the_tables_were_changed(path: Path, what: str) -> None:
    new_database.lay_out(path)
    execute(path, CHANGED[what])
    with pytest.raises(Damaged):
        await open_store(path)


async def test_a_schema_in_other_words_is_the_same(path: Path) -> None:
    """As another version of SQLite may write it."""
    new_database.lay_out(path)
    execute(
        path,
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema"
        """ SET sql = 'CREATE TABLE "names" ' || substr(sql, instr(sql, '(')) WHERE name = 'names'""",
    )
    with closing(sqlite3.connect(path)) as db:
        (words,) = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'names'").fetchone()
    assert words.startswith('CREATE TABLE "names"')
    await (await open_store(path)).close()
    with open_existing(path) as connection:
        assert not has_altered_schema(connection, migrations())


async def test_statistics_that_sqlite_makes_by_itself_are_no_addition(path: Path) -> None:
    await filled(path)
    execute(path, "ANALYZE")
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM sqlite_stat1").fetchone() > (0,)
    await (await open_store(path)).close()
    with open_existing(path) as connection:
        assert not has_altered_schema(connection, migrations())


async def test_a_schema_that_is_no_longer_utf_8_is_damage_to_every_reader(path: Path) -> None:
    new_database.lay_out(path)
    path.write_bytes(path.read_bytes().replace(b"INTEGER", "INT\xebGER".encode("latin-1"), 1))
    with pytest.raises(Damaged), open_existing(path) as connection:
        connection.execute("SELECT * FROM matches")


@pytest.mark.parametrize(("version", "error"), [(0, Damaged), (-3, Damaged), (LATEST + 1, OtherSchema)])
async def test_another_version_than_its_tables_have_refuses_a_start(
    path: Path, later: Path, version: int, error: type[Exception]
) -> None:
    await (await open_store(path)).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {version:d}")
    with pytest.raises(error):
        await open_store(path, later)


async def test_a_text_that_is_no_longer_utf_8_is_read_with_marks(path: Path) -> None:
    store = await open_store(path)
    await store.set_name(1, 2, "Annette")
    await store.set_name(1, 3, "Bob")
    await store.close()
    path.write_bytes(path.read_bytes().replace(b"Annette", b"Ann\xe5tte"))
    store = await open_store(path)
    assert await store.names(1, [2, 3]) == {2: "Ann\ufffdtte", 3: "Bob"}
    await store.close()


@pytest.mark.parametrize(
    "text",
    ['{"window":1', '{"window":1}', '{"window":1,"causes":["x"],"left":[]}', '{"window":1,"causes":[],"left":[[1]]}'],
)
async def test_what_was_left_of_clocks_is_not_used_where_it_cannot_be_read(
    path: Path, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    store = await open_store(path)
    row = await opened(store)
    await store.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE matches SET lost_places = ?", (text,))
    store = await open_store(path)
    assert await store.live_matches() == [row]
    assert f"match {row.id}: what was left of its clocks was altered" in caplog.text
    await store.close()


async def test_a_schema_with_another_kind_of_value_is_found_to_be_altered(path: Path) -> None:
    new_database.lay_out(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        assert not has_altered_schema(db, migrations())
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET sql = CAST(sql AS BLOB) WHERE type = 'trigger'")
        assert has_altered_schema(db, migrations())
