"""What is set in servers, and who changed it."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Final

from bot.shard_range import ShardRange
from bot.store.queries.database import Connection, columns_of, inserting, replacing

MOST_SETTING_CHANGES: Final = 100
"""How many changes of a server's settings are kept. Older ones are deleted."""


@dataclass(frozen=True, slots=True)
class SettingChange:
    """Who changed a setting of a server, when, and from what to what; an empty value is the default.

    What a moderator did to matches or to somebody, whose id is `about_id`, is listed in the same way: then `name` is no
    setting.
    """

    guild_id: int
    user_id: int
    at: int
    name: str
    former: str
    value: str
    about_id: int | None = None


_CHANGE: Final = columns_of(SettingChange)


def all_of(db: Connection, serves: ShardRange) -> dict[int, dict[str, str]]:
    """The settings of all servers of a range: by server, then by name. What has its default is not among them."""
    found: dict[int, dict[str, str]] = {}
    for guild_id, name, value in db.execute("SELECT guild_id, name, value FROM server_settings"):
        if serves.includes(guild_id):
            found.setdefault(guild_id, {})[name] = value
    return found


def change(db: Connection, made: SettingChange) -> None:
    """Save the value of a setting, or delete it if it is empty, and record the change."""
    if made.value:
        saving = replacing("server_settings", ("guild_id", "name"), "value")
        db.execute(saving, (made.guild_id, made.name, made.value))
    else:
        db.execute("DELETE FROM server_settings WHERE guild_id = ? AND name = ?", (made.guild_id, made.name))
    record(db, made)


def record(db: Connection, made: SettingChange) -> None:
    """Record a change that is no setting's. Of each server the latest `MOST_SETTING_CHANGES` are kept."""
    (last,) = db.execute(
        "SELECT coalesce(max(number), 0) FROM setting_changes WHERE guild_id = ?", (made.guild_id,)
    ).fetchone()
    db.execute(inserting("setting_changes", *_CHANGE, "number"), (*astuple(made), last + 1))
    db.execute(
        "DELETE FROM setting_changes WHERE guild_id = ? AND number <= ?",
        (made.guild_id, last + 1 - MOST_SETTING_CHANGES),
    )


def changes(db: Connection, guild_id: int) -> list[SettingChange]:
    """The changes of a server that are kept, the latest first."""
    changed = f"SELECT {', '.join(_CHANGE)} FROM setting_changes"
    rows = db.execute(f"{changed} WHERE guild_id = ? ORDER BY number DESC", (guild_id,))
    return [SettingChange(*row) for row in rows]
