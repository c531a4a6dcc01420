"""What every store does with deals of the week and attempts at them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.match_readers import Derivable
from bot.play.server_settings import WEEKLY, WeeklyStandings
from bot.scheduler import begins_at
from bot.store.errors import Conflict
from bot.store.queries.matches import Result
from bot.store.store import Store
from cogs.weekly import queries
from cogs.weekly.queries import LEAST_RATED, ServerStanding, WeeklyAttempt, WeeklyQueries
from tests.bot.store.rows import (
    ANN,
    BOB,
    CAT,
    DAY,
    GAME,
    GUILD,
    WEEK,
    change,
    deal,
    opened,
    record,
    result,
    tried_weekly,
    weekly_deal,
    weekly_rows,
)

MONDAY = WEEK - 6
LOST: Result = result(ranks=(2, 1), counted=False)


async def rated(store: Store, user: int, ended: list[int], *, counted: bool = True) -> None:
    """Matches of somebody in another server, which ended at these moments."""
    for number, at in enumerate(ended):
        name = f"rated {user} {number} {counted}"
        await opened(store, name, seats=(user, CAT + 9), guild=GUILD + 5)
        await store.append(record(1, name), (), replace(result(name), ended_at=at, counted=counted))


async def finish(store: Store, match_id: str, acts: int = 1) -> None:
    """Have somebody lose an attempt after some acts of their own."""
    for seq in range(1, acts):
        await store.append(record(seq, match_id), (), None)
    await store.append(record(acts, match_id), (), replace(LOST, match_id=match_id))


async def show(store: Store, guild: int, value: str = WeeklyStandings.SHOWN) -> None:
    await store.change_setting(change(WEEKLY, value, guild=guild))


class WeeklyContract:
    """A part of `StoreContract`."""

    async def test_a_deal_of_the_week_has_no_server_and_is_sealed_once(self, store: Store) -> None:
        queries = WeeklyQueries(store)
        assert await queries.deal(GAME, WEEK) is None
        first, second = weekly_deal(seed=b"1" * 32), weekly_deal(seed=b"2" * 32)
        sealed = await asyncio.gather(queries.seal(first), queries.seal(second))
        assert sealed[0] == sealed[1] == await queries.deal(GAME, WEEK)
        assert await queries.seal(second) == sealed[0]
        assert await queries.deal(GAME, WEEK + 7) is None
        assert await queries.deal("ciq", WEEK) is None

    async def test_somebody_tries_a_deal_once_in_all_servers_together(self, store: Store) -> None:
        row = await tried_weekly(store)
        assert row.everywhere
        assert await store.match("w1") == row
        other = weekly_rows("w2", guild=GUILD + 1)
        with pytest.raises(Conflict):
            await WeeklyQueries(store).open_attempt(*other, deal("w2"), server_name="")
        assert await store.match("w2") is None
        assert await store.invitation("w2") is None
        await tried_weekly(store, "w3", BOB, guild=GUILD + 1)
        await tried_weekly(store, "w4", game="ciq")
        await tried_weekly(store, "w5", day=WEEK + 7)
        expected = WeeklyAttempt("w1", GUILD, GAME, WEEK, ANN, row.channel_id, 0, None, False, None)
        assert await WeeklyQueries(store).attempt(GAME, WEEK, ANN) == expected
        assert await WeeklyQueries(store).attempt(GAME, WEEK, CAT) is None
        assert [each.match_id for each in await WeeklyQueries(store).attempts_by(GUILD, ANN)] == ["w1", "w4", "w5"]

    async def test_of_two_attempts_in_two_servers_at_once_one_is_opened(self, store: Store) -> None:
        queries = WeeklyQueries(store)
        await queries.seal(weekly_deal())
        both = [
            queries.open_attempt(*weekly_rows(name, guild=guild), deal(name), server_name="")
            for name, guild in (("w1", GUILD), ("w2", GUILD + 1))
        ]
        refused = [each for each in await asyncio.gather(*both, return_exceptions=True) if each is not None]
        assert [type(each) for each in refused] == [Conflict]
        assert len(await store.live_matches()) == 1

    async def test_an_attempt_counts_after_ten_rated_matches_before_the_week_wherever_they_were(
        self, store: Store
    ) -> None:
        before = begins_at(MONDAY) - 1
        await rated(store, ANN, [before] * LEAST_RATED)
        await rated(store, BOB, [before] * (LEAST_RATED - 1) + [before + 1])
        await rated(store, CAT, [before] * LEAST_RATED, counted=False)
        for name, user in (("w1", ANN), ("w2", BOB), ("w3", CAT)):
            await tried_weekly(store, name, user)
        found = [await WeeklyQueries(store).attempt(GAME, WEEK, user) for user in (ANN, BOB, CAT)]
        assert [each and each.counts for each in found] == [True, False, False]
        for name in ("w1", "w2", "w3"):
            await finish(store, name)
            await WeeklyQueries(store).score(name)
        assert await WeeklyQueries(store).best_in(GAME, WEEK, GUILD, 9) == [(ANN, 10)]

    async def test_the_table_has_servers_that_want_it_and_those_only(self, store: Store) -> None:
        queries = WeeklyQueries(store)
        for user in (ANN, BOB):
            await rated(store, user, [begins_at(MONDAY) - 1] * LEAST_RATED)
        await tried_weekly(store, "w1", ANN)
        await tried_weekly(store, "w2", BOB, guild=GUILD + 1)
        for name in ("w1", "w2"):
            await finish(store, name)
            await queries.score(name)
        assert await queries.standings(GAME, WEEK, 9, GUILD) == []
        for guild in (GUILD, GUILD + 1):
            await show(store, guild)
        both = [ServerStanding(1, guild, 2, f"server {guild}") for guild in (GUILD, GUILD + 1)]
        assert sorted(await queries.standings(GAME, WEEK, 9, GUILD), key=lambda each: each.guild_id) == both
        assert await queries.standings("ciq", WEEK, 9, GUILD) == await queries.standings(GAME, WEEK + 7, 9, GUILD) == []
        await show(store, GUILD, "")
        assert await queries.standings(GAME, WEEK, 9, GUILD) == [both[1]]
        await store.purge_guild(GUILD + 1)
        assert await queries.standings(GAME, WEEK, 9, GUILD) == []
        assert await queries.deal(GAME, WEEK) is not None

    async def test_a_servers_score_is_the_mean_of_its_best_five_and_is_written_once(self, store: Store) -> None:
        queries = WeeklyQueries(store)
        await show(store, GUILD)
        acts = {"w1": 1, "w2": 40, "w3": 3, "w4": 2, "w5": 6, "w6": 5, "w7": 4}
        for user, (name, each) in enumerate(acts.items(), start=ANN):
            await rated(store, user, [begins_at(MONDAY) - 1] * LEAST_RATED)
            await tried_weekly(store, name, user)
            await queries.score(name)
            assert await queries.unscored(GAME, WEEK) == [], "nobody scores what is still played"
            await finish(store, name, each)
            assert await queries.unscored(GAME, WEEK) == [name]
            await asyncio.gather(queries.score(name), queries.score(name))
        points = [400, 60, 50, 40, 30, 20, 10]
        assert [worth for _, worth in await queries.best_in(GAME, WEEK, GUILD, 9)] == points
        assert await queries.standings(GAME, WEEK, 1) == [
            ServerStanding(1, GUILD, sum(points[:5]) // 5, f"server {GUILD}")
        ]
        assert await queries.best_in(GAME, WEEK, GUILD + 1, 9) == []
        assert await queries.unscored(GAME, WEEK) == []

    async def test_equal_servers_share_a_place_and_ones_own_is_told_wherever_it_is(self, store: Store) -> None:
        queries = WeeklyQueries(store)
        for nth, acts in enumerate((30, 20, 20, 10, 5)):
            user, guild, name = ANN + nth, GUILD + nth, f"w{nth}"
            await rated(store, user, [begins_at(MONDAY) - 1] * LEAST_RATED)
            await tried_weekly(store, name, user, guild=guild)
            await finish(store, name, acts)
            await queries.score(name)
            if nth < 4:
                await show(store, guild)

        async def seen(most: int, guild: int | None = None) -> list[tuple[int, int]]:
            return [(each.place, each.score) for each in await queries.standings(GAME, WEEK, most, guild)]

        assert await seen(9, GUILD) == [(1, 60), (2, 40), (2, 40), (4, 20)]
        assert await seen(2) == [(1, 60), (2, 40)]
        assert await seen(1, GUILD + 1) == [(1, 60), (2, 40)]
        assert await seen(3, GUILD + 3) == [(1, 60), (2, 40), (2, 40), (4, 20)]
        assert await seen(3, GUILD + 4) == [(1, 60), (2, 40), (2, 40)], "it isn't in the table"

    async def test_points_of_who_does_not_count_are_kept_and_are_nothing_to_the_server(self, store: Store) -> None:
        queries = WeeklyQueries(store)
        await show(store, GUILD)
        await tried_weekly(store)
        await finish(store, "w1")
        await queries.score("w1")
        assert await queries.unscored(GAME, WEEK) == []
        assert await queries.best_in(GAME, WEEK, GUILD, 9) == []
        assert await queries.standings(GAME, WEEK, 9, GUILD) == []
        await queries.score("unknown")

    async def test_what_was_not_scored_is_found_however_many_still_play(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(queries, "MANY", 2)
        for nth in range(5):
            await tried_weekly(store, f"w{nth}", ANN + nth)
        await finish(store, "w4")
        assert await WeeklyQueries(store).unscored(GAME, WEEK) == ["w4"]

    async def test_a_server_is_called_as_when_somebody_there_last_began(self, store: Store) -> None:
        await rated(store, ANN, [begins_at(MONDAY) - 1] * LEAST_RATED)
        await tried_weekly(store, "w1", ANN)
        again = weekly_rows("w2", BOB)
        await WeeklyQueries(store).open_attempt(*again, deal("w2"), server_name="renamed")
        await show(store, GUILD)
        await finish(store, "w1")
        await WeeklyQueries(store).score("w1")
        (standing,) = await WeeklyQueries(store).standings(GAME, WEEK, 9)
        assert standing.name == "renamed"

    async def test_a_deal_is_played_until_the_last_attempt_in_any_server_is_over(self, store: Store) -> None:
        queries, after = WeeklyQueries(store), WEEK + 1
        assert not await queries.is_played(GAME, WEEK)
        await tried_weekly(store, "w1", ANN)
        await tried_weekly(store, "w2", BOB, guild=GUILD + 1)
        await finish(store, "w1")
        assert await queries.is_played(GAME, WEEK)
        assert await store.derivable(GUILD, "w1", CAT, after) is Derivable.NOTHING
        assert await store.derivable(GUILD, "w1", ANN, after) < Derivable.ALL
        await finish(store, "w2")
        assert not await queries.is_played(GAME, WEEK)
        assert await store.derivable(GUILD, "w1", CAT, WEEK) is Derivable.NOTHING, "its week is not over"
        assert await store.derivable(GUILD, "w1", CAT, after) is Derivable.ALL
        assert await store.derivable(GUILD + 1, "w1", CAT, after) is Derivable.NOTHING, "it is another server's"

    async def test_somebody_deleted_leaves_their_points_to_the_server_and_no_name(self, store: Store) -> None:
        await rated(store, ANN, [begins_at(MONDAY) - 1] * LEAST_RATED)
        await tried_weekly(store)
        await finish(store, "w1")
        await store.anonymise(GUILD, ANN, -7, {"w1"})
        await WeeklyQueries(store).score("w1")
        assert await WeeklyQueries(store).best_in(GAME, WEEK, GUILD, 9) == [(-7, 10)]
        assert await WeeklyQueries(store).attempt(GAME, WEEK, ANN) is None

    async def test_a_day_and_a_week_know_nothing_of_each_other(self, store: Store) -> None:
        assert DAY <= WEEK < DAY + 7
        await tried_weekly(store)
        found = await store.resting_rows((), GUILD, ANN)
        assert found["daily_attempts"] == []
        assert found["weekly_attempts"] == [
            {
                "match_id": "w1",
                "guild_id": GUILD,
                "game": GAME,
                "day": WEEK,
                "user_id": ANN,
                "counts": 0,
                "points": None,
            }
        ]
