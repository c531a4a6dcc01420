"""How long each operation of the store holds the database's thread: ``python -m tests.bench.operations``.

While one piece of work is in that thread, no move is saved. So each method of the store, and each job that runs beside
play, is called on a large database (`tests.bench.large_database`), and the longest piece of each call is measured: in
CPU time of that thread, because neither what else the machine does nor its disk should count. Those above the limit are
named, and then the exit code is 1. ``--brief`` lays out a fiftieth of the rows and fails for no figure: it runs beside
other processes, which take the caches from each other.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any, Final, TypeAlias

from bot.play.restoring import AT_A_TIME
from bot.play.seasons import ROWS
from bot.shard_range import EVERYTHING
from bot.store.queries.attempts import TriedDeal
from bot.store.queries.attendances import Attendance, Stay
from bot.store.queries.gateway_sessions import KeptSession
from bot.store.queries.invitations import Invitation, InvitationState
from bot.store.queries.leaderboards import ALL_GAMES, Leaderboard, LeaderboardDates, LineKey, Section, Span
from bot.store.queries.matches import LostVenues, MatchRow, Record, Result, Suspension, TimerRow
from bot.store.queries.packing import PackedLog
from bot.store.queries.people import NoticeLevel
from bot.store.queries.screens import BoardMark, HandRow, Notice, Posting
from bot.store.queries.seasons import SeasonFirst
from bot.store.queries.server_settings import SettingChange
from bot.store.sqlite.database import Database
from bot.store.sqlite.store import SqliteStore
from bot.store.store import Store
from cogs.away.queries import Absences
from cogs.blocks.queries import Blocks
from cogs.conditions.queries import ConditionalMove, ConditionQueries, PlanOutcome
from cogs.daily.queries import DailyDeal, DailyMessage, DailyQueries
from cogs.leaderboards.queries import LeaderboardQueries, PageOf, PageRequest
from cogs.matchmaking.queries import TableSubscriptions
from cogs.profiles.queries import ComebackSearch, ProfileQueries
from cogs.replays.queries import HistoryQuery, ReplayQueries
from cogs.server_week.queries import PostRow, WeekQueries
from cogs.servers.queries import Bars, Greetings, SetAsides
from cogs.weekly.queries import WeeklyQueries
from tests.bench.large_database import (
    ACTION,
    BOARD,
    DATES,
    DEAL,
    EVENTS,
    GAME,
    GUILD,
    LIVE_GUILD,
    NOW,
    PERSON,
    TODAY,
    Size,
    finished,
    lay_out,
    live,
    weekly,
)

LIMIT_MS: Final = 5.0
TIMES: Final = 7
"""How often an operation is called that may be repeated."""
TOMORROW: Final = LeaderboardDates.on(TODAY + 1, DATES.season)
_SOME: Final = 100
PACKED: Final = 200
"""Records of a match whose log is packed: as many as a long match of Unbreakable has."""
BRIEF: Final = Size(results=2_000, live=400, attempts=20)

Call: TypeAlias = Callable[[Store, int], Awaitable[object]]
"""An operation, and the how manieth call it is."""

_START: Final = "only at a start"
_CHAT: Final = "only of a chat, where one person plays"
_HELD: Final = "while all clocks stand and all matches are held"
ALLOWED: Final = {
    **dict.fromkeys(
        ("live_matches", "matches_ended_since", "all_timers", "open_invitations", "server_settings"), _START
    ),
    "used_since": _CHAT,
    **dict.fromkeys(("credit_downtime", "shift_time"), _HELD),
}
"""What may take longer, and why: no press waits for it."""


class Holds:
    """Measures the pieces of work of a database's thread, in ms of CPU time of that thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.pieces: list[float] = []
        database.piece = self._measured

    def _measured(self, work: Callable[[], Any]) -> Any:
        begun = time.thread_time()
        try:
            return work()
        finally:
            self.pieces.append((time.thread_time() - begun) * 1000)

    async def longest(self, call: Awaitable[object]) -> float:
        """The longest piece of an operation; of more than a hundred, the longest but for one in a hundred. Those are
        commits with which SQLite moves its WAL into the file."""
        self.pieces.clear()
        await call
        for _ in range(2):  # a caller may wake before the end of its piece was measured
            await self._database.read(lambda _: None)
        pieces = sorted(self.pieces)
        return pieces[(len(pieces) - 1) * 99 // 100] if len(pieces) > _SOME else pieces[-1]


def planned(n: int) -> ConditionalMove:
    """A move that somebody has planned in the nth match that is being played."""
    return ConditionalMove(live(n), 0, 1, GUILD, PERSON, 0, "any", "hit", "hit")


def main(arguments: Sequence[str] = ()) -> int:
    """Print the operations, those that hold the thread longest first. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="tests.bench.operations")
    parser.add_argument("--brief", action="store_true", help="a fiftieth of the rows, only that it runs")
    parser.add_argument("--database", type=Path, help="a database that was laid out before; it is changed")
    options = parser.parse_args(arguments)
    size = BRIEF if options.brief else Size()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # the system's own folder may be memory
        path = options.database or Path(folder) / "large.db"
        if not path.exists():
            lay_out(path, size)
        held = asyncio.run(measure(path, size))
    print(
        f"{size.results} results, {size.live} live matches; ms of CPU that a piece of work held the database's thread"
    )
    too_long = [name for name, taken in held.items() if taken > LIMIT_MS and name not in ALLOWED]
    for name, taken in sorted(held.items(), key=lambda each: -each[1]):
        print(f"{name:<40}{taken:>9.3f}  {'TOO LONG' if name in too_long else ALLOWED.get(name, '')}".rstrip())
    print(f"{'PASS' if not too_long else 'FAIL'}: {len(too_long)} of {len(held)} operations above {LIMIT_MS} ms")
    return 1 if too_long and not options.brief else 0


async def measure(path: Path, size: Size) -> dict[str, float]:
    """How long each operation held the thread: the median of its calls."""
    store = await SqliteStore.open(path, now=lambda: NOW, accept_older=True)
    await store.database.read(lambda db: db.execute("PRAGMA synchronous = OFF"))  # waiting for the disk is not measured
    holds = Holds(store.database)
    held: dict[str, float] = {}
    try:
        for operations, times in ((repeatable(size), TIMES), (single(size), 1)):
            for name, call in operations.items():
                taken = sorted([await holds.longest(call(store, each)) for each in range(times)])
                held[name] = taken[len(taken) // 2]
    finally:
        await store.close()
    return held


def repeatable(size: Size) -> dict[str, Call]:
    """The operations that can be called again and again, by the names of the store's methods."""
    return {**reads(size), **pages(size), **_match_writes(), **_other_writes()}


def reads(size: Size) -> dict[str, Call]:
    """The questions, but those for pages."""
    lately = size.results - 50
    return {
        "invitation": lambda s, n: s.invitation(live(n)),
        "open_invitations": lambda s, _: s.open_invitations(),
        "open_invitations_of": lambda s, _: s.open_invitations_of(PERSON),
        "invitations_of": lambda s, _: s.invitations_of(GUILD, PERSON),
        "match": lambda s, n: s.match(finished(n)),
        "live_matches": lambda s, _: s.live_matches(),
        "live_matches_of": lambda s, _: s.live_matches_of(PERSON),
        "matches_ended_since": lambda s, _: s.matches_ended_since(NOW - 600_000),
        "matches_of": lambda s, _: s.matches_of(GUILD, PERSON),
        "matches_of_deal": lambda s, _: s.matches_of_deal(GUILD, DEAL),
        "latest_finished": lambda s, _: s.latest_finished(GUILD, PERSON, 25),
        "latest_finished in a channel": lambda s, _: s.latest_finished(GUILD, PERSON, 1, 2),
        "result": lambda s, n: s.result(finished(n)),
        "records": lambda s, n: s.records(finished(n)),
        "unpacked_log": lambda s, _: s.unpacked_log((0, ""), NOW),
        "match_of_interaction": lambda s, n: s.match_of_interaction(n),
        "newcomers": lambda s, n: s.newcomers(GAME, (1_000 + n, PERSON), 3),
        "match_of_series": lambda s, _: s.match_of_series("none", 2),
        "saved_matches": lambda s, n: s.saved_matches([live(AT_A_TIME * n + each) for each in range(AT_A_TIME)]),
        "timers": lambda s, n: s.timers(live(n)),
        "all_timers": lambda s, _: s.all_timers(),
        "notices": lambda s, _: s.notices(),
        "selection": lambda s, n: s.selection(live(n), 0, 1),
        "ConditionQueries.is_over": lambda s, n: ConditionQueries(s).is_over(finished(n)),
        "ConditionQueries.of_match": lambda s, n: ConditionQueries(s).of_match(live(n)),
        "ConditionQueries.of_person": lambda s, _: ConditionQueries(s).of_person(GUILD, PERSON),
        "ConditionQueries.matches": lambda s, _: ConditionQueries(s).matches(),
        "latest_selection": lambda s, n: s.latest_selection(live(n), 0),
        "open_hands": lambda s, _: s.open_hands(),
        "postings": lambda s, _: s.postings(),
        "standing": lambda s, n: s.standing(GUILD, GAME, 1_000 + n * 97),
        "count_ranked": lambda s, _: s.count_ranked(GUILD, GAME),
        "games_played": lambda s, _: s.games_played(GUILD),
        "head_to_head": lambda s, n: s.head_to_head(GUILD, GAME, (PERSON, 1_000 + n)),
        "head_to_head in all games": lambda s, n: s.head_to_head(GUILD, None, (1_000 + n, PERSON)),
        "head_to_head up to a match": lambda s, _: s.head_to_head(GUILD, GAME, (PERSON, 1_001), finished(lately)),
        "head_to_head up to an old match": lambda s, n: s.head_to_head(GUILD, GAME, (PERSON, 1_001), finished(9 * n)),
        "head_to_head of a stranger up to an old match": lambda s, n: s.head_to_head(
            GUILD, None, (1_500 + n, PERSON), finished(9 * n)
        ),
        "rating_changes": lambda s, n: s.rating_changes(finished(n)),
        "held_ratings": lambda s, _: s.held_ratings(GUILD, PERSON),
        "rating_starts": lambda s, _: s.rating_starts(GUILD, PERSON),
        "LeaderboardQueries.is_current": lambda s, _: LeaderboardQueries(s).is_current(GUILD, DATES),
        "LeaderboardQueries.are_listed": lambda s, n: LeaderboardQueries(s).are_listed(
            GUILD, range(1_000 + n, 1_010 + n)
        ),
        "LeaderboardQueries.played_in": lambda s, _: LeaderboardQueries(s).played_in(),
        "leaderboard_place": lambda s, n: s.leaderboard_place(BOARD, 1_000 + n),
        "is_hidden": lambda s, _: s.is_hidden(GUILD, PERSON),
        "counted_days": lambda s, _: s.counted_days(GUILD, PERSON),
        "days_between": lambda s, _: s.days_between(GUILD, range(TODAY - 30, TODAY), None, ROWS),
        "days_between of an old season": lambda s, n: s.days_between(
            GUILD, range(TODAY - 400 - 30 * n, TODAY - 370 - 30 * n), None, ROWS
        ),
        "judged_until": lambda s, _: s.judged_until(GUILD),
        "season_firsts": lambda s, _: s.season_firsts(GUILD, PERSON),
        "DailyQueries.deal": lambda s, _: DailyQueries(s).deal(GUILD, GAME, TODAY),
        "DailyQueries.attempt": lambda s, n: DailyQueries(s).attempt(GUILD, GAME, TODAY, 1_000 + n),
        "DailyQueries.attempts_on": lambda s, _: DailyQueries(s).attempts_on(GUILD, TODAY),
        "DailyQueries.attempts_by": lambda s, _: DailyQueries(s).attempts_by(GUILD, PERSON),
        "DailyQueries.streak": lambda s, _: DailyQueries(s).streak(GUILD, GAME, PERSON, TODAY),
        "DailyQueries.unshown_attempts": lambda s, _: DailyQueries(s).unshown_attempts(TODAY - 8),
        "WeeklyQueries.deal": lambda s, _: WeeklyQueries(s).deal(GAME, TODAY),
        "WeeklyQueries.attempt": lambda s, n: WeeklyQueries(s).attempt(GAME, TODAY, 50_000 + n),
        "WeeklyQueries.attempts_by": lambda s, n: WeeklyQueries(s).attempts_by(5_000_000 + n, 50_000 + n),
        "WeeklyQueries.is_played": lambda s, _: WeeklyQueries(s).is_played(GAME, TODAY),
        "WeeklyQueries.unscored": lambda s, _: WeeklyQueries(s).unscored(GAME, TODAY),
        "WeeklyQueries.best_in": lambda s, n: WeeklyQueries(s).best_in(GAME, TODAY, 5_000_000 + n, 10),
        "WeeklyQueries.standings": lambda s, _: WeeklyQueries(s).standings(GAME, TODAY, 10, 5_000_000),
        "resting_rows": lambda s, _: s.resting_rows((), GUILD, PERSON),
        "WeekQueries.posts": lambda s, _: WeekQueries(s).posts(GUILD),
        "WeekQueries.posted_in": lambda s, _: WeekQueries(s).posted_in(),
        "WeekQueries.firsts": lambda s, _: WeekQueries(s).firsts(GUILD),
        "DailyQueries.message": lambda s, _: DailyQueries(s).message(GUILD, 1, TODAY),
        "names": lambda s, _: s.names(GUILD, range(1_000, 1_010)),
        "chats_of": lambda s, _: s.chats_of(PERSON),
        "digest": lambda s, _: s.digest(PERSON),
        "due_digests": lambda s, _: s.due_digests(NOW),
        "shown_digests": lambda s, _: s.shown_digests(),
        "last_ping": lambda s, _: s.last_ping(PERSON),
        "notice_level": lambda s, _: s.notice_level(GUILD, PERSON),
        "preferences": lambda s, _: s.preferences([PERSON]),
        "TableSubscriptions.games_of": lambda s, _: TableSubscriptions(s).games_of(GUILD, PERSON),
        "TableSubscriptions.subscribers": lambda s, n: TableSubscriptions(s).subscribers(
            GUILD, GAME, 1_000 + n * 997, 25
        ),
        "TableSubscriptions.last_notice": lambda s, _: TableSubscriptions(s).last_notice(PERSON),
        "Absences.of_user": lambda s, _: Absences(s).of_user(PERSON),
        "Absences.current": lambda s, _: Absences(s).current(NOW),
        "Blocks.blocked_by": lambda s, _: Blocks(s).blocked_by(PERSON),
        "Blocks.blocked": lambda s, _: Blocks(s).blocked(PERSON, range(1_000, 1_010)),
        "Blocks.apart": lambda s, _: Blocks(s).apart(PERSON, range(1_000, 1_010)),
        "is_anybody_set_aside": lambda s, n: s.is_anybody_set_aside(GUILD, [PERSON, n]),
        "LeaderboardQueries.latest_reset": lambda s, _: LeaderboardQueries(s).latest_reset(GUILD),
        "LeaderboardQueries.is_counting": lambda s, _: LeaderboardQueries(s).is_counting(GUILD),
        "LeaderboardQueries.counts_under_way": lambda s, _: LeaderboardQueries(s).counts_under_way(),
        "SetAsides.is_set_aside": lambda s, _: SetAsides(s).is_set_aside(GUILD, PERSON),
        "is_set_aside": lambda s, _: s.is_set_aside(GUILD, PERSON),
        "Bars.bar_of": lambda s, _: Bars(s).bar_of(GUILD, PERSON, NOW),
        "attendances": lambda s, _: s.attendances(GUILD, PERSON, 30),
        "attendances of an export": lambda s, _: s.attendances(GUILD, PERSON, size.own),
        "player_record": lambda s, _: s.player_record(GUILD, PERSON),
        "ProfileQueries.most_met": lambda s, _: ProfileQueries(s).most_met(GUILD, PERSON, 3),
        "ProfileQueries.opponent": lambda s, _: ProfileQueries(s).opponent(GUILD, PERSON, 1_001),
        "ProfileQueries.met_at": lambda s, _: ProfileQueries(s).met_at(GUILD, PERSON, 10),
        "ProfileQueries.is_counting": lambda s, _: ProfileQueries(s).is_counting(GUILD),
        "ProfileQueries.rating_history": lambda s, _: ProfileQueries(s).rating_history(GUILD, PERSON, GAME, 100),
        "ProfileQueries.rating_history without results": lambda s, _: ProfileQueries(s).rating_history(
            GUILD, PERSON, "ciq", 100
        ),
        "ProfileQueries.wins_after": lambda s, _: ProfileQueries(s).wins_after(GUILD, PERSON, size.results // 2, 10),
        "ProfileQueries.comeback_search": lambda s, _: ProfileQueries(s).comeback_search(GUILD, PERSON),
        "known_guilds": lambda s, _: s.known_guilds(),
        "used_since": lambda s, _: s.used_since(GUILD, 2**62),
        "departures": lambda s, _: s.departures(),
        "server_settings": lambda s, _: s.server_settings(),
        "setting_changes": lambda s, _: s.setting_changes(GUILD),
        "last_heartbeat": lambda s, _: s.last_heartbeat(),
        "metadata": lambda s, _: s.metadata("commands"),
        "shard_owners": lambda s, _: s.shard_owners(),
    }


def pages(size: Size) -> dict[str, Call]:
    """The questions for pages."""
    query = HistoryQuery(GUILD, PERSON, PERSON, TODAY)
    stranger = HistoryQuery(GUILD, PERSON, 3, TODAY)
    middle = finished(size.results // 20 * 10)
    deep = PageRequest(PageOf.AFTER, key=LineKey(Section.RANKED, 1_000, 0))
    return {
        "finished_match": lambda s, n: s.finished_match(GUILD, finished(n), 3, TODAY),
        "derivable": lambda s, n: s.derivable(GUILD, finished(n), 3, TODAY),
        "ReplayQueries.finished_matches": lambda s, _: ReplayQueries(s).finished_matches(query, 10),
        "ReplayQueries.finished_matches for others": lambda s, _: ReplayQueries(s).finished_matches(stranger, 10),
        "ReplayQueries.finished_matches before": lambda s, _: ReplayQueries(s).finished_matches(
            query, 10, before=middle
        ),
        "ReplayQueries.finished_matches after": lambda s, _: ReplayQueries(s).finished_matches(query, 10, after=middle),
        "ReplayQueries.finished_matches of another game": lambda s, _: ReplayQueries(s).finished_matches(
            HistoryQuery(GUILD, PERSON, PERSON, TODAY, "ciq"), 10
        ),
        "LeaderboardQueries.page": lambda s, n: LeaderboardQueries(s).page(BOARD, 1_000 + n, PageRequest(), 10),
        "LeaderboardQueries.page of one's own": lambda s, n: LeaderboardQueries(s).page(
            BOARD, 1_000 + n * 997, PageRequest(PageOf.OWN), 10
        ),
        "LeaderboardQueries.page after another": lambda s, n: LeaderboardQueries(s).page(BOARD, 1_000 + n, deep, 10),
        "LeaderboardQueries.page by number": lambda s, n: LeaderboardQueries(s).page(
            BOARD, 7, PageRequest(position=size.results // 9 * n), 10
        ),
        "LeaderboardQueries.page of a season": lambda s, n: LeaderboardQueries(s).page(
            Leaderboard(GUILD, ALL_GAMES, Span.SEASON), 1_000 + n, PageRequest(PageOf.OWN), 10
        ),
    }


def _match_writes() -> dict[str, Call]:
    def asked(match_id: str, **changed: Any) -> Invitation:
        seats = changed.pop("seats", (1, 2))
        common = (LIVE_GUILD, 1, None, GAME, "{}", "normal", seats[0], (2,), seats, b"", bytes(32), 0, 0)
        return Invitation(match_id, *common)

    def opened(match_id: str, guild: int = LIVE_GUILD, day: int | None = None, *, alone: bool = False) -> MatchRow:
        row = (guild, 1, None, None, GAME, 1, "{}", "normal", (1, 2), b"", bytes(32), 0)
        return MatchRow(match_id, *row, day=day, alone=alone or day is not None)

    def first(match_id: str) -> Record:
        return Record(match_id, 0, None, None, None, EVENTS, 0)

    async def open_match(s: Store, n: int) -> None:
        await s.open_match(opened(f"new{n}"), first(f"new{n}"), [TimerRow(f"new{n}", "turn", "1", 0)])

    async def show_match(s: Store, n: int) -> None:
        await s.add_invitation(asked(f"alone{n}"))
        await s.open_match(opened(f"alone{n}", alone=True), first(f"alone{n}"), [])
        await s.show_match(f"alone{n}", 1)

    def moved(match_id: str, n: int) -> Record:
        return Record(match_id, 1, 2**62 + n, 0, ACTION, EVENTS, 0)

    def ended(match_id: str) -> Result:
        stayed = tuple(Attendance(match_id, seat, 0, NOW, Stay.FINISHED, 9, 9) for seat in (0, 1))
        return Result(match_id, "knockout", (1, 2), NOW, counted=True, attendances=stayed)

    async def put_packed_log(s: Store, n: int) -> None:
        match_id = f"packed{n}"
        await s.add_invitation(asked(match_id))
        await s.open_match(opened(match_id), first(match_id), [])
        for seq in range(1, PACKED):
            press = 2**61 + PACKED * n + seq
            over = Result(match_id, "called_off", (), NOW, counted=False) if seq == PACKED - 1 else None
            await s.append(Record(match_id, seq, press, seq % 2, ACTION, EVENTS, 0), (), over)
        await s.put_packed_log(PackedLog(match_id, PACKED, (PACKED // 2, PACKED // 2), bytes(3_000)))

    return {
        "put_packed_log": put_packed_log,
        "add_invitation": lambda s, n: s.add_invitation(asked(f"new{n}")),
        "set_invitation_message": lambda s, n: s.set_invitation_message(f"new{n}", 1),
        "reseat_invitation": lambda s, n: s.reseat_invitation(asked(f"new{n}")),
        "close_invitation": lambda s, n: s.close_invitation(f"o{n:07}", InvitationState.EXPIRED),
        "open_match": open_match,
        "append": lambda s, n: s.append(moved(f"new{n}", n), [TimerRow(f"new{n}", "turn", "2", 0)]),
        "append with a result": lambda s, n: s.append(
            Record(f"new{n}", 2, None, 0, ACTION, EVENTS, 0), (), ended(f"new{n}")
        ),
        "end_match": lambda s, n: s.end_match(Result(live(100 + n), "called_off", (), NOW, counted=False), None),
        "set_reading": lambda s, n: s.set_reading(live(n), 0, NOW, [TimerRow(live(n), "turn", "2", NOW)]),
        "set_away": lambda s, n: s.set_away(live(n), 0, NOW, [TimerRow(live(n), "turn", "2", NOW)]),
        "set_rest": lambda s, n: s.set_rest(live(n), NOW, [TimerRow(live(n), "turn", "2", NOW)]),
        "set_timers": lambda s, n: s.set_timers(live(n), [TimerRow(live(n), "turn", "2", NOW)]),
        "set_board": lambda s, n: s.set_board(live(n), 1, 2, 3),
        "show_match": show_match,
        "set_paused": lambda s, n: s.set_paused(live(n), None),
        "agree_to_call_off": lambda s, n: s.agree_to_call_off(live(n), 0),
        "suspend_match": lambda s, n: s.suspend_match(live(n), NOW, Suspension.REMOVED),
        "resume_match": lambda s, n: s.resume_match(live(n), 1, [TimerRow(live(n), "turn", "2", NOW)]),
        "hold a match": lambda s, n: s.suspend_match(live(n), NOW, Suspension.MODERATED),
        "release_match": lambda s, n: s.release_match(live(n), [TimerRow(live(n), "turn", "2", NOW)], LostVenues()),
        "add_notice": lambda s, n: s.add_notice(Notice(live(n), 0, 1, 1, 1)),
        "mark_notice": lambda s, n: s.mark_notice(Notice(live(n), 0, 1, 1, 1, bytes(24))),
        "remove_notice": lambda s, n: s.remove_notice(live(n), 0),
        "WeekQueries.put": lambda s, n: WeekQueries(s).put(PostRow(GUILD, f"room {n}", 1, 1, 1, NOW, b"shown")),
        "WeekQueries.drop": lambda s, n: WeekQueries(s).drop(GUILD, f"room {n}"),
        "WeekQueries.note_given": lambda s, n: WeekQueries(s).note_given(GUILD, n, 1),
        "WeekQueries.note_taken": lambda s, n: WeekQueries(s).note_taken(GUILD, n, 1),
        "ConditionQueries.add": lambda s, n: ConditionQueries(s).add(planned(n)),
        "ConditionQueries.drop": lambda s, n: ConditionQueries(s).drop(live(n), 0, 1),
        "ConditionQueries.conclude": lambda s, n: ConditionQueries(s).conclude(planned(n), PlanOutcome.UNFIT, 0),
        "ConditionQueries.forget": lambda s, n: ConditionQueries(s).forget(live(n), 0, 0),
        "save_selection": lambda s, n: s.save_selection(live(n), 0, 1, "1,2"),
        "DailyQueries.open_attempt": lambda s, n: DailyQueries(s).open_attempt(
            asked(f"try{n}", seats=(50 + n,)), opened(f"try{n}", day=TODAY), first(f"try{n}")
        ),
        "DailyQueries.note_shown": lambda s, n: DailyQueries(s).note_shown(f"q{n:06}"),
        "WeeklyQueries.open_attempt": lambda s, n: WeeklyQueries(s).open_attempt(
            asked(f"week{n}", seats=(60 + n,)), opened(f"week{n}", day=TODAY), first(f"week{n}"), server_name="a server"
        ),
        "WeeklyQueries.score": lambda s, n: WeeklyQueries(s).score(weekly(n)),
        "ReplayQueries.set_private_wish": lambda s, n: ReplayQueries(s).set_private_wish(finished(n), 0, wanted=True),
    }


def _other_writes() -> dict[str, Call]:
    deal = DailyDeal(
        2, DEAL, 1, "{}", bytes(32), bytes(32), GAME, TODAY, "hard", "{}", NOW, bytes(32), 1, 500, "1", GUILD
    )
    sealed = TriedDeal(*astuple(deal)[:-1])
    change = SettingChange(GUILD, 1, NOW, "hints", "on", "off")

    def hand(n: int) -> HandRow:
        return HandRow(live(n), 0, 1, 1, "t" * 100, "en", 1, "", bytes(16), NOW + 900_000)

    return {
        "write_open_hands": lambda s, n: s.write_open_hands([hand(n)], [], NOW - 1),
        "add_posting": lambda s, n: s.add_posting(Posting(live(n), None, 1, None, NOW)),
        "remove_posting": lambda s, n: s.remove_posting(live(n), None, 1),
        "record_heartbeat": lambda s, _: s.record_heartbeat(NOW),
        "LeaderboardQueries.set_hidden": lambda s, n: LeaderboardQueries(s).set_hidden(
            GUILD, PERSON, hidden=n % 2 == 0
        ),
        "write_board_marks": lambda s, n: s.write_board_marks({live(n): BoardMark(3, bytes(16))}),
        "judge_seasons": lambda s, n: s.judge_seasons(GUILD, TODAY + n, [(PERSON, SeasonFirst(GAME, TODAY))]),
        "LeaderboardQueries.roll": lambda s, _: LeaderboardQueries(s).roll(GUILD, DATES),
        "LeaderboardQueries.roll as a day passes": lambda s, _: LeaderboardQueries(s).roll(GUILD, TOMORROW),
        "LeaderboardQueries.is_current as a day passes": lambda s, _: LeaderboardQueries(s).is_current(GUILD, TOMORROW),
        "DailyQueries.seal": lambda s, _: DailyQueries(s).seal(deal),
        "WeeklyQueries.seal": lambda s, _: WeeklyQueries(s).seal(sealed),
        "DailyQueries.put_message": lambda s, _: DailyQueries(s).put_message(DailyMessage(GUILD, 1, TODAY, 1, NOW)),
        "set_name": lambda s, n: s.set_name(GUILD, n, "Name"),
        "set_notice_level": lambda s, n: s.set_notice_level(GUILD, n, NoticeLevel.QUIET),
        "set_digest_hour": lambda s, n: s.set_digest_hour(n, 7),
        "put_off_digest": lambda s, n: s.put_off_digest(n, NOW),
        "begin_posting_digest": lambda s, n: s.begin_posting_digest(n, n, NOW),
        "end_posting_digest": lambda s, n: s.end_posting_digest(n, n, NOW),
        "claim_ping": lambda s, n: s.claim_ping(n, "m1", 1),
        "set_preference": lambda s, n: s.set_preference(n, "cards", "words"),
        "TableSubscriptions.set_subscription": lambda s, n: TableSubscriptions(s).set_subscription(
            GUILD, n, GAME, wanted=True
        ),
        "TableSubscriptions.record_notice": lambda s, n: TableSubscriptions(s).record_notice(PERSON, NOW + n),
        "Absences.begin": lambda s, n: Absences(s).begin(1 + n, NOW, 2),
        "Absences.end": lambda s, n: Absences(s).end(1 + n, NOW),
        "Blocks.add": lambda s, n: Blocks(s).add(PERSON, 1 + n % 50, NOW),
        "Blocks.remove": lambda s, n: Blocks(s).remove(PERSON, 1 + n % 50),
        "Bars.bar": lambda s, n: Bars(s).bar(GUILD, n, NOW),
        "SetAsides.set_aside": lambda s, n: SetAsides(s).set_aside(GUILD, PERSON + n),
        "SetAsides.take_back": lambda s, n: SetAsides(s).take_back(GUILD, PERSON + n),
        "Bars.lift": lambda s, n: Bars(s).lift(GUILD, n),
        "Bars.delete_ended": lambda s, _: Bars(s).delete_ended(NOW),
        "TableSubscriptions.withdraw_notice": lambda s, n: TableSubscriptions(s).withdraw_notice(n, NOW, NOW - 1),
        "ProfileQueries.note_comeback_search": lambda s, _: ProfileQueries(s).note_comeback_search(
            GUILD, PERSON, ComebackSearch(1, None)
        ),
        "record_departure": lambda s, n: s.record_departure(5 + n, NOW),
        "clear_departure": lambda s, n: s.clear_departure(5 + n),
        "change_setting": lambda s, _: s.change_setting(change),
        "record_change": lambda s, _: s.record_change(change),
        "Greetings.greet": lambda s, n: Greetings(s).greet(GUILD, n),
        "set_metadata": lambda s, n: s.set_metadata("commands", str(n)),
        "claim_shards": lambda s, n: s.claim_shards(EVERYTHING, Tenant(), f"process {n}", 15_000),
        "renew_shards": lambda s, _: s.renew_shards(15_000),
        "release_shards": lambda s, n: _claimed_and_released(s, f"another {n}"),
        "take_job": lambda s, n: s.take_job(f"job {n}", 1000),
        "take_turn": lambda s, _: s.take_turn("identify:0", 5000),
        "record_session": lambda s, n: s.record_session("sessions:1", NOW + n, 1000),
        "keep_session": lambda s, n: s.keep_session(_session(n)),
        "take_sessions": _session_kept_and_taken,
    }


def _session(sequence: int) -> KeptSession:
    """A session of a full shard."""
    servers = json.dumps([[GUILD + number, f"The server called {number}", "en-US", False] for number in range(2500)])
    return KeptSession(1, 0, "1 1", "5f" * 16, "wss://gateway.example/", sequence, NOW, servers)


async def _session_kept_and_taken(store: Store, number: int) -> object:
    await store.keep_session(_session(number))
    return await store.take_sessions(1, {0})


class Tenant:
    """A process that is never fenced: nobody else has the file."""

    def fenced(self) -> None:
        """It never is."""


async def _claimed_and_released(store: Store, owner: str) -> None:
    await store.claim_shards(EVERYTHING, Tenant(), owner, 15_000)
    await store.release_shards()
    await store.claim_shards(EVERYTHING, Tenant(), f"{owner}, again", 15_000)


def single(size: Size) -> dict[str, Call]:
    """The operations that are called once, because they leave nothing to do again; the last ones delete."""

    async def anonymise(s: Store, _: int) -> None:
        await s.anonymise(GUILD, PERSON, -7, {row.id for row in await s.matches_of(GUILD, PERSON)})

    return {
        "record_departure of a large server": lambda s, _: s.record_departure(LIVE_GUILD, NOW),
        "record_look": lambda s, _: s.record_look(NOW, 1),
        "credit_downtime": lambda s, _: s.credit_downtime(NOW + 5_000),
        "shift_time": lambda s, _: s.shift_time(5_000),
        "anonymise": anonymise,
        "LeaderboardQueries.reset": lambda s, _: LeaderboardQueries(s).reset(GUILD),
        "LeaderboardQueries.count_some": lambda s, _: LeaderboardQueries(s).count_some(GUILD),
        "LeaderboardQueries.take_back_reset": lambda s, _: LeaderboardQueries(s).take_back_reset(GUILD),
        "purge_guild": lambda s, _: s.purge_guild(GUILD),
        "checkpoint": lambda s, _: s.database.checkpoint(overdue=True),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
