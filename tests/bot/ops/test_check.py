"""`cardroom check`: what it finds on real files, on a real API, and that it keeps the token to itself."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import shutil
import sqlite3
from collections import namedtuple
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot import heartbeat
from bot.ops import check
from bot.settings import load_settings
from bot.store.sqlite.reading import open_existing
from bot.store.sqlite.store import SqliteStore
from discord_sandbox import Sandbox
from tests.bot.ops.databases import NOT_OURS, cardroom, fill, refused
from tests.bot.store.open_stores import closed_after
from tests.bot.store.rows import opened
from tests.bot.store.test_opening import ADDED
from tests.faults.bot_process import forked
from tests.fork_server import ForkServer
from tests.upgrades.old import lay, rows

TOKEN = f"{base64.urlsafe_b64encode(b'123456789012345678').decode()}.Gabcde.{'x' * 38}"
UNREACHABLE = "http://127.0.0.1:9/api/v10"
Usage = namedtuple("Usage", "total used free")


def lines(told: str) -> dict[str, str]:
    """What was said of each item: `ok`, `warn` or `FAIL`, and the words. What depends on this machine's SQLite is left
    out."""
    found = {
        line[5:].partition(": ")[0]: line[:4].strip() + " " + line[5:].partition(": ")[2] for line in told.splitlines()
    }
    found.pop("SQLite", None)
    return found


def test_a_fresh_folder_without_a_token_is_well(tmp_path: Path) -> None:
    done = cardroom(tmp_path, "check")
    assert (done.returncode, done.stderr) == (0, "")
    found = lines(done.stdout)
    assert [*found] == ["settings", "token", "data folder", "database", "disk", "backups", "versions", "bot"]
    assert "none yet" in found["database"]
    assert found["bot"] == "ok not running"
    assert "discord.py 2.7" in found["versions"]
    assert not (tmp_path / "cardroom.db").exists()


def test_a_data_folder_that_others_can_read_is_warned_of(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    done = cardroom(tmp_path, "check")
    assert done.returncode == 0
    assert lines(done.stdout)["data folder"] == f"warn {tmp_path} is open to other users: chmod 700"


async def test_what_was_added_to_the_tables_is_found(tmp_path: Path) -> None:
    kind = next(iter(ADDED))
    path = tmp_path / "cardroom.db"
    await fill(path)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(ADDED[kind])
    done = await asyncio.to_thread(cardroom, tmp_path, "check")
    assert done.returncode == 1
    assert f"{kind} that this program doesn't make, 'other'" in lines(done.stdout)["database"]


async def test_a_database_is_read_through(tmp_path: Path) -> None:
    path = tmp_path / "cardroom.db"
    await fill(path)
    done = await asyncio.to_thread(cardroom, tmp_path, "check")
    assert done.returncode == 0
    assert "2 matches (1 live)" in lines(done.stdout)["database"]
    path.write_bytes(b"junk" * 5000)
    done = await asyncio.to_thread(cardroom, tmp_path, "check")
    assert done.returncode == 1
    assert lines(done.stdout)["database"].startswith("FAIL")
    assert len(lines(done.stdout)) == 8


async def left_by_a_killed_bot(folder: Path) -> Path:
    """The files of a bot that was killed: what it wrote last is in the WAL alone. Its heartbeat is fresh."""
    path = folder / "running" / "cardroom.db"
    path.parent.mkdir()
    async with closed_after(SqliteStore.open(path, now=lambda: 1500)) as store:
        await opened(store, "late", game=NOT_OURS)
        killed = folder / "killed"
        shutil.copytree(path.parent, killed)
    assert (killed / "cardroom.db-wal").stat().st_size > 0
    heartbeat.touch(killed / "heartbeat")
    return killed


async def test_what_a_killed_bot_left_is_read_through_a_link_to_its_database_too(tmp_path: Path) -> None:
    """SQLite has the WAL beside the file that the link leads to."""
    killed = await left_by_a_killed_bot(tmp_path)
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "cardroom.db").symlink_to(killed / "cardroom.db")
    before = hashes(killed)
    with open_existing(linked / "cardroom.db") as db:
        assert db.execute("SELECT id FROM matches").fetchall() == [("late",)]
    assert hashes(killed) == before


def hashes(folder: Path) -> dict[str, str]:
    """What each file of a folder holds."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


async def test_a_killed_bots_folder_is_read_through_and_not_a_byte_of_it_changes(tmp_path: Path) -> None:
    killed = await left_by_a_killed_bot(tmp_path)
    before = hashes(killed)
    done = await asyncio.to_thread(cardroom, killed, "check")
    assert done.returncode == 0, done.stdout
    assert "1 matches (1 live)" in lines(done.stdout)["database"]
    assert hashes(killed) == before
    for command in ("dump", "backup"):
        assert (await asyncio.to_thread(cardroom, killed, command, tmp_path / command)).returncode == 0
        assert hashes(killed) == before


async def test_whether_a_bot_runs_is_asked_of_the_lock_not_of_the_heartbeat(tmp_path: Path) -> None:
    killed = await left_by_a_killed_bot(tmp_path)
    done = await asyncio.to_thread(cardroom, killed, "check")
    assert lines(done.stdout)["bot"] == "ok not running"
    async with closed_after(SqliteStore.open(killed / "cardroom.db", now=lambda: 1500)):
        done = await asyncio.to_thread(cardroom, killed, "check")
    assert lines(done.stdout)["bot"].startswith(f"ok running as process {os.getpid()}, last heartbeat")


@pytest.mark.parametrize(
    ("version", "named"),
    [
        ((3, 37, 0), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 45, 0), True),
        ((3, 50, 7), False),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 53, 0), False),
    ],
)
def test_a_version_of_sqlite_with_a_known_fault_is_named_as_a_warning(
    version: tuple[int, int, int], named: bool
) -> None:
    found = [str(item) for item in check.sqlite_faults(version)]
    assert [line.startswith("warn SQLite: 3.") for line in found] == [True] * named


@pytest.mark.real_time
async def test_live_matches_that_could_not_be_replayed_are_named(tmp_path: Path) -> None:
    path = lay(tmp_path)
    (row, *others) = [row for row in rows(path)["matches"] if row["live"]]
    done = await asyncio.to_thread(cardroom, tmp_path, "check")
    assert lines(done.stdout)["live matches"] == f"ok {1 + len(others)}, and this version can replay them all"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE matches SET options = 'torn' WHERE id = ?", (row["id"],))
    before = path.read_bytes()
    done = await asyncio.to_thread(cardroom, tmp_path, "check")
    assert done.returncode == 1
    assert lines(done.stdout)["live matches"].startswith(f"FAIL 1 of {1 + len(others)} would be on hold")
    assert lines(done.stdout)["live matches"].endswith(f": {row['id']}")
    assert path.read_bytes() == before


@pytest.mark.real_time
async def test_matches_that_wait_for_their_game_are_no_fault(tmp_path: Path) -> None:
    path = lay(tmp_path)
    (row, *others) = [row for row in rows(path)["matches"] if row["live"]]
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for table in ("matches", "invitations"):
            db.execute(f"UPDATE {table} SET game = 'whist' WHERE id = ?", (row["id"],))
    done = await asyncio.to_thread(cardroom, tmp_path, "check")
    faults = {name for name, said in lines(done.stdout).items() if said.startswith("FAIL")}
    assert faults == {"seals and logs"}, "a seal binds the game too, and this one is of another"
    told = f"ok {len(others)}, and this version can replay them all; 1 more wait for the game whist"
    assert lines(done.stdout)["live matches"] == told


def test_a_wrong_setting_ends_it(tmp_path: Path) -> None:
    assert "CARDROOM_PURGE_DAYS" in refused(cardroom(tmp_path, "check", CARDROOM_PURGE_DAYS="0"), 78)
    (tmp_path / "file").touch()
    assert "CARDROOM_DATA_DIR" in refused(cardroom(tmp_path, "check", CARDROOM_DATA_DIR=str(tmp_path / "file")), 78)


@pytest.mark.parametrize("token", ["abc", f"{TOKEN}.y"])
def test_what_is_no_token_is_not_even_sent(tmp_path: Path, token: str) -> None:
    done = cardroom(tmp_path, "check", DISCORD_TOKEN=token)
    assert done.returncode == 78
    assert lines(done.stdout)["token"].startswith("FAIL DISCORD_TOKEN")
    assert "Discord" not in lines(done.stdout)
    assert token not in done.stdout + done.stderr


def test_an_api_out_of_reach_is_said(tmp_path: Path) -> None:
    done = cardroom(tmp_path, "check", DISCORD_TOKEN=TOKEN, DISCORD_API_BASE=UNREACHABLE)
    assert done.returncode == 1
    assert lines(done.stdout)["Discord"].startswith("FAIL cannot be reached")
    assert lines(done.stdout)["token"] == "ok set, and in the right format"
    assert TOKEN not in done.stdout + done.stderr


async def test_an_address_where_something_else_answers_is_said(tmp_path: Path) -> None:
    async def nothing(_: web.Request) -> web.Response:
        return web.json_response({})

    application = web.Application()
    application.add_routes([web.get("/api/v10/users/@me", nothing)])
    async with TestServer(application) as other:
        base = str(other.make_url("/api/v10"))
        done = await asyncio.to_thread(cardroom, tmp_path, "check", DISCORD_TOKEN=TOKEN, DISCORD_API_BASE=base)
    assert done.returncode == 1
    assert lines(done.stdout)["Discord"] == "FAIL something else answers: is DISCORD_API_BASE right?"
    assert done.stderr == ""


@pytest.mark.real_time
async def test_discord_is_asked_who_we_are(tmp_path: Path, fork_server: ForkServer) -> None:
    async with Sandbox.running() as sandbox:
        settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API_BASE": sandbox.api_base}
        async with forked(fork_server, sandbox, tmp_path):
            done = await asyncio.to_thread(cardroom, tmp_path, "check", **settings)
        assert done.returncode == 0, done.stdout
        found = lines(done.stdout)
        assert found["bot"].startswith("ok running")
        assert "id " in found["identity"]
        assert found["intents"] == "ok guilds only, which needs no approval"
        assert found["gateway"].endswith(" identifies left today, shards recommended: 1")
        assert found["permissions"].startswith("ok")
        assert sandbox.token not in done.stdout + done.stderr

        done = await asyncio.to_thread(cardroom, tmp_path, "check", **{**settings, "DISCORD_TOKEN": TOKEN})
        assert done.returncode == 78
        assert lines(done.stdout)["identity"].startswith("FAIL DISCORD_TOKEN")
        assert TOKEN not in done.stdout + done.stderr


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(2**40, 2**40 - 2**20, 2**20))
    assert check.run(load_settings(None, {"CARDROOM_DATA_DIR": str(tmp_path)})) == 1
    assert lines(capsys.readouterr().out)["disk"] == "FAIL 1 MiB free, but at least 100 MiB are needed"


def test_a_small_data_folder_is_enough_beside_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """deploy/compose.postgresql.yaml gives it 16 MiB: only the heartbeat is there."""
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(2**24, 2**20, 2**24 - 2**20))
    elsewhere = {"CARDROOM_DATA_DIR": str(tmp_path), "CARDROOM_DATABASE": "postgresql://cardroom@127.0.0.1:9/cardroom"}
    check.run(load_settings(None, elsewhere))
    assert lines(capsys.readouterr().out)["disk"] == "ok 15 MiB free"


def test_what_is_missing_or_too_much_is_named() -> None:
    few = check.permissions([{"id": "7", "permissions": str(1 << 10)}, {"id": "8", "permissions": "8"}])
    assert "server 7 doesn't grant Send Messages, Embed Links" in few.text
    assert "server 8" not in few.text
    assert "message content" in check.intents({"flags": 1 << 19}).text
    spent = check.connecting({"session_start_limit": {"remaining": 0, "total": 1000}, "shards": 7})
    assert spent.code == 1
    assert "shards recommended: 7: wait" in spent.text
