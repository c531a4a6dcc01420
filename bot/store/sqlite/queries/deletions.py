"""Deletions under way: of a whole server, or of a person in a server.

A large one takes seconds, so it is done in slices. The first transaction checks what must be checked and records the
deletion. Each slice deletes or replaces a few of the rows that are left, and the last one deletes the record too. If
the process dies in between, the next one finishes it before anything else is read (`finish`). Meanwhile no match or
invitation of a person or a server begins, so nothing new gets under the old id.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from bot.store.errors import Busy
from bot.store.sqlite.queries.paging import FEW, delete_some
from bot.store.sqlite.queries.servers import guilds

EVERYBODY: Final = 0
"""The user id of the deletion of a whole server."""
FIRST: Final = -(2**63)
"""Before all row ids."""


class Deletion(NamedTuple):
    """A deletion under way: whose data, and the marker that takes a person's place."""

    guild_id: int
    user_id: int = EVERYBODY
    marker: int = 0


Stage: TypeAlias = Callable[[sqlite3.Connection, Deletion, int], int | None]
"""Does a slice of a part of a deletion, after a row id that the last slice reached. Returns how far it came, or None if
nothing of this part is left. A part can be repeated at any time."""


def begin(db: sqlite3.Connection, deletion: Deletion) -> None:
    """Record a deletion, unless one of the same data is under way."""
    db.execute("INSERT OR IGNORE INTO deletions (guild_id, user_id, marker) VALUES (?, ?, ?)", deletion)


def under_way(db: sqlite3.Connection, guild_id: int, user_id: int) -> Deletion | None:
    """The deletion under way of a person's data in a server."""
    row = db.execute(
        "SELECT guild_id, user_id, marker FROM deletions WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)
    ).fetchone()
    return None if row is None else Deletion(*row)


def refuse(db: sqlite3.Connection, guild_id: int, users: Iterable[int]) -> None:
    """Raise Busy if data of a server or of one of these people are being deleted."""
    row = db.execute(
        "SELECT 1 FROM deletions WHERE guild_id = ? AND user_id IN (SELECT value FROM json_each(?))",
        (guild_id, json.dumps([EVERYBODY, *users])),
    ).fetchone()
    if row is not None:
        raise Busy("data are being deleted")


def spares(table: str) -> str:
    """The SQL condition that a row of a table is not about to be deleted or replaced.

    What is kept from such rows must not be written: it would stay behind under the old id.
    """
    return (
        "NOT EXISTS (SELECT 1 FROM deletions"  # noqa: S608  tables of ours
        f" WHERE deletions.guild_id = {table}.guild_id AND deletions.user_id IN ({EVERYBODY}, {table}.user_id))"
    )


def end(db: sqlite3.Connection, deletion: Deletion, _: int) -> None:
    """The last stage: there is no deletion any more."""
    whose = (deletion.guild_id, deletion.user_id, EVERYBODY)
    db.execute("DELETE FROM deletions WHERE guild_id = ?1 AND (user_id = ?2 OR ?2 = ?3)", whose)


def all_under_way(db: sqlite3.Connection) -> list[Deletion]:
    """Everything that a process began and didn't finish. Tables of an older version know of none."""
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'deletions'").fetchone() is None:
        return []
    return [Deletion(*row) for row in db.execute("SELECT guild_id, user_id, marker FROM deletions").fetchall()]


# ---------------------------------------------------------------------------------------------- whole servers

_RECORDS: Final = 200
"""How many records one slice deletes with their matches, at most, if no single match has more."""
_ROWS: Final = 100
"""How many rows of another table."""


def stages_of_server(db: sqlite3.Connection) -> list[Stage]:
    """How a server's rows are deleted: every row that names it, in every table that has such rows, and the preferences
    of people who are known in no other server, with the moments of their notices.

    Deleting a match deletes what belongs to it, found by the match's id: looking for the server in the log would read
    all of it.
    """
    first = ("names", "matches", "deletions")
    rest = [name for name in guilds.guild_tables(db) if name not in first]
    return [_delete_people, _delete_matches, *[partial(_delete_rows, _key_of(db, name), name) for name in rest], end]


def _delete_people(db: sqlite3.Connection, deletion: Deletion, _: int) -> int | None:
    found = db.execute("SELECT user_id FROM names WHERE guild_id = ? LIMIT ?", (deletion.guild_id, _ROWS)).fetchall()
    people = json.dumps([user_id for (user_id,) in found])
    for name in ("preferences", "table_notices"):
        db.execute(
            f"DELETE FROM {name} WHERE user_id IN (SELECT value FROM json_each(?)) AND NOT EXISTS"  # noqa: S608  ours
            f" (SELECT 1 FROM names WHERE names.user_id = {name}.user_id AND names.guild_id <> ?)",
            (people, deletion.guild_id),
        )
    db.execute(
        "DELETE FROM names WHERE guild_id = ? AND user_id IN (SELECT value FROM json_each(?))",
        (deletion.guild_id, people),
    )
    return FIRST if len(found) == _ROWS else None


def _delete_matches(db: sqlite3.Connection, deletion: Deletion, _: int) -> int | None:
    found = db.execute(
        "SELECT id, (SELECT count(*) FROM records WHERE match_id = id) FROM matches WHERE guild_id = ? LIMIT ?",
        (deletion.guild_id, FEW // 4),
    )
    records = 0
    chosen: list[str] = []
    for match_id, length in found:
        if chosen and records + length > _RECORDS:
            break
        chosen.append(match_id)
        records += length
    found.close()
    db.executemany("DELETE FROM matches WHERE id = ?", [(match_id,) for match_id in chosen])
    return FIRST if chosen else None


def _delete_rows(key: Sequence[str], table: str, db: sqlite3.Connection, deletion: Deletion, _: int) -> int | None:
    done = delete_some(db, table, key, "guild_id = ?", deletion.guild_id, most=_ROWS)
    return FIRST if done == _ROWS else None


def _key_of(db: sqlite3.Connection, table: str) -> Sequence[str]:
    """The columns by which a row is found."""
    (is_by_key,) = db.execute("SELECT wr FROM pragma_table_list WHERE name = ?", (table,)).fetchone()
    columns = db.execute("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", (table,))
    return [name for (name,) in columns] if is_by_key else ["rowid"]
