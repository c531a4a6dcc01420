"""Whom people met in counted matches of each game, and what they won of those that only two played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final, NamedTuple

from bot.store.queries.connection import Connection
from bot.store.queries.profiles.player_results import CountedResult
from bot.store.rows.profiles import Opponent
from bot.store.rows.standings import HeadToHead

_INSERT: Final = """
    INSERT INTO opponents (guild_id, user_id, opponent_id, game, first_number, matches, wins, losses, draws)
    VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)
    ON CONFLICT (guild_id, user_id, opponent_id, game) DO UPDATE SET matches = opponents.matches + 1,
        wins = opponents.wins + excluded.wins, losses = opponents.losses + excluded.losses,
        draws = opponents.draws + excluded.draws
"""
_SUMS: Final = "sum(matches), sum(wins), sum(losses), sum(draws)"
_THEIRS: Final = f"SELECT opponent_id, {_SUMS} FROM opponents WHERE guild_id = ? AND user_id = ?"


class Meeting(NamedTuple):
    """What two people have played: the number of the first result, how many, and what the first won, lost and drew."""

    first_number: int
    matches: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0

    def plus(self, wins: int, losses: int, draws: int) -> Meeting:
        """This and one more match."""
        return Meeting(self.first_number, self.matches + 1, self.wins + wins, self.losses + losses, self.draws + draws)


def meetings(result: CountedResult) -> Iterator[tuple[int, int, int, int, int]]:
    """Each two players of a result, and whether the first of them won, lost or drew: nothing if others played too."""
    alone = len(result.ranks) == 2
    for (mine, rank), (theirs, other) in permutations(result.ranks.items(), 2):
        yield mine, theirs, int(alone and rank < other), int(alone and rank > other), int(alone and rank == other)


def add(db: Connection, result: CountedResult) -> None:
    """Add a counted result for each two of its players."""
    for mine, theirs, *counts in meetings(result):
        db.execute(_INSERT, (result.guild_id, mine, theirs, result.game, result.number, *counts))


def most_met(db: Connection, guild_id: int, user_id: int, most: int) -> list[Opponent]:
    """Those with whom somebody finished most counted matches; of equals, first those whom they met first."""
    first = "GROUP BY opponent_id ORDER BY sum(matches) DESC, min(first_number), opponent_id LIMIT ?"
    rows = db.execute(f"{_THEIRS} {first}", (guild_id, user_id, most))
    return [Opponent(*row) for row in rows]


def find(db: Connection, guild_id: int, user_id: int, opponent_id: int) -> Opponent | None:
    """One opponent of somebody; None for people who have not finished a counted match together."""
    row = db.execute(f"{_THEIRS} AND opponent_id = ? GROUP BY opponent_id", (guild_id, user_id, opponent_id)).fetchone()
    return None if row is None else Opponent(*row)


def met_at(db: Connection, guild_id: int, user_id: int, nth: int) -> int | None:
    """When the counted match ended in which somebody had met this many different people (ms UTC); None before."""
    row = db.execute(
        "SELECT ended_at FROM results WHERE number = (SELECT min(first_number) FROM opponents"
        " WHERE guild_id = ? AND user_id = ? GROUP BY opponent_id ORDER BY min(first_number) LIMIT 1 OFFSET ?)",
        (guild_id, user_id, nth - 1),
    ).fetchone()
    return None if row is None else row[0]


def head_to_head(db: Connection, guild_id: int, game: str | None, players: tuple[int, int]) -> HeadToHead:
    """What two players won of the counted matches of the two alone, in one game or (None) in all."""
    wins, losses, draws = db.execute(
        "SELECT coalesce(sum(wins), 0), coalesce(sum(losses), 0), coalesce(sum(draws), 0) FROM opponents"
        " WHERE guild_id = :guild AND user_id = :mine AND opponent_id = :theirs AND (game = :game OR :game IS NULL)",
        {"guild": guild_id, "mine": players[0], "theirs": players[1], "game": game},
    ).fetchone()
    return HeadToHead((wins, losses), draws)
