"""Enters counted results into what is kept for profiles: each when its match ends, or all of them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, TypeAlias

from bot.store.queries.connection import Connection
from bot.store.queries.profiles import opponents, player_results
from bot.store.queries.profiles.opponents import Meeting
from bot.store.queries.profiles.player_results import CountedResult, Streak

_KEYS: Final = {
    "player_results": ("guild_id", "user_id", "number"),
    "opponents": ("guild_id", "user_id", "opponent_id", "game"),
}
_VALUES: Final = {
    "player_results": ("game", "outcome", "streak", "longest"),
    "opponents": ("first_number", "matches", "wins", "losses", "draws"),
}
"""What is kept, and the key of each table."""

_Rows: TypeAlias = dict[tuple[Any, ...], tuple[Any, ...]]
"""The rows of a table: the values by the key."""


def rebuild(db: Connection) -> None:
    """Replace what is kept for profiles where it differs from what all counted results make of it, in their order.

    It holds all of that in memory. Every counted match must have a rank for each of its seats.
    """
    right = _recounted(_all_counted(db))
    for table, rows in right.items():
        names, length = (*_KEYS[table], *_VALUES[table]), len(_KEYS[table])
        stored = db.execute(f"SELECT {', '.join(names)} FROM {table}")
        kept: _Rows = {row[:length]: row[length:] for row in stored}
        wrong = [key for key in {**kept, **rows} if kept.get(key) != rows.get(key)]
        where = " AND ".join(f"{name} = ?" for name in _KEYS[table])
        db.executemany(f"DELETE FROM {table} WHERE {where}", wrong)
        marks = ", ".join("?" * len(names))
        db.executemany(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})",
            [(*key, *rows[key]) for key in wrong if key in rows],
        )


def _all_counted(db: Connection) -> Iterator[CountedResult]:
    seats = db.execute(
        "SELECT number, results.guild_id, game, user_id, rank FROM results JOIN seats USING (match_id)"
        " WHERE counted = 1 ORDER BY number, seat"
    )
    for number, seated in groupby(seats, key=itemgetter(0)):
        _, guilds, games, users, ranks = zip(*seated, strict=True)
        yield CountedResult(guilds[0], number, games[0], dict(zip(users, ranks, strict=True)))


def _recounted(results: Iterator[CountedResult]) -> Mapping[str, _Rows]:
    """All rows that results make, in their order."""
    streaks: dict[tuple[int, int], Streak] = {}
    played: _Rows = {}
    met: _Rows = {}
    for result in results:
        for user_id, outcome in player_results.outcomes(result).items():
            streak = streaks.get((result.guild_id, user_id), Streak()).after(outcome)
            streaks[result.guild_id, user_id] = streak
            played[result.guild_id, user_id, result.number] = (result.game, outcome, *streak)
        for mine, theirs, *counts in opponents.meetings(result):
            key = (result.guild_id, mine, theirs, result.game)
            met[key] = Meeting(*met.get(key, (result.number,))).plus(*counts)
    return {"player_results": played, "opponents": met}


def add(db: Connection, result: CountedResult) -> None:
    """Add a counted result."""
    player_results.add(db, result)
    opponents.add(db, result)
