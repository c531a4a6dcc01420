"""Which servers were greeted."""

from __future__ import annotations

from bot.store.binding import Part, writing
from bot.store.queries.database import Connection, inserting


def greet(db: Connection, guild_id: int, at: int) -> bool:
    """Record that a server is greeted (ms UTC). Returns whether it is the first time."""
    done = db.execute(f"{inserting('greetings', 'guild_id', 'at')} ON CONFLICT DO NOTHING", (guild_id, at))
    return done.rowcount == 1


class Greetings(Part):
    """This query, as a method."""

    greet = writing(greet)
