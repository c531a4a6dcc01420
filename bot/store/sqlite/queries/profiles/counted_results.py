"""Enters counted results into what is kept for profiles: each when its match ends, or all of them again."""

from __future__ import annotations

import sqlite3
from itertools import groupby
from operator import itemgetter
from typing import Final

from bot.store.sqlite.queries.profiles import opponents, player_results
from bot.store.sqlite.queries.profiles.player_results import CountedResult

_TABLES: Final = {"player_results": "guild_id, user_id, number", "opponents": "guild_id, user_id, opponent_id, game"}
"""What is kept, and the key of each table."""


def rebuild(db: sqlite3.Connection) -> None:
    """Replace what is kept for profiles where it differs from what all counted results make of it, in their order.

    It works that out in temporary tables of the same names, which hide the real ones meanwhile. Every counted match
    must have a rank for each of its seats.
    """
    for table in _TABLES:
        (made,) = db.execute("SELECT sql FROM main.sqlite_schema WHERE name = ?", (table,)).fetchone()
        db.execute(str(made).replace("CREATE TABLE", "CREATE TEMPORARY TABLE", 1))
    seats = db.execute(
        "SELECT number, results.guild_id, game, user_id, rank FROM results JOIN seats USING (match_id)"
        " WHERE counted = 1 ORDER BY number, seat"
    )
    for number, seated in groupby(seats, key=itemgetter(0)):
        _, guilds, games, users, ranks = zip(*seated, strict=True)
        add(db, CountedResult(guilds[0], number, games[0], dict(zip(users, ranks, strict=True))))
    for table, key in _TABLES.items():
        kept, right = f"SELECT * FROM main.{table}", f"SELECT * FROM temp.{table}"  # noqa: S608  ours, from above
        wrong = f"SELECT {key} FROM ({kept} EXCEPT {right})"  # noqa: S608  as above
        db.execute(f"DELETE FROM main.{table} WHERE ({key}) IN ({wrong})")  # noqa: S608  as above
        db.execute(f"INSERT INTO main.{table} {right} EXCEPT {kept}")
        db.execute(f"DROP TABLE temp.{table}")


def add(db: sqlite3.Connection, result: CountedResult) -> None:
    """Add a counted result."""
    player_results.add(db, result)
    opponents.add(db, result)
