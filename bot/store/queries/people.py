"""People's names, how they want to be notified of their turn, what they prefer, and how they attended their matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.store.queries.connection import Connection, among
from bot.store.queries.database import Database
from bot.store.queries.paging import MANY, NEWEST, Page, following
from bot.store.rows.people import Attendance, NoticeLevel, Stay


def set_name(db: Connection, guild_id: int, user_id: int, name: str) -> None:
    """Record somebody's name in a server, replacing the old one."""
    db.execute(
        "INSERT INTO names (guild_id, user_id, name) VALUES (?, ?, ?)"
        " ON CONFLICT (guild_id, user_id) DO UPDATE SET name = excluded.name",
        (guild_id, user_id, name),
    )


def names(db: Connection, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
    """The names of these people in a server. People without a known name are left out."""
    these, wanted = among(user_ids)
    rows = db.execute(
        f"SELECT user_id, name FROM names WHERE guild_id = ? AND user_id IN {these}",
        (guild_id, *wanted),
    )
    return dict(rows.fetchall())


def set_notice_level(db: Connection, guild_id: int, user_id: int, level: NoticeLevel) -> None:
    """Record how somebody wants to be notified of their turn in a server."""
    db.execute(
        "INSERT INTO notice_levels (guild_id, user_id, level) VALUES (?, ?, ?)"
        " ON CONFLICT (guild_id, user_id) DO UPDATE SET level = excluded.level",
        (guild_id, user_id, level),
    )


def notice_level(db: Connection, guild_id: int, user_id: int) -> NoticeLevel:
    """How somebody wants to be notified of their turn; PING if they never chose."""
    row = db.execute(
        "SELECT level FROM notice_levels WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)
    ).fetchone()
    return NoticeLevel.PING if row is None else NoticeLevel(row[0])


def set_preference(db: Connection, user_id: int, name: str, value: str) -> None:
    """Record what somebody prefers, in all servers and in direct messages, in place of what they preferred before.
    Names and values are the caller's (`bot.ui.preferences`)."""
    db.execute(
        "INSERT INTO preferences (user_id, name, value) VALUES (?, ?, ?)"
        " ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value",
        (user_id, name, value),
    )


def preferences(db: Connection, user_ids: Sequence[int]) -> dict[int, dict[str, str]]:
    """What these people prefer, by name. People who chose nothing are left out."""
    found: dict[int, dict[str, str]] = {}
    these, wanted = among(user_ids)
    for user_id, name, value in db.execute(
        f"SELECT user_id, name, value FROM preferences WHERE user_id IN {these}",
        wanted,
    ):
        found.setdefault(user_id, {})[name] = value
    return found


def add_attendances(db: Connection, guild_id: int, users: Sequence[int], attendances: Sequence[Attendance]) -> None:
    """Add how people attended a match of a server; `users` are its seats."""
    db.executemany(
        "INSERT INTO attendances (guild_id, user_id, match_id, seat, began_at, ended_at, stay, asked, in_time)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                guild_id,
                users[each.seat],
                each.match_id,
                each.seat,
                each.began_at,
                each.ended_at,
                each.stay,
                each.asked,
                each.in_time,
            )
            for each in attendances
        ],
    )


async def attendances(database: Database, guild_id: int, user_id: int, most: int) -> list[Attendance]:
    """How somebody attended their latest finished matches in a server, at most `most`, the last to end first.

    `matches.append` writes them with a match's result.
    """
    return await database.read_first(
        lambda db, before, wanted: _attended_before(db, guild_id, user_id, wanted, before), (NEWEST, ""), most
    )


def _attended_before(
    db: Connection, guild_id: int, user_id: int, most: int, before: tuple[int, str]
) -> Page[Attendance, tuple[int, str]]:
    most = min(most, MANY)
    rows = db.execute(
        "SELECT match_id, seat, began_at, ended_at, stay, asked, in_time FROM attendances"
        " WHERE guild_id = ? AND user_id = ? AND (ended_at, match_id) < (?, ?)"
        " ORDER BY ended_at DESC, match_id DESC LIMIT ?",
        (guild_id, user_id, *before, most),
    )
    found = [_attendance(row) for row in rows]
    return found, following([(each.ended_at, each.match_id) for each in found], most)


def attendances_of_match(db: Connection, match_id: str) -> list[Attendance]:
    """How the people of a match attended it, in the order of the seats."""
    rows = db.execute(
        "SELECT match_id, seat, began_at, ended_at, stay, asked, in_time FROM attendances"
        " WHERE match_id = ? ORDER BY seat",
        (match_id,),
    )
    return [_attendance(row) for row in rows]


def _attendance(row: tuple[Any, ...]) -> Attendance:
    match_id, seat, began_at, ended_at, stay, asked, in_time = row
    return Attendance(match_id, seat, began_at, ended_at, Stay(stay), asked, in_time)
