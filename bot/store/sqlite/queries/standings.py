"""Leaderboards: written with each counted result, read by page, recalculated from all results."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from bot.ratings import Rating
from bot.store.errors import StoreError
from bot.store.rows import RatingChange, Result, Series, Standing
from bot.store.scoring import Score, rating_changes, scores_after

_SELECT = "SELECT user_id, mu, sigma, wins, losses, draws, ordinal FROM standings WHERE guild_id = ? AND game = ?"
_PAGE = """
    SELECT user_id, mu, sigma, wins, losses, draws, standings.ordinal
    FROM (SELECT guild_id, game, user_id FROM standings WHERE guild_id = ? AND game = ?
          ORDER BY ordinal DESC, user_id LIMIT ? OFFSET ?)
    JOIN standings USING (guild_id, game, user_id)
    ORDER BY standings.ordinal DESC, user_id
"""  # the inner query reads the index alone, however deep the page lies


_SERIES = """
    SELECT count(*) FILTER (WHERE mine.rank < theirs.rank), count(*) FILTER (WHERE mine.rank > theirs.rank),
           count(*) FILTER (WHERE mine.rank = theirs.rank)
    FROM seats AS mine
    JOIN seats AS theirs ON theirs.user_id = ?4 AND theirs.guild_id = ?1 AND theirs.match_id = mine.match_id
    JOIN results ON results.match_id = mine.match_id
    WHERE mine.user_id = ?3 AND mine.guild_id = ?1 AND results.game = ?2 AND results.counted = 1
          AND (?5 IS NULL OR results.number <= (SELECT number FROM results WHERE match_id = ?5))
          AND NOT EXISTS (SELECT 1 FROM seats AS third WHERE third.match_id = mine.match_id AND third.seat = 2)
"""  # both ends of the join are read from the index of a user's seats alone, but for their ranks


_INSERT = (
    "INSERT INTO standings (guild_id, game, user_id, mu, sigma, ordinal, wins, losses, draws)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_CLOSE = 1e-9
"""The relative difference allowed between numbers from two machines, which may round differently."""

Player: TypeAlias = tuple[int, str, int]
"""A server, a game and a user: the key of a standing."""


class Row(NamedTuple):
    """A standing as it is stored."""

    mu: float
    sigma: float
    ordinal: float
    wins: int
    losses: int
    draws: int

    @classmethod
    def of(cls, score: Score) -> Row:
        """The row for a score."""
        rating = score.rating
        return cls(rating.mu, rating.sigma, rating.ordinal, score.wins, score.losses, score.draws)

    def is_close(self, other: Row | None) -> bool:
        """Whether another row says the same."""
        return other is not None and all(
            math.isclose(mine, theirs, rel_tol=_CLOSE, abs_tol=_CLOSE) for mine, theirs in zip(self, other, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Recount:
    """Recalculated standings: every row, and the players whose stored row differs or should not exist."""

    results: int
    rows: dict[Player, Row]
    differing: tuple[Player, ...]


def apply(
    db: sqlite3.Connection, guild_id: int, game: str, users: Sequence[int], ranks: Sequence[int]
) -> tuple[RatingChange, ...]:
    """Bring the standings of all seats up to date. Returns what that did to their ratings.

    Raises ValueError unless there is a rank for each seat.
    """
    before = [_score(db, guild_id, game, user_id) for user_id in users]
    after = scores_after(before, ranks)
    db.executemany(
        f"{_INSERT} ON CONFLICT DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, ordinal = excluded.ordinal,"
        " wins = excluded.wins, losses = excluded.losses, draws = excluded.draws",
        [(guild_id, game, user_id, *Row.of(score)) for user_id, score in zip(users, after, strict=True)],
    )
    return rating_changes(before, after)


def recount(db: sqlite3.Connection) -> Recount:
    """Recalculate all standings from all counted results, in the order in which they were applied.

    Raises StoreError when a counted match lacks a rank for one of its seats.
    """
    scores: dict[Player, Score] = {}
    seats = db.execute(
        "SELECT number, results.guild_id, game, user_id, rank FROM results JOIN seats USING (match_id)"
        " WHERE counted = 1 ORDER BY number, seat"
    )
    results = 0
    for number, seated in groupby(seats, key=itemgetter(0)):
        _, guilds, games, users, ranks = zip(*seated, strict=True)
        players = [*zip(guilds, games, users, strict=True)]
        try:
            after = scores_after([scores.get(player, Score()) for player in players], ranks)
        except (TypeError, ValueError):
            raise StoreError(
                f"result {number} doesn't have a rank for each seat, so nothing can be recalculated"
            ) from None
        scores.update(zip(players, after, strict=True))
        results += 1
    rows = {player: Row.of(score) for player, score in scores.items()}
    stored = {
        (guild_id, game, user_id): Row(*row)
        for guild_id, game, user_id, *row in db.execute(
            "SELECT guild_id, game, user_id, mu, sigma, ordinal, wins, losses, draws FROM standings"
        )
    }
    differing = [player for player, row in rows.items() if not row.is_close(stored.get(player))]
    return Recount(results, rows, (*differing, *(stored.keys() - rows.keys())))


def replace_differing(db: sqlite3.Connection, found: Recount) -> None:
    """Replace the rows that differ by the recalculated ones."""
    db.executemany("DELETE FROM standings WHERE guild_id = ? AND game = ? AND user_id = ?", found.differing)
    db.executemany(_INSERT, [(*player, *found.rows[player]) for player in found.differing if player in found.rows])


def page(db: sqlite3.Connection, guild_id: int, game: str, offset: int, limit: int) -> list[Standing]:
    """A page, the highest ordinal first; those with equal ones by user id, on one rank."""
    rows = db.execute(_PAGE, (guild_id, game, limit, offset)).fetchall()
    found: list[Standing] = []
    rank, above = 0, None
    for place, row in enumerate(rows, start=offset + 1):
        ordinal = row[-1]
        if above is None:
            rank = place - _tied_before(db, guild_id, game, ordinal, row[0])
        elif ordinal != above:
            rank = place
        above = ordinal
        found.append(_standing(rank, row))
    return found


def find(db: sqlite3.Connection, guild_id: int, game: str, user_id: int) -> Standing | None:
    """One player's standing."""
    row = db.execute(f"{_SELECT} AND user_id = ?", (guild_id, game, user_id)).fetchone()
    return None if row is None else _standing(_rank(db, guild_id, game, row[-1]), row)


def count_listed_above(db: sqlite3.Connection, guild_id: int, game: str, user_id: int) -> int | None:
    """How many are listed before one player; None if they have no standing. It counts along the index."""
    row = db.execute(f"{_SELECT} AND user_id = ?", (guild_id, game, user_id)).fetchone()
    if row is None:
        return None
    ordinal = row[-1]
    return _rank(db, guild_id, game, ordinal) - 1 + _tied_before(db, guild_id, game, ordinal, user_id)


def count_ranked(db: sqlite3.Connection, guild_id: int, game: str) -> int:
    """How many have a standing."""
    row = db.execute("SELECT count(*) FROM standings WHERE guild_id = ? AND game = ?", (guild_id, game)).fetchone()
    return int(row[0])


def games_played(db: sqlite3.Connection, guild_id: int) -> list[str]:
    """The games with standings. Steps from game to game along the index; DISTINCT would read every player."""
    rows = db.execute(
        "WITH RECURSIVE played (game) AS ("
        " SELECT min(game) FROM standings WHERE guild_id = ?1"
        " UNION ALL SELECT (SELECT min(game) FROM standings WHERE guild_id = ?1 AND game > played.game)"
        " FROM played WHERE game IS NOT NULL)"
        " SELECT game FROM played WHERE game IS NOT NULL",
        (guild_id,),
    )
    return [game for (game,) in rows]


def counted_results(db: sqlite3.Connection, guild_id: int, game: str) -> list[tuple[tuple[int, ...], Result]]:
    """Seats and result of each counted match, in the order in which `apply` received them."""
    rows = db.execute(
        "SELECT number, match_id, kind, ended_at, user_id, rank FROM results JOIN seats USING (match_id)"
        " WHERE results.guild_id = ? AND game = ? AND counted = 1 ORDER BY number, seat",
        (guild_id, game),
    )
    found: list[tuple[tuple[int, ...], Result]] = []
    for _, seats in groupby(rows, key=itemgetter(0)):
        _, match_ids, kinds, ended, users, ranks = zip(*seats, strict=True)
        found.append((users, Result(match_ids[0], kinds[0], ranks, ended[0], counted=True)))
    return found


def series(
    db: sqlite3.Connection, guild_id: int, game: str, players: tuple[int, int], last: str | None = None
) -> Series:
    """What two players won of the counted matches between them, up to one match or (None) of all so far."""
    first, second, draws = db.execute(_SERIES, (guild_id, game, *players, last)).fetchone()
    return Series((first, second), draws)


def _tied_before(db: sqlite3.Connection, guild_id: int, game: str, ordinal: float, user_id: int) -> int:
    """How many players with the same ordinal are listed before somebody. It reads only these, however deep the page."""
    tied = db.execute(
        "SELECT count(*) FROM standings WHERE guild_id = ? AND game = ? AND ordinal = ? AND user_id < ?",
        (guild_id, game, ordinal, user_id),
    ).fetchone()
    return int(tied[0])


def _rank(db: sqlite3.Connection, guild_id: int, game: str, ordinal: float) -> int:
    above = db.execute(
        "SELECT count(*) FROM standings WHERE guild_id = ? AND game = ? AND ordinal > ?", (guild_id, game, ordinal)
    ).fetchone()
    return 1 + int(above[0])


def _score(db: sqlite3.Connection, guild_id: int, game: str, user_id: int) -> Score:
    row = db.execute(f"{_SELECT} AND user_id = ?", (guild_id, game, user_id)).fetchone()
    if row is None:
        return Score()
    _, mu, sigma, wins, losses, draws, _ = row
    return Score(Rating(mu, sigma), wins, losses, draws)


def _standing(rank: int, row: tuple[Any, ...]) -> Standing:
    user_id, mu, sigma, wins, losses, draws, _ = row
    return Standing(rank, user_id, Rating(mu, sigma), wins, losses, draws)
