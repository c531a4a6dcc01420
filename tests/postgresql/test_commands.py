"""The operators' commands on PostgreSQL: each works or says that it is SQLite's, and nothing shows the password."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from bot.cluster import dump
from bot.shard_range import ShardRange
from bot.store.dump_format import DumpReader
from bot.store.migrations import LATEST
from bot.store.sqlite.dump import dump_lines
from tests.bot.ops.databases import cardroom, environment, fill, refused
from tests.fork_server import ROOT, ForkServer, command_server
from tests.postgresql.server import PASSWORD, Server
from tests.postgresql.stores import opened_store
from tests.upgrades.old import rows

DATABASE = "CARDROOM_DATABASE"
QUOTED = quote(PASSWORD, safe="")


@pytest.fixture
def address(postgresql: Server, empty_database: str) -> str:
    """The address of an empty database, with a password in it."""
    return postgresql.tcp_url(empty_database.partition("@/")[2].partition("?")[0])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """An empty data folder."""
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def test_an_installation_goes_over_and_comes_back(data: Path, address: str, tmp_path: Path) -> None:
    asyncio.run(fill(data / "cardroom.db", live=2))
    there, back, fresh = tmp_path / "there.jsonl", tmp_path / "back.jsonl", tmp_path / "fresh"
    fresh.mkdir()
    assert cardroom(data, "dump", there).returncode == 0
    loaded = cardroom(data, "load", there, **{DATABASE: address})
    assert loaded.returncode == 0, loaded.stderr
    assert loaded.stdout.startswith("loaded PostgreSQL database ")
    assert cardroom(data, "dump", back, **{DATABASE: address}).returncode == 0
    assert cardroom(fresh, "load", back).returncode == 0
    assert rows(fresh / "cardroom.db").keys() == rows(data / "cardroom.db").keys()
    for table, found in rows(data / "cardroom.db").items():
        if table != "progress":
            assert sorted(map(repr, rows(fresh / "cardroom.db")[table])) == sorted(map(repr, found)), table
    assert "not empty" in refused(cardroom(data, "load", there, **{DATABASE: address}), 73)


def test_check_finds_everything_in_order(data: Path, address: str) -> None:
    checked = cardroom(data, "check", **{DATABASE: address})
    assert "ok   database: no tables yet" in checked.stdout
    asyncio.run(fill(data / "cardroom.db"))
    dump.load_dump(DumpReader(dump_lines(data / "cardroom.db"), LATEST), address)
    checked = cardroom(data, "check", **{DATABASE: address})
    assert f"ok   database: sound: tables of version {LATEST}, 2 matches (1 live)" in checked.stdout
    assert "ok   standings: 2, which match the 1 results" in checked.stdout
    assert "ok   server: PostgreSQL database test_" in checked.stdout
    assert (
        "FAIL durability: a power cut may lose moves: the server has fsync = off, full_page_writes = off"
        in checked.stdout
    )
    assert "ok   bot: not running" in checked.stdout
    assert checked.returncode == 1
    for secret in (PASSWORD, QUOTED):
        assert secret not in checked.stdout + checked.stderr
    assert not list(data.glob("copy-*"))


def test_check_says_who_holds_which_shards_and_for_how_long(data: Path, address: str) -> None:
    def line() -> str:
        checked = cardroom(data, "check", **{DATABASE: address}).stdout
        return next((line for line in checked.splitlines() if " shards: " in line), "")

    async def claim(wanted: ShardRange, owner: str, seconds: float) -> None:
        async with opened_store(address, data) as store:
            assert await store.claim_shards(wanted, Alone(), owner, round(1000 * seconds)) == 0

    asyncio.run(claim(ShardRange(0, 1, 4), "web-1 0123", 0.001))
    assert line() == "ok   shards: held by no process", "the lease has run out, and nobody has taken the shards"
    asyncio.run(claim(ShardRange(0, 1, 4), "web-1 4567", 1000))
    held = re.fullmatch(r"warn shards: held: 0-1/4 by web-1 4567 for (\d+) s, 2-3/4 by nobody", line())
    assert held is not None
    assert 900 < int(held[1]) <= 1000
    asyncio.run(claim(ShardRange(2, 3, 4), "web-2 89ab", 1000))
    assert re.fullmatch(r"ok   shards: held: 0-1/4 by web-1 4567 for \d+ s, 2-3/4 by web-2 89ab for \d+ s", line())
    with psycopg.connect(address) as db:
        db.execute("DROP TABLE shard_leases, shard_owners")
        db.execute("UPDATE schema_version SET version = 1")
    assert line() == "", "the tables of the first version had none"


class Alone:
    """Who holds shards that nobody takes."""

    def fenced(self) -> None:
        raise AssertionError("nobody else claims these shards")


def test_check_finds_altered_standings_and_rebuild_standings_corrects_them(data: Path, address: str) -> None:
    asyncio.run(fill(data / "cardroom.db"))
    dump.load_dump(DumpReader(dump_lines(data / "cardroom.db"), LATEST), address)
    with psycopg.connect(address) as db:
        db.execute("UPDATE standings SET mu = mu + 1 WHERE user_id = (SELECT min(user_id) FROM standings)")
    assert "FAIL standings: 1 differ" in cardroom(data, "check", **{DATABASE: address}).stdout
    rebuilt = cardroom(data, "rebuild-standings", **{DATABASE: address})
    assert rebuilt.stdout.startswith("2 standings from 1 results; 1 differed and were corrected\n"), rebuilt.stderr
    assert "ok   standings: 2, which" in cardroom(data, "check", **{DATABASE: address}).stdout


@pytest.mark.parametrize("command", [("backup",), ("check-backup", "f"), ("restore", "f")], ids=lambda each: each[0])
def test_commands_about_a_sqlite_file_refuse(data: Path, address: str, command: tuple[str, ...]) -> None:
    line = refused(cardroom(data, *command, **{DATABASE: address}), 78)
    assert f"CARDROOM_DATABASE: `cardroom {command[0]}` is for a bot without it" in line


@pytest.mark.parametrize("command", [("dump",), ("rebuild-standings",)], ids=lambda each: each[0])
def test_a_server_that_refuses_or_does_not_answer_ends_a_command(
    data: Path, postgresql: Server, address: str, command: tuple[str, ...]
) -> None:
    name = address.rpartition("/")[2]
    line = refused(cardroom(data, *command, **{DATABASE: address.replace(QUOTED, "wrong")}), 78)
    assert "it doesn't accept the role or the password" in line
    line = refused(cardroom(data, *command, **{DATABASE: postgresql.tcp_url(name, port=1)}), 75)
    assert f"PostgreSQL database {name} on 127.0.0.1:1 can't be reached" in line
    for secret in (PASSWORD, QUOTED, "wrong"):
        assert secret not in line


def test_a_bot_that_the_server_refuses_ends_and_its_log_has_no_password(
    data: Path, address: str, fork_server: ForkServer
) -> None:
    given = {DATABASE: address.replace(QUOTED, "wrong-word"), "DISCORD_TOKEN": "t" * 30}
    ended = fork_server.run("bot", environ=environment(data, **given), folder=ROOT)
    assert ended.returncode == 78, ended.stderr
    assert "it doesn't accept the role or the password" in ended.stderr
    assert "wrong-word" not in ended.stderr


def test_a_database_of_a_later_version_is_refused(data: Path, address: str, fork_server: ForkServer) -> None:
    nothing = [json.dumps({"cardroom": "dump", "format": 1, "tables": LATEST}), json.dumps({"rows": 0})]
    dump.load_dump(DumpReader(nothing, LATEST), address)
    with psycopg.connect(address) as db:
        db.execute("UPDATE schema_version SET version = 999")
    assert "has version 999" in refused(cardroom(data, "dump", **{DATABASE: address}), 73)
    assert "has version 999" in refused(cardroom(data, "rebuild-standings", **{DATABASE: address}), 73)
    given = {DATABASE: address, "DISCORD_TOKEN": "t" * 30}
    ended = fork_server.run("bot", environ=environment(data, **given), folder=ROOT)
    assert ended.returncode == 73
    assert "has version 999" in ended.stderr


def test_without_the_driver_one_line_says_what_to_install(data: Path, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden" / "psycopg"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text("raise ModuleNotFoundError('none here', name='psycopg')\n")
    surroundings = environment(data, **{DATABASE: "postgresql://u:secret-word@db/cards", "DISCORD_TOKEN": "t" * 30})
    surroundings["PYTHONPATH"] = os.pathsep.join((str(hidden.parent), surroundings["PYTHONPATH"]))
    for command in (("dump",), ("bot",)):
        done = command_server().run("bot.launcher", *command, environ=surroundings, folder=data)
        assert done.returncode == 78, done.stderr
        assert "cardroom: CARDROOM_DATABASE: this installation has no driver for PostgreSQL" in done.stderr
        assert "secret-word" not in done.stderr
