"""Deletions under way: of a whole server, or of a person in a server.

A large one takes seconds, so it is done in slices. The first transaction checks what must be checked and records the
deletion. Each slice deletes or replaces a few of the rows that are left, and the last one deletes the record too. If
the process dies in between, the next start finishes it (`bot.store.queries.deleting`). Meanwhile no match or invitation
of a person or a server begins, so nothing new gets under the old id.

Two processes may be at the same deletion: a start can't tell whether the one that began it still runs. So each slice
begins with `take`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from bot.store.errors import Busy
from bot.store.queries.database import FOR_UPDATE, Connection, among

EVERYBODY: Final = 0
"""The user id of the deletion of a whole server."""


class Deletion(NamedTuple):
    """A deletion under way: whose data, and the marker that takes a person's place."""

    guild_id: int
    user_id: int = EVERYBODY
    marker: int = 0


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
