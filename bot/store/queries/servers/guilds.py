"""Servers: which are known, and which the bot has left."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from bot.shard_range import ShardRange
from bot.store.queries import screens
from bot.store.queries.connection import Connection
from bot.store.queries.database import Database
from bot.store.queries.paging import LEAST, MANY, Page, following

TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "board_buckets": ("guild_id", "game", "span", "section", "bits", "bucket"),
    "board_days": ("guild_id", "user_id", "game", "day"),
    "board_entries": ("guild_id", "user_id", "span", "game"),
    "board_hidden": ("guild_id", "user_id"),
    "comeback_searches": ("guild_id", "user_id"),
    "daily_deals": ("guild_id", "game", "day"),
    "daily_messages": ("guild_id", "channel_id", "day"),
    "deletions": ("guild_id", "user_id"),
    "departures": ("guild_id",),
    "encounters": ("guild_id", "game", "user_id", "opponent_id"),
    "greetings": ("guild_id",),
    "held_ratings": ("guild_id", "person", "game"),
    "invitations": ("id",),
    "judged_seasons": ("guild_id",),
    "matches": ("id",),
    "names": ("guild_id", "user_id"),
    "notice_levels": ("guild_id", "user_id"),
    "opponents": ("guild_id", "user_id", "opponent_id", "game"),
    "player_results": ("guild_id", "user_id", "number"),
    "rating_starts": ("guild_id", "game", "user_id"),
    "season_firsts": ("guild_id", "user_id", "game", "stop"),
    "server_settings": ("guild_id", "name"),
    "setting_changes": ("guild_id", "number"),
    "standings": ("guild_id", "game", "user_id"),
    "table_subscriptions": ("guild_id", "game", "user_id"),
}
"""The tables whose rows belong to servers, and their keys, except those whose rows are deleted with their match. A new
table must be added: `tests/bot/store/test_tables.py` compares them with the databases'."""
NAMING: Final = tuple(table for table in TABLES if table not in {"departures", "deletions"})
"""The tables that say which servers are known."""


async def known(database: Database, serves: ShardRange) -> set[int]:
    """Every server of a range that some row names, departures aside."""
    found: set[int] = set()
    for table in NAMING:
        found.update(await database.read_all(partial(_known_in, table), LEAST))
    return {guild_id for guild_id in found if serves.includes(guild_id)}


def _known_in(table: str, db: Connection, after: int) -> Page[int, int]:
    """A page of the servers that a table names, by their ids. It steps from one to the next along an index; DISTINCT
    would read every row."""
    rows = db.execute(
        "WITH RECURSIVE known (guild_id) AS ("
        f" SELECT min(guild_id) FROM {table} WHERE guild_id > ?"
        f" UNION ALL SELECT (SELECT min(guild_id) FROM {table} WHERE guild_id > known.guild_id)"
        " FROM known WHERE guild_id IS NOT NULL)"
        " SELECT guild_id FROM known WHERE guild_id IS NOT NULL LIMIT ?",
        (after, MANY),
    )
    found = [guild_id for (guild_id,) in rows]
    return found, following(found, MANY)


async def record_departure(database: Database, guild_id: int, at: int) -> None:
    """Record that the bot left a server at a moment (ms UTC). A departure recorded before keeps its moment.

    The open hands of its matches are deleted.
    """
    await database.write(lambda db: _record_departure(db, guild_id, at))
    await database.write_all(lambda db: screens.delete_hands_of_server(db, guild_id))


def _record_departure(db: Connection, guild_id: int, at: int) -> None:
    db.execute(
        "INSERT INTO departures (guild_id, at, observed)"
        " VALUES (?, ?, coalesce((SELECT observed FROM looks), 0)) ON CONFLICT DO NOTHING",
        (guild_id, at),
    )


def clear_departure(db: Connection, guild_id: int) -> None:
    """Delete a departure; harmless where there is none."""
    db.execute("DELETE FROM departures WHERE guild_id = ?", (guild_id,))


def departures(db: Connection, serves: ShardRange) -> dict[int, int]:
    """The servers of a range that the bot is no longer in, and since when (ms UTC)."""
    rows = db.execute("SELECT guild_id, at FROM departures")
    return {guild_id: at for guild_id, at in rows if serves.includes(guild_id)}
