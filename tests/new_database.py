"""A database that has its tables and nothing else, as a file: copying it takes a third of the time of making it.

How one is made and migrated is tested in `tests/bot/store`, and every bot that is a process of its own makes its own.
"""

from __future__ import annotations

import secrets
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

from bot.private_files import create
from bot.store.migrations import migrations
from bot.store.queries import installation
from bot.store.sqlite.schema import checkpoint, connect


def lay_out(path: Path) -> None:
    """Put a new database there, with an identity of its own, unless its folder has anything: then it may be a test of
    what a start finds."""
    if any(path.parent.iterdir()):
        return
    tables, identity = _made()
    create(path)
    path.write_bytes(tables.replace(identity, secrets.token_hex(len(identity) // 2).encode()))


@cache
def tables_for_memory() -> bytes:
    """The same for a database in memory, which has no WAL (https://www.sqlite.org/fileformat2.html#file_format_version_numbers)."""
    tables, _ = _made()
    return tables[:18] + b"\x01\x01" + tables[20:]


@cache
def _made() -> tuple[bytes, bytes]:
    """The bytes of a new database, and those of its identity, which are in it once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "new.db")
        with closing(connect(path, migrations(), 1000)) as connection:
            identity = installation.begin_progress(connection).database_id
            checkpoint(connection)
        tables, wanted = path.read_bytes(), identity.encode()
    assert tables.count(wanted) == 1
    return tables, wanted
