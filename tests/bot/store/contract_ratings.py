"""The contract's part on what ratings depend on: weights, and ratings that are held for deleted people."""

from __future__ import annotations

from dataclasses import replace

from bot.ratings import NEW
from bot.store.queries.ratings import HELD_FOR, RatingStart
from bot.store.store import Store
from tests.bot.store.rows import ANN, BOB, CAT, GAME, GUILD, opened, played, record, result, standings_of
from tests.known import there

MARKER = -77
NOW = 1500
"""What the stores under test have for the time of day."""

OTHERS = tuple(range(501, 509))


async def settle(store: Store) -> None:
    """Eight people meet each other until each is settled, and nobody wins more than anybody else."""
    number = 0
    for distance in (1, 2, 3, 4, 1, 2):
        for index, user in enumerate(OTHERS):
            number += 1
            await played(store, f"s{number}", (1, 2), seats=(user, OTHERS[(index + distance) % len(OTHERS)]))


class RatingContract:
    """Weights, and ratings of people who were deleted."""

    async def test_a_match_weighs_less_with_a_new_account_and_with_the_same_opponent(self, store: Store) -> None:
        await settle(store)
        for number in range(6):
            await played(store, f"new{number}", (1, 2), seats=(ANN, BOB))
            await played(store, f"same{number}", (1, 2), seats=(CAT, OTHERS[0]))
        (first, _) = await store.rating_changes("new0")
        assert first.weight.newcomers < 1
        repeated = [(await store.rating_changes(f"same{number}"))[0].weight.repeated for number in range(6)]
        assert repeated == sorted(repeated, reverse=True)
        assert repeated[-1] < repeated[0]

    async def test_deleted_ratings_are_held_for_who_comes_back(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        before = there(await store.standing(GUILD, GAME, BOB))
        await store.anonymise(GUILD, BOB, MARKER, {"m1"})
        (held,) = await store.held_ratings(GUILD, BOB)
        assert held.start == RatingStart(GAME, before.rating, NEW.mu - NEW.sigma, 0, 1, 0)
        assert held.until == NOW + HELD_FOR
        assert await store.held_ratings(GUILD + 1, BOB) == []
        assert await store.held_ratings(GUILD, ANN) == []
        assert await store.standing(GUILD, GAME, BOB) is None
        await played(store, "m2", (1, 2), seats=(BOB, CAT))
        (change, other) = await store.rating_changes("m2")
        assert (change.before, change.matches) == (before.rating, 2)
        assert other.before == NEW
        after = there(await store.standing(GUILD, GAME, BOB))
        assert (after.wins, after.losses) == (1, 1)
        assert await store.held_ratings(GUILD, BOB) == []
        assert await store.rating_starts(GUILD, BOB) == [held.start]

    async def test_a_deleted_persons_number_leaves_the_listing(self, store: Store) -> None:
        await played(store, "m1", (1, 2, 3), seats=(ANN, BOB, CAT))
        await store.anonymise(GUILD, ANN, MARKER, {"m1"})
        assert [(row.rank, row.user_id) for row in await standings_of(store, (ANN, BOB, CAT))] == [(1, BOB), (2, CAT)]
        assert await store.count_ranked(GUILD, GAME) == 2
        assert (await store.standing(GUILD, GAME, CAT)).rank == 2  # type: ignore[union-attr]  # it is there

    async def test_who_is_deleted_again_takes_the_start_along(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await store.anonymise(GUILD, BOB, MARKER, {"m1"})
        await played(store, "m2", (1, 2), seats=(ANN, BOB))
        after = there(await store.standing(GUILD, GAME, BOB))
        await store.anonymise(GUILD, BOB, MARKER - 1, {"m2"})
        assert await store.rating_starts(GUILD, BOB) == []
        (held,) = await store.held_ratings(GUILD, BOB)
        assert (held.start.rating, held.start.losses) == (after.rating, 2)
        again = there(await store.standing(GUILD, GAME, MARKER - 1))
        assert replace(again, rank=0, user_id=BOB) == replace(after, rank=0)

    async def test_who_comes_back_weighs_as_new_until_they_have_met_settled_players(self, store: Store) -> None:
        await settle(store)
        met = [f"w{number}" for number in range(4)]
        for number, name in enumerate(met):
            await played(store, name, (1, 2), seats=(ANN, OTHERS[number]))
        assert (await store.rating_changes("w3"))[0].weight.newcomers > 0.5
        await store.anonymise(GUILD, ANN, MARKER, met)
        weights = []
        for number in range(4):
            await played(store, f"v{number}", (1, 2), seats=(ANN, OTHERS[number]))
            weights.append((await store.rating_changes(f"v{number}"))[0].weight.newcomers)
        assert weights == sorted(weights)
        assert weights[0] < 0.5 < weights[-1]

    async def test_after_90_days_nothing_is_held(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await store.anonymise(GUILD, BOB, MARKER, {"m1"})
        await store.record_look(NOW + HELD_FOR - 1, None)
        assert len(await store.held_ratings(GUILD, BOB)) == 1
        await store.record_look(NOW + HELD_FOR, None)
        assert await store.held_ratings(GUILD, BOB) == []

    async def test_what_is_held_no_longer_is_no_start_either(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await store.anonymise(GUILD, BOB, MARKER, {"m1"})
        await opened(store, "m2", seats=(ANN, BOB))
        late = replace(result("m2"), ended_at=NOW + HELD_FOR)
        assert there(await store.append(record(1, "m2"), (), late)).ratings[1].before == NEW
        assert await store.rating_starts(GUILD, BOB) == []
