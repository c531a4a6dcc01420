"""Deletions under way: of a whole server, or of a person in a server.

A large one takes seconds, so it is done in slices. The first transaction checks what must be checked and records the
deletion. Each slice deletes or replaces a few of the rows that are left, and the last one deletes the record too. If
the process dies in between, the next start finishes it (`bot.store.queries.deleting`). Meanwhile no match or invitation
of a person or a server begins, so nothing new gets under the old id.

Two processes may be at the same deletion: a start can't tell whether the one that began it still runs. So each slice
begins with `take`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from bot.store.errors import Busy
from bot.store.queries.connection import FOR_UPDATE, Connection, among
from bot.store.queries.paging import CHANGED, FEW, delete_some
from bot.store.queries.servers import guilds

EVERYBODY: Final = 0
"""The user id of the deletion of a whole server."""
FIRST: Final = -(2**63)
"""Before all row ids."""


class Deletion(NamedTuple):
    """A deletion under way: whose data, and the marker that takes a person's place."""

    guild_id: int
    user_id: int = EVERYBODY
    marker: int = 0


Stage: TypeAlias = Callable[[Connection, Deletion, int], int | None]
"""Does a slice of a part of a deletion, after a row id that the last slice reached. Returns how far it came, or None if
nothing of this part is left. A part can be repeated at any time."""


def begin(db: Connection, deletion: Deletion) -> None:
    """Record a deletion, unless one of the same data is under way."""
    db.execute("INSERT INTO deletions (guild_id, user_id, marker) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", deletion)


def under_way(db: Connection, guild_id: int, user_id: int) -> Deletion | None:
    """The deletion under way of a person's data in a server."""
    row = db.execute(
        "SELECT guild_id, user_id, marker FROM deletions WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)
    ).fetchone()
    return None if row is None else Deletion(*row)


def take(db: Connection, deletion: Deletion) -> bool:
    """Whether a deletion is still under way. Until the transaction ends, no other process deletes in the same server.

    Once it has ended, its person may play again: what is under their id by then is not part of it. And two people who
    are deleted at once may be named by the same invitation, which is read and then replaced as a whole.
    """
    rows = db.execute(
        f"SELECT guild_id, user_id, marker FROM deletions WHERE guild_id = ? ORDER BY user_id {FOR_UPDATE}",
        (deletion.guild_id,),
    )
    return deletion in {Deletion(*row) for row in rows.fetchall()}


def refuse(db: Connection, guild_id: int, users: Iterable[int]) -> None:
    """Raise Busy if data of a server or of one of these people are being deleted."""
    these, wanted = among([EVERYBODY, *users])
    row = db.execute(
        f"SELECT 1 FROM deletions WHERE guild_id = ? AND user_id IN {these}",
        (guild_id, *wanted),
    ).fetchone()
    if row is not None:
        raise Busy("data are being deleted")


def spares(table: str) -> str:
    """The SQL condition that a row of a table is not about to be deleted or replaced.

    What is kept from such rows must not be written: it would stay behind under the old id.
    """
    return (
        "NOT EXISTS (SELECT 1 FROM deletions"
        f" WHERE deletions.guild_id = {table}.guild_id AND deletions.user_id IN ({EVERYBODY}, {table}.user_id))"
    )


def end(db: Connection, deletion: Deletion, _: int) -> None:
    """The last stage: there is no deletion any more."""
    if deletion.user_id == EVERYBODY:
        db.execute("DELETE FROM deletions WHERE guild_id = ?", (deletion.guild_id,))
    else:
        db.execute("DELETE FROM deletions WHERE guild_id = ? AND user_id = ?", (deletion.guild_id, deletion.user_id))


def all_under_way(db: Connection) -> list[Deletion]:
    """Everything that a process began and didn't finish."""
    return [Deletion(*row) for row in db.execute("SELECT guild_id, user_id, marker FROM deletions").fetchall()]


# ---------------------------------------------------------------------------------------------- whole servers

_RECORDS: Final = 60
"""How many records one slice deletes with their matches, at most, if no single match has more."""


def _delete_people(db: Connection, deletion: Deletion, _: int) -> int | None:
    found = db.execute("SELECT user_id FROM names WHERE guild_id = ? LIMIT ?", (deletion.guild_id, CHANGED)).fetchall()
    these, people = among([user_id for (user_id,) in found])
    for name in ("preferences", "table_notices"):
        db.execute(
            f"DELETE FROM {name} WHERE user_id IN {these} AND NOT EXISTS"
            f" (SELECT 1 FROM names WHERE names.user_id = {name}.user_id AND names.guild_id <> ?)",
            (*people, deletion.guild_id),
        )
    db.execute(
        f"DELETE FROM names WHERE guild_id = ? AND user_id IN {these}",
        (deletion.guild_id, *people),
    )
    return FIRST if len(found) == CHANGED else None


def _delete_matches(db: Connection, deletion: Deletion, _: int) -> int | None:
    found = db.execute(
        "SELECT id, (SELECT count(*) FROM records WHERE match_id = id) FROM matches WHERE guild_id = ? LIMIT ?",
        (deletion.guild_id, FEW // 4),
    ).fetchall()
    records = 0
    chosen: list[str] = []
    for match_id, length in found:
        if chosen and records + length > _RECORDS:
            break
        chosen.append(match_id)
        records += length
    db.executemany("DELETE FROM matches WHERE id = ?", [(match_id,) for match_id in chosen])
    return FIRST if chosen else None


def _delete_rows(key: Sequence[str], table: str, db: Connection, deletion: Deletion, _: int) -> int | None:
    done = delete_some(db, table, key, "guild_id = ?", deletion.guild_id, most=CHANGED)
    return FIRST if done == CHANGED else None


STAGES_OF_SERVER: Final[tuple[Stage, ...]] = (
    _delete_people,
    _delete_matches,
    *[
        partial(_delete_rows, key, table)
        for table, key in guilds.TABLES.items()
        if table not in {"names", "matches", "deletions"}
    ],
    end,
)
"""How a server's rows are deleted: every row that names it, in every table that has such rows, and the preferences
of people who are known in no other server, with the moments of their notices.

Deleting a match deletes what belongs to it, found by the match's id: looking for the server in the log would read
all of it.
"""
