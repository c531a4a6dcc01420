"""The messages of servers' weeks, and who has the role of the season's first, as they are stored."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any

from bot.shard_range import ShardRange
from bot.store.binding import Part, reading, serves, writing
from bot.store.queries import begun_deletions
from bot.store.queries.database import Connection, columns_of, inserting, replacing


@dataclass(frozen=True, slots=True)
class PostRow:
    """The message of a room in a server. `message_id` is None while it is about to be posted, and `posted_at` is when
    it was, or is about to be (ms UTC). `shown` is a digest of what it shows."""

    guild_id: int
    room: str
    edition: int
    channel_id: int
    message_id: int | None
    posted_at: int
    shown: bytes = b""


_POST = columns_of(PostRow)


def posts(db: Connection, guild_id: int) -> dict[str, PostRow]:
    """The messages of a server, by room."""
    rows = db.execute(f"SELECT {', '.join(_POST)} FROM week_posts WHERE guild_id = ?", (guild_id,))
    return {row.room: row for row in [PostRow(*each) for each in rows]}


def posted_in(db: Connection, serves: ShardRange) -> list[int]:
    """The servers of a range in which there are messages that would be deleted with the channel's setting."""
    rows = db.execute("SELECT DISTINCT guild_id FROM week_posts WHERE edition = 0")
    return [guild_id for (guild_id,) in rows if serves.includes(guild_id)]


def put(db: Connection, row: PostRow) -> None:
    """Record a message, in place of the former one of its room."""
    db.execute(replacing("week_posts", _POST[:2], *_POST[2:]), astuple(row))


def drop(db: Connection, guild_id: int, room: str) -> None:
    """Forget a message."""
    db.execute("DELETE FROM week_posts WHERE guild_id = ? AND room = ?", (guild_id, room))


def firsts(db: Connection, guild_id: int) -> list[tuple[int, int]]:
    """To whom the bot has given a role as the season's first, and which."""
    rows = db.execute("SELECT user_id, role_id FROM week_firsts WHERE guild_id = ? ORDER BY 1, 2", (guild_id,))
    return [(user_id, role_id) for user_id, role_id in rows]


def note_given(db: Connection, guild_id: int, user_id: int, role_id: int) -> None:
    """Record that somebody has a role. Raises Busy while their data are being deleted."""
    begun_deletions.refuse(db, guild_id, [user_id])
    adding = inserting("week_firsts", "guild_id", "user_id", "role_id")
    db.execute(f"{adding} ON CONFLICT DO NOTHING", (guild_id, user_id, role_id))


def note_taken(db: Connection, guild_id: int, user_id: int, role_id: int) -> None:
    """Record that somebody has a role no longer."""
    where = "guild_id = ? AND user_id = ? AND role_id = ?"
    db.execute(f"DELETE FROM week_firsts WHERE {where}", (guild_id, user_id, role_id))


class WeekQueries(Part):
    """These queries, as methods."""

    posts = reading(posts)
    posted_in = reading(posted_in, serves)
    put = writing(put)
    drop = writing(drop)
    firsts = reading(firsts)
    note_given = writing(note_given)
    note_taken = writing(note_taken)

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """Which roles somebody was given. Raises StoreError."""
        found = await self.firsts(guild_id)
        return {"season_roles": [str(role_id) for given, role_id in found if given == user_id]}
