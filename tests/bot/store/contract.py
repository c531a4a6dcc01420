"""What every `bot.store.store.Store` does. Subclass `StoreContract` and give it `open_store`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

import pytest

from bot.store.errors import Conflict, NotSaved, StoreError
from bot.store.queries.invitations import InvitationState
from bot.store.queries.leaderboards import Leaderboard, LeaderboardDates, Span
from bot.store.queries.matches import LostVenues, Suspension
from bot.store.queries.people import NoticeLevel
from bot.store.queries.screens import BoardMark
from bot.store.queries.seasons import SeasonFirst
from bot.store.store import Store
from cogs.away.queries import Absences
from cogs.blocks.queries import Blocks
from cogs.conditions.queries import ConditionQueries, PlanOutcome
from cogs.daily.queries import DailyQueries
from cogs.leaderboards.queries import LeaderboardQueries, PageRequest
from cogs.leagues.queries import LeagueQueries, Member, Offer
from cogs.matchmaking.queries import TableSubscriptions
from cogs.profiles.queries import ComebackSearch, ProfileQueries
from cogs.replays.queries import ReplayQueries
from cogs.server_week.queries import PostRow, WeekQueries
from cogs.servers.queries import Bars, Greetings, SetAsides
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rows import Ask, Correction, EntrantRow, How, PairingRow
from cogs.weekly.queries import WeeklyQueries
from tests.bot.store.contract_boards import BoardContract
from tests.bot.store.contract_conditions import ConditionsContract
from tests.bot.store.contract_daily import DailyContract
from tests.bot.store.contract_invitations import InvitationContract
from tests.bot.store.contract_leagues import (
    FIXTURES,
    LEAGUE_HERE,
    PLACES,
    SEASON,
    LeagueContract,
    league,
    league_began,
    league_joined,
)
from tests.bot.store.contract_matches import MatchContract
from tests.bot.store.contract_packing import PackingContract
from tests.bot.store.contract_people import PeopleContract
from tests.bot.store.contract_profiles import ProfileContract
from tests.bot.store.contract_ratings import RatingContract
from tests.bot.store.contract_replays import ReplayContract
from tests.bot.store.contract_resets import ResetContract
from tests.bot.store.contract_screens import ScreenContract
from tests.bot.store.contract_servers import ServerContract
from tests.bot.store.contract_standings import StandingContract
from tests.bot.store.contract_tournaments import (
    DEAL,
    ENTRANTS,
    PAIRINGS,
    PLAYING,
    TournamentContract,
    began,
    tournament,
)
from tests.bot.store.contract_tournaments import HERE as CUP_HERE
from tests.bot.store.contract_weekly import WeeklyContract
from tests.bot.store.memory_store import Data, MemoryStore
from tests.bot.store.open_stores import closed_after
from tests.bot.store.packing import pack_all
from tests.bot.store.rows import (
    ANN,
    BOB,
    CAT,
    DAY,
    GAME,
    GUILD,
    WEEK,
    attempt_rows,
    attempted,
    attended,
    change,
    daily_deal,
    daily_message,
    deal,
    hand,
    invitation,
    match,
    notice,
    opened,
    planned,
    played,
    posting,
    record,
    result,
    standings_of,
    timer,
    tried_weekly,
    weekly_deal,
    weekly_rows,
)
from tests.bot.store.subjects import is_reading, methods
from tests.shared_deals import begun_of

OpenStore = Callable[[], Awaitable[Store]]
FailingWrite = Callable[[Store], AbstractAsyncContextManager[None]]
"""Makes the one write within it fail with NotSaved."""

Call = Callable[[Store], Awaitable[object]]

TODAY = LeaderboardDates.on(100, 90)
"""A hundred days after the matches of these tests."""

WEEK_POST = PostRow(GUILD, "daily", 0, 7001, 9, 6000, b"what it shows")

RESET = GUILD + 70
"""A server whose standings `filled` has reset."""
WRITES: dict[str, Call] = {
    "add_invitation": lambda store: store.add_invitation(invitation("new")),
    "set_invitation_message": lambda store: store.set_invitation_message("open", 77),
    "reseat_invitation": lambda store: store.reseat_invitation(replace(invitation("open"), seated=(ANN, BOB))),
    "close_invitation": lambda store: store.close_invitation("open", InvitationState.DECLINED),
    "open_match": lambda store: store.open_match(match("open"), deal("open"), [timer(match_id="open")]),
    "append": lambda store: store.append(record(1, interaction=71), [timer("2")], attended()),
    "end_match": lambda store: store.end_match(result(ranks=(), counted=False), 71),
    "put_packed_log": pack_all,
    "set_reading": lambda store: store.set_reading("m1", 0, 7000, [timer("2")]),
    "set_away": lambda store: store.set_away("m1", 0, 7000, [timer("2")]),
    "set_rest": lambda store: store.set_rest("m1", 7000, [timer("2")]),
    "set_timers": lambda store: store.set_timers("m1", [timer("2")]),
    "set_board": lambda store: store.set_board("m1", 5, 6, 7),
    "show_match": lambda store: store.show_match("alone", 5),
    "set_paused": lambda store: store.set_paused("m1", 4711),
    "agree_to_call_off": lambda store: store.agree_to_call_off("m1", 1),
    "suspend_match": lambda store: store.suspend_match("m1", 7000, Suspension.NO_ACCESS),
    "resume_match": lambda store: store.resume_match("suspended", 5, [timer(match_id="suspended")]),
    "release_match": lambda store: store.release_match("held", [timer(match_id="held")], LostVenues()),
    "add_notice": lambda store: store.add_notice(notice("suspended")),
    "mark_notice": lambda store: store.mark_notice(replace(notice(), mark=b"what it says")),
    "remove_notice": lambda store: store.remove_notice("m1", 1),
    "save_selection": lambda store: store.save_selection("m1", 0, 7, "attack.b"),
    "write_open_hands": lambda store: store.write_open_hands([hand(seat=1)], [hand().key], 1000),
    "add_posting": lambda store: store.add_posting(posting(seat=0)),
    "remove_posting": lambda store: store.remove_posting("m1", None, posting().channel_id),
    "set_name": lambda store: store.set_name(GUILD, ANN, "Anna"),
    "set_notice_level": lambda store: store.set_notice_level(GUILD, ANN, NoticeLevel.NONE),
    "set_digest_hour": lambda store: store.set_digest_hour(CAT, 7),
    "put_off_digest": lambda store: store.put_off_digest(CAT, 9000, refused=True),
    "begin_posting_digest": lambda store: store.begin_posting_digest(CAT, 5, 9000),
    "end_posting_digest": lambda store: store.end_posting_digest(CAT, 6, 9000),
    "claim_ping": lambda store: store.claim_ping(CAT, "m1", 2),
    "set_preference": lambda store: store.set_preference(ANN, "card_style", "text"),
    "TableSubscriptions.set_subscription": lambda store: TableSubscriptions(store).set_subscription(
        GUILD, ANN, GAME, wanted=False
    ),
    "TableSubscriptions.record_notice": lambda store: TableSubscriptions(store).record_notice(ANN, 7000),
    "TableSubscriptions.withdraw_notice": lambda store: TableSubscriptions(store).withdraw_notice(ANN, 6000, None),
    "Absences.begin": lambda store: Absences(store).begin(CAT, 7000, 2),
    "Absences.end": lambda store: Absences(store).end(ANN, 7000),
    "Blocks.add": lambda store: Blocks(store).add(ANN, CAT, 7000),
    "Blocks.remove": lambda store: Blocks(store).remove(ANN, BOB),
    "Bars.bar": lambda store: Bars(store).bar(GUILD, ANN, 9000),
    "Bars.lift": lambda store: Bars(store).lift(GUILD, BOB),
    "Bars.delete_ended": lambda store: Bars(store).delete_ended(8000),
    "SetAsides.set_aside": lambda store: SetAsides(store).set_aside(GUILD, ANN),
    "SetAsides.take_back": lambda store: SetAsides(store).take_back(GUILD, BOB),
    "LeaderboardQueries.roll": lambda store: LeaderboardQueries(store).roll(GUILD, TODAY),
    "judge_seasons": lambda store: store.judge_seasons(GUILD, 9, [(ANN, SeasonFirst(GAME, 9))]),
    "LeaderboardQueries.reset": lambda store: LeaderboardQueries(store).reset(GUILD),
    "LeaderboardQueries.take_back_reset": lambda store: LeaderboardQueries(store).take_back_reset(RESET),
    "LeaderboardQueries.count_some": lambda store: LeaderboardQueries(store).count_some(RESET),
    "LeaderboardQueries.set_hidden": lambda store: LeaderboardQueries(store).set_hidden(GUILD, CAT, hidden=True),
    "anonymise": lambda store: store.anonymise(GUILD, CAT, -1, {"over"}),
    "record_departure": lambda store: store.record_departure(GUILD, 1000),
    "clear_departure": lambda store: store.clear_departure(GUILD + 1),
    "record_look": lambda store: store.record_look(2000, None),
    "purge_guild": lambda store: store.purge_guild(GUILD),
    "change_setting": lambda store: store.change_setting(change(former="channel")),
    "record_change": lambda store: store.record_change(change("called_off", "m1")),
    "Greetings.greet": lambda store: Greetings(store).greet(GUILD + 2, 5000),
    "WeekQueries.put": lambda store: WeekQueries(store).put(replace(WEEK_POST, message_id=None)),
    "WeekQueries.drop": lambda store: WeekQueries(store).drop(GUILD, "daily"),
    "WeekQueries.note_given": lambda store: WeekQueries(store).note_given(GUILD, BOB, 8001),
    "WeekQueries.note_taken": lambda store: WeekQueries(store).note_taken(GUILD, ANN, 8001),
    "record_heartbeat": lambda store: store.record_heartbeat(2000),
    "credit_downtime": lambda store: store.credit_downtime(5000),
    "shift_time": lambda store: store.shift_time(5000),
    "DailyQueries.seal": lambda store: DailyQueries(store).seal(daily_deal(DAY + 1)),
    "DailyQueries.open_attempt": lambda store: DailyQueries(store).open_attempt(*attempt_rows("new", BOB), deal("new")),
    "TournamentQueries.create": lambda store: TournamentQueries(store).create(tournament("new")),
    "TournamentQueries.put": lambda store: TournamentQueries(store).put(replace(PLAYING, channel_id=7)),
    "TournamentQueries.put_entrants": lambda store: TournamentQueries(store).put_entrants(
        *CUP_HERE, [EntrantRow(4, 8, 9)]
    ),
    "TournamentQueries.enter": lambda store: TournamentQueries(store).enter(*CUP_HERE, EntrantRow(4, 8, 9)),
    "TournamentQueries.remove_entrants": lambda store: TournamentQueries(store).remove_entrants(*CUP_HERE, [3]),
    "TournamentQueries.begin": lambda store: TournamentQueries(store).begin(replace(PLAYING, most=9), ENTRANTS),
    "TournamentQueries.begin_round": lambda store: TournamentQueries(store).begin_round(
        replace(PLAYING, round=2), 9, entrants=(), pairings=(), dealt=()
    ),
    "TournamentQueries.add_pairings": lambda store: TournamentQueries(store).add_pairings(
        *CUP_HERE, [PairingRow(1, 3, (ENTRANTS[0].user_id,), How.BYE)]
    ),
    "TournamentQueries.ask": lambda store: TournamentQueries(store).ask(*CUP_HERE, Ask(2, CAT)),
    "TournamentQueries.add_deal": lambda store: TournamentQueries(store).add_deal(*CUP_HERE, replace(DEAL, nth=2)),
    "TournamentQueries.begin_leg": lambda store: TournamentQueries(store).begin_leg(
        begun_of(match("new")), CUP_HERE[1], (1, 1, 2)
    ),
    "TournamentQueries.seat": lambda store: TournamentQueries(store).seat(
        *CUP_HERE, replace(PAIRINGS[1], people=(ENTRANTS[0].user_id,))
    ),
    "TournamentQueries.end_leg": lambda store: TournamentQueries(store).end_leg(*CUP_HERE, (1, 1, 1), (2, 0)),
    "TournamentQueries.end_pairing": lambda store: TournamentQueries(store).end_pairing(
        *CUP_HERE, replace(PAIRINGS[0], how=How.PLAYED)
    ),
    "TournamentQueries.end_round": lambda store: TournamentQueries(store).end_round(PLAYING, 9),
    "TournamentQueries.correct": lambda store: TournamentQueries(store).correct(
        *CUP_HERE, replace(PAIRINGS[0], how=How.CORRECTED), Correction(1, 1, 1, 9, CAT, (1, 1))
    ),
    "LeagueQueries.create": lambda store: LeagueQueries(store).create(league("new")),
    "LeagueQueries.put": lambda store: LeagueQueries(store).put(replace(SEASON, channel_id=7)),
    "LeagueQueries.join": lambda store: LeagueQueries(store).join(*LEAGUE_HERE, Member(8, 9)),
    "LeagueQueries.leave": lambda store: LeagueQueries(store).leave(*LEAGUE_HERE, ANN),
    "LeagueQueries.begin_season": lambda store: LeagueQueries(store).begin_season(
        replace(SEASON, id="waits"), PLACES, FIXTURES
    ),
    "LeagueQueries.record": lambda store: LeagueQueries(store).record(SEASON, (), [replace(PLACES[0], user_id=BOB)]),
    "LeagueQueries.end_week": lambda store: LeagueQueries(store).end_week(replace(SEASON, week=2), 1, ()),
    "LeagueQueries.offer": lambda store: LeagueQueries(store).offer(SEASON, Offer("new", 1, 1, 9)),
    "LeagueQueries.withdraw": lambda store: LeagueQueries(store).withdraw(SEASON, Offer("askedleague1", 1, 2, 2100)),
    "DailyQueries.note_shown": lambda store: DailyQueries(store).note_shown("a1"),
    "DailyQueries.put_message": lambda store: DailyQueries(store).put_message(daily_message(message=None)),
    "WeeklyQueries.seal": lambda store: WeeklyQueries(store).seal(weekly_deal(WEEK + 7)),
    "WeeklyQueries.open_attempt": lambda store: WeeklyQueries(store).open_attempt(
        *weekly_rows("new", BOB), deal("new"), server_name="new"
    ),
    "WeeklyQueries.score": lambda store: WeeklyQueries(store).score("week"),
    "ConditionQueries.add": lambda store: ConditionQueries(store).add(planned(move="block 3H")),
    "ConditionQueries.drop": lambda store: ConditionQueries(store).drop("m1", 1, 1),
    "ConditionQueries.forget": lambda store: ConditionQueries(store).forget("m1", 1, 0),
    "ConditionQueries.conclude": lambda store: ConditionQueries(store).conclude(planned(), PlanOutcome.UNFIT, 0),
    "write_board_marks": lambda store: store.write_board_marks({"m1": BoardMark(0, b"anew")}),
    "ReplayQueries.set_private_wish": lambda store: ReplayQueries(store).set_private_wish("over", 0, wanted=True),
    "ProfileQueries.note_comeback_search": lambda store: ProfileQueries(store).note_comeback_search(
        GUILD, CAT, ComebackSearch(1)
    ),
    "set_metadata": lambda store: store.set_metadata("key", "after"),
}
"""Every write, as it changes what `filled` leaves."""


READS = {
    *(
        "ConditionQueries.matches",
        "DailyQueries.streak",
        "DailyQueries.unshown_attempts",
        "LeagueQueries.unfinished",
        "attendances",
    ),
    *(
        "ReplayQueries.finished_matches",
        "TournamentQueries.ended_since",
        "TournamentQueries.unfinished",
        "head_to_head",
    ),
    *("known_guilds", "latest_finished", "standing"),
}
"""What reads in several pieces of work. The rest is known by how it is made."""
OF_PROCESSES = {
    *("is_shared", "data_clock", "claim_shards", "renew_shards", "release_shards", "shard_owners"),
    *("keep_renewing", "take_job", "take_turn", "record_session", "keep_session", "take_sessions"),
}
"""What `contract_clusters` tests."""


KEY = "7" * 64
"""The key by which people are recognised in what `filled` leaves, as the text of its file."""


async def filled(store: Store) -> None:
    """Leave something that each of `WRITES` changes."""
    await store.record_heartbeat(1000)
    await store.set_metadata("key", "before")
    await store.record_look(1000, None)
    await store.record_departure(GUILD + 1, 500)
    await played(store, "over", (1, 2), seats=(CAT, CAT + 1))
    await played(store, "reset", (1, 2), seats=(CAT, CAT + 1), guild=RESET)
    await LeaderboardQueries(store).reset(RESET)
    await opened(store, timers=(timer(),))
    await opened(store, "suspended")
    await store.suspend_match("suspended", 7000, Suspension.CHANNEL_GONE)
    await opened(store, "alone", alone=True)
    await opened(store, "held")
    await store.suspend_match("held", 7000, Suspension.MODERATED)
    await store.add_invitation(invitation("open"))
    await store.add_notice(notice())
    await store.save_selection("m1", 0, 7, "attack.a")
    await store.write_open_hands([hand()], [], 1000)
    await store.add_posting(posting())
    await store.set_name(GUILD, ANN, "Ann")
    await store.set_notice_level(GUILD, ANN, NoticeLevel.QUIET)
    await store.change_setting(change(value="channel"))
    await store.set_notice_level(GUILD, CAT, NoticeLevel.DIGEST)
    await store.set_preference(ANN, "card_style", "words")
    await TableSubscriptions(store).set_subscription(GUILD, ANN, GAME, wanted=True)
    await TableSubscriptions(store).record_notice(ANN, 6000)
    await Blocks(store).add(ANN, BOB, 6000)
    await Absences(store).begin(ANN, 6000, 2)
    await Bars(store).bar(GUILD, BOB, 8000)
    await SetAsides(store).set_aside(GUILD, BOB)
    await WeekQueries(store).put(WEEK_POST)
    await WeekQueries(store).note_given(GUILD, ANN, 8001)
    await attempted(store)
    await DailyQueries(store).put_message(daily_message())
    await tried_weekly(store)
    await tried_weekly(store, "week", CAT + 5)
    await store.append(record(1, "week"), (), result("week", counted=False))
    await ConditionQueries(store).add(planned())
    await began(store)
    await league_began(store)
    await league_joined(store, "waits")


_tables: list[bytes] = []


async def filled_tables() -> bytes:
    """The tables in memory with what `filled` leaves. They are made once."""
    if not _tables:
        data = Data()
        await filled(MemoryStore(now=lambda: 1500, data=data))
        _tables.append(data.connection.serialize())
    return _tables[0]


async def at_once(*asked: Awaitable[object]) -> list[object]:
    """The answers to all that is asked. A database is quicker where the next question waits already."""
    return list(await asyncio.gather(*asked))


async def all_rows(store: Store) -> list[object]:
    """Everything that the store answers about what `filled` and `WRITES` write."""
    ids = ["over", "m1", "suspended", "alone", "held", "open", "new"]
    looked_on = await store.record_look(1000, 0)
    answers = await at_once(
        at_once(*(store.invitation(each) for each in ids)),
        store.open_invitations(),
        at_once(*(store.match(each) for each in ids)),
        at_once(*(store.result(each) for each in ids)),
        at_once(*(store.records(each) for each in ids)),
        store.all_timers(),
        store.notices(),
        store.selection("m1", 0, 7),
        store.open_hands(),
        store.postings(),
        store.saved_matches(ids),
        store.unpacked_log((0, ""), 9000),
        store.match_of_interaction(71),
        at_once(*(store.standing(GUILD, GAME, each) for each in (ANN, BOB, CAT))),
        at_once(*(store.rating_changes(each) for each in ids)),
        store.games_played(GUILD),
        store.games_played(RESET),
        at_once(*(LeaderboardQueries(store).latest_reset(each) for each in (GUILD, RESET))),
        at_once(*(store.player_record(GUILD, each) for each in (ANN, BOB, CAT))),
        ProfileQueries(store).comeback_search(GUILD, CAT),
        at_once(*(ProfileQueries(store).most_met(GUILD, each, 9) for each in (ANN, BOB, CAT))),
        at_once(
            *(LeaderboardQueries(store).page(Leaderboard(GUILD, GAME, span), ANN, PageRequest(), 9) for span in Span)
        ),
        store.is_hidden(GUILD, CAT),
        store.judged_until(GUILD),
        at_once(*(store.season_firsts(GUILD, each) for each in (ANN, BOB, CAT))),
        store.names(GUILD, [ANN]),
        store.notice_level(GUILD, ANN),
        store.preferences([ANN]),
        store.attendances(GUILD, ANN, 9),
        TableSubscriptions(store).games_of(GUILD, ANN),
        TableSubscriptions(store).last_notice(ANN),
        store.digest(CAT),
        store.due_digests(10**15),
        store.shown_digests(),
        store.last_ping(CAT),
        Blocks(store).blocked_by(ANN),
        Absences(store).of_user(ANN),
        Absences(store).of_user(CAT),
        at_once(*(Bars(store).bar_of(GUILD, each, 7000) for each in (ANN, BOB))),
        at_once(*(store.is_set_aside(GUILD, each) for each in (ANN, BOB))),
        WeekQueries(store).posts(GUILD),
        WeekQueries(store).firsts(GUILD),
        store.known_guilds(),
        store.departures(),
        store.server_settings(),
        store.setting_changes(GUILD),
        at_once(*(DailyQueries(store).deal(GUILD, GAME, day) for day in (DAY, DAY + 1))),
        DailyQueries(store).attempts_on(GUILD, DAY),
        at_once(*(WeeklyQueries(store).deal(GAME, day) for day in (WEEK, WEEK + 7))),
        at_once(*(WeeklyQueries(store).attempt(GAME, WEEK, each) for each in (ANN, BOB))),
        WeeklyQueries(store).unscored(GAME, WEEK),
        ConditionQueries(store).of_match("m1"),
        DailyQueries(store).message(GUILD, daily_message().channel_id, DAY),
        at_once(*(TournamentQueries(store).whole(GUILD, each) for each in (CUP_HERE[1], "new"))),
        TournamentQueries(store).deals(*CUP_HERE),
        at_once(*(LeagueQueries(store).whole(GUILD, each) for each in (LEAGUE_HERE[1], "new", "waits"))),
        store.finished_match(GUILD, "over", CAT, DAY),
        store.last_heartbeat(),
        store.metadata("key"),
    )
    return [looked_on, *answers]


class StorePromises:
    """What does not depend on what is asked. Subclasses have two fixtures.

    `open_store` opens a store, each time on the same data. `failing_write` makes the one write within it fail.
    """

    NUL = "\0"
    """What a store keeps of NUL in a text: another character if its database has no NUL."""

    @pytest.fixture
    async def store(self, open_store: OpenStore) -> AsyncIterator[Store]:
        store = await open_store()
        yield store
        await store.close()

    @pytest.fixture
    async def filled_store(self, store: Store) -> Store:
        """A store with what `filled` leaves. A subclass may copy it, where that costs less than to write it."""
        await filled(store)
        return store

    # -------------------------------------------------------------------------------------- promises

    async def test_what_was_written_is_there_when_opened_again(self, store: Store, open_store: OpenStore) -> None:
        await opened(store, timers=(timer(),))
        await store.append(record(1, interaction=71), [timer("2")])
        await played(store, "m2", (1, 2), seats=(ANN, BOB))
        standings = await standings_of(store, (ANN, BOB))
        await store.close()
        async with closed_after(open_store()) as again:
            assert await again.live_matches() == [match()]
            assert await again.records("m1") == [deal(), record(1, interaction=71)]
            assert await again.timers("m1") == [timer("2")]
            assert await again.match_of_interaction(71) == "m1"
            assert await standings_of(again, (ANN, BOB)) == standings
            assert len(standings) == 2

    async def test_a_cancelled_caller_tears_nothing(self, store: Store) -> None:
        count = 40
        for number in range(count):
            await opened(store, f"m{number}")
        writing = [
            asyncio.create_task(store.append(record(1, f"m{number}"), [timer("2", f"m{number}")]))
            for number in range(count)
        ]
        await asyncio.sleep(0)  # all have handed their work over
        for task in writing[::2]:
            task.cancel()
        async with asyncio.timeout(20):
            came = await asyncio.gather(*writing, return_exceptions=True)
        assert [type(one) for one in came[::2]] == [asyncio.CancelledError] * (count // 2)
        assert came[1::2] == [None] * (count // 2)
        await store.set_metadata("after", "all")
        for number in range(count):
            assert await store.records(f"m{number}") == [deal(f"m{number}"), record(1, f"m{number}")]
            assert await store.timers(f"m{number}") == [timer("2", f"m{number}")]

    async def test_one_that_fails_among_many_takes_nobody_along(self, store: Store) -> None:
        for number in range(10):
            await opened(store, f"m{number}")
        came = await asyncio.gather(
            *[store.append(record(1 if number % 3 else 7, f"m{number}"), ()) for number in range(10)],
            return_exceptions=True,
        )
        assert [type(one) for one in came] == [type(None) if number % 3 else Conflict for number in range(10)]
        logs = [await store.records(f"m{number}") for number in range(10)]
        assert [len(log) for log in logs] == [2 if number % 3 else 1 for number in range(10)]

    async def test_what_waits_when_the_store_closes_is_written(self, store: Store, open_store: OpenStore) -> None:
        for number in range(10):
            await opened(store, f"m{number}")
        writing = [asyncio.create_task(store.append(record(1, f"m{number}"), ())) for number in range(10)]
        await asyncio.sleep(0)
        await store.close()
        assert await asyncio.gather(*writing) == [None] * 10
        async with closed_after(open_store()) as again:
            assert {len(await again.records(f"m{number}")) for number in range(10)} == {2}

    async def test_a_closed_store_says_so_and_closes_again(self, store: Store) -> None:
        await store.close()
        await store.close()
        with pytest.raises(StoreError, match="closed"):
            await store.set_metadata("a", "b")
        with pytest.raises(StoreError, match="closed"):
            await store.metadata("a")

    def test_every_write_is_listed(self) -> None:
        others = {name for name, method in methods().items() if not is_reading(method)}
        assert WRITES.keys() == others - READS - OF_PROCESSES - {"close"}

    async def test_writes_that_fail_leave_nothing_and_succeed_when_repeated(
        self, filled_store: Store, failing_write: FailingWrite
    ) -> None:
        store = filled_store
        before = await all_rows(store)
        for write in WRITES.values():
            async with failing_write(store):
                with pytest.raises(NotSaved):
                    await write(store)
        assert await all_rows(store) == before
        await WRITES["append"](store)
        assert await all_rows(store) != before

    async def test_ids_and_texts_of_any_kind_are_values_and_nothing_else(self, store: Store) -> None:
        for name in ("'; DROP TABLE matches; --", '"', "\u202e\u0000\u200b", "🃏" * 50):
            await played(store, name, (1, 2), seats=(ANN, CAT))
            assert (await store.records(name))[1].match_id == name.replace("\0", self.NUL)
        assert (await store.player_record(GUILD, ANN)).matches == 4
        assert len(await store.matches_ended_since(0)) == 4

    async def test_matches_that_are_played_at_once_stay_apart(self, store: Store) -> None:
        """Matches written by tasks that overlap at random, a tenth of their writes refused, read while they go on."""
        matches, moves = 20, 30
        for number in range(matches):
            await opened(store, f"m{number}")

        async def play(match_id: str) -> None:
            for seq in range(1, moves + 1):
                await store.append(record(seq, match_id, events=f"[{seq}]"), [timer(str(seq), match_id)])
                log = await store.records(match_id)
                assert [entry.seq for entry in log] == list(range(seq + 1))
                assert await store.timers(match_id) == [timer(str(seq), match_id)]
                if seq % 10 == 0:
                    with pytest.raises(Conflict):
                        await store.append(record(seq, match_id), [timer("wrong", match_id)])

        await asyncio.gather(*[play(f"m{number}") for number in range(matches)])
        assert {len(await store.records(f"m{number}")) for number in range(matches)} == {moves + 1}
        assert {row.key for row in await store.all_timers()} == {str(moves)}


class StoreContract(
    StorePromises,
    InvitationContract,
    MatchContract,
    PackingContract,
    ScreenContract,
    StandingContract,
    BoardContract,
    ProfileContract,
    RatingContract,
    ResetContract,
    PeopleContract,
    ServerContract,
    DailyContract,
    ReplayContract,
    TournamentContract,
    WeeklyContract,
    LeagueContract,
    ConditionsContract,
):
    """The promises, and what is asked by subject."""

    @pytest.mark.nightly  # one for each method that writes; all are committed in the same way
    @pytest.mark.parametrize("name", WRITES)
    async def test_what_each_write_does_is_answered(self, filled_store: Store, name: str) -> None:
        before = await all_rows(filled_store)
        await WRITES[name](filled_store)
        assert await all_rows(filled_store) != before
