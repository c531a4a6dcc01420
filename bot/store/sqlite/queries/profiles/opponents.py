"""Whom people met in counted matches of each game, and what they won of those that only two played."""

from __future__ import annotations

import sqlite3
from itertools import permutations
from typing import Final

from bot.store.rows import HeadToHead, Opponent
from bot.store.sqlite.queries.profiles.player_results import CountedResult

_INSERT: Final = """
    INSERT INTO opponents (guild_id, user_id, opponent_id, game, first_number, matches, wins, losses, draws)
    VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)
    ON CONFLICT DO UPDATE SET matches = matches + 1, wins = wins + excluded.wins,
        losses = losses + excluded.losses, draws = draws + excluded.draws
"""
_SUMS: Final = "sum(matches), sum(wins), sum(losses), sum(draws)"
_THEIRS: Final = f"SELECT opponent_id, {_SUMS} FROM opponents WHERE guild_id = ? AND user_id = ?"  # noqa: S608  ours


def add(db: sqlite3.Connection, result: CountedResult) -> None:
    """Add a counted result for each two of its players."""
    alone = len(result.ranks) == 2
    for (mine, rank), (theirs, other) in permutations(result.ranks.items(), 2):
        counts = (alone and rank < other, alone and rank > other, alone and rank == other)
        db.execute(_INSERT, (result.guild_id, mine, theirs, result.game, result.number, *counts))


def most_met(db: sqlite3.Connection, guild_id: int, user_id: int, most: int) -> list[Opponent]:
    """Those whom somebody met most often; of equals, first those whom they met first."""
    first = "GROUP BY opponent_id ORDER BY sum(matches) DESC, min(first_number), opponent_id LIMIT ?"
    rows = db.execute(f"{_THEIRS} {first}", (guild_id, user_id, most))
    return [Opponent(*row) for row in rows]


def find(db: sqlite3.Connection, guild_id: int, user_id: int, opponent_id: int) -> Opponent | None:
    """One opponent of somebody."""
    row = db.execute(f"{_THEIRS} AND opponent_id = ? GROUP BY opponent_id", (guild_id, user_id, opponent_id)).fetchone()
    return None if row is None else Opponent(*row)


def met_at(db: sqlite3.Connection, guild_id: int, user_id: int, nth: int) -> int | None:
    """When the match ended in which somebody met this many different people (ms UTC); None if they haven't yet."""
    row = db.execute(
        "SELECT ended_at FROM results WHERE number = (SELECT min(first_number) FROM opponents"
        " WHERE guild_id = ? AND user_id = ? GROUP BY opponent_id ORDER BY min(first_number) LIMIT 1 OFFSET ?)",
        (guild_id, user_id, nth - 1),
    ).fetchone()
    return None if row is None else row[0]


def head_to_head(db: sqlite3.Connection, guild_id: int, game: str | None, players: tuple[int, int]) -> HeadToHead:
    """What two players won of the counted matches of the two alone, in one game or (None) in all."""
    wins, losses, draws = db.execute(
        "SELECT coalesce(sum(wins), 0), coalesce(sum(losses), 0), coalesce(sum(draws), 0) FROM opponents"
        " WHERE guild_id = ? AND user_id = ? AND opponent_id = ? AND (?4 IS NULL OR game = ?4)",
        (guild_id, *players, game),
    ).fetchone()
    return HeadToHead((wins, losses), draws)
