"""Reads leaderboards: pages by key, ranks by buckets. However many are listed, a page reads a few hundred rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from bot.ratings import Rating
from bot.store.boards import Board, BoardPage, DayKey, Entry, PageOf, PageRequest, Place, Section, Tally, section_of
from bot.store.queries.boards.entries import COARSE, FINE
from bot.store.queries.connection import Connection
from bot.store.queries.paging import MANY, Page, following

LISTED: Final = (Section.RANKED, Section.BELOW)
_ABOVE_ALL: Final = Place(Section.RANKED, 2**62, 0)

_BOARD = "board_entries.guild_id = ? AND board_entries.game = ? AND span = ?"
_COLUMNS = (
    "SELECT section, score, board_entries.user_id,"
    " board_entries.wins, board_entries.losses, board_entries.draws, mu, sigma FROM board_entries"
)
_RATED = (
    " LEFT JOIN standings ON standings.guild_id = board_entries.guild_id"
    " AND standings.game = board_entries.game AND standings.user_id = board_entries.user_id"
    f" WHERE {_BOARD}"
)
_SELECT = f"{_COLUMNS} INDEXED BY board_entries_order{_RATED}"
"""Lines in the order of the list. Without the hint, SQLite looks for equal scores among all later user ids."""
_SELECT_ONE = f"{_COLUMNS}{_RATED} AND board_entries.user_id = ?"
_NUMBERED = "guild_id = :guild AND game = :game AND span = :span AND section = :section"


class _Way(NamedTuple):
    """A way through the list: how the next lines' user ids (of equal scores) and scores compare with a line's, how they
    are sorted, and in which order the sections come."""

    user_ids: str
    scores: str
    order: str
    sections: tuple[Section, ...]


_DOWN: Final = _Way(">", "<", "ORDER BY score DESC, board_entries.user_id LIMIT ?", LISTED)
_UP: Final = _Way("<", ">", "ORDER BY score, board_entries.user_id DESC LIMIT ?", LISTED[::-1])


def page(db: Connection, board: Board, reader: int, request: PageRequest, length: int) -> BoardPage:
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
    return BoardPage(tuple(ranked), sizes[Section.RANKED], sizes[Section.BELOW], own, bool(before), bool(more))


def count_listed(db: Connection, board: Board) -> int:
    """How many people are listed on a leaderboard."""
    sizes = _sizes(db, board)
    return sum(sizes[section] for section in LISTED)


def by_day(found: list[tuple[DayKey, Tally]]) -> dict[DayKey, Tally]:
    """What matches add up to, the oldest day first."""
    return dict(sorted(found, key=lambda each: (each[0].day, each[0].game)))


def days(
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
    db: Connection, board: Board, request: PageRequest, length: int, listed: int, *, own: Entry | None
) -> tuple[list[Entry], list[Entry]]:
    """The lines of a page, without their ranks, and the line after it if there is one."""
    match request.of, request.place:
        case PageOf.AFTER, Place() as place:
            found = _after(db, board, place, length + 1)
            if found:
                return found[:length], found[length:]
        case PageOf.BEFORE, Place() as place:
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


def _after(db: Connection, board: Board, place: Place, most: int) -> list[Entry]:
    """The lines that follow a place."""
    return _next(db, board, place, most, _DOWN)


def _before(db: Connection, board: Board, place: Place, most: int) -> list[Entry]:
    """The lines before a place, in the order of the list."""
    return _next(db, board, place, most, _UP)[::-1]


def _next(db: Connection, board: Board, place: Place, most: int, way: _Way) -> list[Entry]:
    """The next lines from a place on: of its score, of its section, and of the sections behind it."""
    section, score, user_id = _as_listed(place)
    listed = (board.guild_id, board.game, board.span)
    equal = f"{_SELECT} AND section = ? AND score = ? AND board_entries.user_id {way.user_ids} ? {way.order}"
    found = _entries(db, equal, *listed, section, score, user_id, most)
    if len(found) < most:
        further = f"{_SELECT} AND section = ? AND score {way.scores} ? {way.order}"
        found += _entries(db, further, *listed, section, score, most - len(found))
    for other in way.sections[way.sections.index(section) + 1 :]:
        if len(found) < most:
            found += _entries(db, f"{_SELECT} AND section = ? {way.order}", *listed, other, most - len(found))
    return found


def _as_listed(place: Place) -> Place:
    """Where somebody hidden would be listed."""
    return place._replace(section=Section.RANKED) if place.section is Section.HIDDEN else place


def _from_position(db: Connection, board: Board, position: int, length: int) -> list[Entry]:
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


def _place_in(db: Connection, board: Board, section: Section, coarse: int, position: int) -> Place:
    """The place of a line, counted from the first of its coarse bucket."""
    within = range(coarse << COARSE - FINE, coarse + 1 << COARSE - FINE)
    fine, position = _bucket_at(_buckets(db, board, section, FINE, within=within), position)
    score, user_id = db.execute(
        "SELECT score, user_id FROM board_entries INDEXED BY board_entries_order"
        " WHERE guild_id = ? AND game = ? AND span = ? AND section = ? AND score < ?"
        " ORDER BY score DESC, user_id LIMIT 1 OFFSET ?",
        (board.guild_id, board.game, board.span, section, fine + 1 << FINE, position),
    ).fetchone()
    return Place(section, score, user_id)


def _bucket_at(buckets: Iterable[tuple[int, int]], position: int) -> tuple[int, int]:
    """The bucket that contains a position, and the position within it. Raises LookupError past the last bucket."""
    for bucket, players in buckets:
        if position < players:
            return bucket, position
        position -= players
    raise LookupError("the buckets count fewer than there are")


def _buckets(
    db: Connection, board: Board, section: Section, bits: int, *, within: range | None = None
) -> list[tuple[int, int]]:
    """Buckets and how many are in each, the highest first; those in a range, if there is one."""
    limited = "" if within is None else " AND bucket >= ? AND bucket < ?"
    limits = () if within is None else (within.start, within.stop)
    return db.execute(
        "SELECT bucket, players FROM board_buckets"
        f" WHERE guild_id = ? AND game = ? AND span = ? AND section = ? AND bits = ?{limited} ORDER BY bucket DESC",
        (board.guild_id, board.game, board.span, section, bits, *limits),
    ).fetchall()


def _sizes(db: Connection, board: Board) -> Counter[int]:
    """How many lines each section has."""
    rows = db.execute(
        "SELECT section, sum(players) FROM board_buckets"
        " WHERE guild_id = ? AND game = ? AND span = ? AND section IN (0, 1, 2) AND bits = ? GROUP BY section",
        (board.guild_id, board.game, board.span, COARSE),
    )
    return Counter(dict(rows.fetchall()))


def _rank(db: Connection, board: Board, score: int) -> int:
    """The rank of a score: how many ranked players have a higher one, and 1."""
    coarse, fine = score >> COARSE, score >> FINE
    asked = {
        "guild": board.guild_id,
        "game": board.game,
        "span": board.span,
        "section": Section.RANKED,
        "coarse_bits": COARSE,
        "coarse": coarse,
        "fine_bits": FINE,
        "fine": fine,
        "next_coarse": coarse + 1 << COARSE - FINE,
        "score": score,
        "next_fine": fine + 1 << FINE,
    }
    (above,) = db.execute(
        f"SELECT (SELECT coalesce(sum(players), 0) FROM board_buckets WHERE {_NUMBERED}"
        " AND bits = :coarse_bits AND bucket > :coarse)"
        f" + (SELECT coalesce(sum(players), 0) FROM board_buckets WHERE {_NUMBERED}"
        " AND bits = :fine_bits AND bucket > :fine AND bucket < :next_coarse)"
        f" + (SELECT count(*) FROM board_entries WHERE {_NUMBERED} AND score > :score AND score < :next_fine)",
        asked,
    ).fetchone()
    return 1 + int(above)


def _with_ranks(db: Connection, board: Board, found: Sequence[Entry], neighbours: Iterable[Entry]) -> list[Entry]:
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


def _one(db: Connection, board: Board, user_id: int) -> Entry | None:
    """One person's line."""
    found = _entries(db, _SELECT_ONE, board.guild_id, board.game, board.span, user_id)
    return found[0] if found else None


def _rank_of_reader(db: Connection, board: Board, own: Entry) -> int | None:
    """The rank of a reader. Who is hidden from others sees the one that they would have."""
    section = section_of(board.span, own.matches, hidden=False) if own.place.section is Section.HIDDEN else None
    ranked = Section.RANKED in (own.place.section, section)
    return _rank(db, board, own.place.score) if ranked else None


def _entries(db: Connection, sql: str, *values: Any) -> list[Entry]:
    return [
        Entry(
            Place(Section(section), score, user_id),
            wins,
            losses,
            draws,
            None if mu is None else Rating(mu, sigma),
            None,
        )
        for section, score, user_id, wins, losses, draws, mu, sigma in db.execute(sql, values)
    ]
