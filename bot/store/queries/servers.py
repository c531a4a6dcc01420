"""Servers: which are known, which the bot has left, and for how long it observed what it should delete or call off."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from bot.shard_range import ShardRange
from bot.store.migrations import CORE, STEPS, tables_of
from bot.store.queries import database as sql
from bot.store.queries import ratings, screens

ALL: Final = tables_of(STEPS)
"""All tables, by name."""
TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    name: table.key for name, table in ALL.items() if "guild_id" in table.columns and not table.follows
}
"""The tables whose rows belong to servers, and their keys, except those whose rows are deleted with their match."""
EVERYWHERE: Final = tuple(
    (name, column)
    for name, table in ALL.items()
    if "guild_id" not in table.columns and not table.follows
    for column in ("user_id", "other_id")
    if column in table.columns
)
"""The tables whose rows belong to people, in all servers alike, with the columns that name a person."""
NAMING: Final = tuple(table for table in TABLES if table not in {"departures", "deletions"})
"""The tables that say which servers are known."""


async def known(database: sql.Database, serves: ShardRange) -> set[int]:
    """Every server of a range that some row names, departures aside."""
    found: set[int] = set()
    for table in NAMING:
        found.update(await database.read_all(partial(known_in, table), sql.LEAST))
    return {guild_id for guild_id in found if serves.includes(guild_id)}


def known_in(table: str, db: sql.Connection, after: int) -> sql.Page[int, int]:
    """A page of the servers that a table names, by their ids. It steps from one to the next along an index; DISTINCT
    would read every row."""
    rows = db.execute(
        "WITH RECURSIVE known (guild_id) AS ("
        f" SELECT min(guild_id) FROM {table} WHERE guild_id > ?"
        f" UNION ALL SELECT (SELECT min(guild_id) FROM {table} WHERE guild_id > known.guild_id)"
        " FROM known WHERE guild_id IS NOT NULL)"
        " SELECT guild_id FROM known WHERE guild_id IS NOT NULL LIMIT ?",
        (after, sql.MANY),
    )
    found = [guild_id for (guild_id,) in rows]
    return found, sql.following(found, sql.MANY)


def used_since(db: sql.Connection, guild_id: int, since: int) -> bool:
    """Whether anything was played or asked for in a venue since a moment (ms UTC), or still is."""
    here = "SELECT 1 FROM invitations INDEXED BY invitations_open_here WHERE guild_id = ? AND state = 'open' LIMIT 1"
    if db.execute(here, (guild_id,)).fetchone() is not None:
        return True
    latest = "SELECT ended_at FROM results WHERE guild_id = ? AND game = ? ORDER BY number DESC LIMIT 1"
    for game in ratings.games_played(db, guild_id, "results"):
        if db.execute(latest, (guild_id, game)).fetchone()[0] > since:
            return True
    # These read all of the venue: once, before it is purged, or where there is but one slow match. With LIMIT 1
    # PostgreSQL might read the whole table.
    (live,) = db.execute("SELECT max(live) FROM matches WHERE guild_id = ?", (guild_id,)).fetchone()
    (closed,) = db.execute("SELECT max(closed_at) FROM invitations WHERE guild_id = ?", (guild_id,)).fetchone()
    return bool(live) or (closed is not None and closed > since)


async def record_departure(database: sql.Database, guild_id: int, at: int) -> None:
    """Record that the bot left a server at a moment (ms UTC). A departure recorded before keeps its moment.

    The open hands of its matches are deleted.
    """
    await database.write(lambda db: _record_departure(db, guild_id, at))
    await database.write_all(lambda db: screens.delete_hands_of_server(db, guild_id))


def _record_departure(db: sql.Connection, guild_id: int, at: int) -> None:
    db.execute(
        "INSERT INTO departures (guild_id, at, observed)"
        " VALUES (?, ?, coalesce((SELECT observed FROM looks), 0)) ON CONFLICT DO NOTHING",
        (guild_id, at),
    )


def clear_departure(db: sql.Connection, guild_id: int) -> None:
    """Delete a departure; harmless where there is none."""
    db.execute("DELETE FROM departures WHERE guild_id = ?", (guild_id,))


def departures(db: sql.Connection, serves: ShardRange) -> dict[int, int]:
    """The servers of a range that the bot is no longer in, and since when (ms UTC)."""
    rows = db.execute("SELECT guild_id, at FROM departures")
    return {guild_id: at for guild_id, at in rows if serves.includes(guild_id)}


# ----------------------------------------------------------------------------------------------- looks

LONGEST_LOOK: Final = 24 * 3600 * 1000
"""Milliseconds that count at most from one look to the next. So a clock that jumps by years adds a day."""


@dataclass(frozen=True, slots=True)
class ObservedSuspension:
    """A suspended match: since when (ms UTC), and for how long the bot has observed that (ms)."""

    since: int
    observed: int


@dataclass(frozen=True, slots=True)
class Observed:
    """What the bot has observed at its looks: the servers that it is not in, each with how long (ms), and the suspended
    matches by their ids."""

    departures: Mapping[int, int]
    suspended: Mapping[str, ObservedSuspension]


async def record_look(database: sql.Database, serves: ShardRange, at: int, passed: int | None) -> Observed:
    """Record that the bot looks for what it should purge or call off, and return for how long it has observed it.

    `at` is the time of day (ms UTC). `passed` is the time since the last look (ms), or None for the first look of a
    process, whose clock may be wrong: then `at` is compared with that of the last look. Of that time at most a day
    is added, and none on the very first look or if the clock was set back. What began since the last look is taken
    to have begun then. What is held no longer of deleted people's ratings is deleted.
    """
    others = database.is_shared and not serves.is_everything
    looked_on = await database.write(lambda db: _record_look(db, at, passed, others=others))
    await database.write_all(lambda db: ratings.delete_expired(db, at))
    departures = await database.read_all(lambda db, after: _observed_departures(db, looked_on, after), sql.LEAST)
    suspended = await database.read_all(lambda db, after: _suspended(db, serves, looked_on, after), "")
    here = {guild_id: away for guild_id, away in departures if serves.includes(guild_id)}
    return Observed(here, dict(suspended))


def _record_look(db: sql.Connection, at: int, passed: int | None, *, others: bool) -> int:
    """Add the time since the last look, and return how long the bot has looked on in all (ms).

    Where there are `others` that look, one of them may have looked since this process did: then the time of day says
    when, and no more is added than passed here.
    """
    former = db.execute(f"SELECT observed, at FROM looks {sql.FOR_UPDATE}").fetchone()
    observed, last_at = former or (0, at)
    if former is not None:
        by_day = at - last_at
        measured = by_day if passed is None else min(passed, by_day) if others else passed
        observed += min(max(0, measured), LONGEST_LOOK)
    db.execute(sql.replacing("looks", ('"only"',), "observed", "at"), (1, observed, at))
    return int(observed)


def _observed_departures(db: sql.Connection, observed: int, after: int) -> sql.Page[tuple[int, int], int]:
    """A page of the servers that the bot has left, and for how long it has observed that."""
    rows = db.execute(
        "SELECT guild_id, ? - observed FROM departures WHERE guild_id > ? ORDER BY guild_id LIMIT ?",
        (observed, after, sql.MANY),
    ).fetchall()
    return rows, sql.following([guild_id for guild_id, _ in rows], sql.MANY)


def _suspended(
    db: sql.Connection, serves: ShardRange, observed: int, after: str
) -> sql.Page[tuple[str, ObservedSuspension], str]:
    """A page of the suspended matches of a range, by their ids, and for how long the bot has observed each."""
    rows = db.execute(
        "SELECT id, suspended_at, ? - suspended_observed FROM matches"
        f" WHERE suspended_at IS NOT NULL AND id > ?{sql.and_served_by(serves)} ORDER BY id LIMIT ?",
        (observed, after, sql.MANY),
    )
    found = [(match_id, ObservedSuspension(*each)) for match_id, *each in rows]
    return found, sql.following([match_id for match_id, _ in found], sql.MANY)


def resting_rows(
    db: sql.Connection, rooms: Collection[str], guild_id: int, user_id: int
) -> dict[str, list[dict[str, Any]]]:
    """What the tables of all rooms but these have of somebody in a server, and of what is the same in all servers, by
    table and column: their rooms are not installed any more, so their rows are exported as they are. Bytes are written
    as digits."""
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
