"""Tables that rest, because their room is not installed any more: their rows are exported as they are."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from bot.store.migrations import CORE
from bot.store.queries.database import Connection
from bot.store.queries.servers import ALL


def rows_of(db: Connection, rooms: Collection[str], guild_id: int, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """What the tables of all rooms but these have of somebody in a server, and of what is the same in all servers, by
    table and column. Bytes are written as digits."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name, table in ALL.items():
        if table.room == CORE or table.room in rooms or "user_id" not in table.columns:
            continue
        columns = ", ".join([f'"{column}"' for column in table.columns])
        where = "guild_id = :guild AND user_id = :user" if "guild_id" in table.columns else "user_id = :user"
        asked = f"SELECT {columns} FROM {name} WHERE {where}"
        rows = db.execute(asked, {"guild": guild_id, "user": user_id}).fetchall()
        found[name] = [dict(zip(table.columns, map(_written, row), strict=True)) for row in rows]
    return found


def _written(value: object) -> object:
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else value
