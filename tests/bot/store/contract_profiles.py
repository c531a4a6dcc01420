"""What every store keeps of a person for a profile."""

from __future__ import annotations

from bot.store.queries.matches import Result
from bot.store.queries.profiles import PlayerRecord
from bot.store.store import Store
from cogs.profiles.queries import ComebackSearch, Opponent, ProfileQueries
from tests.bot.store.rows import ANN, BOB, CAT, GAME, GUILD, opened, played, record
from tests.known import there


class ProfileContract:
    """Profiles. It needs the fixture `store`."""

    async def test_streaks_are_of_all_games_and_end_with_a_draw_or_a_loss(self, store: Store) -> None:
        assert await store.player_record(GUILD, ANN) == PlayerRecord()
        for number, (game, ranks) in enumerate(
            [("ciq", (1, 2)), ("haymaker", (1, 2)), ("ciq", (1, 1)), ("haymaker", (2, 1)), ("ciq", (1, 2))]
        ):
            await played(store, f"m{number}", ranks, seats=(ANN, BOB), game=game)
        assert await store.player_record(GUILD, ANN) == PlayerRecord(5, streak=1, longest_streak=2)
        assert await store.player_record(GUILD, BOB) == PlayerRecord(5, streak=0, longest_streak=1)
        assert await store.player_record(GUILD + 1, ANN) == PlayerRecord()

    async def test_everybody_placed_first_has_won_unless_all_are(self, store: Store) -> None:
        await played(store, "m1", (1, 1, 3), seats=(ANN, BOB, CAT))
        await played(store, "m2", (1, 1, 1), seats=(CAT, BOB, ANN))
        assert (await store.player_record(GUILD, ANN)).longest_streak == 1
        assert (await store.player_record(GUILD, BOB)).longest_streak == 1
        assert await store.player_record(GUILD, CAT) == PlayerRecord(2)

    async def test_only_counted_results_are_in_a_record(self, store: Store) -> None:
        await opened(store, "short")
        await store.append(record(1, "short"), (), Result("short", "knockout", (1, 2), 8000, counted=False))
        await opened(store, "off")
        await store.end_match(Result("off", "called_off", (), 8000, counted=False), None)
        await opened(store, "live")
        assert await store.player_record(GUILD, ANN) == PlayerRecord()
        assert await ProfileQueries(store).most_met(GUILD, ANN, 3) == []

    async def test_opponents_are_listed_by_matches_with_what_the_two_alone_won(self, store: Store) -> None:
        await played(store, "m1", (1, 2, 3), seats=(ANN, CAT, BOB))
        await played(store, "m2", (2, 1), seats=(BOB, ANN))
        await played(store, "m3", (2, 1), seats=(ANN, BOB), game="ciq")
        await played(store, "m4", (1, 1), seats=(ANN, BOB))
        await played(store, "elsewhere", (1, 2), seats=(ANN, BOB), guild=GUILD + 1)
        bob, cat = Opponent(BOB, 4, wins=1, losses=1, draws=1), Opponent(CAT, 1)
        assert await ProfileQueries(store).most_met(GUILD, ANN, 9) == [bob, cat]
        assert await ProfileQueries(store).most_met(GUILD, ANN, 1) == [bob]
        assert await ProfileQueries(store).opponent(GUILD, ANN, BOB) == bob
        assert await ProfileQueries(store).opponent(GUILD, BOB, ANN) == Opponent(ANN, 4, wins=1, losses=1, draws=1)
        assert await ProfileQueries(store).opponent(GUILD, ANN, 77) is None

    async def test_of_opponents_met_equally_often_the_first_come_first(self, store: Store) -> None:
        for number, other in enumerate((9, 7, 8)):
            await played(store, f"m{number}", (1, 2), seats=(ANN, other))
        assert [each.user_id for each in await ProfileQueries(store).most_met(GUILD, ANN, 3)] == [9, 7, 8]

    async def test_it_is_known_when_somebody_met_their_nth_opponent(self, store: Store) -> None:
        for number, others in enumerate(((BOB,), (BOB,), (CAT, 7), (8,))):
            await opened(store, f"m{number}", seats=(ANN, *others))
            ranks = tuple(range(1, len(others) + 2))
            ended = Result(f"m{number}", "knockout", ranks, 8000 + number, counted=True)
            await store.append(record(1, f"m{number}"), (), ended)
        met = [await ProfileQueries(store).met_at(GUILD, ANN, nth) for nth in (1, 2, 3, 4, 5)]
        assert met == [8000, 8002, 8002, 8003, None]

    async def test_a_deleted_persons_record_is_that_of_the_marker(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await played(store, "m2", (1, 2), seats=(ANN, BOB), guild=GUILD + 1)
        await store.anonymise(GUILD, BOB, -7, {"m1"})
        assert await store.player_record(GUILD, BOB) == PlayerRecord()
        assert await store.player_record(GUILD, -7) == PlayerRecord(1)
        assert await ProfileQueries(store).most_met(GUILD, ANN, 3) == [Opponent(-7, 1, wins=1)]
        assert await ProfileQueries(store).most_met(GUILD, -7, 3) == [Opponent(ANN, 1, losses=1)]
        assert await ProfileQueries(store).opponent(GUILD, ANN, BOB) is None
        assert (await store.player_record(GUILD + 1, BOB)).matches == 1

    async def test_a_rating_is_known_after_each_of_the_last_matches_of_a_game(self, store: Store) -> None:
        after = []
        for number, ranks in enumerate([(1, 2), (2, 1), (1, 2)]):
            await played(store, f"m{number}", ranks, seats=(ANN, BOB))
            await played(store, f"c{number}", (2, 1), seats=(BOB, CAT))
            await played(store, f"o{number}", ranks, seats=(ANN, BOB), game="ciq")
            after.append(there(await store.standing(GUILD, GAME, ANN)).rating)
        assert await ProfileQueries(store).rating_history(GUILD, ANN, GAME, 9) == after
        assert await ProfileQueries(store).rating_history(GUILD, ANN, GAME, 2) == after[1:]
        assert await ProfileQueries(store).rating_history(GUILD, 77, GAME, 9) == []

    async def test_wins_come_in_their_order_a_few_at_a_time(self, store: Store) -> None:
        for number, ranks in enumerate([(1, 2), (2, 1), (1, 1), (1, 2), (1, 2)]):
            await played(store, f"m{number}", ranks, seats=(ANN, BOB))
        first = await ProfileQueries(store).wins_after(GUILD, ANN, 0, 2)
        assert [match_id for _, match_id in first] == ["m0", "m3"]
        (last,) = await ProfileQueries(store).wins_after(GUILD, ANN, first[-1][0], 9)
        assert last[1] == "m4"
        assert await ProfileQueries(store).wins_after(GUILD, ANN, last[0], 9) == []

    async def test_a_search_is_noted_until_its_person_is_deleted(self, store: Store) -> None:
        assert await ProfileQueries(store).comeback_search(GUILD, ANN) == ComebackSearch()
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        ((number, _),) = await ProfileQueries(store).wins_after(GUILD, ANN, 0, 9)
        for search in (ComebackSearch(number), ComebackSearch(number, "m1")):
            await ProfileQueries(store).note_comeback_search(GUILD, ANN, search)
            assert await ProfileQueries(store).comeback_search(GUILD, ANN) == search
        await store.anonymise(GUILD, ANN, -7, {"m1"})
        assert await ProfileQueries(store).comeback_search(GUILD, ANN) == ComebackSearch()
        await ProfileQueries(store).note_comeback_search(GUILD, ANN, search)  # a search that was under way
        assert await ProfileQueries(store).comeback_search(GUILD, ANN) == ComebackSearch()
