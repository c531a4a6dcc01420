"""The pages of a leaderboard, which are read by key, and ranks by buckets; and how its lists are kept as days pass.

However many are listed, a page reads a few hundred rows. The core keeps the lines and their buckets
(`bot.store.queries.leaderboard_keeping`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from bot.store.binding import Part, listing, now, person_key, reading, serves, writing
from bot.store.queries import begun_deletions, counting_again, leaderboard_keeping, leaderboards, resets, servers
from bot.store.queries.database import LEAST, Connection, Page
from bot.store.queries.leaderboards import COARSE, FINE, LISTED, Entry, Leaderboard, LineKey, Section


class PageOf(StrEnum):
    """Which page of a leaderboard is asked for. The letters are in the ids of buttons."""

    POSITION = "p"
    """The one that begins with the line of this number, counted from 0; the last one past the end."""
    AFTER = "a"
    """The one that follows a key, which may be nobody's any more."""
    BEFORE = "b"
    """The one that ends before a key."""
    OWN = "o"
    """The one with the reader's own line and those next to it; the first one if they have none."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page of a leaderboard, by one of the ways to name it."""

    of: PageOf = PageOf.POSITION
    position: int = 0
    key: LineKey | None = None


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


_ABOVE_ALL: Final = LineKey(Section.RANKED, 2**62, 0)


class _Way(NamedTuple):
    """A way through the list: how the next lines' user ids (of equal scores) and scores compare with a line's, how they
    are sorted, and in which order the sections come."""

    user_ids: str
    scores: str
    order: str
    sections: tuple[Section, ...]


_DOWN: Final = _Way(">", "<", "ORDER BY score DESC, board_entries.user_id LIMIT ?", LISTED)
_UP: Final = _Way("<", ">", "ORDER BY score, board_entries.user_id DESC LIMIT ?", LISTED[::-1])


def page(db: Connection, leaderboard: Leaderboard, reader: int, request: PageRequest, length: int) -> LeaderboardPage:
    """A page of at most `length` lines, and the reader's own line. It contains nobody hidden but the reader, and them
    only on the page with their own line."""
    sizes = leaderboards.sizes(db, leaderboard)
    listed = sum(sizes[section] for section in LISTED)
    own = leaderboards.line(db, leaderboard, reader)
    found, more = _requested(db, leaderboard, request, length, listed, own=own)
    before = _before(db, leaderboard, found[0].key, 1) if found else []
    ranked = _with_ranks(db, leaderboard, found, [*before, *more])
    if own is not None:
        rank = next((entry.rank for entry in ranked if entry.key == own.key), None)
        own = replace(own, rank=rank or leaderboards.rank_of(db, leaderboard, own))
        hidden = own.key.section is Section.HIDDEN
        ranked = [own if hidden and entry.key == own.key else entry for entry in ranked]
    return LeaderboardPage(tuple(ranked), sizes[Section.RANKED], sizes[Section.BELOW], own, bool(before), bool(more))


def _requested(
    db: Connection, leaderboard: Leaderboard, request: PageRequest, length: int, listed: int, *, own: Entry | None
) -> tuple[list[Entry], list[Entry]]:
    """The lines of a page, without their ranks, and the line after it if there is one."""
    match request.of, request.key:
        case PageOf.AFTER, LineKey() as key:
            found = _after(db, leaderboard, key, length + 1)
            if found:
                return found[:length], found[length:]
        case PageOf.BEFORE, LineKey() as key:
            found = _before(db, leaderboard, key, length)
            if len(found) == length:
                return found, _after(db, leaderboard, found[-1].key, 1)
        case PageOf.OWN, _ if own is not None:
            above = _before(db, leaderboard, own.key, (length - 1) // 2)
            found = [*above, own, *_after(db, leaderboard, own.key, length - len(above))]
            return found[:length], found[length:]
    # The first page, in place of one that would be shorter; past the end the last one.
    last = (listed - 1) // length * length
    position = last if request.of is PageOf.AFTER else min(request.position, last)
    found = _from_position(db, leaderboard, max(0, position), length + 1)
    return found[:length], found[length:]


def _after(db: Connection, leaderboard: Leaderboard, key: LineKey, most: int) -> list[Entry]:
    """The lines that follow a key."""
    return _next(db, leaderboard, key, most, _DOWN)


def _before(db: Connection, leaderboard: Leaderboard, key: LineKey, most: int) -> list[Entry]:
    """The lines before a key, in the order of the list."""
    return _next(db, leaderboard, key, most, _UP)[::-1]


def _next(db: Connection, leaderboard: Leaderboard, key: LineKey, most: int, way: _Way) -> list[Entry]:
    """The next lines from a key on: of its score, of its section, and of the sections behind it."""
    section, score, user_id = _as_listed(key)
    equal = f"section = ? AND score = ? AND board_entries.user_id {way.user_ids} ? {way.order}"
    found = leaderboards.lines(db, leaderboard, equal, section, score, user_id, most)
    if len(found) < most:
        further = f"section = ? AND score {way.scores} ? {way.order}"
        found += leaderboards.lines(db, leaderboard, further, section, score, most - len(found))
    for other in way.sections[way.sections.index(section) + 1 :]:
        if len(found) < most:
            found += leaderboards.lines(db, leaderboard, f"section = ? {way.order}", other, most - len(found))
    return found


def _as_listed(key: LineKey) -> LineKey:
    """Where somebody hidden would be listed."""
    return key._replace(section=Section.RANKED) if key.section is Section.HIDDEN else key


def _from_position(db: Connection, leaderboard: Leaderboard, position: int, length: int) -> list[Entry]:
    """The lines from one on, counted from 0. It is found through the buckets, and counted only within a fine one."""
    if position == 0:
        return _after(db, leaderboard, _ABOVE_ALL, length)
    for section in LISTED:
        for bucket, players in leaderboards.buckets(db, leaderboard, section, COARSE):
            if position < players:
                key = _key_in(db, leaderboard, section, bucket, position)
                begun = leaderboards.line(db, leaderboard, key.user_id)
                return [] if begun is None else [begun, *_after(db, leaderboard, key, length - 1)]
            position -= players
    return []


def _key_in(db: Connection, leaderboard: Leaderboard, section: Section, coarse: int, position: int) -> LineKey:
    """The key of a line, counted from the first of its coarse bucket."""
    within = range(coarse << COARSE - FINE, coarse + 1 << COARSE - FINE)
    fine, position = _bucket_at(leaderboards.buckets(db, leaderboard, section, FINE, within=within), position)
    score, user_id = db.execute(
        "SELECT score, user_id FROM board_entries INDEXED BY board_entries_order"
        " WHERE guild_id = ? AND game = ? AND span = ? AND section = ? AND score < ?"
        " ORDER BY score DESC, user_id LIMIT 1 OFFSET ?",
        (*leaderboard, section, fine + 1 << FINE, position),
    ).fetchone()
    return LineKey(section, score, user_id)


def _bucket_at(buckets: Iterable[tuple[int, int]], position: int) -> tuple[int, int]:
    """The bucket that contains a position, and the position within it. Raises LookupError past the last bucket."""
    for bucket, players in buckets:
        if position < players:
            return bucket, position
        position -= players
    raise LookupError("the buckets count fewer than there are")


def _with_ranks(
    db: Connection, leaderboard: Leaderboard, found: Sequence[Entry], neighbours: Iterable[Entry]
) -> list[Entry]:
    """The lines of a page with their ranks.

    Only two are looked up: that of the first line, which may share it with lines on former pages, and that of the first
    line with a lower score. From there on the page itself says how many are above.
    """
    around = [entry.key for entry in (*found, *neighbours)]
    scores = [key.score for key in around if key.section is Section.RANKED]
    ranks: dict[int, int] = {}
    above = 0
    ranked: list[Entry] = []
    for entry in found:
        key = entry.key
        if key.section is not Section.RANKED:
            ranked.append(entry)
            continue
        if key.score not in ranks:
            ranks[key.score] = leaderboards.rank(db, leaderboard, key.score) if len(ranks) < 2 else above + 1
            above = ranks[key.score] - 1
        above += 1
        ranked.append(replace(entry, rank=ranks[key.score], shared=scores.count(key.score) > 1))
    return ranked


def _played_in(db: Connection, after: int) -> Page[int, int]:
    """A page of the servers in which somebody has played a match that counts, by their ids."""
    return servers.known_in("board_days", db, after)


_HAS_PLAYED: Final = (
    f"SELECT 1 FROM board_days WHERE guild_id = ? AND user_id = ? AND {begun_deletions.spares('board_days')} LIMIT 1"
)


def are_listed(db: Connection, guild_id: int, users: Sequence[int]) -> bool:
    """Whether all of these people are on a server's leaderboards: nobody hides or has had their data deleted."""
    return not any(
        leaderboard_keeping.is_hidden(db, guild_id, user)
        or db.execute(_HAS_PLAYED, (guild_id, user)).fetchone() is None
        for user in users
    )


class LeaderboardQueries(Part):
    """These queries, as methods, and what the core has for leaderboards alone."""

    page = reading(page)
    are_listed = reading(are_listed)
    is_current = reading(leaderboard_keeping.is_current)
    roll = writing(leaderboard_keeping.roll)
    played_in = listing(_played_in, LEAST)
    set_hidden = writing(leaderboard_keeping.set_hidden)
    latest_reset = reading(resets.latest)
    reset = writing(resets.reset, now)
    take_back_reset = writing(resets.take_back, now)
    is_counting = reading(resets.is_counting)
    counts_under_way = reading(resets.under_way, serves)
    count_some = writing(counting_again.count_some, person_key)
