"""The contract's part on standings that start over, and on taking that back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest

from bot.ratings import NEW
from bot.store.queries import counting_again, resets
from bot.store.queries.database import Connection
from bot.store.queries.leaderboards import DAY_MS, LeaderboardDates
from bot.store.queries.resets import TAKEN_BACK_WITHIN
from bot.store.queries.seasons import SeasonFirst
from bot.store.store import Store
from cogs.leaderboards.queries import LeaderboardQueries
from tests.bot.store.contract_boards import DATES, TODAY, ended, rolled
from tests.bot.store.rows import ANN, BOB, CAT, GAME, GUILD
from tests.known import there

KEPT: Final = ("standings", "encounters", "board_days", "board_entries", "board_buckets")
OTHER: Final = "ciq"
AT: Final = TODAY * DAY_MS
BEFORE: Final = (
    ("b1", (ANN, BOB), (1, 2), GAME, TODAY - 40),
    ("b2", (BOB, CAT), (1, 2), GAME, TODAY - 2),
    ("b3", (CAT, ANN), (1, 1), OTHER, TODAY - 1),
    ("b4", (ANN, BOB, CAT), (2, 1, 3), GAME, TODAY),
)
SINCE: Final = (
    ("s1", (BOB, ANN), (1, 2), GAME, TODAY),
    ("s2", (CAT, BOB), (1, 2), GAME, TODAY),
    ("s3", (ANN, CAT), (2, 1), OTHER, TODAY),
)


async def play(store: Store, *matches: tuple[str, tuple[int, ...], tuple[int, ...], str, int]) -> None:
    for name, seats, ranks, game, day in matches:
        await ended(store, name, seats, ranks, game=game, day=day)


async def kept(store: Store, *tables: str) -> dict[str, list[tuple[Any, ...]]]:
    """All that is kept of standings, sorted."""

    def read(db: Connection) -> dict[str, list[tuple[Any, ...]]]:
        return {table: sorted(db.execute(f"SELECT * FROM {table}").fetchall()) for table in tables or KEPT}

    return await store.database.read(read)


async def reset(store: Store, at: int = AT) -> bool:
    return await store.database.write(lambda db: resets.reset(db, at, GUILD))


async def take_back(store: Store, at: int = AT + 1) -> bool:
    return await store.database.write(lambda db: resets.take_back(db, at, GUILD))


async def count(store: Store, dates: LeaderboardDates = DATES) -> int:
    """Count a server to its end. Returns in how many slices."""
    slices = 1
    while not await LeaderboardQueries(store).count_some(GUILD):
        slices += 1
    await rolled(store, dates)
    return slices


async def assert_counted(store: Store) -> None:
    """What is kept is what the results make of it."""
    found = await store.database.read(counting_again.recount)
    assert (found.differing, found.differing_lines) == (0, 0)


class ResetContract:
    """After a reset only later results count; once it is taken back, it is as if it had never been."""

    async def test_after_a_reset_only_what_ended_since_counts_and_history_stays(self, store: Store) -> None:
        await play(store, *BEFORE)
        profile = await kept(store, "player_results", "opponents", "rating_changes")
        assert await reset(store)
        await count(store)
        assert await kept(store) == {table: [] for table in KEPT}
        assert await kept(store, *profile) == profile
        await assert_counted(store)
        await play(store, *SINCE)
        await rolled(store)
        await assert_counted(store)
        found = there(await store.standing(GUILD, GAME, CAT))
        assert (found.wins, found.losses, found.draws) == (1, 0, 0)
        assert (await store.head_to_head(GUILD, GAME, (ANN, BOB))).wins == (1, 1)

    async def test_taken_back_it_is_as_if_there_had_been_no_reset(self, store: Store) -> None:
        await play(store, *BEFORE)
        assert await reset(store)
        await count(store)
        await play(store, *SINCE)
        assert await take_back(store)
        await count(store)
        await assert_counted(store)
        after = await kept(store, *KEPT, "rating_changes", "player_results", "opponents")
        await store.database.write(counting_again.rebuild)
        assert await kept(store, *after) == after
        assert await LeaderboardQueries(store).latest_reset(GUILD) is None
        # The same matches in another server, which was never reset.
        other = GUILD + 1
        for name, seats, ranks, game, day in (*BEFORE, *SINCE):
            await ended(store, f"o{name}", seats, ranks, game=game, day=day, guild=other)
        while not await LeaderboardQueries(store).roll(other, DATES):
            pass
        both = await kept(store)
        for table, rows in both.items():
            here = [row[1:] for row in rows if row[0] == GUILD]
            assert here == [row[1:] for row in rows if row[0] == other], table

    async def test_what_ends_while_results_are_counted_waits_for_its_turn(self, store: Store) -> None:
        await play(store, *BEFORE)
        assert await reset(store)
        queries = LeaderboardQueries(store)
        assert await queries.is_counting(GUILD)
        changes = await ended(store, "s1", (BOB, ANN), (1, 2))
        assert changes == ()
        assert not await queries.count_some(GUILD)
        await play(store, *SINCE[1:2])
        await count(store)
        assert not await queries.is_counting(GUILD)
        assert len(await store.rating_changes("s1")) == 2
        await assert_counted(store)
        assert await ended(store, "s3", (ANN, BOB), (1, 2)) != ()
        await assert_counted(store)

    async def test_a_count_under_way_is_no_difference_and_other_servers_are_left_alone(self, store: Store) -> None:
        await play(store, *BEFORE)
        await ended(store, "there", (ANN, BOB), (1, 2), guild=GUILD + 1)
        assert await reset(store)
        await play(store, *SINCE)
        await take_back(store)
        while not await LeaderboardQueries(store).count_some(GUILD):
            await assert_counted(store)
        assert await store.standing(GUILD + 1, GAME, ANN) is not None

    async def test_a_reset_can_be_taken_back_for_seven_days_and_then_made_again(self, store: Store) -> None:
        assert not await reset(store)  # nothing counts
        await play(store, *BEFORE)
        assert await reset(store)
        await count(store)
        await play(store, *SINCE)
        assert not await reset(store, AT + TAKEN_BACK_WITHIN - 1)
        assert not await take_back(store, AT + TAKEN_BACK_WITHIN)
        assert await reset(store, AT + TAKEN_BACK_WITHIN)
        await count(store)
        assert await store.standing(GUILD, GAME, ANN) is None
        assert await take_back(store, AT + TAKEN_BACK_WITHIN + 1)  # to what counted since the first one
        await count(store)
        await assert_counted(store)
        assert there(await store.standing(GUILD, GAME, ANN)).matches == 1
        assert not await take_back(store, AT + TAKEN_BACK_WITHIN + 1)

    async def test_seasons_that_were_judged_since_are_judged_again(self, store: Store) -> None:
        await play(store, *BEFORE)
        await store.judge_seasons(GUILD, TODAY - 30, [(ANN, SeasonFirst(GAME, TODAY - 30))])
        await reset(store)
        await store.judge_seasons(GUILD, TODAY + 1, [(BOB, SeasonFirst(GAME, TODAY + 1))])
        assert await store.judged_until(GUILD) == TODAY - 30  # not while results are counted
        await count(store)
        await play(store, *SINCE)
        await store.judge_seasons(GUILD, TODAY + 1, [(BOB, SeasonFirst(GAME, TODAY + 1))])
        assert await store.season_firsts(GUILD, BOB) == [SeasonFirst(GAME, TODAY + 1)]
        await take_back(store)
        assert await store.judged_until(GUILD) == TODAY - 30
        assert await store.season_firsts(GUILD, BOB) == []
        assert await store.season_firsts(GUILD, ANN) == [SeasonFirst(GAME, TODAY - 30)]

    async def test_nobody_begins_with_what_was_held_before_a_reset_unless_it_is_taken_back(self, store: Store) -> None:
        for name, seats, ranks, game, _ in BEFORE:
            await ended(store, name, seats, ranks, game=game, day=0)
        held = there(await store.standing(GUILD, GAME, ANN))
        await store.anonymise(GUILD, ANN, -7, {"b1", "b3", "b4"})
        assert await reset(store, store.now() + 1)
        await count(store)
        await ended(store, "back", (ANN, BOB), (2, 1), day=0)
        found = there(await store.standing(GUILD, GAME, ANN))
        assert (found.matches, found.rating.mu < NEW.mu) == (1, True)
        await assert_counted(store)
        assert await store.rating_starts(GUILD, ANN) == []
        assert await take_back(store, store.now() + 2)
        await count(store)
        (start,) = await store.rating_starts(GUILD, ANN)
        assert (start.game, start.rating) == (GAME, held.rating)
        await assert_counted(store)
        # Counted again, they begin as they did.
        assert await reset(store, store.now() + 3)
        await take_back(store, store.now() + 4)
        await count(store)
        assert await store.rating_starts(GUILD, ANN) == [start]
        await assert_counted(store)

    @pytest.mark.parametrize("slices", [0, 1, 3, 6, 8])
    async def test_who_is_deleted_while_results_are_counted_leaves_nothing_behind(
        self, store: Store, slices: int
    ) -> None:
        await play(store, *BEFORE)
        await reset(store)
        await play(store, *SINCE)
        await take_back(store)
        for _ in range(slices):
            await LeaderboardQueries(store).count_some(GUILD)
        await store.anonymise(GUILD, ANN, -7, {"b1", "b3", "b4", "s1", "s3"})
        await count(store)
        await assert_counted(store)
        for table, rows in (await kept(store)).items():
            assert not [row for row in rows if ANN in row], table

    async def test_a_purge_ends_a_count_and_forgets_the_reset(self, store: Store) -> None:
        await play(store, *BEFORE)
        await reset(store)
        await LeaderboardQueries(store).count_some(GUILD)
        await store.purge_guild(GUILD)
        assert await LeaderboardQueries(store).count_some(GUILD)
        assert await LeaderboardQueries(store).latest_reset(GUILD) is None
        assert await LeaderboardQueries(store).counts_under_way() == []

    async def test_a_rebuild_ends_a_count(self, store: Store) -> None:
        await play(store, *BEFORE)
        await reset(store)
        await play(store, *SINCE)
        await store.database.write(counting_again.rebuild)
        assert not await LeaderboardQueries(store).is_counting(GUILD)
        await assert_counted(store)
        assert there(await store.standing(GUILD, GAME, ANN)).matches == 1

    async def test_a_process_that_dies_after_any_slice_is_followed_by_one_that_continues(
        self, open_store: Callable[[], Awaitable[Store]]
    ) -> None:
        store = await open_store()
        await play(store, *BEFORE)
        await reset(store)
        await play(store, *SINCE)
        await take_back(store)
        done = False
        while not done:
            await store.close()
            store = await open_store()
            assert await LeaderboardQueries(store).counts_under_way() == [GUILD]
            done = await LeaderboardQueries(store).count_some(GUILD)
        await store.close()
        store = await open_store()
        assert await LeaderboardQueries(store).counts_under_way() == []
        await rolled(store)
        await assert_counted(store)
        assert there(await store.standing(GUILD, GAME, ANN)).matches == 3
        await store.close()
