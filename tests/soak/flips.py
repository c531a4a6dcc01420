"""Every byte of a small database flipped, one at a time: ``python -m tests.soak.flips``.

After each flip one of these must be so, or the flip is one that nothing can notice (`UNNOTICED`, which docs/data.md
explains):

* the start is refused, with one line
* what the bot reads is equal
* the altered match is on hold
* `cardroom check` fails

The database is a kept one, cut down to a few matches, live and finished, and some with deals of version 2
(`tests.soak.small_database`). It has rows in most tables. One bit of each byte is flipped, which one a seed decides.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from bot.ops import check
from bot.scheduler import LoopScheduler
from bot.settings import load_settings
from bot.store.errors import StoreError
from bot.store.sqlite.store import SqliteStore
from tests.bot.play.parts import Parts
from tests.soak.small_database import NOW, make_small_database

HEADER: Final = 100
"""The bytes of a database file's header (https://www.sqlite.org/fileformat.html). A start is tried on all that are
flipped there; elsewhere, only where what is read differs."""

UNNOTICED: Final[dict[str, str]] = {
    "attendances": "asked began_at ended_at guild_id in_time match_id seat stay user_id",
    "board_days": "points",
    "board_hidden": "guild_id user_id",
    "comeback_searches": "found guild_id searched user_id",
    "daily_deals": "day guild_id level program sealed_at worth",
    "departures": "at guild_id",
    "drafts": "draft seat window",
    "encounters": "gained lead",
    "facts": "key value",
    "first_matches": "begun game person",
    "heartbeat": "at",
    "invitations": (
        "channel_id clock closed_at created_at expires_at game guild_id host_id id invited kind message_id options"
        " places private salts seated series_best_of series_first series_first_wins series_id series_number"
        " series_second_wins stand_in state"
    ),
    "job_leases": "job owner until_at",
    "judged_seasons": "guild_id until",
    "looks": "at observed",
    "matches": (
        "board_at board_id board_mark board_mark_acts channel_id lost_places opened_at paused suspended_at"
        " suspended_why"
    ),
    "names": "guild_id name user_id",
    "notice_levels": "guild_id level user_id",
    "notices": "channel_id mark message_id seat user_id",
    "opponents": "draws first_number game guild_id losses matches opponent_id user_id wins",
    "packed_logs": "acts",
    "player_results": "game guild_id longest number outcome streak user_id",
    "preferences": "name user_id value",
    "progress": "commits database_id",
    "rating_changes": "guild_id mu mu_before newcomers repeated sigma sigma_before surplus",
    "results": "ended_at kind number",
    "seats": "agreed rank",
    "season_firsts": "game guild_id stop user_id",
    "shard_claims": "number",
    "shard_leases": "beat_at owner shard total",
    "shard_owners": "fence owner until_at",
    "standings": "ahead behind month_mu month_peak mu ordinal peak sigma",
    "timers": "deadline key name",
    "tournament_deals": "nth pairing round",
    "tournaments": (
        "began_at channel_id check_in clock closes_at created_at due_at ended_at event_id every format game guild_id"
        " held_at hold id lasts legs message_id most options rated round rounds same_deal scoring seats state teams"
    ),
    "turns": "name next_at",
    "weekly_deals": "day level program sealed_at worth",
}
"""The columns in which an altered byte may go unnoticed: nothing else in the database says what was there. That is
all of a column, or some of its rows or digits only."""


class Verdict(StrEnum):
    """What became of a flip."""

    REFUSED = "the start was refused"
    EQUAL = "what is read is equal"
    ON_HOLD = "its match is on hold"
    CHECK = "check names it"
    UNNOTICED = "nothing notices it"
    WRONG = "the start failed, or something else is shown"


_Contents = dict[str, list[tuple[Any, ...]]]
"""The schema, every row of every table, and what each index lists, read from it alone."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A flip: the byte's index, the verdict, and the columns that differ (``table.column``) or what went wrong."""

    index: int
    verdict: Verdict
    what: frozenset[str] = frozenset()


@dataclass
class Judge:
    """Flips bytes of a database in a folder of its own, and says what becomes of each."""

    whole: bytes
    folder: Path
    tables: Tables = field(init=False)
    before: _Contents = field(init=False)

    def __post_init__(self) -> None:
        self._path.write_bytes(self.whole)
        self.tables = Tables.of(self._path)
        self.before = self.tables.read(self._path)
        assert self._check() == "", "the database is not sound to begin with"

    @property
    def _path(self) -> Path:
        return self.folder / "cardroom.db"

    def judge(self, index: int, bit: int) -> Judged:
        """Flip one bit of the byte at an index, start a bot's store and matches on it, and say what became of it."""
        flipped = self.whole[:index] + bytes([self.whole[index] ^ 1 << bit]) + self.whole[index + 1 :]
        self._lay(flipped)
        try:
            after = self.tables.read(self._path)
        except (sqlite3.Error, UnicodeDecodeError):
            differs = frozenset({"unreadable"})
        else:
            differs = self.tables.difference(self.before, after)
        if not differs and index >= HEADER:
            return Judged(index, Verdict.EQUAL)
        try:
            on_hold = asyncio.run(_start(self._path))
        except StoreError as error:
            return Judged(index, Verdict.WRONG if "\n" in str(error) else Verdict.REFUSED, differs)
        except Exception as error:  # noqa: BLE001  whatever it is, a bot would have ended with it
            return Judged(index, Verdict.WRONG, differs | {f"{type(error).__name__} at a start: {error}"})
        self._lay(flipped)  # as it was before that start
        return Judged(index, Verdict.ON_HOLD if on_hold else self._verdict(differs), differs)

    def _verdict(self, differs: frozenset[str]) -> Verdict:
        """The verdict on a database on which a bot starts, and no match is on hold."""
        if self._check():
            return Verdict.CHECK
        if not differs:
            return Verdict.EQUAL
        return Verdict.UNNOTICED if all(_is_listed(*each.split(".", 1)) for each in differs) else Verdict.WRONG

    def _lay(self, database: bytes) -> None:
        for file in self.folder.iterdir():
            file.unlink()
        self._path.write_bytes(database)

    def _check(self) -> str:
        """The lines with which `cardroom check` fails on the database."""
        settings = load_settings(None, {"CARDROOM_DATA_DIR": str(self.folder)})
        return "\n".join(str(item) for item in check.database_items(settings) if item.code)


@dataclass(frozen=True, slots=True)
class Tables:
    """What there is to read: the columns of every table, and for every index the query that reads it alone."""

    columns: dict[str, list[str]]
    indexes: dict[str, str]

    @classmethod
    def of(cls, path: Path) -> Tables:
        """Those of a sound database."""
        with closing(_opened(path)) as db:
            schema = db.execute("SELECT type, name, tbl_name FROM sqlite_schema ORDER BY type, name").fetchall()
            columns = {
                name: [each for (each,) in db.execute("SELECT name FROM pragma_table_info(?)", (name,))]
                for kind, name, _ in schema
                if kind == "table"
            }
            indexes = {name: _index_query(db, name, table) for kind, name, table in schema if kind == "index"}
        return cls(columns, indexes)

    def read(self, path: Path) -> _Contents:
        """Everything. Raises sqlite3.Error."""
        with closing(_opened(path)) as db:
            found: _Contents = {
                "schema": db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall(),
                "version": db.execute("PRAGMA user_version").fetchall(),
            }
            for name in self.columns:
                found[name] = db.execute(f"SELECT * FROM {name} NOT INDEXED").fetchall()
            for name, query in self.indexes.items():
                found[f"index {name}"] = db.execute(query).fetchall()
            return found

    def difference(self, before: _Contents, after: _Contents) -> frozenset[str]:
        """The columns in which rows differ, as ``table.column``; ``table.rows`` where more than one row does."""
        found: set[str] = set()
        for table, rows in before.items():
            others = after[table]
            gone, new = [row for row in rows if row not in others], [row for row in others if row not in rows]
            if len(gone) == len(new) == 1 and table in self.columns:
                changed = zip(self.columns[table], gone[0], new[0], strict=True)
                found |= {f"{table}.{name}" for name, old, now in changed if old != now}
            elif rows != others:
                found.add(f"{table}.rows")
        return frozenset(found)


def _opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    db.text_factory = lambda text: text.decode("utf-8", "surrogateescape")  # so that every byte of it is compared
    return db


def _index_query(db: sqlite3.Connection, name: str, table: str) -> str:
    columns = [each for (each,) in db.execute("SELECT name FROM pragma_index_info(?)", (name,))]
    (without_rowid,) = db.execute("SELECT wr FROM pragma_table_list WHERE name = ?", (table,)).fetchone()
    key = db.execute("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", (table,))
    (made,) = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
    _, where, some = (made or "").partition(" WHERE ")  # of a partial index, which rows it lists
    listed = ", ".join([*columns, *([each for (each,) in key] if without_rowid else ["rowid"])])
    return f"SELECT {listed} FROM {table} INDEXED BY {name} {where}{some} ORDER BY {listed}"


def _is_listed(table: str, column: str = "") -> bool:
    return column in UNNOTICED.get(table, "").split()


async def _start(path: Path) -> set[str]:
    """What a bot does with its database at a start; the matches that are on hold then."""
    store = await SqliteStore.open(path, now=lambda: NOW)
    try:
        parts = Parts(store, LoopScheduler(NOW))
        await parts.restore_all()
        await parts.invitations.resume()
        await store.notices()
        await store.departures()
        await store.known_guilds()
        for match in parts.registry.live():
            await store.names(match.guild_id, match.seats)
        await parts.close()
        return {each.row.id for each in parts.quarantine.live()}
    finally:
        await store.close()


def flip_all(whole: bytes, indexes: Sequence[int], seed: int) -> Iterator[Judged]:
    """Judge a flip of one bit in each of these bytes."""
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        judge = Judge(whole, Path(folder))
        for index in indexes:
            yield judge.judge(index, random.Random(seed * len(whole) + index).randrange(8))


def _memory() -> str | None:
    """A folder in memory, where there is one: nothing here is kept."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _share(job: tuple[bytes, list[int], int]) -> list[Judged]:
    return list(flip_all(*job))


def report(found: Sequence[Judged], seconds: float) -> str:
    """How many flips had which verdict, the columns that went unnoticed, and every flip that should not have."""
    verdicts = Counter(each.verdict for each in found)
    unnoticed = Counter(what for each in found if each.verdict is Verdict.UNNOTICED for what in each.what)
    lines = [f"{len(found)} bytes flipped in {seconds:.0f} s"]
    lines += [f"{verdicts[verdict]:>8}  {verdict}" for verdict in Verdict]
    lines += [f"{count:>8}  unnoticed in {what}" for what, count in sorted(unnoticed.items())]
    lines += [
        f"WRONG at byte {each.index}: {', '.join(sorted(each.what))}" for each in found if each.verdict is Verdict.WRONG
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Flip every byte, or every n-th; exit code 1 if a flip went wrong or was not noticed where it should have been."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.flips", description="Flip bytes of a small database.")
    parser.add_argument("--every", type=int, default=1, help="only every n-th byte")
    parser.add_argument("--seed", type=int, default=1, help="another one, other bits")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        whole = make_small_database(Path(folder)).read_bytes()
    indexes = list(range(given.seed % given.every, len(whole), given.every))
    shares = [(whole, indexes[start :: given.processes], given.seed) for start in range(given.processes)]
    with get_context("spawn").Pool(given.processes) as pool:
        found = [judged for share in pool.map(_share, shares) for judged in share]
    sys.stdout.write(report(sorted(found, key=lambda each: each.index), time.monotonic() - begun) + "\n")
    return 1 if any(each.verdict is Verdict.WRONG for each in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
