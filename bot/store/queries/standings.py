"""Standings: written with each counted result, recalculated from all results."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

from bot.ratings import Rating
from bot.store.errors import StoreError
from bot.store.person_key import PersonKey
from bot.store.queries import database as sql
from bot.store.queries import leaderboards, profiles, ratings, resets
from bot.store.queries.profiles import HeadToHead
from bot.store.scoring import Encounter, Gathering, Ledger, Player, RatingChange, Score, month_of, rate_match


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in a server's leaderboard of one game. Equal ordinals (`bot.store.scoring.Score`) share a
    rank."""

    rank: int
    user_id: int
    rating: Rating
    wins: int
    losses: int
    draws: int

    @property
    def matches(self) -> int:
        """The number of counted matches."""
        return self.wins + self.losses + self.draws

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain to say much."""
        return self.rating.provisional


@dataclass(frozen=True, slots=True)
class ResultEffects:
    """What a counted result did: the change of each seat's rating, and what two players have won with it.

    `head_to_head` is None in a match of more than two.
    """

    ratings: tuple[RatingChange, ...]
    head_to_head: HeadToHead | None


_LATER = """
    SELECT mine.result_number, mine.rank, theirs.rank
    FROM (SELECT match_id, rank, result_number FROM seats
          WHERE user_id = :mine AND guild_id = :guild AND result_number > :after AND result_number <= :newest
          ORDER BY result_number LIMIT :most) AS mine
    LEFT JOIN results
        ON results.number = mine.result_number AND results.counted = 1 AND (results.game = :game OR :game IS NULL)
    LEFT JOIN seats AS theirs
        ON results.number IS NOT NULL AND theirs.match_id = mine.match_id AND +theirs.user_id = :theirs
        AND NOT EXISTS (SELECT 1 FROM seats AS third WHERE third.match_id = mine.match_id AND third.seat = 2)
    ORDER BY mine.result_number
"""
_LATER_AT_ONCE = 100
"""How many of somebody's later matches are looked through at once."""
Row: TypeAlias = tuple[Any, ...]
"""A standing as it is stored: the values of `_COLUMNS`."""
_KEY = ("guild_id", "game", "user_id")
_REST = tuple([name for name in sql.columns_of(Score) if name != "rating"])
_COLUMNS = ("mu", "sigma", "ordinal", *_REST)
_SELECT = f"SELECT {', '.join(_COLUMNS)}"
_CLOSE = 1e-9
"""The relative difference allowed between numbers from two machines, which may round differently."""


@dataclass(frozen=True, slots=True)
class GameRecount:
    """The standings of a game in a server, recalculated from its counted results: every score, and the players of whom
    something is stored that differs or should not exist: the row, an encounter, or what a match did to the rating."""

    results: int
    scores: Mapping[Player, Score]
    differing: Collection[Player]


def apply(
    db: sql.Connection,
    guild_id: int,
    game: str,
    users: Sequence[int],
    ranks: Sequence[int],
    *,
    match_id: str,
    number: int,
    ended_at: int,
    key: PersonKey,
) -> tuple[RatingChange, ...]:
    """Bring the standings of all seats up to date, and what later weights depend on. Returns how the ratings changed.

    It reads a bounded number of rows by their keys, however many matches were played before
    (`bot.store.queries.ratings`). Raises ValueError unless there is a rank for each seat.
    """
    rows = [_row(db, guild_id, game, user_id) for user_id in users]
    scores = tuple(
        [
            ratings.start(db, (guild_id, game, user_id), key, number, ended_at) if row is None else _score(row)
            for user_id, row in zip(users, rows, strict=True)
        ]
    )
    community = ratings.community(db, guild_id, game)
    encounters = ratings.encounters_between(db, guild_id, game, users)
    rated = rate_match(Gathering(scores, encounters, community, month_of(ended_at)), ranks)
    db.executemany(
        sql.replacing("standings", _KEY, *_COLUMNS),
        [(guild_id, game, user_id, *_row_of(score)) for user_id, score in zip(users, rated.scores, strict=True)],
    )
    ratings.save_encounters(db, guild_id, game, users, rated.encounters)
    ratings.save_changes(db, guild_id, match_id, rated.changes)
    return rated.changes


_COUNTED = (
    "SELECT number, match_id, user_id, rank, ended_at FROM"
    " (SELECT number, match_id, ended_at FROM results WHERE guild_id = ? AND game = ? AND number > ? AND number <= ?"
    " AND counted = 1 ORDER BY number LIMIT ?) AS counted JOIN seats USING (match_id) ORDER BY number, seat"
)
_AT_ONCE = 500
"""How many results or players are read at once, so that they needn't all be in memory."""


def recount(db: sql.Connection, guild_id: int, game: str, *, correct: bool) -> GameRecount:
    """Recalculate the standings of a game in a server from its counted results, in the order in which they were
    applied, and replace what differs if that is wanted. The scores of one game are all that is held in memory.

    Raises StoreError when a counted match lacks a rank for one of its seats.
    """
    ledger = Ledger(starts=ratings.starts(db, guild_id, game))
    results = 0
    differing: dict[Player, None] = {}
    for number, match_id, users, ranks, ended_at in _counted(db, guild_id, game):
        try:
            did = ledger.apply(guild_id, game, users, ranks, ended_at)
        except (TypeError, ValueError):
            raise StoreError(
                f"result {number} doesn't have a rank for each seat, so nothing can be recalculated"
            ) from None
        if not _same_changes(did, ratings.changes_of(db, match_id)):
            differing.update(dict.fromkeys((guild_id, game, user_id) for user_id in users))
            if correct:
                ratings.save_changes(db, guild_id, match_id, did)
        results += 1
    for player, score in ledger.scores.items():
        row = _row(db, *player)
        same = row is not None and _are_close(_row_of(score), row)
        if not same or not _same_encounters(ledger.encounters.get(player, {}), ratings.encounters_of(db, player)):
            differing[player] = None
    differing.update(dict.fromkeys(each for each in _players(db, guild_id, game) if each not in ledger.scores))
    for player in differing if correct else ():
        _replace(db, player, ledger)
    return GameRecount(results, ledger.scores, differing.keys())


def _counted(
    db: sql.Connection, guild_id: int, game: str
) -> Iterator[tuple[int, str, tuple[int, ...], tuple[int, ...], int]]:
    """The counted results of a game in their order: number, match, users and ranks by seat, and when it ended."""
    numbers = resets.counted(db, guild_id) or resets.Numbers()
    after: int | None = numbers.after
    while after is not None:
        seats = db.execute(_COUNTED, (guild_id, game, after, numbers.newest, _AT_ONCE)).fetchall()
        found = 0
        for number, seated in groupby(seats, key=itemgetter(0)):
            _, match_ids, users, ranks, ended = zip(*seated, strict=True)
            yield number, match_ids[0], users, ranks, ended[0]
            after, found = number, found + 1
        after = after if found == _AT_ONCE else None


def _players(db: sql.Connection, guild_id: int, game: str) -> Iterator[Player]:
    """Everybody with a standing of a game, in the order of their user ids."""
    after: int | None = sql.LEAST
    while after is not None:
        rows = db.execute(
            "SELECT user_id FROM standings WHERE guild_id = ? AND game = ? AND user_id > ? ORDER BY user_id LIMIT ?",
            (guild_id, game, after, _AT_ONCE),
        ).fetchall()
        yield from ((guild_id, game, user_id) for (user_id,) in rows)
        after = sql.following([user_id for (user_id,) in rows], _AT_ONCE)


def _replace(db: sql.Connection, player: Player, ledger: Ledger) -> None:
    """Replace a player's standing and encounters by what was recalculated, or by nothing."""
    db.execute("DELETE FROM standings WHERE guild_id = ? AND game = ? AND user_id = ?", player)
    if player in ledger.scores:
        db.execute(sql.inserting("standings", *_KEY, *_COLUMNS), (*player, *_row_of(ledger.scores[player])))
    ratings.replace_encounters(db, player, ledger.encounters.get(player, {}))


def _are_close(some: Sequence[float], others: Sequence[float]) -> bool:
    return all(
        math.isclose(mine, theirs, rel_tol=_CLOSE, abs_tol=_CLOSE) for mine, theirs in zip(some, others, strict=True)
    )


def _same_changes(some: Sequence[RatingChange], others: Sequence[RatingChange]) -> bool:
    return len(some) == len(others) and all(
        _are_close(ratings.numbers_of(mine), ratings.numbers_of(theirs))
        for mine, theirs in zip(some, others, strict=True)
    )


def _same_encounters(some: Mapping[int, Encounter], others: Mapping[int, Encounter]) -> bool:
    return some.keys() == others.keys() and all(
        _are_close(astuple(met), astuple(others[user])) for user, met in some.items()
    )


async def find(database: sql.Database, guild_id: int, game: str, user_id: int) -> Standing | None:
    """One player's standing; None for a player without a counted match."""
    row = await database.read(lambda db: _row(db, guild_id, game, user_id))
    if row is None:
        return None
    score, ordinal = _score(row), row[2]
    above = await database.read_all(lambda db, after: _above(db, guild_id, game, ordinal, after), 0)
    return Standing(1 + sum(above), user_id, score.rating, score.wins, score.losses, score.draws)


def _above(db: sql.Connection, guild_id: int, game: str, ordinal: float, after: int) -> sql.Page[int, int]:
    """How many have a higher ordinal among the next players of a game, by their user ids."""
    passed = db.execute(
        "SELECT user_id, ordinal > ? FROM standings WHERE guild_id = ? AND game = ? AND user_id > ?"
        " ORDER BY user_id LIMIT ?",
        (ordinal, guild_id, game, after, sql.MANY),
    ).fetchall()
    return [sum(is_above for _, is_above in passed)], sql.following([user_id for user_id, _ in passed], sql.MANY)


def count_ranked(db: sql.Connection, guild_id: int, game: str) -> int:
    """How many players with a standing are listed on the leaderboard of all time: neither deleted nor hidden."""
    return leaderboards.count_listed(db, leaderboards.Leaderboard(guild_id, game, leaderboards.Span.ALL_TIME))


async def head_to_head(
    database: sql.Database, guild_id: int, game: str | None, players: tuple[int, int], last: str | None = None
) -> HeadToHead:
    """What two players won of the counted matches between them alone, in a server.

    `game` is a game's key; None for all games together. `last` is the id of the last match that belongs to it; None for
    all so far. Those are kept. What came after a match is taken off, a hundred matches of the first player at a time.
    """
    so_far, between = await database.read(lambda db: _so_far(db, guild_id, game, players, last))
    if between is None:
        return so_far if last is None else HeadToHead()
    asked = {"guild": guild_id, "game": game, "mine": players[0], "theirs": players[1], "newest": between.stop - 1}
    later = await database.read_all(lambda db, after: _met_later(db, asked, after), between.start)
    first, second = sum(mine < theirs for mine, theirs in later), sum(mine > theirs for mine, theirs in later)
    draws = len(later) - first - second
    return HeadToHead((so_far.wins[0] - first, so_far.wins[1] - second), so_far.draws - draws)


def _so_far(
    db: sql.Connection, guild_id: int, game: str | None, players: tuple[int, int], last: str | None
) -> tuple[HeadToHead, range | None]:
    """What is kept of two players, and the number of a match's result and up to which of them that goes; None without
    such a match."""
    found = None if last is None else db.execute("SELECT number FROM results WHERE match_id = ?", (last,)).fetchone()
    (newest,) = db.execute("SELECT coalesce(max(number), 0) FROM results").fetchone()
    between = None if found is None else range(found[0], newest + 1)
    return profiles.head_to_head(db, guild_id, game, players), between


def _met_later(db: sql.Connection, asked: Mapping[str, Any], after: int) -> sql.Page[tuple[int, int], int]:
    """The ranks of two players in the matches of theirs among the next ones of the first."""
    rows = db.execute(_LATER, {**asked, "after": after, "most": _LATER_AT_ONCE}).fetchall()
    met = [(mine, theirs) for _, mine, theirs in rows if theirs is not None]
    return met, sql.following([number for number, *_ in rows], _LATER_AT_ONCE)


def _row(db: sql.Connection, *player: int | str) -> Row | None:
    found: Row | None = db.execute(
        f"{_SELECT} FROM standings WHERE guild_id = ? AND game = ? AND user_id = ?", player
    ).fetchone()
    return found


def _row_of(score: Score) -> Row:
    rating = score.rating
    return (
        rating.mu,
        rating.sigma,
        score.ordinal,
        *[getattr(score, name) for name in _REST[:-2]],
        int(score.settled),
        int(score.returned),
    )


def _score(row: Row) -> Score:
    return Score(Rating(*row[:2]), *row[3:-2], *map(bool, row[-2:]))
