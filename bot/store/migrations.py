"""The steps by which a database gets its tables: the numbered SQL files of a folder, `0001_first.sql` and so on.

They are in SQLite's words, and call nothing but SQLite's own functions. `bot.cluster.schema` says them in
PostgreSQL's. A database keeps the number of its last step and a digest of all its steps. So one that was made by other
steps of the same number is told apart from one that was damaged.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from bot.store.errors import OtherTables, TooNew

TABLES: Final = Path(__file__).parent / "tables"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the tables' history."""

    number: int
    sql: str


def migrations(folder: Path = TABLES) -> tuple[Migration, ...]:
    """The folder's migrations in order. Raises ValueError unless they are numbered 1, 2, 3 and so on."""
    files = sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.sql"))
    found = tuple(Migration(int(file.name[:4]), file.read_text("utf-8")) for file in files)
    if [step.number for step in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"the migrations in {folder} are not numbered in a row")
    return found


LATEST: Final = len(migrations())
"""The version of the tables that this program writes."""


def digest(steps: tuple[Migration, ...]) -> int:
    """What a database keeps of the steps that made it: 31 bits, never 0. Comments and line breaks do not count."""
    plain = " ".join(" ".join(re.sub(r"--.*", "", step.sql).split()) for step in steps)
    return int.from_bytes(sha256(plain.encode()).digest()[:4]) >> 1 or 1


def refuse_others(database: str, version: int, kept: int | None, steps: tuple[Migration, ...]) -> None:
    """Refuse a database with tables that these steps do not make.

    `database` names it in the error, and `kept` is the digest that it has. Raises TooNew if it went through more steps,
    and OtherTables if the tables are those of a former state of this development, or of another program.
    """
    if version > len(steps) and kept:
        raise TooNew(
            f"{database} has version {version}, and this program reads up to {len(steps)}: "
            "install the newer program again, or restore a backup from before its first start"
        )
    if kept != digest(steps[:version]):
        raise OtherTables(
            f"{database} has tables that this program doesn't make (a development version made them, or another "
            "program), and it can't be upgraded: delete it or move it away, or use the program that made it"
        )
