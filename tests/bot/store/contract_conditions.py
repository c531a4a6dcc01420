"""What every store does with moves that people planned."""

from __future__ import annotations

from dataclasses import replace

from bot.shard_range import ShardRange
from bot.store.store import Store
from cogs.conditions.queries import MOST, ConditionQueries, PlanOutcome
from tests.bot.store.rows import ANN, BOB, GUILD, opened, planned

MOVES = ("hit", "block 3H", "block 4S")


class ConditionsContract:
    """A part of `StoreContract`."""

    async def test_three_moves_are_kept_in_their_order_and_a_fourth_is_refused(self, store: Store) -> None:
        queries = ConditionQueries(store)
        await opened(store, "m1")
        assert [await queries.add(planned(move=move)) for move in (*MOVES, MOVES[0])] == [True] * (MOST + 1)
        assert not await queries.add(planned(move="block 9C"))
        assert [(each.number, each.move) for each in await queries.of_match("m1")] == [*enumerate(MOVES, start=1)]
        await queries.drop("m1", 1, 2)
        assert await queries.add(planned(move="block 9C"))
        assert [(each.number, each.move) for each in await queries.of_match("m1")] == [
            (1, "hit"),
            (3, "block 4S"),
            (4, "block 9C"),
        ]

    async def test_a_new_plan_takes_the_place_of_what_no_longer_holds(self, store: Store) -> None:
        queries = ConditionQueries(store)
        await opened(store, "m1")
        for move in MOVES:
            await queries.add(planned(move=move))
        assert await queries.add(planned(acts=1))
        assert [(each.acts, each.move) for each in await queries.of_match("m1")] == [(1, "hit")]

    async def test_an_outcome_takes_the_place_of_what_was_planned_with_it(self, store: Store) -> None:
        queries = ConditionQueries(store)
        await opened(store, "m1")
        for move in MOVES:
            await queries.add(planned(move=move))
        await queries.conclude(planned(), PlanOutcome.MADE, 1)
        (told,) = await queries.of_match("m1")
        assert (told.number, told.acts, told.move, told.outcome) == (0, 1, "", PlanOutcome.MADE)
        await queries.conclude(planned(), PlanOutcome.UNFIT, 1)
        assert [each.outcome for each in await queries.of_match("m1")] == [PlanOutcome.UNFIT]
        await queries.forget("m1", 1, 0)
        assert len(await queries.of_match("m1")) == 1, "what was planned later stays"
        await queries.forget("m1", 1, 1)
        assert await queries.of_match("m1") == []

    async def test_seats_do_not_touch_each_others_plans(self, store: Store) -> None:
        queries = ConditionQueries(store)
        await opened(store, "m1")
        theirs = replace(planned(), seat=0, user_id=BOB)
        for move in (planned(), theirs):
            await queries.add(move)
        await queries.forget("m1", 1, 9)
        assert await queries.of_match("m1") == [theirs]
        assert (await queries.of_person(GUILD, ANN), await queries.of_person(GUILD, BOB)) == ([], [theirs])

    async def test_a_process_finds_the_matches_of_its_own_servers(self, store: Store) -> None:
        queries = ConditionQueries(store)
        for number in range(3):
            await opened(store, f"m{number}", guild=GUILD + (number << 22))
            await queries.add(planned(f"m{number}", guild=GUILD + (number << 22)))
        await queries.add(planned("m0", move="block 3H", guild=GUILD))
        assert await queries.matches() == ["m0", "m1", "m2"]
        found = []
        for shard in range(2):
            store.serves = ShardRange(shard, shard, 2)
            found.append(await queries.matches())
        assert sorted(each for part in found for each in part) == ["m0", "m1", "m2"]
        assert all(found)
