"""People's names, how they want to be notified of their turn, and what they prefer."""

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


def set_preference(db: sqlite3.Connection, user_id: int, name: str, value: str) -> None:
    """Record a preference in place of the former one."""
    db.execute("INSERT OR REPLACE INTO preferences (user_id, name, value) VALUES (?, ?, ?)", (user_id, name, value))


def preferences(db: sqlite3.Connection, user_ids: Sequence[int]) -> dict[int, dict[str, str]]:
    """The preferences of these people by name."""
    found: dict[int, dict[str, str]] = {}
    for user_id, name, value in db.execute(
        "SELECT user_id, name, value FROM preferences WHERE user_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(user_ids)),),
    ):
        found.setdefault(user_id, {})[name] = value
    return found
