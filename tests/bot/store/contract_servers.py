"""The contract's part on servers, the bot's uptime, and metadata."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from bot.store.errors import Conflict
from bot.store.queries import begun_deletions
from bot.store.queries.begun_deletions import Deletion
from bot.store.queries.database import Connection
from bot.store.queries.invitations import InvitationState
from bot.store.queries.matches import Suspension
from bot.store.queries.people import NoticeLevel
from bot.store.queries.seasons import SeasonFirst
from bot.store.queries.server_settings import MOST_SETTING_CHANGES
from bot.store.queries.servers import Observed, ObservedSuspension
from bot.store.store import Store
from cogs.conditions.queries import ConditionQueries
from cogs.daily.queries import DailyQueries
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.matchmaking.queries import TableSubscriptions
from cogs.profiles.queries import ComebackSearch, ProfileQueries
from cogs.server_week.queries import PostRow, WeekQueries
from cogs.servers.queries import Bars, Greetings, SetAsides
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rows import Ask, Correction, How
from cogs.weekly.queries import WeeklyQueries
from tests.bot.store.contract_leagues import league_began
from tests.bot.store.contract_tournaments import PAIRINGS, began
from tests.bot.store.memory_store import Data
from tests.bot.store.packing import pack_all
from tests.bot.store.rows import (
    ANN,
    BOB,
    CAT,
    GAME,
    GUILD,
    attempted,
    attended,
    change,
    daily_deal,
    daily_message,
    hand,
    invitation,
    notice,
    opened,
    planned,
    played,
    posting,
    record,
    result,
    timer,
    tried_weekly,
)
from tests.known import there

DAY = 24 * 3600 * 1000
HERE, THERE = GUILD, GUILD + 1


async def lived_in(store: Store, guild: int, mark: str) -> None:
    """Leave something of every kind in a server; `mark` tells the ids of two servers apart."""
    await opened(store, f"over{mark}", guild=guild)
    await store.append(record(1, f"over{mark}"), (), attended(f"over{mark}"))
    ((number, _),) = await ProfileQueries(store).wins_after(guild, ANN, 0, 9)
    await ProfileQueries(store).note_comeback_search(guild, ANN, ComebackSearch(number))
    await pack_all(store)
    await opened(store, f"live{mark}", seats=(BOB, CAT), guild=guild, timers=(timer(match_id=f"live{mark}"),))
    await opened(store, f"rests{mark}", seats=(BOB, CAT), guild=guild)
    await store.suspend_match(f"rests{mark}", 7000, Suspension.REMOVED)
    await store.add_invitation(invitation(f"open{mark}", invited=(CAT,), guild=guild))
    await store.add_notice(notice(f"live{mark}"))
    await store.save_selection(f"live{mark}", 0, 7, "attack.abc")
    await store.write_open_hands([hand(f"live{mark}")], [], 1000)
    await store.add_posting(posting(f"live{mark}"))
    await store.change_setting(change(guild=guild))
    await Greetings(store).greet(guild, 4000)
    await Bars(store).bar(guild, ANN, 9000)
    await SetAsides(store).set_aside(guild, BOB)
    await WeekQueries(store).put(PostRow(guild, "daily", 0, 7001, None, 6000))
    await WeekQueries(store).note_given(guild, ANN, 8001)
    await attempted(store, f"tried{mark}", guild=guild)
    await DailyQueries(store).put_message(daily_message(guild=guild))
    await tried_weekly(store, f"week{mark}", BOB if guild == HERE else CAT, guild=guild)
    await store.append(record(1, f"week{mark}"), (), result(f"week{mark}", counted=False))
    await store.database.write(lambda db: db.execute("UPDATE weekly_attempts SET counts = 1"))
    await WeeklyQueries(store).score(f"week{mark}")
    await ConditionQueries(store).add(planned(f"live{mark}", guild=guild))
    await began(store, f"cup{mark}", guild)
    await TournamentQueries(store).ask(guild, f"cup{mark}", Ask(2, ANN))
    await league_began(store, f"league{mark}", guild)
    await TournamentQueries(store).correct(
        guild, f"cup{mark}", replace(PAIRINGS[0], how=How.CORRECTED), Correction(1, 1, 1, 9, CAT, (1, 1))
    )
    await store.judge_seasons(guild, 31, [(ANN, SeasonFirst(GAME, 31))])
    for user in (ANN, BOB):
        await store.set_name(guild, user, "name")
        await store.set_notice_level(guild, user, NoticeLevel.DIGEST)
        await TableSubscriptions(store).set_subscription(guild, user, GAME, wanted=True)
        await LeaderboardQueries(store).set_hidden(guild, user, hidden=True)
    await played(store, f"old{mark}", (1, 2), seats=(CAT + 1, CAT + 2), guild=guild)
    await store.anonymise(guild, CAT + 1, -1, {f"old{mark}"})
    await played(store, f"back{mark}", (1, 2), seats=(CAT + 1, CAT + 2), guild=guild)
    await store.anonymise(guild, CAT + 2, -2, {f"old{mark}", f"back{mark}"})
    await LeaderboardQueries(store).reset(guild)


def tables_of_servers() -> list[str]:
    """The tables whose rows name a server."""
    columns = "sqlite_schema AS m, pragma_table_info(m.name) AS c"
    named = f"SELECT m.name FROM {columns} WHERE m.type = 'table' AND c.name = 'guild_id'"
    data = Data()
    return [name for (name,) in data.connection.execute(named)]


def rows_there(tables: list[str], db: Connection) -> dict[str, tuple[list[str], list[str]]]:
    """The rows of two servers in these tables."""

    def of(name: str, guild: int) -> list[str]:
        return sorted(str(tuple(row)) for row in db.execute(f"SELECT * FROM {name} WHERE guild_id = ?", (guild,)))

    return {name: (of(name, HERE), of(name, THERE)) for name in tables}


class ServerContract:
    """Departures, purges, downtime, metadata."""

    # -------------------------------------------------------------------------------------- servers

    async def test_known_servers_are_those_of_which_something_is_remembered(self, store: Store) -> None:
        assert await store.known_guilds() == set()
        await store.record_departure(5, 1000)
        assert await store.known_guilds() == set()
        await opened(store, guild=HERE)
        await store.add_invitation(invitation("asked", guild=THERE))
        await store.set_name(7, ANN, "Ann")
        await store.set_notice_level(8, ANN, NoticeLevel.NONE)
        await store.change_setting(change(guild=9))
        await store.record_change(change(guild=10))
        await Greetings(store).greet(11, 1000)
        await TableSubscriptions(store).set_subscription(12, ANN, GAME, wanted=True)
        await LeaderboardQueries(store).set_hidden(15, ANN, hidden=True)
        await DailyQueries(store).seal(daily_deal(guild=13))
        await DailyQueries(store).put_message(daily_message(guild=14))
        assert await store.known_guilds() == {HERE, THERE, 7, 8, 9, 10, 11, 12, 13, 14, 15}

    async def test_a_place_is_in_use_while_something_goes_on_there_and_a_while_after(self, store: Store) -> None:
        assert not await store.used_since(HERE, 0)
        await store.add_invitation(invitation("asked", guild=HERE))
        assert await store.used_since(HERE, 2**62)
        await store.close_invitation("asked", InvitationState.CANCELLED)
        assert not await store.used_since(HERE, 2**62)
        assert await store.used_since(HERE, 0)
        await opened(store, "m1", guild=THERE)
        assert await store.used_since(THERE, 2**62)
        await store.append(record(1, "m1"), (), result("m1", ranks=(1, 2)))
        assert not await store.used_since(THERE, 2**62)
        assert await store.used_since(THERE, 0)

    async def test_a_place_can_be_purged_only_if_it_was_not_used_lately(self, store: Store) -> None:
        await opened(store, "m1", guild=HERE)
        with pytest.raises(Conflict):
            await store.purge_guild(HERE, 2**62)
        await store.append(record(1, "m1"), (), result("m1", ranks=(1, 2)))
        with pytest.raises(Conflict):
            await store.purge_guild(HERE, 0)
        await opened(store, "m2", guild=HERE)  # no deletion was begun
        await store.append(record(1, "m2"), (), result("m2", ranks=(1, 2)))
        await store.purge_guild(HERE, 2**62)
        assert await store.known_guilds() == set()

    # -------------------------------------------------------------------------------------- what is set in servers

    async def test_settings_are_each_servers_own_and_an_empty_one_is_deleted(self, store: Store) -> None:
        assert await store.server_settings() == {}
        await store.change_setting(change("place", "thread"))
        await store.change_setting(change("enders", "moderators"))
        await store.change_setting(change("place", "channel", guild=THERE))
        await store.change_setting(change("place", "channel"))
        assert await store.server_settings() == {
            HERE: {"place": "channel", "enders": "moderators"},
            THERE: {"place": "channel"},
        }
        await store.change_setting(change("place", ""))
        await store.change_setting(change("place", "", guild=THERE))
        assert await store.server_settings() == {HERE: {"enders": "moderators"}}

    async def test_changes_are_listed_and_the_oldest_deleted(self, store: Store) -> None:
        await store.change_setting(change("place", "thread", user=BOB))
        await store.record_change(change("called_off", "m1", guild=THERE))
        made = [change("enders", str(nth)) for nth in range(MOST_SETTING_CHANGES - 1)]
        for each in made:
            await store.record_change(each)
        assert await store.setting_changes(HERE) == [*reversed(made), change("place", "thread", user=BOB)]
        await store.change_setting(change("enders", "last"))
        assert await store.setting_changes(HERE) == [change("enders", "last"), *reversed(made)]
        assert await store.setting_changes(THERE) == [change("called_off", "m1", guild=THERE)]
        assert await store.server_settings() == {HERE: {"place": "thread", "enders": "last"}}

    async def test_a_server_is_greeted_once(self, store: Store) -> None:
        assert await Greetings(store).greet(HERE, 1000)
        assert not await Greetings(store).greet(HERE, 2000)
        assert await Greetings(store).greet(THERE, 3000)
        await store.purge_guild(HERE)
        assert await Greetings(store).greet(HERE, 4000)

    async def test_a_departure_keeps_its_moment_until_we_are_back(self, store: Store) -> None:
        await store.record_departure(HERE, 1000)
        await store.record_departure(HERE, 2000)
        await store.record_departure(THERE, 3000)
        assert await store.departures() == {HERE: 1000, THERE: 3000}
        await store.clear_departure(HERE)
        await store.clear_departure(HERE)
        assert await store.departures() == {THERE: 3000}
        await store.record_departure(HERE, 4000)
        assert await store.departures() == {HERE: 4000, THERE: 3000}

    async def test_a_purge_leaves_nothing_of_a_server_and_all_of_the_others(self, store: Store) -> None:
        tables = tables_of_servers()
        assert len(tables) > 10
        for guild, mark in ((HERE, "1"), (THERE, "2")):
            await lived_in(store, guild, mark)
            await store.record_departure(guild, 1000)  # this deletes its hands
            await store.write_open_hands([hand(f"live{mark}")], [], 1000)
            await store.database.write(partial(begun_deletions.begin, deletion=Deletion(guild, ANN, -1)))
        before = await store.database.read(partial(rows_there, tables))
        assert {name for name, of_both in before.items() if not all(of_both)} == set(), "fill them in lived_in"
        await store.purge_guild(HERE)
        after = await store.database.read(partial(rows_there, tables))
        assert after == {name: ([], of_other) for name, (_, of_other) in before.items()}
        assert await store.known_guilds() == {THERE}

    async def test_a_purge_deletes_the_preferences_of_people_who_are_known_nowhere_else(self, store: Store) -> None:
        for guild, user in ((HERE, ANN), (HERE, BOB), (THERE, BOB), (THERE, CAT)):
            await store.set_name(guild, user, "name")
        for guild, user in ((HERE, ANN), (HERE, BOB), (THERE, CAT), (THERE, CAT + 1)):
            await store.set_preference(user, "card_style", "words")
            await TableSubscriptions(store).set_subscription(guild, user, GAME, wanted=True)
            await TableSubscriptions(store).record_notice(user, 1000)
        await store.purge_guild(HERE)
        told = {
            user for user in (ANN, BOB, CAT, CAT + 1) if await TableSubscriptions(store).last_notice(user) is not None
        }
        assert told == {BOB, CAT, CAT + 1}
        assert set(await store.preferences([ANN, BOB, CAT, CAT + 1])) == {BOB, CAT, CAT + 1}

    async def test_a_purged_match_takes_no_more_acts_and_its_id_is_free(self, store: Store) -> None:
        await opened(store, guild=HERE)
        await store.purge_guild(HERE)
        with pytest.raises(Conflict):
            await store.suspend_match("m1", 7000, Suspension.REMOVED)
        await opened(store, guild=THERE)
        assert [row.guild_id for row in await store.live_matches()] == [THERE]

    async def test_time_between_looks_is_added_up_with_at_most_a_day_a_look(self, store: Store) -> None:
        assert await store.record_look(50 * DAY, None) == Observed({}, {})
        await store.record_departure(HERE, 50 * DAY)
        await opened(store)
        await store.suspend_match("m1", 777, Suspension.CHANNEL_GONE)

        async def observed(at: int, passed: int | None) -> tuple[int, int]:
            found = await store.record_look(at, passed)
            assert found.suspended["m1"].since == 777
            return found.departures[HERE], found.suspended["m1"].observed

        assert await observed(50 * DAY + 10, None) == (10, 10)
        assert await observed(0, 20) == (30, 30), "what was measured counts, whatever the clock says"
        assert await observed(90 * DAY, None) == (DAY + 30, DAY + 30)
        assert await observed(50 * DAY, None) == (DAY + 30, DAY + 30), "a clock set back takes nothing away"
        assert await observed(50 * DAY + 5, None) == (DAY + 35, DAY + 35)
        assert await observed(50 * DAY + 5, 7 * DAY) == (2 * DAY + 35, 2 * DAY + 35)

    async def test_what_was_observed_begins_anew_with_each_departure_and_suspension(self, store: Store) -> None:
        await store.record_look(0, None)
        await opened(store)
        for observed, why in ((10, Suspension.CHANNEL_GONE), (20, Suspension.REMOVED)):
            await store.suspend_match("m1", 777, why)
            await store.record_departure(HERE, 5)
            found = await store.record_look(0, 10)
            assert (found.departures[HERE], found.suspended["m1"].observed) == (observed, observed)
        await store.resume_match("m1", 5, [])
        await store.clear_departure(HERE)
        assert await store.record_look(0, 10) == Observed({}, {})
        await store.suspend_match("m1", 888, Suspension.REMOVED)
        await store.record_departure(HERE, 6)
        assert await store.record_look(0, 10) == Observed({HERE: 10}, {"m1": ObservedSuspension(888, 10)})
        await store.end_match(result(ranks=(), counted=False), None)
        await store.purge_guild(HERE)
        assert await store.record_look(0, 10) == Observed({}, {})

    # -------------------------------------------------------------------------------------- the bot's uptime

    async def test_downtime_is_given_back_to_live_deadlines_alone(self, store: Store) -> None:
        await store.record_heartbeat(10_000)
        await opened(store, timers=(timer(deadline=12_000),))
        await store.add_invitation(invitation("open", expires_at=11_000))
        await store.add_invitation(invitation("closed", expires_at=11_000))
        await store.close_invitation("closed", InvitationState.DECLINED)
        assert await store.credit_downtime(70_000) == 60_000
        assert await store.timers("m1") == [timer(deadline=72_000)]
        assert [row.expires_at for row in await store.open_invitations()] == [71_000]
        assert there(await store.invitation("closed"))[0].expires_at == 11_000

    async def test_a_suspended_match_gets_no_time_back(self, store: Store) -> None:
        await store.record_heartbeat(10_000)
        await opened(store, timers=(timer(deadline=12_000),))
        await store.suspend_match("m1", 10_500, Suspension.THREAD_CLOSED)
        assert await store.credit_downtime(70_000) == 60_000
        assert await store.all_timers() == []
        await store.resume_match("m1", 5, [timer(deadline=72_000)])
        assert await store.credit_downtime(71_000) == 1_000
        assert await store.timers("m1") == [timer(deadline=73_000)]

    async def test_downtime_is_given_back_once(self, store: Store) -> None:
        await store.record_heartbeat(10_000)
        await opened(store, timers=(timer(deadline=12_000),))
        assert await store.credit_downtime(20_000) == 10_000
        assert await store.credit_downtime(20_000) == 0
        assert await store.credit_downtime(20_500) == 500
        assert await store.timers("m1") == [timer(deadline=22_500)]

    async def test_the_first_start_was_never_down(self, store: Store) -> None:
        assert await store.last_heartbeat() is None
        assert await store.credit_downtime(10_000) == 0
        assert await store.last_heartbeat() == 10_000

    async def test_a_clock_set_back_leaves_each_deadline_what_was_left_of_it(self, store: Store) -> None:
        await store.record_heartbeat(10_000)
        await opened(store, timers=(timer(deadline=12_000),))
        assert await store.credit_downtime(4_000) == -6_000
        assert await store.timers("m1") == [timer(deadline=6_000)]
        assert await store.credit_downtime(5_000) == 1_000

    @pytest.mark.parametrize("by", [3_600_000, -3_600_000])
    async def test_corrected_time_moves_deadlines_and_the_heartbeat_alike(self, store: Store, by: int) -> None:
        await store.shift_time(by)
        assert await store.last_heartbeat() is None
        await store.record_heartbeat(10_000)
        await opened(store, timers=(timer(deadline=12_000),))
        await store.add_invitation(invitation("open", expires_at=11_000))
        await store.add_invitation(invitation("closed", expires_at=11_000))
        await store.close_invitation("closed", InvitationState.DECLINED)
        await store.shift_time(by)
        assert await store.last_heartbeat() == 10_000 + by
        assert await store.timers("m1") == [timer(deadline=12_000 + by)]
        assert [row.expires_at for row in await store.open_invitations()] == [11_000 + by]
        assert there(await store.invitation("closed"))[0].expires_at == 11_000
        assert await store.credit_downtime(10_500 + by) == 500

    # -------------------------------------------------------------------------------------- metadata

    async def test_a_fact_is_the_latest(self, store: Store) -> None:
        assert await store.metadata("commands") is None
        await store.set_metadata("commands", "one")
        await store.set_metadata("commands", "two")
        assert await store.metadata("commands") == "two"
