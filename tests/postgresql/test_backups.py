"""What docs/scaling.md says about backups by PostgreSQL's own means is tried here, with its own commands."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from bot.cluster import dump
from bot.store.dump_format import DumpReader
from bot.store.migrations import LATEST
from bot.store.sqlite.dump import dump_lines
from tests.bot.ops.databases import fill
from tests.postgresql.fixtures import running_server
from tests.postgresql.server import ADMIN, ROLE, Server

PAGE = Path(__file__).parents[2] / "docs" / "scaling.md"


def commands() -> list[list[str]]:
    """The commands of the page that make and restore a backup."""
    lines = re.findall(r"^ +((?:pg_dump|createdb|pg_restore) .*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(lines) == 3
    return [shlex.split(line) for line in lines]


@pytest.fixture
def filled(postgresql: Server, tmp_path: Path) -> Iterator[str]:
    """The name of a database with rows in it."""
    asyncio.run(fill(tmp_path / "cardroom.db", live=2))
    name = postgresql.new_database()
    dump.load_dump(DumpReader(dump_lines(tmp_path / "cardroom.db"), LATEST), postgresql.url(name))
    yield name
    postgresql.drop_database(name)


def test_pg_dump_and_pg_restore_bring_everything_back(postgresql: Server, filled: str) -> None:
    before = list(dump.dump_lines(postgresql.url(filled)))
    where = ("--host", str(postgresql.folder), "--port", str(postgresql.port), "--username", ADMIN)
    for program, *arguments in commands():
        given = [
            word.replace("postgresql://cardroom@db.example/cardroom", filled).replace("cardroom.dump", "c.dump")
            for word in arguments
        ]
        postgresql.run(program, *where, *given)
    try:
        assert list(dump.dump_lines(postgresql.url("restored"))) == before
        with psycopg.connect(postgresql.url("restored")) as db:  # the role can go on with it
            owners = db.execute("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'").fetchall()
            assert owners == [(ROLE,)]
            db.execute("UPDATE facts SET value = 'c' WHERE key = 'a'")
    finally:
        postgresql.drop_database("restored")


def test_a_base_backup_with_an_archive_brings_a_later_moment_back(tmp_path: Path) -> None:
    """The archive has what was committed after the base backup."""
    asyncio.run(fill(tmp_path / "cardroom.db"))
    with running_server() as server:
        archive, copy = server.folder / "archive", server.folder / "copy"
        server.make_folder(archive)
        with server.connect_as_admin() as admin:
            admin.execute("ALTER SYSTEM SET archive_mode = on")
            admin.execute(f"ALTER SYSTEM SET archive_command = 'cp %p {archive}/%f'")
        server.restart()
        url = server.url(name := server.new_database())
        server.run("pg_basebackup", "--host", str(server.folder), "--username", ADMIN, "--pgdata", str(copy))
        dump.load_dump(DumpReader(dump_lines(tmp_path / "cardroom.db"), LATEST), url)
        whole = list(dump.dump_lines(url))
        with server.connect_as_admin() as admin:
            (moment,) = admin.execute("SELECT clock_timestamp()").fetchone() or ("",)
        with psycopg.connect(url) as db:
            db.execute("DELETE FROM names")
        with server.connect_as_admin() as admin:
            admin.execute("SELECT pg_switch_wal()")
        server.stop()  # it archives the last piece
        server.put_back(copy, f"restore_command = 'cp {archive}/%f %p'\nrecovery_target_time = '{moment}'\n")
        server.start()
        assert list(dump.dump_lines(server.url(name))) == whole
