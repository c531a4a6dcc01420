"""Standings: written with each counted result, recalculated from all results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

from bot.ratings import Rating
from bot.store.errors import StoreError
from bot.store.person_key import PersonKey
from bot.store.queries import deleting, leaderboard_keeping, leaderboards, profiles, ratings, recounts
from bot.store.queries.database import MANY, Connection, Database, Page, columns_of, following, inserting, replacing
from bot.store.queries.leaderboard_keeping import LeaderboardRecount
from bot.store.queries.leaderboards import DayKey, Leaderboard, Span, Tally, day_of, tallies
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


_WON_LATER = """
    SELECT count(*) FILTER (WHERE mine.rank < theirs.rank), count(*) FILTER (WHERE mine.rank > theirs.rank),
           count(*) FILTER (WHERE mine.rank = theirs.rank)
    FROM seats AS mine
    CROSS JOIN seats AS theirs
    JOIN results ON results.match_id = mine.match_id
    WHERE mine.user_id = :mine AND mine.guild_id = :guild AND theirs.match_id = mine.match_id
          AND +theirs.user_id = :theirs AND (results.game = :game OR :game IS NULL) AND results.counted = 1
          AND mine.result_number > :last
          AND NOT EXISTS (SELECT 1 FROM seats AS third WHERE third.match_id = mine.match_id AND third.seat = 2)
"""
Row: TypeAlias = tuple[Any, ...]
"""A standing as it is stored: the values of `_COLUMNS`."""
_KEY = ("guild_id", "game", "user_id")
_REST = tuple([name for name in columns_of(Score) if name != "rating"])
_COLUMNS = ("mu", "sigma", "ordinal", *_REST)
_SELECT = f"SELECT {', '.join(_COLUMNS)}"
_CLOSE = 1e-9
"""The relative difference allowed between numbers from two machines, which may round differently."""


@dataclass(frozen=True, slots=True)
class Recount:
    """Recalculated standings: every score and the encounters of its player, and the players of whom something is stored
    that differs or should not exist: the row, an encounter, or what a match did to the rating.

    `changes` has what was recalculated for the matches whose stored changes differ, by server and match. `days` is what
    the results of each player, game and day add up to, and `boards` what the leaderboards should be.
    """

    results: int
    rows: Mapping[Player, Score]
    encounters: Mapping[Player, Mapping[int, Encounter]]
    changes: dict[tuple[int, str], tuple[RatingChange, ...]]
    differing: tuple[Player, ...]
    days: dict[DayKey, Tally]
    boards: LeaderboardRecount


def apply(
    db: Connection,
    guild_id: int,
    game: str,
    users: Sequence[int],
    ranks: Sequence[int],
    *,
    match_id: str,
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
            ratings.start(db, (guild_id, game, user_id), key, ended_at) if row is None else _score(row)
            for user_id, row in zip(users, rows, strict=True)
        ]
    )
    community = ratings.community(db, guild_id, game)
    encounters = ratings.encounters_between(db, guild_id, game, users)
    rated = rate_match(Gathering(scores, encounters, community, month_of(ended_at)), ranks)
    db.executemany(
        replacing("standings", _KEY, *_COLUMNS),
        [(guild_id, game, user_id, *_row_of(score)) for user_id, score in zip(users, rated.scores, strict=True)],
    )
    ratings.save_encounters(db, guild_id, game, users, rated.encounters)
    ratings.save_changes(db, guild_id, match_id, rated.changes)
    return rated.changes


def recount(db: Connection) -> Recount:
    """Recalculate all standings from all counted results, in the order in which they were applied.

    Raises StoreError when a counted match lacks a rank for one of its seats.
    """
    ledger = Ledger(starts=ratings.starts(db))
    seats = db.execute(
        "SELECT number, match_id, results.guild_id, game, user_id, rank, ended_at FROM results"
        " JOIN seats USING (match_id) WHERE counted = 1 ORDER BY number, seat"
    )
    results = 0
    changed: dict[tuple[int, str], tuple[RatingChange, ...]] = {}
    affected: dict[Player, None] = {}
    days: dict[DayKey, Tally] = {}
    for number, seated in groupby(seats, key=itemgetter(0)):
        _, match_ids, guilds, games, users, ranks, ended = zip(*seated, strict=True)
        try:
            did = ledger.apply(guilds[0], games[0], users, ranks, ended[0])
        except (TypeError, ValueError):
            raise StoreError(
                f"result {number} doesn't have a rank for each seat, so nothing can be recalculated"
            ) from None
        if not _same_changes(did, ratings.changes_of(db, match_ids[0])):
            changed[guilds[0], match_ids[0]] = did
            affected.update(dict.fromkeys(zip(guilds, games, users, strict=True)))
        for user, tally in zip(users, tallies(ranks, did), strict=True):
            day = DayKey(guilds[0], games[0], user, day_of(ended[0]))
            days[day] = days.get(day, Tally()).plus(tally)
        results += 1
    kept = recounts.stored(db, "standings", _COLUMNS)
    for player, score in ledger.scores.items():
        if player not in kept or not _are_close(_row_of(score), kept[player]):
            affected[player] = None
    affected.update(dict.fromkeys(kept.keys() - ledger.scores.keys()))
    for player, met in ledger.encounters.items():
        if not _same_encounters(met, ratings.encounters_of(db, player)):
            affected[player] = None
    counted = leaderboard_keeping.recount(db, days)
    return Recount(results, ledger.scores, ledger.encounters, changed, tuple(affected), days, counted)


def rebuild(db: Connection) -> Recount:
    """Replace the standings that differ from the recalculated ones, and all that is kept for profiles, after what was
    begun to be deleted is finished. Returns the comparison of the standings."""
    deleting.finish(db)
    found = recount(db)
    _replace_differing(db, found)
    profiles.rebuild(db)
    return found


def _replace_differing(db: Connection, found: Recount) -> None:
    """Replace what differs by what was recalculated, and then what the leaderboards make of it."""
    db.executemany("DELETE FROM standings WHERE guild_id = ? AND game = ? AND user_id = ?", found.differing)
    right = [(*player, *_row_of(found.rows[player])) for player in found.differing if player in found.rows]
    db.executemany(inserting("standings", *_KEY, *_COLUMNS), right)
    for player in found.differing:
        ratings.replace_encounters(db, player, found.encounters.get(player, {}))
    for (guild_id, match_id), did in found.changes.items():
        ratings.save_changes(db, guild_id, match_id, did)
    leaderboard_keeping.replace_differing(db, leaderboard_keeping.recount(db, found.days))


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


async def find(database: Database, guild_id: int, game: str, user_id: int) -> Standing | None:
    """One player's standing; None for a player without a counted match."""
    row = await database.read(lambda db: _row(db, guild_id, game, user_id))
    if row is None:
        return None
    score, ordinal = _score(row), row[2]
    above = await database.read_all(lambda db, after: _above(db, guild_id, game, ordinal, after), 0)
    return Standing(1 + sum(above), user_id, score.rating, score.wins, score.losses, score.draws)


def _above(db: Connection, guild_id: int, game: str, ordinal: float, after: int) -> Page[int, int]:
    """How many have a higher ordinal among the next players of a game, by their user ids."""
    passed = db.execute(
        "SELECT user_id, ordinal > ? FROM standings WHERE guild_id = ? AND game = ? AND user_id > ?"
        " ORDER BY user_id LIMIT ?",
        (ordinal, guild_id, game, after, MANY),
    ).fetchall()
    return [sum(is_above for _, is_above in passed)], following([user_id for user_id, _ in passed], MANY)


def count_ranked(db: Connection, guild_id: int, game: str) -> int:
    """How many players with a standing are listed on the leaderboard of all time: neither deleted nor hidden."""
    return leaderboards.count_listed(db, Leaderboard(guild_id, game, Span.ALL_TIME))


def head_to_head(
    db: Connection, guild_id: int, game: str | None, players: tuple[int, int], last: str | None = None
) -> HeadToHead:
    """What two players won of the counted matches between them alone, in a server.

    `game` is a game's key; None for all games together. `last` is the id of the last match that belongs to it; None for
    all so far. Those are kept; the matches after one are few, because one asks when it has just ended.
    """
    so_far = profiles.head_to_head(db, guild_id, game, players)
    if last is None:
        return so_far
    number = db.execute("SELECT number FROM results WHERE match_id = ?", (last,)).fetchone()
    if number is None:
        return HeadToHead()
    asked = {"guild": guild_id, "game": game, "mine": players[0], "theirs": players[1], "last": number[0]}
    first, second, draws = db.execute(_WON_LATER, asked).fetchone()
    return HeadToHead((so_far.wins[0] - first, so_far.wins[1] - second), so_far.draws - draws)


def _row(db: Connection, *player: int | str) -> Row | None:
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
