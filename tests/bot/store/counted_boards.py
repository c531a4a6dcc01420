"""Pages of leaderboards as they are counted from all results, and not from what is kept of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.store.match_weights import grown
from bot.store.queries import counting_again, standings
from bot.store.queries.database import Connection
from bot.store.queries.leaderboard_keeping import LeaderboardRecount
from bot.store.queries.leaderboards import (
    ALL_GAMES,
    DayKey,
    Entry,
    Leaderboard,
    LeaderboardDates,
    LineKey,
    Section,
    Span,
    Tally,
    score_of,
    section_of,
)
from bot.store.scoring import Player, Score
from cogs.leaderboards.queries import LeaderboardPage, PageOf, PageRequest


@dataclass(frozen=True)
class Counted:
    """What all counted results make: the score of each player, and what each of their days adds up to."""

    rows: Mapping[Player, Score]
    days: Mapping[DayKey, Tally]


def counted_again(db: Connection) -> Counted:
    """Count all results of a database."""
    rows: dict[Player, Score] = {}
    days: dict[DayKey, Tally] = {}
    for guild_id, game in db.execute("SELECT DISTINCT guild_id, game FROM results").fetchall():
        rows |= standings.recount(db, guild_id, game, correct=False).scores
    for guild_id, user_id in {(guild_id, user_id) for guild_id, _, user_id in rows}:
        for (game, day), tally in counting_again.count_person(db, guild_id, user_id).days.items():
            days[DayKey(guild_id, game, user_id, day)] = tally
    return Counted(rows, days)


def replace_days(db: Connection, guild_id: int, days: Mapping[int, Mapping[tuple[str, int], Tally]]) -> None:
    """Make the leaderboards of a server what the days of its people make of them: by user id, game and day."""
    counted = LeaderboardRecount(db, guild_id, correct=True)
    for user_id, theirs in days.items():
        counted.count(user_id, theirs)
    counted.count_buckets()


@dataclass(frozen=True)
class CountedBoards:
    """What a recount makes of all results, who hides, and the days on which it is looked at."""

    recount: Counted
    hidden: Collection[int]
    dates: LeaderboardDates

    def page(self, board: Leaderboard, reader: int, request: PageRequest, length: int) -> LeaderboardPage:
        """As `cogs.leaderboards.queries.page` should read it."""
        entries = self._entries(board)
        own = next((entry for entry in entries if entry.key.user_id == reader), None)
        listed = [entry for entry in entries if entry.key.section is not Section.HIDDEN]
        ranked = [_with_rank(entry, listed, board.span) for entry in listed]
        if own is not None:
            own = _with_rank(own, listed, board.span)
            if own.key.section is Section.HIDDEN and request.of is PageOf.OWN:
                ranked = sorted([*ranked, own], key=_order)
        first = _first(ranked, request, length, own)
        page = ranked[first : first + length]
        counted = [sum(entry.key.section is section for entry in listed) for section in Section]
        shown = replace(own, shared=False) if own is not None else None
        following = first + length < len(ranked)
        return LeaderboardPage(tuple(page), counted[0], counted[1], shown, bool(page) and first > 0, following)

    def _entries(self, board: Leaderboard) -> list[Entry]:
        """All lines of a leaderboard, hidden ones too, without ranks."""
        found: list[Entry] = []
        for user_id, tally in (self._all_time(board) if board.span is Span.ALL_TIME else self._since(board)).items():
            last_day = max(
                key.day
                for key in self.recount.days
                if (key.guild_id, key.user_id) == (board.guild_id, user_id) and self.contains(board, key.game)
            )
            active = board.span is not Span.ALL_TIME or last_day >= self.dates.active
            hidden = user_id < 0 or user_id in self.hidden
            key = LineKey(section_of(board.span, tally.matches, hidden=hidden, active=active), tally.points, user_id)
            row = self.recount.rows.get((board.guild_id, board.game, user_id))
            rating = None if row is None else row.rating
            found.append(Entry(key, tally.wins, tally.losses, tally.draws, rating, None))
        return sorted(found, key=_order)

    def contains(self, board: Leaderboard, game: str) -> bool:
        """Whether a leaderboard is about a game."""
        if board.game != ALL_GAMES:
            return board.game == game
        settled = Counter(key[1] for key, row in self.recount.rows.items() if key[0] == board.guild_id and row.settled)
        return game in grown(settled)

    def _all_time(self, board: Leaderboard) -> dict[int, Tally]:
        found: dict[int, Tally] = {}
        for (guild_id, game, user_id), row in self.recount.rows.items():
            if guild_id == board.guild_id and self.contains(board, game):
                points = score_of(row.ordinal)
                points = max(0, points) if board.game == ALL_GAMES else points
                tally = Tally(points, row.wins, row.losses, row.draws)
                found[user_id] = found.get(user_id, Tally()).plus(tally)
        return found

    def _since(self, board: Leaderboard) -> dict[int, Tally]:
        first = self.dates.week if board.span is Span.LAST_DAYS else self.dates.season
        found: dict[int, Tally] = {}
        for key, tally in self.recount.days.items():
            if key.guild_id == board.guild_id and key.day >= first and self.contains(board, key.game):
                found[key.user_id] = found.get(key.user_id, Tally()).plus(tally)
        return found


def _with_rank(entry: Entry, listed: Sequence[Entry], span: Span) -> Entry:
    """The entry with its rank; a hidden one with the rank that it would have."""
    key = entry.key
    scores = [each.key.score for each in listed if each.key.section is Section.RANKED]
    seen_as = section_of(span, entry.matches, hidden=False) if key.section is Section.HIDDEN else key.section
    rank = 1 + sum(score > key.score for score in scores) if seen_as is Section.RANKED else None
    shared = key.section is Section.RANKED and scores.count(key.score) > 1
    return replace(entry, rank=rank, shared=shared)


def _first(listed: Sequence[Entry], request: PageRequest, length: int, own: Entry | None) -> int:
    """The number of the page's first line, counted from 0."""
    last = max(0, (len(listed) - 1) // length * length)
    match request.of, request.key:
        case PageOf.AFTER, LineKey() as key:
            first = sum(_order_of(entry.key) <= _order_of(key) for entry in listed)
            return first if first < len(listed) else last
        case PageOf.BEFORE, LineKey() as key:
            return max(0, sum(_order_of(entry.key) < _order_of(key) for entry in listed) - length)
        case PageOf.OWN, _ if own is not None:
            above = sum(_order_of(entry.key) < _order_of(own.key) for entry in listed)
            return max(0, above - (length - 1) // 2)
        case _:
            return min(request.position, last)


def _order(entry: Entry) -> tuple[int, int, int]:
    return _order_of(entry.key)


def _order_of(key: LineKey) -> tuple[int, int, int]:
    """The order of the list. Somebody hidden is shown to themselves among the ranked."""
    section = Section.RANKED if key.section is Section.HIDDEN else key.section
    return section, -key.score, key.user_id
