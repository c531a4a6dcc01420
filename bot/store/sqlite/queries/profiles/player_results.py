"""Each person's counted results in the order in which they counted, with how many they had won in a row.

They follow from results and seats, and are kept because those are found by match: a profile of 10,000 matches would
have to look up each of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.ratings import Rating
from bot.store.rows import PlayerRecord

_INSERT: Final = (
    "INSERT INTO player_results (guild_id, user_id, number, game, outcome, streak, longest)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_LAST: Final = (
    "SELECT streak, longest FROM player_results WHERE guild_id = ? AND user_id = ? ORDER BY number DESC LIMIT 1"
)

_RATINGS: Final = """
    SELECT rating_changes.mu, rating_changes.sigma
    FROM (SELECT number FROM player_results WHERE guild_id = ?1 AND user_id = ?2 AND game = ?3
          ORDER BY number DESC LIMIT ?4) AS latest
    CROSS JOIN results ON results.number = latest.number
    CROSS JOIN seats ON seats.match_id = results.match_id AND +seats.user_id = ?2
    CROSS JOIN rating_changes ON rating_changes.match_id = seats.match_id AND rating_changes.seat = seats.seat
    ORDER BY latest.number
"""  # the order and the plus keep SQLite from reading all seats that the person ever had


class CountedResult(NamedTuple):
    """A counted result: its server, number and game, and the rank of each player."""

    guild_id: int
    number: int
    game: str
    ranks: Mapping[int, int]


def add(db: sqlite3.Connection, result: CountedResult) -> None:
    """Add a counted result for each of its players."""
    drawn = len(set(result.ranks.values())) == 1
    for user_id, rank in result.ranks.items():
        outcome = 0 if drawn else 1 if rank == 1 else -1
        streak, longest = db.execute(_LAST, (result.guild_id, user_id)).fetchone() or (0, 0)
        streak = streak + 1 if outcome == 1 else 0
        row = (result.guild_id, user_id, result.number, result.game, outcome, streak, max(streak, longest))
        db.execute(_INSERT, row)


def record_of(db: sqlite3.Connection, guild_id: int, user_id: int) -> PlayerRecord:
    """How many results somebody has, and their winning streaks. It counts along the key."""
    streak, longest = db.execute(_LAST, (guild_id, user_id)).fetchone() or (0, 0)
    (matches,) = db.execute(
        "SELECT count(*) FROM player_results WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)
    ).fetchone()
    return PlayerRecord(matches, streak, longest)


def ratings(db: sqlite3.Connection, guild_id: int, user_id: int, game: str, most: int) -> list[Rating]:
    """Somebody's rating after each of their last results in a game, the oldest first."""
    rows = db.execute(_RATINGS, (guild_id, user_id, game, most))
    return [Rating(mu, sigma) for mu, sigma in rows.fetchall()]


def wins_after(db: sqlite3.Connection, guild_id: int, user_id: int, number: int, most: int) -> list[tuple[int, str]]:
    """The first wins of somebody after a result: their numbers and matches, in the order in which they counted."""
    return db.execute(
        "SELECT number, match_id FROM player_results JOIN results USING (number) WHERE player_results.guild_id = ?"
        " AND user_id = ? AND number > ? AND outcome = 1 ORDER BY number LIMIT ?",
        (guild_id, user_id, number, most),
    ).fetchall()
