"""How far people's wins were searched for the first in which they had been far behind."""

from __future__ import annotations

from bot.store.queries import deletions
from bot.store.queries.connection import Connection, replaced
from bot.store.rows.profiles import ComebackSearch


def search_of(db: Connection, guild_id: int, user_id: int) -> ComebackSearch:
    """How far somebody's wins were searched for a comeback."""
    row = db.execute(
        "SELECT searched, found FROM comeback_searches WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)
    ).fetchone()
    return ComebackSearch() if row is None else ComebackSearch(*row)


def note(db: Connection, guild_id: int, user_id: int, search: ComebackSearch) -> None:
    """Note how far somebody's wins were searched. Nothing is noted for somebody who has no result with the number
    `searched`, or no longer has, or whose deletion has begun."""
    db.execute(
        "INSERT INTO comeback_searches (guild_id, user_id, searched, found)"
        " SELECT guild_id, user_id, number, ? FROM player_results WHERE guild_id = ? AND user_id = ? AND number = ?"
        f" AND {deletions.spares('player_results')}"
        f" ON CONFLICT (guild_id, user_id) DO UPDATE SET {replaced('searched', 'found')}",
        (search.found, guild_id, user_id, search.searched),
    )


def delete(db: Connection, guild_id: int, user_id: int) -> None:
    """Forget it."""
    db.execute("DELETE FROM comeback_searches WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))
