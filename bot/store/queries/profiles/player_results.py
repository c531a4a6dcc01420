"""Each person's counted results in the order in which they counted, with how many they had won in a row.

They follow from results and seats, and are kept because those are found by match: a profile of 10,000 matches would
have to look up each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.ratings import Rating
from bot.store.queries.connection import Connection
from bot.store.rows.profiles import PlayerRecord

_INSERT: Final = (
    "INSERT INTO player_results (guild_id, user_id, number, game, outcome, streak, longest)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_LAST: Final = (
    "SELECT streak, longest FROM player_results WHERE guild_id = ? AND user_id = ? ORDER BY number DESC LIMIT 1"
)

_RATINGS: Final = """
    SELECT rating_changes.mu, rating_changes.sigma
    FROM (SELECT number FROM player_results WHERE guild_id = :guild AND user_id = :user AND game = :game
          ORDER BY number DESC LIMIT :most) AS latest
    CROSS JOIN results CROSS JOIN seats CROSS JOIN rating_changes
    WHERE results.number = latest.number AND seats.match_id = results.match_id AND +seats.user_id = :user
          AND rating_changes.match_id = seats.match_id AND rating_changes.seat = seats.seat
    ORDER BY latest.number
"""  # the order and the plus keep SQLite from reading all seats that the person ever had


class CountedResult(NamedTuple):
    """A counted result: its server, number and game, and the rank of each player."""

    guild_id: int
    number: int
    game: str
    ranks: Mapping[int, int]


class Streak(NamedTuple):
    """How many results in a row somebody has won up to one, and the most so far."""

    won: int = 0
    longest: int = 0

    def after(self, outcome: int) -> Streak:
        """The streaks after one more result."""
        won = self.won + 1 if outcome == 1 else 0
        return Streak(won, max(won, self.longest))


def outcomes(result: CountedResult) -> dict[int, int]:
    """What a result is for each of its players: 1 a win, 0 a draw, -1 a loss."""
    drawn = len(set(result.ranks.values())) == 1
    return {user_id: 0 if drawn else 1 if rank == 1 else -1 for user_id, rank in result.ranks.items()}


def add(db: Connection, result: CountedResult) -> None:
    """Add a counted result for each of its players."""
    for user_id, outcome in outcomes(result).items():
        streak = Streak(*db.execute(_LAST, (result.guild_id, user_id)).fetchone() or ()).after(outcome)
        db.execute(_INSERT, (result.guild_id, user_id, result.number, result.game, outcome, *streak))


def record_of(db: Connection, guild_id: int, user_id: int) -> PlayerRecord:
    """How many counted matches somebody has finished in a server, and their winning streaks. It counts along
    the key."""
    streak, longest = db.execute(_LAST, (guild_id, user_id)).fetchone() or (0, 0)
    (matches,) = db.execute(
        "SELECT count(*) FROM player_results WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)
    ).fetchone()
    return PlayerRecord(matches, streak, longest)


def ratings(db: Connection, guild_id: int, user_id: int, game: str, most: int) -> list[Rating]:
    """Somebody's rating after each of their last counted matches in a game, the oldest first; at most `most`."""
    rows = db.execute(_RATINGS, {"guild": guild_id, "user": user_id, "game": game, "most": most})
    return [Rating(mu, sigma) for mu, sigma in rows.fetchall()]


def wins_after(db: Connection, guild_id: int, user_id: int, number: int, most: int) -> list[tuple[int, str]]:
    """The first counted wins of somebody after the result with this number: their numbers and matches, in the order in
    which they counted."""
    return db.execute(
        "SELECT number, match_id FROM player_results JOIN results USING (number) WHERE player_results.guild_id = ?"
        " AND user_id = ? AND number > ? AND outcome = 1 ORDER BY number LIMIT ?",
        (guild_id, user_id, number, most),
    ).fetchall()
