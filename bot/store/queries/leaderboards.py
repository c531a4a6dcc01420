"""Leaderboards: what they rank by, their parts, and their pages, which are read by key, and ranks by buckets.

A score is an integer in thousandths of what players read. Sums of integers don't depend on their order, so the scores
that are kept (`bot.store.queries.leaderboard_keeping`) equal those that are counted again from the results. However
many are listed, a page reads a few hundred rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from bot.ratings import SCALE, Rating
from bot.store.queries.database import MANY, Connection, Page, following
from bot.store.scoring import RatingChange

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

    place: LineKey
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
    place: LineKey | None = None


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
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


# ----------------------------------------------------------------------------------------------- pages

FINE: Final = 10
"""Scores are in thousandths, so a fine bucket is about a point wide: few players share one without sharing a score."""
COARSE: Final = 16
"""A coarse bucket has 64 fine ones. All of a leaderboard's scores are in about 40 of these."""
LISTED: Final = (Section.RANKED, Section.BELOW)
_ABOVE_ALL: Final = LineKey(Section.RANKED, 2**62, 0)
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


class _Way(NamedTuple):
    """A way through the list: how the next lines' user ids (of equal scores) and scores compare with a line's, how they
    are sorted, and in which order the sections come."""

    user_ids: str
    scores: str
    order: str
    sections: tuple[Section, ...]


_DOWN: Final = _Way(">", "<", "ORDER BY score DESC, board_entries.user_id LIMIT ?", LISTED)
_UP: Final = _Way("<", ">", "ORDER BY score, board_entries.user_id DESC LIMIT ?", LISTED[::-1])


def page(db: Connection, board: Leaderboard, reader: int, request: PageRequest, length: int) -> LeaderboardPage:
    """A page of at most `length` lines, and the reader's own line. It contains nobody hidden but the reader, and them
    only on the page with their own line."""
    sizes = _sizes(db, board)
    listed = sum(sizes[section] for section in LISTED)
    own = _one(db, board, reader)
    found, more = _requested(db, board, request, length, listed, own=own)
    before = _before(db, board, found[0].place, 1) if found else []
    ranked = _with_ranks(db, board, found, [*before, *more])
    if own is not None:
        rank = next((entry.rank for entry in ranked if entry.place == own.place), None)
        own = replace(own, rank=rank or _rank_of_reader(db, board, own))
        hidden = own.place.section is Section.HIDDEN
        ranked = [own if hidden and entry.place == own.place else entry for entry in ranked]
    return LeaderboardPage(tuple(ranked), sizes[Section.RANKED], sizes[Section.BELOW], own, bool(before), bool(more))


def count_listed(db: Connection, board: Leaderboard) -> int:
    """How many people are listed on a leaderboard."""
    sizes = _sizes(db, board)
    return sum(sizes[section] for section in LISTED)


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


def _requested(
    db: Connection, board: Leaderboard, request: PageRequest, length: int, listed: int, *, own: Entry | None
) -> tuple[list[Entry], list[Entry]]:
    """The lines of a page, without their ranks, and the line after it if there is one."""
    match request.of, request.place:
        case PageOf.AFTER, LineKey() as place:
            found = _after(db, board, place, length + 1)
            if found:
                return found[:length], found[length:]
        case PageOf.BEFORE, LineKey() as place:
            found = _before(db, board, place, length)
            if len(found) == length:
                return found, _after(db, board, found[-1].place, 1)
        case PageOf.OWN, _ if own is not None:
            above = _before(db, board, own.place, (length - 1) // 2)
            found = [*above, own, *_after(db, board, own.place, length - len(above))]
            return found[:length], found[length:]
    # The first page, in place of one that would be shorter; past the end the last one.
    last = (listed - 1) // length * length
    position = last if request.of is PageOf.AFTER else min(request.position, last)
    found = _from_position(db, board, max(0, position), length + 1)
    return found[:length], found[length:]


def _after(db: Connection, board: Leaderboard, place: LineKey, most: int) -> list[Entry]:
    """The lines that follow a place."""
    return _next(db, board, place, most, _DOWN)


def _before(db: Connection, board: Leaderboard, place: LineKey, most: int) -> list[Entry]:
    """The lines before a place, in the order of the list."""
    return _next(db, board, place, most, _UP)[::-1]


def _next(db: Connection, board: Leaderboard, place: LineKey, most: int, way: _Way) -> list[Entry]:
    """The next lines from a place on: of its score, of its section, and of the sections behind it."""
    section, score, user_id = _as_listed(place)
    equal = f"{_SELECT} AND section = ? AND score = ? AND board_entries.user_id {way.user_ids} ? {way.order}"
    found = _entries(db, equal, *board, section, score, user_id, most)
    if len(found) < most:
        further = f"{_SELECT} AND section = ? AND score {way.scores} ? {way.order}"
        found += _entries(db, further, *board, section, score, most - len(found))
    for other in way.sections[way.sections.index(section) + 1 :]:
        if len(found) < most:
            found += _entries(db, f"{_SELECT} AND section = ? {way.order}", *board, other, most - len(found))
    return found


def _as_listed(place: LineKey) -> LineKey:
    """Where somebody hidden would be listed."""
    return place._replace(section=Section.RANKED) if place.section is Section.HIDDEN else place


def _from_position(db: Connection, board: Leaderboard, position: int, length: int) -> list[Entry]:
    """The lines from one on, counted from 0. It is found through the buckets, and counted only within a fine one."""
    if position == 0:
        return _after(db, board, _ABOVE_ALL, length)
    for section in LISTED:
        for bucket, players in _buckets(db, board, section, COARSE):
            if position < players:
                place = _place_in(db, board, section, bucket, position)
                begun = _one(db, board, place.user_id)
                return [] if begun is None else [begun, *_after(db, board, place, length - 1)]
            position -= players
    return []


def _place_in(db: Connection, board: Leaderboard, section: Section, coarse: int, position: int) -> LineKey:
    """The place of a line, counted from the first of its coarse bucket."""
    within = range(coarse << COARSE - FINE, coarse + 1 << COARSE - FINE)
    fine, position = _bucket_at(_buckets(db, board, section, FINE, within=within), position)
    score, user_id = db.execute(
        "SELECT score, user_id FROM board_entries INDEXED BY board_entries_order"
        " WHERE guild_id = ? AND game = ? AND span = ? AND section = ? AND score < ?"
        " ORDER BY score DESC, user_id LIMIT 1 OFFSET ?",
        (*board, section, fine + 1 << FINE, position),
    ).fetchone()
    return LineKey(section, score, user_id)


def _bucket_at(buckets: Iterable[tuple[int, int]], position: int) -> tuple[int, int]:
    """The bucket that contains a position, and the position within it. Raises LookupError past the last bucket."""
    for bucket, players in buckets:
        if position < players:
            return bucket, position
        position -= players
    raise LookupError("the buckets count fewer than there are")


def _buckets(
    db: Connection, board: Leaderboard, section: Section, bits: int, *, within: range | None = None
) -> list[tuple[int, int]]:
    """Buckets and how many are in each, the highest first; those in a range, if there is one."""
    limited = "" if within is None else " AND bucket >= ? AND bucket < ?"
    limits = () if within is None else (within.start, within.stop)
    return db.execute(
        "SELECT bucket, players FROM board_buckets"
        f" WHERE guild_id = ? AND game = ? AND span = ? AND section = ? AND bits = ?{limited} ORDER BY bucket DESC",
        (*board, section, bits, *limits),
    ).fetchall()


def _sizes(db: Connection, board: Leaderboard) -> Counter[int]:
    """How many lines each section has."""
    rows = db.execute(
        "SELECT section, sum(players) FROM board_buckets"
        " WHERE guild_id = ? AND game = ? AND span = ? AND section IN (0, 1, 2) AND bits = ? GROUP BY section",
        (*board, COARSE),
    )
    return Counter(dict(rows.fetchall()))


def _rank(db: Connection, board: Leaderboard, score: int) -> int:
    """The rank of a score: how many ranked players have a higher one, and 1."""
    coarse, fine = score >> COARSE, score >> FINE
    beside = range(fine + 1, coarse + 1 << COARSE - FINE)
    above = [
        *[players for bucket, players in _buckets(db, board, Section.RANKED, COARSE) if bucket > coarse],
        *[players for _, players in _buckets(db, board, Section.RANKED, FINE, within=beside)],
    ]
    (near,) = db.execute(
        f"SELECT count(*) FROM board_entries WHERE {_LEADERBOARD} AND section = ? AND score > ? AND score < ?",
        (*board, Section.RANKED, score, fine + 1 << FINE),
    ).fetchone()
    return 1 + sum(above) + int(near)


def _with_ranks(db: Connection, board: Leaderboard, found: Sequence[Entry], neighbours: Iterable[Entry]) -> list[Entry]:
    """The lines of a page with their ranks.

    Only two are looked up: that of the first line, which may share it with lines on former pages, and that of the first
    line with a lower score. From there on the page itself says how many are above.
    """
    around = [entry.place for entry in (*found, *neighbours)]
    scores = [place.score for place in around if place.section is Section.RANKED]
    ranks: dict[int, int] = {}
    above = 0
    ranked: list[Entry] = []
    for entry in found:
        place = entry.place
        if place.section is not Section.RANKED:
            ranked.append(entry)
            continue
        if place.score not in ranks:
            ranks[place.score] = _rank(db, board, place.score) if len(ranks) < 2 else above + 1
            above = ranks[place.score] - 1
        above += 1
        ranked.append(replace(entry, rank=ranks[place.score], shared=scores.count(place.score) > 1))
    return ranked


def _one(db: Connection, board: Leaderboard, user_id: int) -> Entry | None:
    """One person's line."""
    found = _entries(db, _SELECT_ONE, *board, user_id)
    return found[0] if found else None


def _rank_of_reader(db: Connection, board: Leaderboard, own: Entry) -> int | None:
    """The rank of a reader. Who is hidden from others sees the one that they would have."""
    section = section_of(board.span, own.matches, hidden=False) if own.place.section is Section.HIDDEN else None
    ranked = Section.RANKED in (own.place.section, section)
    return _rank(db, board, own.place.score) if ranked else None


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
