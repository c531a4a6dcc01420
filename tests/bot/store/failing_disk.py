"""What keeps a database from being written, for tests: no room, no larger file, the lock of another program."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.store.sqlite.store import SqliteStore
from tests.known import there


async def limit_pages(store: SqliteStore, more: int) -> None:
    def limit(db: sqlite3.Connection) -> None:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages + more}")

    await store.database.read(limit)


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Let no file of this process grow past a size: what a full quota or a failing disk looks like to SQLite."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


HOLD = textwrap.dedent("""
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1], isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    print("held", flush=True)
    sys.stdin.readline()
    db.execute("ROLLBACK")
""")


@contextmanager
def locked_by_another(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process with the database locked, until a line is written to it or the block is left."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert there(other.stdout).readline() == "held\n"
        yield other
        other.communicate("\n", timeout=10)
