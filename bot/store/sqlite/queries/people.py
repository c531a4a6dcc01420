"""People's names, and how they want to be notified of their turn."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from bot.store.rows import NoticeLevel


def set_name(db: sqlite3.Connection, guild_id: int, user_id: int, name: str) -> None:
    """Record a name in place of the former one."""
    db.execute("INSERT OR REPLACE INTO names (guild_id, user_id, name) VALUES (?, ?, ?)", (guild_id, user_id, name))


def names(db: sqlite3.Connection, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
    """The known names of these people."""
    rows = db.execute(
        "SELECT user_id, name FROM names WHERE guild_id = ? AND user_id IN (SELECT value FROM json_each(?))",
        (guild_id, json.dumps(list(user_ids))),
    )
    return dict(rows.fetchall())


def set_notice_level(db: sqlite3.Connection, guild_id: int, user_id: int, level: NoticeLevel) -> None:
    """Record a notice level in place of the former one."""
    db.execute(
        "INSERT OR REPLACE INTO notice_levels (guild_id, user_id, level) VALUES (?, ?, ?)", (guild_id, user_id, level)
    )


def notice_level(db: sqlite3.Connection, guild_id: int, user_id: int) -> NoticeLevel:
    """The notice level; PING where there is none."""
    row = db.execute(
        "SELECT level FROM notice_levels WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)
    ).fetchone()
    return NoticeLevel.PING if row is None else NoticeLevel(row[0])
