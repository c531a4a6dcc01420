"""`cardroom dump` and `cardroom load`: nothing is lost on the way, and what is not whole is not loaded."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.dump_format import NotADumpError
from bot.store.errors import Busy, NotSaved
from bot.store.migrations import LATEST, migrations
from bot.store.sqlite.dump import dump_lines, load_dump
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import SqliteStore
from tests.bot.ops.databases import cardroom, environment, fill, refused, rows
from tests.bot.store.failing_disk import file_size_limit
from tests.bot.store.open_stores import closed_after
from tests.bot.store.rows import opened

pytestmark = pytest.mark.slow  # starts processes, and writes whole databases


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A database with something in every table."""
    await fill(tmp_path / "cardroom.db", live=2)
    with closing(sqlite3.connect(tmp_path / "cardroom.db")) as db:
        db.execute("INSERT INTO facts VALUES ('odd', ?)", ("\x00\u2028\U0001f0a1 '\"\\\r\n",))
        db.execute("INSERT INTO names VALUES (?, ?, '')", (2**63 - 1, -(2**63)))
        db.commit()
    return tmp_path / "cardroom.db"


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """Another data folder, with nothing in it."""
    folder = tmp_path / "fresh"
    folder.mkdir()
    return folder


def test_every_row_comes_back_as_it_was(path: Path, fresh: Path) -> None:
    file = path.parent / "d.jsonl"
    assert cardroom(path.parent, "dump", file).returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert cardroom(fresh, "load", file).returncode == 0
    before = rows(path)
    assert sum(map(len, before.values())) > 20
    assert rows(fresh / "cardroom.db") == before
    assert sorted(entry.name for entry in fresh.iterdir()) == ["cardroom.db", "cardroom.db.lock", "cardroom.db.witness"]
    assert cardroom(fresh, "dump").stdout == file.read_text()


def test_a_dump_goes_through_a_pipe_of_other_programs(path: Path, fresh: Path) -> None:
    dumping = '"$PYTHON" -m bot.launcher dump | gzip > dump.gz'
    loading = 'gzip -dc dump.gz | CARDROOM_DATA_DIR=fresh "$PYTHON" -m bot.launcher load /dev/stdin'
    command = ["bash", "-c", f"set -eo pipefail; {dumping}; {loading}"]
    surroundings = {**environment(path.parent), "PYTHON": sys.executable}
    done = subprocess.run(command, cwd=path.parent, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert rows(fresh / "cardroom.db") == rows(path)


async def test_the_bot_goes_on_from_what_was_loaded(path: Path, fresh: Path) -> None:
    file = path.parent / "d.jsonl"
    await asyncio.to_thread(cardroom, path.parent, "dump", file)
    assert (await asyncio.to_thread(cardroom, fresh, "load", file)).returncode == 0
    async with closed_after(SqliteStore.open(fresh / "cardroom.db", now=lambda: 1500)) as store:
        assert {each.id for each in await store.live_matches()} == {"live0", "live1"}
        assert len(await store.records("live1")) == 2
        await opened(store, "next")


async def test_a_dump_of_a_database_in_use_is_of_one_moment(path: Path, fresh: Path) -> None:
    file = path.parent / "d.jsonl"
    async with closed_after(SqliteStore.open(path, now=lambda: 1500)) as store:
        await opened(store, "late")
        assert (await asyncio.to_thread(cardroom, path.parent, "dump", file)).returncode == 0
    assert (await asyncio.to_thread(cardroom, fresh, "load", file)).returncode == 0
    assert rows(fresh / "cardroom.db") == rows(path)


def test_a_dump_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path, fresh: Path) -> None:
    file = tmp_path / "d.jsonl"
    with closing(connect(tmp_path / "cardroom.db", migrations()[:1], 100)) as db:
        db.execute("INSERT INTO facts VALUES ('a', 'b')")
    assert cardroom(tmp_path, "dump", file).returncode == 0
    assert cardroom(fresh, "load", file).returncode == 0
    with closing(sqlite3.connect(fresh / "cardroom.db")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (LATEST,)
        assert db.execute("SELECT * FROM facts").fetchall() == [("a", "b")]
    assert sorted(entry.name for entry in fresh.iterdir()) == ["cardroom.db", "cardroom.db.lock", "cardroom.db.witness"]


async def test_nothing_is_loaded_over_something(path: Path, fresh: Path) -> None:
    file = path.parent / "d.jsonl"
    await asyncio.to_thread(cardroom, path.parent, "dump", file)
    before = rows(path)
    assert "not empty" in refused(await asyncio.to_thread(cardroom, path.parent, "load", file), 73)
    assert rows(path) == before

    store = await SqliteStore.open(fresh / "cardroom.db", now=lambda: 1500)
    assert "stop it first" in refused(await asyncio.to_thread(cardroom, fresh, "load", file), 73)
    await store.close()
    assert (await asyncio.to_thread(cardroom, fresh, "load", file)).returncode == 0  # there, but without a row
    assert rows(fresh / "cardroom.db") == before


HEAD = json.dumps({"cardroom": "dump", "format": 1, "tables": LATEST})
FACT = json.dumps({"table": "facts", "row": {"key": "a", "value": "b"}})
ORPHAN = {"match_id": "m", "name": "turn", "key": "1", "guild_id": 7, "deadline": 5}
END = json.dumps({"rows": 1})


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ([], 1),
        ([""], 1),
        (["hello"], 1),
        (["[" * 100_000], 1),
        ([FACT, END], 1),
        ([HEAD.replace(f'"tables": {LATEST}', '"tables": 999')], 1),
        ([HEAD.replace('"format": 1', '"format": 2')], 1),
        ([HEAD], 1),
        ([HEAD, FACT], 2),
        ([HEAD, END], 2),
        ([HEAD, FACT, FACT.replace('"a"', '"c"'), END], 4),
        ([HEAD, FACT, FACT, END], 3),
        ([HEAD, FACT, END, FACT], 4),
        ([HEAD, FACT.replace("facts", "secrets"), END], 2),
        ([HEAD, FACT.replace('"value"', '"price"'), END], 2),
        ([HEAD, FACT.replace('"b"', "null"), END], 2),
        ([HEAD, FACT.replace('"b"', '{"hex": "0x"}'), END], 2),
        ([HEAD, FACT.replace('"b"', "[1]"), END], 2),
        ([HEAD, json.dumps({"table": "heartbeat", "row": {"only": 1, "at": 2**64}}), END], 2),
        ([HEAD, json.dumps({"table": "timers", "row": ORPHAN}), END], 3),
    ],
)
def test_what_is_not_whole_is_not_loaded(fresh: Path, lines: list[str], line: int) -> None:
    with pytest.raises(NotADumpError, match=rf"^line {line} ") as caught:
        load_dump(lines, fresh / "cardroom.db")
    assert "\n" not in str(caught.value)
    assert [entry.name for entry in fresh.iterdir()] == ["cardroom.db.lock"]


def test_a_dump_with_an_altered_line_is_not_loaded(path: Path, fresh: Path) -> None:
    lines = list(dump_lines(path))
    at = next(number for number, line in enumerate(lines) if '"key":"odd"' in line)
    altered = [*lines[:at], lines[at].replace("odd", "add"), *lines[at + 1 :]]
    with pytest.raises(NotADumpError, match=rf"^line {len(lines)} states another checksum"):
        load_dump(altered, fresh / "cardroom.db")
    load_dump([line.replace("\n", "\r\n") for line in lines], fresh / "cardroom.db")  # as an editor may save it
    assert rows(fresh / "cardroom.db") == rows(path)


def test_a_dump_from_before_there_were_checksums_is_loaded(path: Path, fresh: Path) -> None:
    *lines, end = dump_lines(path)
    load_dump([*lines, json.dumps({"rows": json.loads(end)["rows"]})], fresh / "cardroom.db")
    assert rows(fresh / "cardroom.db") == rows(path)


def test_what_cannot_be_read_is_one_line(fresh: Path) -> None:
    (fresh / "d").write_bytes(b"\xff\xfe\x00")
    assert "line 1 is not part of a dump" in refused(cardroom(fresh, "load", fresh / "d"), 1)
    refused(cardroom(fresh, "load", fresh / "nothing"), 1)
    refused(cardroom(fresh, "load", fresh), 1)


async def test_what_a_bot_writes_to_while_it_is_dumped_is_no_dump(path: Path) -> None:
    """A file that nobody uses is read without locks, so a bot that is started meanwhile doesn't know of the reader."""
    lines = dump_lines(path)
    next(lines)
    store = await SqliteStore.open(path, now=lambda: 1500)
    await opened(store, "late")
    await store.close()
    with pytest.raises(Busy, match="was written while it was read"):
        list(lines)


def test_a_disk_without_room_for_what_is_loaded_is_named(path: Path, fresh: Path) -> None:
    lines = [*dump_lines(path)]
    with file_size_limit(100_000), pytest.raises(NotSaved, match="the disk"):
        load_dump(lines, fresh / "cardroom.db")
    assert [entry.name for entry in fresh.iterdir()] == ["cardroom.db.lock"]


def test_a_database_whose_tables_are_lost_is_not_dumped(tmp_path: Path) -> None:
    """As when the WAL of a killed bot was deleted: an empty dump would look like a good one."""
    with closing(sqlite3.connect(tmp_path / "cardroom.db")) as db:
        db.execute("PRAGMA journal_mode = WAL")
    assert "is empty" in refused(cardroom(tmp_path, "dump"), 73)
    assert "is empty" in refused(cardroom(tmp_path, "dump", tmp_path / "dump.jsonl"), 73)
    assert not (tmp_path / "dump.jsonl").exists()
