"""Tables that rest, because their room is not installed any more: their rows are exported as they are."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from bot.store.migrations import CORE
from bot.store.queries.database import Connection
from bot.store.queries.servers import ALL


def rows_of(db: Connection, rooms: Collection[str], guild_id: int, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """What the tables of all rooms but these have of somebody in a server, by table and column. Bytes are written as
    digits."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name, table in ALL.items():
        if table.room == CORE or table.room in rooms or not {"guild_id", "user_id"} <= {*table.columns}:
            continue
        columns = ", ".join([f'"{column}"' for column in table.columns])
        where = "WHERE guild_id = ? AND user_id = ?"
        rows = db.execute(f"SELECT {columns} FROM {name} {where}", (guild_id, user_id)).fetchall()
        found[name] = [dict(zip(table.columns, map(_written, row), strict=True)) for row in rows]
    return found


def _written(value: object) -> object:
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else value
