"""What counted results say of a person: their results in their order, and whom they met. The room of profiles reads
more of it, and searches for comebacks.

It follows from results and seats, and is kept because those are found by match: a profile of 10,000 matches would have
to look up each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final, NamedTuple

from bot.store.queries import recounts
from bot.store.queries.database import Connection, inserting


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """How many counted matches somebody has finished in a server, in all games, and how many they have won in a row:
    the last ones, and the most so far."""

    matches: int = 0
    streak: int = 0
    longest_streak: int = 0


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What two players won of the counted matches between them alone: the wins of each, and the draws."""

    wins: tuple[int, int] = (0, 0)
    draws: int = 0


class CountedResult(NamedTuple):
    """A counted result: its server, number and game, and the rank of each player."""

    guild_id: int
    number: int
    game: str
    ranks: Mapping[int, int]


def add(db: Connection, result: CountedResult) -> None:
    """Add a counted result: for each of its players, and for each two of them."""
    for user_id, outcome in outcomes(result).items():
        streak = _Streak(*db.execute(_LAST, (result.guild_id, user_id)).fetchone() or ()).after(outcome)
        db.execute(_ADD_RESULT, (result.guild_id, user_id, result.number, result.game, outcome, *streak))
    for mine, theirs, *counts in _meetings(result):
        db.execute(_ADD_MEETING, (result.guild_id, mine, theirs, result.game, result.number, *counts))


# ------------------------------------------------------------------------------ results in their order

_ADD_RESULT: Final = inserting(
    "player_results", "guild_id", "user_id", "number", "game", "outcome", "streak", "longest"
)
_LAST: Final = (
    "SELECT streak, longest FROM player_results WHERE guild_id = ? AND user_id = ? ORDER BY number DESC LIMIT 1"
)


class _Streak(NamedTuple):
    """How many results in a row somebody has won up to one, and the most so far."""

    won: int = 0
    longest: int = 0

    def after(self, outcome: int) -> _Streak:
        """The streaks after one more result."""
        won = self.won + 1 if outcome == 1 else 0
        return _Streak(won, max(won, self.longest))


def outcomes(result: CountedResult) -> dict[int, int]:
    """What a result is for each of its players: 1 a win, 0 a draw, -1 a loss."""
    drawn = len(set(result.ranks.values())) == 1
    return {user_id: 0 if drawn else 1 if rank == 1 else -1 for user_id, rank in result.ranks.items()}


def record_of(db: Connection, guild_id: int, user_id: int) -> PlayerRecord:
    """How many counted matches somebody has finished in a server, and their winning streaks. It counts along
    the key."""
    streak, longest = db.execute(_LAST, (guild_id, user_id)).fetchone() or (0, 0)
    (matches,) = db.execute(
        "SELECT count(*) FROM player_results WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)
    ).fetchone()
    return PlayerRecord(matches, streak, longest)


# ------------------------------------------------------------------------------------------- opponents

_ADD_MEETING: Final = """
    INSERT INTO opponents (guild_id, user_id, opponent_id, game, first_number, matches, wins, losses, draws)
    VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)
    ON CONFLICT (guild_id, user_id, opponent_id, game) DO UPDATE SET matches = opponents.matches + 1,
        wins = opponents.wins + excluded.wins, losses = opponents.losses + excluded.losses,
        draws = opponents.draws + excluded.draws
"""


class _Meeting(NamedTuple):
    """What two people have played: the number of the first result, how many, and what the first won, lost and drew."""

    first_number: int
    matches: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0

    def plus(self, wins: int, losses: int, draws: int) -> _Meeting:
        """This and one more match."""
        return _Meeting(self.first_number, self.matches + 1, self.wins + wins, self.losses + losses, self.draws + draws)


def _meetings(result: CountedResult) -> Iterator[tuple[int, int, int, int, int]]:
    """Each two players of a result, and whether the first of them won, lost or drew: nothing if others played too."""
    alone = len(result.ranks) == 2
    for (mine, rank), (theirs, other) in permutations(result.ranks.items(), 2):
        yield mine, theirs, int(alone and rank < other), int(alone and rank > other), int(alone and rank == other)


def head_to_head(db: Connection, guild_id: int, game: str | None, players: tuple[int, int]) -> HeadToHead:
    """What two players won of the counted matches of the two alone, in one game or (None) in all."""
    wins, losses, draws = db.execute(
        "SELECT coalesce(sum(wins), 0), coalesce(sum(losses), 0), coalesce(sum(draws), 0) FROM opponents"
        " WHERE guild_id = :guild AND user_id = :mine AND opponent_id = :theirs AND (game = :game OR :game IS NULL)",
        {"guild": guild_id, "mine": players[0], "theirs": players[1], "game": game},
    ).fetchone()
    return HeadToHead((wins, losses), draws)


# --------------------------------------------------------------------------------------- counted again


def correct(db: Connection, guild_id: int, user_id: int, results: Sequence[CountedResult]) -> int:
    """Replace what is kept for somebody's profile where it differs from what all their counted results in a server make
    of it, in their order. Returns the number of rows that differed."""
    played: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    met: dict[tuple[Any, ...], _Meeting] = {}
    streak = _Streak()
    for result in results:
        outcome = outcomes(result)[user_id]
        streak = streak.after(outcome)
        played[result.number,] = (result.game, outcome, *streak)
        for mine, theirs, *counts in _meetings(result):
            if mine == user_id:
                key = (theirs, result.game)
                met[key] = met.get(key, _Meeting(result.number)).plus(*counts)
    return sum(
        recounts.differing(db, table, values, (guild_id, user_id), rows, correct=True)
        for table, values, rows in (
            ("player_results", ("game", "outcome", "streak", "longest"), played),
            ("opponents", _Meeting._fields, met),
        )
    )
