"""How long operations of the store hold the database's thread: ``python -m tests.bench.operations [--brief]``.

While one piece of work is in that thread, no move is saved. So each question of the store, each write that has more to
do in a larger house, and each job that runs beside play is called on a large database (`tests.bench.large_database`),
and the longest piece of each call is measured: in CPU time of that thread, because neither what else the machine does
nor its disk should count. The exit code is 1 if one is above the limit.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

from bot.play.restoring import AT_A_TIME
from bot.play.seasons import ROWS
from bot.store.queries.attendances import Attendance, Stay
from bot.store.queries.gateway_sessions import KeptSession
from bot.store.queries.invitations import Invitation
from bot.store.queries.leaderboards import ALL_GAMES, Leaderboard, LeaderboardDates, LineKey, Section, Span
from bot.store.queries.matches import MatchRow, Record, Result, TimerRow
from bot.store.queries.packing import PackedLog
from bot.store.queries.seasons import SeasonFirst
from bot.store.sqlite.database import Database
from bot.store.sqlite.store import SqliteStore
from bot.store.store import Store
from cogs.away.queries import Absences
from cogs.blocks.queries import Blocks
from cogs.conditions.queries import ConditionQueries
from cogs.daily.queries import DailyQueries
from cogs.leaderboards.queries import LeaderboardQueries, PageOf, PageRequest
from cogs.matchmaking.queries import TableSubscriptions
from cogs.profiles.queries import ProfileQueries
from cogs.replays.queries import HistoryQuery, ReplayQueries
from cogs.server_week.queries import WeekQueries
from cogs.servers.queries import Bars, SetAsides
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
)
from tests.bench.sizes import sized
from tests.soak.report import Load, measured

LIMIT_MS: Final = 5.0
TIMES: Final = 7
"""How often an operation is called that may be repeated."""
TOMORROW: Final = LeaderboardDates.on(TODAY + 1, DATES.season)
_SOME: Final = 100
PACKED: Final = 200
"""Records of a match whose log is packed: as many as a long match of Unbreakable has."""
SIZE: Final = sized(Size(), brief=Size(results=2_000, live=400, attempts=20))

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


async def measure(load: Load) -> None:
    """How long each operation held the thread: the median of its calls, those that held it longest first."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # the system's own folder may be memory
        path = Path(folder) / "large.db"
        lay_out(path, SIZE)
        held = await _held(path)
    load.figures.append(f"{SIZE.results} results, {SIZE.live} live matches; ms of CPU that a piece held the thread:")
    for name, taken in sorted(held.items(), key=lambda each: -each[1]):
        load.figures.append(f"{name:<48}{taken:>9.3f}  {ALLOWED.get(name, '')}".rstrip())
        load.most(taken, None if name in ALLOWED else LIMIT_MS, f"ms for a piece of {name}")


async def _held(path: Path) -> dict[str, float]:
    store = await SqliteStore.open(path, now=lambda: NOW, accept_older=True)
    await store.database.read(lambda db: db.execute("PRAGMA synchronous = OFF"))  # waiting for the disk is not measured
    holds = Holds(store.database)
    held: dict[str, float] = {}
    try:
        for operations, times in ((reads(SIZE) | pages(SIZE) | writes(), TIMES), (single(), 1)):
            for name, call in operations.items():
                taken = sorted([await holds.longest(call(store, each)) for each in range(times)])
                held[name] = taken[len(taken) // 2]
    finally:
        await store.close()
    return held


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


def writes() -> dict[str, Call]:
    """The writes that have more to do where more was played, or that are long."""

    def first(match_id: str) -> Record:
        return Record(match_id, 0, None, None, None, EVENTS, 0)

    def act(match_id: str, seq: int, press: int | None) -> Record:
        return Record(match_id, seq, press, seq % 2, ACTION, EVENTS, 0)

    def over(match_id: str) -> Result:
        stayed = tuple(Attendance(match_id, seat, 0, NOW, Stay.FINISHED, 9, 9) for seat in (0, 1))
        return Result(match_id, "knockout", (1, 2), NOW, counted=True, attendances=stayed)

    async def open_match(s: Store, match_id: str) -> None:
        terms = (GUILD, 1, None, GAME, "{}", "normal")
        await s.add_invitation(Invitation(match_id, *terms, PERSON, (1001,), (PERSON, 1001), b"", bytes(32), 0, 0))
        row = MatchRow(match_id, GUILD, 1, None, None, GAME, 1, "{}", "normal", (PERSON, 1001), b"", bytes(32), 0)
        await s.open_match(row, first(match_id), [TimerRow(match_id, "turn", "1", 0)])

    async def put_packed_log(s: Store, n: int) -> None:
        match_id = f"packed{n}"
        await open_match(s, match_id)
        for seq in range(1, PACKED):
            ended = Result(match_id, "called_off", (), NOW, counted=False) if seq == PACKED - 1 else None
            await s.append(act(match_id, seq, 2**61 + PACKED * n + seq), (), ended)
        await s.put_packed_log(PackedLog(match_id, PACKED, (PACKED // 2, PACKED // 2), bytes(3_000)))

    return {
        "put_packed_log": put_packed_log,
        "open_match": lambda s, n: open_match(s, f"new{n}"),
        "append": lambda s, n: s.append(act(f"new{n}", 1, 2**62 + n), [TimerRow(f"new{n}", "turn", "2", 0)]),
        "append with a result": lambda s, n: s.append(act(f"new{n}", 2, None), (), over(f"new{n}")),
        "judge_seasons": lambda s, n: s.judge_seasons(GUILD, TODAY + n, [(PERSON, SeasonFirst(GAME, TODAY))]),
        "LeaderboardQueries.set_hidden": lambda s, n: LeaderboardQueries(s).set_hidden(
            GUILD, PERSON, hidden=n % 2 == 0
        ),
        "LeaderboardQueries.roll": lambda s, _: LeaderboardQueries(s).roll(GUILD, DATES),
        "LeaderboardQueries.roll as a day passes": lambda s, _: LeaderboardQueries(s).roll(GUILD, TOMORROW),
        "LeaderboardQueries.is_current as a day passes": lambda s, _: LeaderboardQueries(s).is_current(GUILD, TOMORROW),
        "keep_session": lambda s, n: s.keep_session(_session(n)),
        "TableSubscriptions.withdraw_notice": lambda s, n: TableSubscriptions(s).withdraw_notice(n, NOW, NOW - 1),
        "Bars.delete_ended": lambda s, _: Bars(s).delete_ended(NOW),
    }


def _session(sequence: int) -> KeptSession:
    """A session of a full shard."""
    servers = json.dumps([[GUILD + number, f"The server called {number}", "en-US", False] for number in range(2500)])
    return KeptSession(1, 0, "1 1", "5f" * 16, "wss://gateway.example/", sequence, NOW, servers)


def single() -> dict[str, Call]:
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
    sys.exit(measured("operations", measure))
