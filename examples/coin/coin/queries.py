"""What is kept of coins."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bot.store.binding import Part, reading, writing
from bot.store.queries.database import Connection


@dataclass(frozen=True, slots=True)
class Flips:
    """How often somebody has flipped a coin in a server, and how often it was heads."""

    flips: int
    heads: int


def count(db: Connection, guild_id: int, user_id: int, *, heads: bool) -> Flips:
    """Count a flip. Returns all of them."""
    row = db.execute(
        "INSERT INTO coin_flips (guild_id, user_id, flips, heads) VALUES (?, ?, 1, ?)"
        " ON CONFLICT (guild_id, user_id) DO UPDATE SET flips = coin_flips.flips + 1,"
        " heads = coin_flips.heads + excluded.heads RETURNING flips, heads",
        (guild_id, user_id, int(heads)),
    ).fetchone()
    return Flips(*row)


def flips_of(db: Connection, guild_id: int, user_id: int) -> Flips:
    """All flips of somebody in a server."""
    where = "WHERE guild_id = ? AND user_id = ?"
    row = db.execute(f"SELECT flips, heads FROM coin_flips {where}", (guild_id, user_id)).fetchone()
    return Flips(0, 0) if row is None else Flips(*row)


class CoinQueries(Part):
    """These queries, as methods."""

    count = writing(count)
    flips_of = reading(flips_of)

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """How often somebody flipped a coin. Raises StoreError."""
        return {"coin": asdict(await self.flips_of(guild_id, user_id))}
