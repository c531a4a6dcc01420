"""Who has blocked whom."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from bot.budgets import MOST_BLOCKS
from bot.store.binding import Part, reading, writing
from bot.store.queries.database import Connection, among, inserting


@dataclass(frozen=True, slots=True)
class Block:
    """Somebody whom a person has blocked, and since when (ms UTC)."""

    other_id: int
    at: int


def add(db: Connection, user_id: int, other_id: int, at: int) -> bool:
    """Have a person block another. Returns False if they have blocked `MOST_BLOCKS` others; then nothing changes."""
    others = {block.other_id for block in blocked_by(db, user_id)}
    if other_id not in others and len(others) >= MOST_BLOCKS:
        return False
    added = f"{inserting('blocks', 'user_id', 'other_id', 'at')} ON CONFLICT DO NOTHING"
    db.execute(added, (user_id, other_id, at))
    return True


def remove(db: Connection, user_id: int, other_id: int) -> None:
    """Take a block back; harmless where there is none."""
    db.execute("DELETE FROM blocks WHERE user_id = ? AND other_id = ?", (user_id, other_id))


def blocked_by(db: Connection, user_id: int) -> list[Block]:
    """Whom a person has blocked, the latest first."""
    rows = db.execute("SELECT other_id, at FROM blocks WHERE user_id = ? ORDER BY at DESC, other_id", (user_id,))
    return [Block(*row) for row in rows]


def blocked(db: Connection, user_id: int, others: Collection[int]) -> list[int]:
    """Those of these people whom a person has blocked."""
    return [block.other_id for block in blocked_by(db, user_id) if block.other_id in others]


def apart(db: Connection, user_id: int, others: Collection[int]) -> list[int]:
    """Those of these people whom a person has blocked, or who have blocked them."""
    these, given = among([*others])
    found: list[int] = []
    for mine, theirs in (("user_id", "other_id"), ("other_id", "user_id")):
        rows = db.execute(f"SELECT {theirs} FROM blocks WHERE {mine} = ? AND {theirs} IN {these}", (user_id, *given))
        found += [other for (other,) in rows]
    return found


class Blocks(Part):
    """These queries, as methods."""

    add = writing(add)
    remove = writing(remove)
    blocked_by = reading(blocked_by)
    blocked = reading(blocked)
    apart = reading(apart)

    async def export(self, _guild_id: int, user_id: int) -> dict[str, Any]:
        """Whom somebody has blocked, but not who has blocked them. Raises StoreError."""
        return {
            "blocks": [{"user": str(block.other_id), "since": block.at} for block in await self.blocked_by(user_id)]
        }
