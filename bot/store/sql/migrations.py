"""Migrations: the numbered SQL files of a folder, `0001_foundation.sql` and so on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the tables' history."""

    number: int
    sql: str


def migrations(folder: Path) -> tuple[Migration, ...]:
    """The folder's migrations in order. Raises ValueError unless they are numbered 1, 2, 3 and so on."""
    files = sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.sql"))
    found = tuple(Migration(int(file.name[:4]), file.read_text("utf-8")) for file in files)
    if [step.number for step in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"the migrations in {folder} are not numbered in a row")
    return found
