"""What people are called."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence


def remember(db: sqlite3.Connection, guild_id: int, user_id: int, name: str) -> None:
    """Note a name in place of the former one."""
    db.execute("INSERT OR REPLACE INTO names (guild_id, user_id, name) VALUES (?, ?, ?)", (guild_id, user_id, name))


def names(db: sqlite3.Connection, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
    """The names of these people, as far as they are known."""
    rows = db.execute(
        "SELECT user_id, name FROM names WHERE guild_id = ? AND user_id IN (SELECT value FROM json_each(?))",
        (guild_id, json.dumps(list(user_ids))),
    )
    return dict(rows.fetchall())
