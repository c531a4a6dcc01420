"""Leaderboards: what they rank by, their parts, their lines, and ranks by buckets.

A score is an integer in thousandths of what players read. Sums of integers don't depend on their order, so the scores
that are kept (`bot.store.queries.leaderboard_keeping`) equal those that are counted again from the results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from bot.ratings import SCALE, Rating
from bot.store.queries.database import MANY, Connection, Page, following
from bot.store.scoring import RatingChange

ALL_GAMES: Final = ""
"""In place of a game: a leaderboard over all games."""
THOUSANDTHS: Final = 1000
"""Scores for one point that players read."""
POINTS: Final = 100
"""What a match won beyond expectation is worth in a season or a week. A win over an equal is half of one."""
LAST_DAYS: Final = 7
"""How many days, today among them, the shortest leaderboard looks back."""
ACTIVE_DAYS: Final = 30
"""Whose last counted match is longer ago than this many days is listed after everybody else."""
DAY_MS: Final = 24 * 3600 * 1000


class Span(IntEnum):
    """The time that a leaderboard is about. The numbers are stored."""

    ALL_TIME = 0
    SEASON = 1
    LAST_DAYS = 2


LEAST_MATCHES: Final = MappingProxyType({Span.ALL_TIME: 1, Span.SEASON: 5, Span.LAST_DAYS: 3})
"""How many matches must count before somebody has a rank. For all time one is enough, because a rating after few
matches is uncertain, and the uncertainty is subtracted."""


class Section(IntEnum):
    """The parts of a leaderboard, in their order. The numbers are stored."""

    RANKED = 0
    BELOW = 1
    """Listed after everybody else, without a rank: for all time those who are not active, otherwise those with too few
    matches."""
    HIDDEN = 2
    """Not listed: they chose so, or they were deleted."""


class Leaderboard(NamedTuple):
    """A leaderboard of a server: of one game, or of `ALL_GAMES`."""

    guild_id: int
    game: str
    span: Span


class LineKey(NamedTuple):
    """Where somebody is on a leaderboard. It is listed by section, then the highest score first, then by user id."""

    section: Section
    score: int
    user_id: int


class Tally(NamedTuple):
    """What somebody's matches add up to: points in thousandths, and how they ended."""

    points: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def matches(self) -> int:
        """The number of counted matches."""
        return self.wins + self.losses + self.draws

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*[mine + theirs for mine, theirs in zip(self, other, strict=True)])

    def minus(self, other: Tally) -> Tally:
        """This without the other."""
        return Tally(*[mine - theirs for mine, theirs in zip(self, other, strict=True)])


class DayKey(NamedTuple):
    """A server, a game, a player and a day, which counts the days since 1970, UTC."""

    guild_id: int
    game: str
    user_id: int
    day: int


@dataclass(frozen=True, slots=True)
class LeaderboardDates:
    """The days with which the parts of a server's leaderboards begin, counted since 1970, UTC.

    `week` is the first of the last seven days and `season` that of the season. Who has played on `active` or later is
    active.
    """

    week: int
    season: int
    active: int

    @classmethod
    def on(cls, today: int, season: int) -> LeaderboardDates:
        """The days as they are today, in a season that began on a day."""
        return cls(today - LAST_DAYS + 1, season, today - ACTIVE_DAYS)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a leaderboard. Equal scores share a rank; those below and those hidden from others have none,
    except that a hidden reader's own line has the rank that it would have.

    `rating` is the player's rating in the game; None on a leaderboard over all games.
    """

    key: LineKey
    wins: int
    losses: int
    draws: int
    rating: Rating | None
    rank: int | None
    shared: bool = False

    @property
    def matches(self) -> int:
        """The number of counted matches."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> int:
        """The score as players read it."""
        return round(self.key.score / THOUSANDTHS)


def day_of(at: int) -> int:
    """The day of a moment (ms UTC)."""
    return at // DAY_MS


def points(surplus: float) -> int:
    """What a match adds to a season and to the last days, in thousandths of a point
    (`bot.store.scoring.RatingChange.surplus`)."""
    return round(THOUSANDTHS * POINTS * surplus)


def score_of(ordinal: float) -> int:
    """What a game's leaderboard of all time ranks by (`bot.store.scoring.Score.ordinal`), in thousandths."""
    return round(THOUSANDTHS * SCALE * ordinal)


def tallies(ranks: Sequence[int], changes: Sequence[RatingChange]) -> list[Tally]:
    """What a counted match adds for each seat. Everybody ranked first has won; if everybody is, all have drawn."""
    drawn = len(set(ranks)) == 1
    return [
        Tally(points(change.surplus), int(not drawn and rank == 1), int(not drawn and rank != 1), int(drawn))
        for rank, change in zip(ranks, changes, strict=True)
    ]


def section_of(span: Span, matches: int, *, hidden: bool, active: bool = True) -> Section:
    """The section in which somebody with this number of matches is."""
    if hidden:
        return Section.HIDDEN
    return Section.RANKED if active and matches >= LEAST_MATCHES[span] else Section.BELOW


# ----------------------------------------------------------------------------------------------- lines

FINE: Final = 10
"""Scores are in thousandths, so a fine bucket is about a point wide: few players share one without sharing a score."""
COARSE: Final = 16
"""A coarse bucket has 64 fine ones. All of a leaderboard's scores are in about 40 of these."""
LISTED: Final = (Section.RANKED, Section.BELOW)
_LEADERBOARD = "board_entries.guild_id = ? AND board_entries.game = ? AND span = ?"
_COLUMNS = (
    "SELECT section, score, board_entries.user_id,"
    " board_entries.wins, board_entries.losses, board_entries.draws, mu, sigma FROM board_entries"
)
_RATED = (
    " LEFT JOIN standings ON standings.guild_id = board_entries.guild_id"
    " AND standings.game = board_entries.game AND standings.user_id = board_entries.user_id"
    f" WHERE {_LEADERBOARD}"
)
_SELECT = f"{_COLUMNS} INDEXED BY board_entries_order{_RATED}"
"""Lines in the order of the list. Without the hint, SQLite looks for equal scores among all later user ids."""
_SELECT_ONE = f"{_COLUMNS}{_RATED} AND board_entries.user_id = ?"


def count_listed(db: Connection, leaderboard: Leaderboard) -> int:
    """How many people are listed on a leaderboard."""
    found = sizes(db, leaderboard)
    return sum(found[section] for section in LISTED)


def by_day(found: list[tuple[DayKey, Tally]]) -> dict[DayKey, Tally]:
    """What matches add up to, the oldest day first."""
    return dict(sorted(found, key=lambda each: (each[0].day, each[0].game)))


def days_of(
    db: Connection, after: tuple[str, int], guild_id: int, user_id: int
) -> Page[tuple[DayKey, Tally], tuple[str, int]]:
    """What somebody's counted matches in a server add up to, by game and day: a page of it."""
    rows = db.execute(
        "SELECT game, day, points, wins, losses, draws FROM board_days WHERE guild_id = ? AND user_id = ?"
        " AND (game, day) > (?, ?) ORDER BY game, day LIMIT ?",
        (guild_id, user_id, *after, MANY),
    )
    found = [(DayKey(guild_id, game, user_id, day), Tally(*tally)) for game, day, *tally in rows]
    return found, following([(key.game, key.day) for key, _ in found], MANY)


def buckets(
    db: Connection, leaderboard: Leaderboard, section: Section, bits: int, *, within: range | None = None
) -> list[tuple[int, int]]:
    """Buckets and how many are in each, the highest first; those in a range, if there is one."""
    limited = "" if within is None else " AND bucket >= ? AND bucket < ?"
    limits = () if within is None else (within.start, within.stop)
    return db.execute(
        "SELECT bucket, players FROM board_buckets"
        f" WHERE guild_id = ? AND game = ? AND span = ? AND section = ? AND bits = ?{limited} ORDER BY bucket DESC",
        (*leaderboard, section, bits, *limits),
    ).fetchall()


def sizes(db: Connection, leaderboard: Leaderboard) -> Counter[int]:
    """How many lines each section has."""
    rows = db.execute(
        "SELECT section, sum(players) FROM board_buckets"
        " WHERE guild_id = ? AND game = ? AND span = ? AND section IN (0, 1, 2) AND bits = ? GROUP BY section",
        (*leaderboard, COARSE),
    )
    return Counter(dict(rows.fetchall()))


def rank(db: Connection, leaderboard: Leaderboard, score: int) -> int:
    """The rank of a score: how many ranked players have a higher one, and 1."""
    coarse, fine = score >> COARSE, score >> FINE
    beside = range(fine + 1, coarse + 1 << COARSE - FINE)
    above = [
        *[players for bucket, players in buckets(db, leaderboard, Section.RANKED, COARSE) if bucket > coarse],
        *[players for _, players in buckets(db, leaderboard, Section.RANKED, FINE, within=beside)],
    ]
    (near,) = db.execute(
        f"SELECT count(*) FROM board_entries WHERE {_LEADERBOARD} AND section = ? AND score > ? AND score < ?",
        (*leaderboard, Section.RANKED, score, fine + 1 << FINE),
    ).fetchone()
    return 1 + sum(above) + int(near)


def line(db: Connection, leaderboard: Leaderboard, user_id: int) -> Entry | None:
    """One person's line, without its rank."""
    found = _entries(db, _SELECT_ONE, *leaderboard, user_id)
    return found[0] if found else None


def lines(db: Connection, leaderboard: Leaderboard, where: str, *values: object) -> list[Entry]:
    """Lines without their ranks: those of a condition of SQL that goes along the order of the list."""
    return _entries(db, f"{_SELECT} AND {where}", *leaderboard, *values)


def place_of(db: Connection, leaderboard: Leaderboard, user_id: int) -> tuple[Entry, int] | None:
    """Somebody's line as they read it, with its rank, and how many people are ranked; None without a line."""
    own = line(db, leaderboard, user_id)
    return (
        None
        if own is None
        else (replace(own, rank=rank_of(db, leaderboard, own)), sizes(db, leaderboard)[Section.RANKED])
    )


def rank_of(db: Connection, leaderboard: Leaderboard, own: Entry) -> int | None:
    """The rank of a reader. Who is hidden from others sees the one that they would have."""
    section = section_of(leaderboard.span, own.matches, hidden=False) if own.key.section is Section.HIDDEN else None
    ranked = Section.RANKED in (own.key.section, section)
    return rank(db, leaderboard, own.key.score) if ranked else None


def _entries(db: Connection, sql: str, *values: Any) -> list[Entry]:
    return [
        Entry(
            LineKey(Section(section), score, user_id),
            wins,
            losses,
            draws,
            None if mu is None else Rating(mu, sigma),
            None,
        )
        for section, score, user_id, wins, losses, draws, mu, sigma in db.execute(sql, values)
    ]
