"""The databases and matches of earlier versions, as `tests.upgrades.make` wrote them in their day."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bot.durations import MOST_TURN
from bot.store.codec import without_tags
from bot.store.migrations import LATEST
from bot.store.queries.matches import UNSALTED, MatchRow, Record
from engines.deals import commitment_of
from tests.bot.store.rows import match
from tests.made_once import made_once
from tests.upgrades.make import DATABASES, LOGS, database_file

ROOT: Final = Path(__file__).parents[2]


class OfItsDay(int):
    """A version of the tables whose database was kept. The last release's may be those of today too."""


SCHEMAS: Final = (
    *sorted(OfItsDay(file.stem.removeprefix("schema-")) for file in DATABASES.glob("schema-*.sql")),
    LATEST,
)
"""The versions of the tables of which there is a database: those that were kept, and that of today."""

Rows = dict[str, list[dict[str, Any]]]
"""Every row of every table, by its columns."""


def lay(folder: Path, version: int = LATEST) -> Path:
    """Put the database of a version of the tables into a data folder; where it is. Without a kept one it is that of
    today, which is made once."""
    path = folder / "cardroom.db"
    if not isinstance(version, OfItsDay):
        path.write_bytes(made_once("today.db", _today))
        return path
    with closing(sqlite3.connect(path)) as db:
        db.executescript(database_file(version).read_text("utf-8"))
    return path


def _today() -> bytes:
    """The file of a database of the present tables, made in a process of its own: a test has a loop and a time of its
    own."""
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "tests.upgrades.make", "--database", "--in", folder)
        subprocess.run(command, cwd=ROOT, check=True, timeout=300)
        return Path(folder, "cardroom.db").read_bytes()


def rows(path: Path) -> Rows:
    """All that a database holds."""
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        tables = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {name: [dict(row) for row in db.execute(f"SELECT * FROM {name}")] for (name,) in tables.fetchall()}


@dataclass
class Kept:
    """A match as it was stored, and after some of its records (by seq) what everybody then knew."""

    row: MatchRow
    records: list[Record] = field(default_factory=list)
    known: dict[int, dict[str, Any]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Which one it is."""
        return f"{self.row.game} v{self.row.rules_version} {self.row.id}"


def versions(key: str) -> set[int]:
    """The versions of a game's rules of which there are matches."""
    found = (re.fullmatch(rf"{key}-v(\d+)", file.stem) for file in LOGS.glob("*.jsonl"))
    return {int(each[1]) for each in found if each}


def kept() -> list[Kept]:
    """All matches that were kept."""
    found: list[Kept] = []
    for file in sorted(LOGS.glob("*.jsonl")):
        for line in file.read_text("ascii").splitlines():
            _read(json.loads(line), found)
    return found


def _read(line: dict[str, Any], found: list[Kept]) -> None:
    if "match" in line:
        told = line["match"]
        found.append(Kept(_row(told)))
    elif "record" in line:
        record = line["record"]
        current = found[-1]
        seq, actor, action, events = (record[name] for name in ("seq", "actor", "action", "events"))
        took = 1000 * MOST_TURN if '"TimeUp"' in (action or "") else 1  # no time runs out before its length
        at = current.records[-1].at + took if current.records else current.row.opened_at
        current.records.append(Record(current.row.id, seq, None, actor, action, events, at))
    else:
        found[-1].known[found[-1].records[-1].seq] = line["known"]


def _row(told: dict[str, Any]) -> MatchRow:
    usual, seed = match(told["id"], seats=tuple(told["seats"]), game=told["game"]), bytes.fromhex(told["seed"])
    sealed = json.dumps(without_tags(json.loads(told["options"])), separators=(",", ":"), sort_keys=True)
    return MatchRow(
        id=usual.id,
        guild_id=usual.guild_id,
        channel_id=usual.channel_id,
        board_id=usual.board_id,
        board_at=usual.board_at,
        game=usual.game,
        rules_version=told["rules_version"],
        options=told["options"],
        clock=usual.clock,
        seats=usual.seats,
        seed=seed,
        commitment=commitment_of(seed, told["game"], told["rules_version"], told["id"], sealed, terms="off 120"),
        opened_at=usual.opened_at,
        deal_id=told["id"],
        sealed_options=sealed,
        salts=(UNSALTED,) * len(usual.seats),
    )
