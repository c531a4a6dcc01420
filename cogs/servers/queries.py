"""Which servers were greeted, who is barred from playing in one, and whose results are set aside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.store.binding import Part, person_key, reading, writing
from bot.store.person_key import PersonKey
from bot.store.queries import leaderboard_keeping
from bot.store.queries.database import Connection, inserting, replacing


def greet(db: Connection, guild_id: int, at: int) -> bool:
    """Record that a server is greeted (ms UTC). Returns whether it is the first time."""
    done = db.execute(f"{inserting('greetings', 'guild_id', 'at')} ON CONFLICT DO NOTHING", (guild_id, at))
    return done.rowcount == 1


class Greetings(Part):
    """This query, as a method."""

    greet = writing(greet)


@dataclass(frozen=True, slots=True)
class Bar:
    """Somebody may not play in a server until a moment (ms UTC); None means for good."""

    until: int | None


def bar(db: Connection, key: PersonKey, guild_id: int, user_id: int, until: int | None) -> bool:
    """Bar somebody from playing in a server until a moment (ms UTC), or for good. Returns False without a key."""
    person = key.digest(guild_id, user_id, create=True)
    if person is None:
        return False
    db.execute(replacing("bars", ("guild_id", "person"), "until"), (guild_id, person, until))
    return True


def lift(db: Connection, key: PersonKey, guild_id: int, user_id: int) -> None:
    """Let somebody play again; harmless if they may."""
    db.execute("DELETE FROM bars WHERE guild_id = ? AND person = ?", (guild_id, key.digest(guild_id, user_id)))


def delete_ended(db: Connection, now: int) -> None:
    """Delete the bars that have ended (ms UTC)."""
    db.execute("DELETE FROM bars WHERE until <= ?", (now,))


def bar_of(db: Connection, key: PersonKey, guild_id: int, user_id: int, now: int) -> Bar | None:
    """Until when somebody is barred; None if they may play."""
    given = guild_id, key.digest(guild_id, user_id), now
    row = db.execute(
        "SELECT until FROM bars WHERE guild_id = ? AND person = ? AND (until IS NULL OR until > ?)", given
    ).fetchone()
    return None if row is None else Bar(row[0])


class Bars(Part):
    """These queries, as methods."""

    bar = writing(bar, person_key)
    lift = writing(lift, person_key)
    delete_ended = writing(delete_ended)
    bar_of = reading(bar_of, person_key)

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """Whether somebody is barred, and until when. Raises StoreError."""
        found = await self.bar_of(guild_id, user_id, self.now())
        return {"barred": None if found is None else {"until": found.until}}


class SetAsides(Part):
    """What the core has for those whose results moderators set aside, as methods."""

    set_aside = writing(leaderboard_keeping.set_aside, person_key)
    take_back = writing(leaderboard_keeping.take_back, person_key)
    is_set_aside = reading(leaderboard_keeping.is_set_aside, person_key)
