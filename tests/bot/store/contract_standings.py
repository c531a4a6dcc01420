"""The contract's part on standings."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.ratings import NEW, Rating, rate
from bot.store.match_weights import FULL, KNOWN
from bot.store.queries.profiles import HeadToHead
from bot.store.scoring import UNMET, RatingChange
from bot.store.store import Store
from tests.bot.store.rows import ANN, BOB, CAT, GAME, GUILD, opened, played, record, result, standings_of
from tests.known import there


def _pair(number: int) -> tuple[int, int]:
    return 1 + number % 5, 10 + number % 7


class StandingContract:
    """Standings, updated with every counted result."""

    async def test_standings_are_each_servers_and_each_games_own(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await played(store, "m2", (2, 1), seats=(ANN, BOB), guild=GUILD + 1)
        await played(store, "m3", (1, 1), seats=(ANN, CAT), game="ciq")
        await opened(store, "m4", game="unfinished")
        assert await store.games_played(GUILD) == ["ciq", "haymaker"]
        assert await store.games_played(GUILD + 1) == ["haymaker"]
        assert await store.games_played(GUILD + 2) == []
        people = (ANN, BOB, CAT)
        assert [row.user_id for row in await standings_of(store, people)] == [ANN, BOB]
        assert [row.user_id for row in await standings_of(store, people, guild=GUILD + 1)] == [BOB, ANN]
        assert await store.standing(GUILD + 1, "ciq", ANN) is None
        drawn = there(await store.standing(GUILD, "ciq", CAT))
        assert (drawn.rank, drawn.wins, drawn.losses, drawn.draws) == (1, 0, 0, 1)

    async def test_those_who_share_the_first_place_have_won_if_somebody_came_behind(self, store: Store) -> None:
        await played(store, "m1", (1, 1, 3), seats=(ANN, BOB, CAT))
        found = await standings_of(store, (ANN, BOB, CAT))
        assert {row.user_id: (row.wins, row.losses, row.draws) for row in found} == {
            ANN: (1, 0, 0),
            BOB: (1, 0, 0),
            CAT: (0, 1, 0),
        }

    async def test_everybodys_rank_counts_those_with_a_higher_ordinal(self, store: Store) -> None:
        for number in range(12):
            await played(store, f"m{number}", (1, 2), seats=_pair(number))  # each pair meets once
        everybody = await standings_of(store, range(1, 17))
        assert await store.count_ranked(GUILD, GAME) == len(everybody) == 12
        ordinals = {
            row.user_id: row.rating.ordinal
            - UNMET * (1 - len({n for n in range(12) if row.user_id in _pair(n)}) / KNOWN)
            for row in everybody
        }
        for row in everybody:
            assert row.rank == 1 + sum(other > ordinals[row.user_id] + 1e-9 for other in ordinals.values())

    async def test_equal_players_share_a_rank(self, store: Store) -> None:
        for number in range(4):
            await played(store, f"m{number}", (1, 2), seats=(1 + number, 11 + number))
        everybody = await standings_of(store, range(1, 15))
        assert [row.rank for row in everybody] == [1, 1, 1, 1, 5, 5, 5, 5]

    async def test_standings_can_be_computed_anew_from_the_results(self, store: Store) -> None:
        pairs = [(ANN, BOB), (BOB, CAT), (CAT, ANN), (ANN, BOB, CAT), (BOB, ANN)]
        ranks = [(1, 2), (2, 1), (1, 1), (3, 1, 2), (2, 1)]
        for number, (seats, places) in enumerate(zip(pairs, ranks, strict=True)):
            await played(store, f"m{number}", places, seats=seats)
        await opened(store, "called off")
        await store.end_match(result("called off", ranks=(), counted=False), None)
        believed: dict[int, Rating] = {}
        for match in await store.matches_ended_since(0):
            ended = there(await store.result(match.id))
            if ended.counted:
                after = rate([believed.get(user, NEW) for user in match.seats], ended.ranks)
                believed.update(zip(match.seats, after, strict=True))
        assert believed.keys() == {ANN, BOB, CAT}
        assert {row.user_id: row.rating for row in await standings_of(store, (ANN, BOB, CAT))} == believed

    async def test_results_that_come_in_at_once_are_all_counted(self, store: Store) -> None:
        count = 30
        for number in range(count):
            await opened(store, f"m{number}")
        await asyncio.gather(
            *[store.append(record(1, f"m{number}"), (), result(f"m{number}")) for number in range(count)]
        )
        ann = await store.standing(GUILD, GAME, ANN)
        bob = await store.standing(GUILD, GAME, BOB)
        assert ann is not None
        assert bob is not None
        assert (ann.rank, ann.wins, ann.matches, bob.rank, bob.losses) == (1, count, count, 2, count)

    # -------------------------------------------------------------------------------------- what a result did

    async def test_a_counted_result_says_how_each_rating_changed_and_what_the_two_have_won(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await played(store, "m2", (1, 2), seats=(ANN, CAT))
        before = [await store.standing(GUILD, GAME, user) for user in (BOB, ANN)]
        await opened(store, "m3", seats=(BOB, ANN))
        did = await store.append(record(1, "m3"), (), result("m3", ranks=(1, 2)))
        after = [await store.standing(GUILD, GAME, user) for user in (BOB, ANN)]
        assert did is not None
        assert did.head_to_head == HeadToHead((1, 1))
        assert [replace(change, weight=FULL, surplus=0.0) for change in did.ratings] == [
            RatingChange(old.rating, new.rating, new.matches)
            for old, new in zip(before, after, strict=True)
            if old is not None and new is not None
        ]
        assert [change.matches for change in did.ratings] == [2, 3]
        assert did.ratings[0].after.shown > did.ratings[0].before.shown

    async def test_a_first_match_changes_the_rating_of_a_new_player(self, store: Store) -> None:
        await opened(store, "m1", seats=(ANN, BOB, CAT))
        did = there(await store.append(record(1, "m1"), (), result("m1", ranks=(1, 2, 3))))
        assert [change.before for change in did.ratings] == [NEW, NEW, NEW]
        assert did.head_to_head is None
        assert all(change.provisional for change in did.ratings)

    async def test_a_record_that_ends_nothing_and_a_result_that_does_not_count_did_nothing(self, store: Store) -> None:
        await opened(store, "m1")
        assert await store.append(record(1, "m1"), ()) is None
        assert await store.append(record(2, "m1"), (), result("m1", counted=False)) is None

    async def test_what_a_result_did_can_be_worked_out_again(self, store: Store) -> None:
        did = {}
        for number, seats in enumerate([(ANN, BOB), (CAT, BOB), (ANN, BOB, CAT), (BOB, ANN), (ANN, CAT)]):
            await opened(store, f"m{number}", seats=seats)
            ranks = tuple(1 + (number + seat) % len(seats) for seat in range(len(seats)))
            effects = there(await store.append(record(1, f"m{number}"), (), result(f"m{number}", ranks=ranks)))
            did[f"m{number}"] = effects.ratings
        assert {name: await store.rating_changes(name) for name in did} == did
        assert await store.rating_changes("another") == ()

    async def test_a_record_between_two_is_of_their_own_matches_in_one_game_of_one_server(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await played(store, "m2", (1, 2), seats=(BOB, ANN))
        await played(store, "m3", (2, 1), seats=(BOB, ANN))
        await played(store, "m4", (1, 1), seats=(ANN, BOB))
        await played(store, "others", (1, 2), seats=(ANN, CAT))
        await played(store, "of three", (1, 2, 3), seats=(ANN, BOB, CAT))
        await played(store, "elsewhere", (1, 2), seats=(ANN, BOB), guild=GUILD + 1)
        await played(store, "another game", (1, 2), seats=(ANN, BOB), game="ciq")
        await opened(store, "short")
        await store.append(record(1, "short"), (), result("short", counted=False))
        await opened(store, "off")
        await store.end_match(result("off", ranks=(), counted=False), None)
        await opened(store, "live")
        assert await store.head_to_head(GUILD, GAME, (ANN, BOB)) == HeadToHead((2, 1), 1)
        assert await store.head_to_head(GUILD, GAME, (BOB, ANN)) == HeadToHead((1, 2), 1)
        assert await store.head_to_head(GUILD + 1, GAME, (ANN, BOB)) == HeadToHead((1, 0))
        assert await store.head_to_head(GUILD, GAME, (BOB, CAT)) == HeadToHead()
        assert await store.head_to_head(GUILD, None, (ANN, BOB)) == HeadToHead((3, 1), 1)

    async def test_a_record_between_two_up_to_a_match_leaves_out_later_ones(self, store: Store) -> None:
        for number, ranks in enumerate([(1, 2), (1, 2), (2, 1), (1, 2), (1, 1)]):
            await played(store, f"m{number}", ranks, seats=(ANN, BOB))
        stood = [await store.head_to_head(GUILD, GAME, (ANN, BOB), f"m{number}") for number in range(5)]
        assert stood[:4] == [HeadToHead((1, 0)), HeadToHead((2, 0)), HeadToHead((2, 1)), HeadToHead((3, 1))]
        assert stood[4] == HeadToHead((3, 1), 1)

    async def test_a_record_between_two_with_somebody_who_was_deleted_stays(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await store.anonymise(GUILD, BOB, -7, {"m1"})
        assert await store.head_to_head(GUILD, GAME, (ANN, -7)) == HeadToHead((1, 0))
        assert await store.head_to_head(GUILD, GAME, (ANN, BOB)) == HeadToHead()
