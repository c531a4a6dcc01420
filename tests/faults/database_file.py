"""The bot's database between two starts, changed as no program changes it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bot.store.verification import first_link, link_of_values


class DatabaseFile:
    """The database between two starts of the bot."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / "cardroom.db"

    def change(self, sql: str, *values: object) -> None:
        """Do what no program does: logs are guarded, so the guards are taken away for the while."""
        with closing(sqlite3.connect(self._path, isolation_level=None)) as db, _unguarded(db):
            assert db.execute(sql, values).rowcount > 0

    def flip_bit(self, table: str, column: str, match_id: str) -> None:
        """Flip the lowest bit of the last byte of a value: of a match, of its invitation, of its first seat, or of
        its first act."""
        key = "id" if table in ("matches", "invitations") else "match_id"
        where = f"{key} = ?" + (
            " AND seq = (SELECT min(seq) FROM records WHERE action IS NOT NULL)" * (table == "records")
            + " AND seat = 0" * (table == "seats")
        )
        with closing(sqlite3.connect(self._path)) as db:
            (value,) = db.execute(f"SELECT {column} FROM {table} WHERE {where}", (match_id,)).fetchone()
        self.change(f"UPDATE {table} SET {column} = ? WHERE {where}", _flipped(value), match_id)

    def change_log(self, sql: str, match_id: str) -> None:
        """Change a match's log and chain it anew, as a program that writes its logs otherwise would have it."""
        self.change(sql, match_id)
        with closing(sqlite3.connect(self._path, isolation_level=None)) as db:
            found = db.execute(
                "SELECT seq, actor, action, events, at FROM records WHERE match_id = ? ORDER BY seq", (match_id,)
            ).fetchall()
        value = first_link(match_id)
        for values in found:
            value = link_of_values(value, *values)
            self.change("UPDATE records SET chain = ? WHERE match_id = ? AND seq = ?", value, match_id, values[0])
        with closing(sqlite3.connect(self._path, isolation_level=None)) as db:
            db.execute("UPDATE results SET chain = ? WHERE match_id = ?", (value, match_id))

    def rows(self, match_id: str) -> dict[str, list[tuple[object, ...]]]:
        """All that belongs to a match."""
        with closing(sqlite3.connect(self._path)) as db:
            tables = [
                (name, "id" if name in ("matches", "invitations") else "match_id")
                for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
                if name in ("matches", "invitations", "records", "seats", "timers", "results", "drafts")
            ]
            return {
                name: db.execute(f"SELECT * FROM {name} WHERE {key} = ?", (match_id,)).fetchall()
                for name, key in tables
            }

    def saved(self) -> bytes:
        """The file as it is, journal folded in."""
        with closing(sqlite3.connect(self._path)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return self._path.read_bytes()

    def put_back(self, was: bytes, match_id: str) -> None:
        """Have the match's own rows be again what they were in a file saved before."""
        before = self._path.with_name("before.db")
        before.write_bytes(was)
        with closing(sqlite3.connect(self._path, isolation_level=None)) as db:
            db.execute("ATTACH ? AS was", (str(before),))
            db.execute("PRAGMA foreign_keys = OFF")
            with _unguarded(db):
                for table, key in (("records", "match_id"), ("seats", "match_id"), ("matches", "id")):
                    db.execute(f"DELETE FROM main.{table} WHERE {key} = ?", (match_id,))
                    db.execute(f"INSERT INTO main.{table} SELECT * FROM was.{table} WHERE {key} = ?", (match_id,))


@contextmanager
def _unguarded(db: sqlite3.Connection) -> Iterator[None]:
    guards = db.execute("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in guards:
        db.execute(f"DROP TRIGGER main.{name}")
    yield
    for _, guard in guards:
        db.execute(guard)


def _flipped(value: Any) -> Any:
    if isinstance(value, int):
        return value ^ 1
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1])
    return value[:-3] + chr(ord(value[-3]) ^ 1) + value[-2:]  # the last are brackets
