"""Leaderboards as values: what they rank by, their parts and their pages. All stores use this, so they agree.

A score is an integer in thousandths of what players read. Sums of integers don't depend on their order, so the scores
that are kept equal those that are counted again from the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from bot.ratings import SCALE, Rating
from bot.store.rows.standings import RatingChange

ALL_GAMES: Final = ""
"""In place of a game: a leaderboard over all games."""

THOUSANDTHS: Final = 1000
"""Scores for one point that players read."""

SETTLED_SIGMA: Final = 3.0
"""About the uncertainty after sixty matches. In a season or a week, what a match did to a rating that is less certain
counts as if it had been this certain. Otherwise newcomers would lead every week: a first win moves a rating by 100."""

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


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard of a server: of one game, or of `ALL_GAMES`."""

    guild_id: int
    game: str
    span: Span


class Place(NamedTuple):
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


class SeasonFirst(NamedTuple):
    """A season of which somebody was first when it ended: in a game or over `ALL_GAMES`. `stop` is the day after its
    last one."""

    game: str
    stop: int


@dataclass(frozen=True, slots=True)
class BoardDates:
    """The days with which the parts of a server's leaderboards begin, counted since 1970, UTC.

    `week` is the first of the last seven days and `season` that of the season. Who has played on `active` or later is
    active.
    """

    week: int
    season: int
    active: int

    @classmethod
    def on(cls, today: int, season: int) -> BoardDates:
        """The days as they are today, in a season that began on a day."""
        return cls(today - LAST_DAYS + 1, season, today - ACTIVE_DAYS)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a leaderboard. Equal scores share a rank; those below and those hidden from others have none,
    except that a hidden reader's own line has the rank that it would have.

    `rating` is the player's rating in the game; None on a leaderboard over all games.
    """

    place: Place
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
        return round(self.place.score / THOUSANDTHS)


class PageOf(StrEnum):
    """Which page of a leaderboard is asked for. The letters are in the ids of buttons."""

    POSITION = "p"
    """The one that begins with the line of this number, counted from 0; the last one past the end."""
    AFTER = "a"
    """The one that follows a place, which may be nobody's any more."""
    BEFORE = "b"
    """The one that ends before a place."""
    OWN = "o"
    """The one with the reader's own line and those next to it; the first one if they have none."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page of a leaderboard, by one of the ways to name it."""

    of: PageOf = PageOf.POSITION
    position: int = 0
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A page of a leaderboard and its reader's own line.

    `ranked` and `below` say how many people each section has. `has_previous` and `has_next` say whether others are
    listed before and after these.
    """

    entries: tuple[Entry, ...]
    ranked: int
    below: int
    own: Entry | None
    has_previous: bool
    has_next: bool


def day_of(at: int) -> int:
    """The day of a moment (ms UTC)."""
    return at // DAY_MS


def points(change: RatingChange) -> int:
    """What a match adds to a season and to the last days, in thousandths of a point.

    It is the change of the rating, weighted as the rating was. A change of an uncertain rating counts as if it had been
    as certain as `SETTLED_SIGMA`, because the model's changes grow with the square of sigma.
    """
    certain = min(1.0, (SETTLED_SIGMA / change.before.sigma) ** 2)
    return round(THOUSANDTHS * SCALE * certain * (change.after.mu - change.before.mu))


def score_of(ordinal: float) -> int:
    """What a game's leaderboard of all time ranks by: rating less uncertainty, in thousandths."""
    return round(THOUSANDTHS * SCALE * ordinal)


def tallies(ranks: Sequence[int], changes: Sequence[RatingChange]) -> list[Tally]:
    """What a counted match adds for each seat. Everybody ranked first has won; if everybody is, all have drawn."""
    drawn = len(set(ranks)) == 1
    return [
        Tally(points(change), int(not drawn and rank == 1), int(not drawn and rank != 1), int(drawn))
        for rank, change in zip(ranks, changes, strict=True)
    ]


def section_of(span: Span, matches: int, *, hidden: bool, active: bool = True) -> Section:
    """The section in which somebody with this number of matches is."""
    if hidden:
        return Section.HIDDEN
    return Section.RANKED if active and matches >= LEAST_MATCHES[span] else Section.BELOW
