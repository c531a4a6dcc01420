"""The steps by which a database gets its tables: the numbered SQL files of a folder, each with the name of the room
that its tables belong to: `0001_core.sql`, `0002_daily.sql` and so on.

They are in SQLite's words, and call nothing but SQLite's own functions. `bot.cluster.schema` says them in
PostgreSQL's. A database keeps the number of its last step and a digest of all its steps. So one that was made by other
steps of the same number is told apart from one that was damaged.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from bot.store.errors import OtherSchema, TooNew

TABLES: Final = Path(__file__).parent / "tables"
CORE: Final = "core"
"""The room of the tables that belong to none."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the tables' history. `room` is the folder of `cogs` whose tables it makes or changes, or `core`."""

    number: int
    sql: str
    room: str = CORE


def migrations(folder: Path = TABLES) -> tuple[Migration, ...]:
    """The folder's migrations in order. Raises ValueError unless they are numbered 1, 2, 3 and so on."""
    files = sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.sql"))
    found = tuple(Migration(int(file.name[:4]), file.read_text("utf-8"), file.stem[5:]) for file in files)
    if [step.number for step in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"the migrations in {folder} are not numbered in a row")
    return found


STEPS: Final = migrations()
LATEST: Final = len(STEPS)
"""The version of the tables that this program writes."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, the room whose step made it, its columns, and those of its key. Rows of a table that `follows` are
    deleted with their match. One that `replaces` keeps its rows when a person is deleted, with a number in their place:
    the line of its `user_id` ends with `-- replaced`."""

    room: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    follows: bool
    replaces: bool


def tables_of(steps: tuple[Migration, ...]) -> dict[str, Table]:
    """The tables that steps make, by name."""
    found: dict[str, Table] = {}
    with closing(sqlite3.connect(":memory:")) as db:
        for step in steps:
            db.executescript(step.sql)
            for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall():
                room = found[name].room if name in found else step.room
                replaces = name in _REPLACING.findall(step.sql) or (name in found and found[name].replaces)
                found[name] = _described(db, name, room, replaces=replaces)
    return found


_REPLACING: Final = re.compile(r"^CREATE TABLE (\w+) \($(?:\n(?!\)).*)*?\n +user_id\b.*-- replaced$", re.MULTILINE)


def _described(db: sqlite3.Connection, name: str, room: str, *, replaces: bool) -> Table:
    columns = db.execute("SELECT name, pk FROM pragma_table_info(?)", (name,)).fetchall()
    key = tuple([column for _, column in sorted([(index, column) for column, index in columns if index])])
    parents = db.execute("SELECT 1 FROM pragma_foreign_key_list(?) WHERE on_delete = 'CASCADE'", (name,)).fetchall()
    return Table(room, tuple([column for column, _ in columns]), key, bool(parents), replaces)


def digest(steps: tuple[Migration, ...]) -> int:
    """What a database keeps of the steps that made it: 31 bits, never 0. Comments and line breaks do not count."""
    plain = " ".join(" ".join(re.sub(r"--.*", "", step.sql).split()) for step in steps)
    return int.from_bytes(sha256(plain.encode()).digest()[:4]) >> 1 or 1


def adds(kind: str, name: str) -> str:
    """What follows a database's name in the error for something in it that no step makes."""
    article = "an" if kind == "index" else "a"
    return (
        f"has {article} {kind} that this program doesn't make, {name[:60]!a}: remove it, or restore a backup without it"
    )


def refuse_others(database: str, version: int, kept: int | None, steps: tuple[Migration, ...]) -> None:
    """Refuse a database with tables that these steps do not make.

    `database` names it in the error, and `kept` is the digest that it has. Raises TooNew if it went through more steps,
    and OtherSchema if the tables are those of a former state of this development, or of another program.
    """
    if version > len(steps) and kept:
        raise TooNew(
            f"{database} has version {version}, and this program reads up to {len(steps)}: "
            "install the newer program again, or restore a backup from before its first start"
        )
    if kept != digest(steps[:version]):
        raise OtherSchema(
            f"{database} has tables that this program doesn't make (a development version made them, or another "
            "program), and it can't be upgraded: delete it or move it away, or use the program that made it"
        )
