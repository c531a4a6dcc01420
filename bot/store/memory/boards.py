"""Leaderboards in memory: counted from the standings and the days of results whenever they are asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from bot.store.boards import (
    ALL_GAMES,
    Board,
    BoardDates,
    BoardPage,
    DayKey,
    Entry,
    PageOf,
    PageRequest,
    Place,
    SeasonFirst,
    Section,
    Span,
    Tally,
    score_of,
    section_of,
)
from bot.store.memory.data import Data
from bot.store.memory.transactions import Transactions, reads, writes


class MemoryBoards(Transactions):
    """`bot.store.protocols.boards.BoardStore` in memory."""

    @reads
    def board_page(self, data: Data, board: Board, reader: int, request: PageRequest, length: int) -> BoardPage:
        entries = _entries(data, board)
        own = next((entry for entry in entries if entry.place.user_id == reader), None)
        listed = [entry for entry in entries if entry.place.section is not Section.HIDDEN]
        ranked = [_with_rank(entry, listed, board.span) for entry in listed]
        if own is not None:
            own = _with_rank(own, listed, board.span)
            if own.place.section is Section.HIDDEN and request.of is PageOf.OWN:
                ranked = sorted([*ranked, own], key=_order)
        first = _first(ranked, request, length, own)
        page = ranked[first : first + length]
        counted = [sum(entry.place.section is section for entry in listed) for section in Section]
        shown = replace(own, shared=False) if own is not None else None
        following = first + length < len(ranked)
        return BoardPage(tuple(page), counted[0], counted[1], shown, bool(page) and first > 0, following)

    @reads
    def are_boards_current(self, data: Data, guild_id: int, dates: BoardDates) -> bool:
        return data.board_dates.get(guild_id) == dates

    @writes
    def roll_boards(self, data: Data, guild_id: int, dates: BoardDates) -> bool:
        former = data.board_dates.get(guild_id)
        data.board_dates[guild_id] = dates
        return former == dates

    @writes
    def set_hidden(self, data: Data, guild_id: int, user_id: int, *, hidden: bool) -> None:
        data.hidden_on_boards.pop((guild_id, user_id), None)
        if hidden:
            data.hidden_on_boards[guild_id, user_id] = True

    @reads
    def is_hidden(self, data: Data, guild_id: int, user_id: int) -> bool:
        return _is_hidden(data, guild_id, user_id)

    @reads
    def board_days(self, data: Data, guild_id: int, user_id: int) -> dict[DayKey, Tally]:
        found = [key for key in data.board_days if (key.guild_id, key.user_id) == (guild_id, user_id)]
        return {key: data.board_days[key] for key in sorted(found, key=lambda key: (key.day, key.game))}

    @reads
    def days_between(
        self, data: Data, guild_id: int, days: range, after: DayKey | None, most: int
    ) -> list[tuple[DayKey, Tally]]:
        found = [
            key
            for key in data.board_days
            if key.guild_id == guild_id and key.day in days and not _is_hidden(data, guild_id, key.user_id)
        ]
        following = [key for key in found if after is None or _by_day(key) > _by_day(after)]
        return [(key, data.board_days[key]) for key in sorted(following, key=_by_day)[:most]]

    @reads
    def judged_until(self, data: Data, guild_id: int) -> int | None:
        begun = min((key.day for key in data.board_days if key.guild_id == guild_id), default=None)
        return data.judged_seasons.get(guild_id, begun)

    @writes
    def judge_seasons(self, data: Data, guild_id: int, until: int, firsts: Collection[tuple[int, SeasonFirst]]) -> None:
        if data.judged_seasons.get(guild_id, until - 1) >= until:
            return
        data.judged_seasons[guild_id] = until
        known = {
            (key.user_id, game) for key in data.board_days if key.guild_id == guild_id for game in (key.game, ALL_GAMES)
        }
        for user_id, first in firsts:
            if (user_id, first.game) in known and not _is_hidden(data, guild_id, user_id):
                former = data.season_firsts.get((guild_id, user_id), frozenset())
                data.season_firsts[guild_id, user_id] = former | {first}

    @reads
    def season_firsts(self, data: Data, guild_id: int, user_id: int) -> list[SeasonFirst]:
        found = data.season_firsts.get((guild_id, user_id), frozenset())
        return sorted(found, key=lambda first: (-first.stop, first.game))


def _by_day(key: DayKey) -> tuple[int, int, str]:
    return key.day, key.user_id, key.game


def _entries(data: Data, board: Board) -> list[Entry]:
    """All lines of a leaderboard, hidden ones too, without ranks."""
    counted = _all_time(data, board) if board.span is Span.ALL_TIME else _since(data, board)
    dates = data.board_dates.get(board.guild_id)
    found: list[Entry] = []
    for user_id, tally in counted.items():
        last_day = max(
            key.day
            for key in data.board_days
            if (key.guild_id, key.user_id) == (board.guild_id, user_id) and board.game in (key.game, ALL_GAMES)
        )
        active = board.span is not Span.ALL_TIME or dates is None or last_day >= dates.active
        hidden = _is_hidden(data, board.guild_id, user_id)
        place = Place(section_of(board.span, tally.matches, hidden=hidden, active=active), tally.points, user_id)
        score = data.standings.get((board.guild_id, board.game, user_id))
        found.append(Entry(place, tally.wins, tally.losses, tally.draws, score.rating if score else None, None))
    return sorted(found, key=_order)


def _all_time(data: Data, board: Board) -> dict[int, Tally]:
    found: dict[int, Tally] = {}
    for (guild_id, game, user_id), score in data.standings.items():
        if guild_id == board.guild_id and board.game in (game, ALL_GAMES):
            points = score_of(score.rating.ordinal)
            points = max(0, points) if board.game == ALL_GAMES else points
            tally = Tally(points, score.wins, score.losses, score.draws)
            found[user_id] = found.get(user_id, Tally()).plus(tally)
    return found


def _since(data: Data, board: Board) -> dict[int, Tally]:
    dates = data.board_dates.get(board.guild_id, BoardDates(0, 0, 0))
    first = dates.week if board.span is Span.LAST_DAYS else dates.season
    found: dict[int, Tally] = {}
    for key, tally in data.board_days.items():
        if key.guild_id == board.guild_id and key.day >= first and board.game in (key.game, ALL_GAMES):
            found[key.user_id] = found.get(key.user_id, Tally()).plus(tally)
    return found


def _with_rank(entry: Entry, listed: Sequence[Entry], span: Span) -> Entry:
    """The entry with its rank; a hidden one with the rank that it would have."""
    place = entry.place
    scores = [each.place.score for each in listed if each.place.section is Section.RANKED]
    seen_as = section_of(span, entry.matches, hidden=False) if place.section is Section.HIDDEN else place.section
    rank = 1 + sum(score > place.score for score in scores) if seen_as is Section.RANKED else None
    shared = place.section is Section.RANKED and scores.count(place.score) > 1
    return replace(entry, rank=rank, shared=shared)


def _first(listed: Sequence[Entry], request: PageRequest, length: int, own: Entry | None) -> int:
    """The number of the page's first line, counted from 0."""
    last = max(0, (len(listed) - 1) // length * length)
    match request.of, request.place:
        case PageOf.AFTER, Place() as place:
            first = sum(_order_of(entry.place) <= _order_of(place) for entry in listed)
            return first if first < len(listed) else last
        case PageOf.BEFORE, Place() as place:
            return max(0, sum(_order_of(entry.place) < _order_of(place) for entry in listed) - length)
        case PageOf.OWN, _ if own is not None:
            place = own.place
            above = sum(_order_of(entry.place) < _order_of(place) for entry in listed)
            return max(0, above - (length - 1) // 2)
        case _:
            return min(request.position, last)


def _order(entry: Entry) -> tuple[int, int, int]:
    return _order_of(entry.place)


def _order_of(place: Place) -> tuple[int, int, int]:
    """The order of the list. Somebody hidden is shown to themselves among the ranked."""
    section = Section.RANKED if place.section is Section.HIDDEN else place.section
    return section, -place.score, place.user_id


def _is_hidden(data: Data, guild_id: int, user_id: int) -> bool:
    return user_id < 0 or (guild_id, user_id) in data.hidden_on_boards


def add_to_days(data: Data, key: DayKey, tally: Tally) -> None:
    """Add what a match adds for one seat."""
    data.board_days[key] = data.board_days.get(key, Tally()).plus(tally)


def without(days: Mapping[DayKey, Tally], guild_id: int, user_id: int, marker: int) -> dict[DayKey, Tally]:
    """The days with a marker in somebody's place."""
    return {
        key._replace(user_id=marker) if (key.guild_id, key.user_id) == (guild_id, user_id) else key: tally
        for key, tally in days.items()
    }
