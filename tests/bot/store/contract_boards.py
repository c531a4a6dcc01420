"""The contract's part on leaderboards."""

from __future__ import annotations

import itertools

import pytest

from bot.store import match_weights, scoring
from bot.store.match_weights import KNOWN
from bot.store.queries import counting_again
from bot.store.queries.leaderboards import (
    ACTIVE_DAYS,
    ALL_GAMES,
    DAY_MS,
    LAST_DAYS,
    LEAST_MATCHES,
    DayKey,
    Leaderboard,
    LeaderboardDates,
    LineKey,
    Section,
    Span,
    Tally,
    points,
    score_of,
)
from bot.store.queries.matches import Result
from bot.store.queries.seasons import SeasonFirst
from bot.store.scoring import UNMET, RatingChange
from bot.store.store import Store
from cogs.leaderboards.queries import LeaderboardPage, LeaderboardQueries, PageOf, PageRequest
from cogs.servers.queries import SetAsides
from tests.bot.store.rows import ANN, BOB, CAT, GAME, GUILD, opened, record, standings_of
from tests.known import there

TODAY, SEASON = 20_000, 19_990
DATES = LeaderboardDates.on(TODAY, SEASON)
ALWAYS = Leaderboard(GUILD, GAME, Span.ALL_TIME)
WEEK = Leaderboard(GUILD, GAME, Span.LAST_DAYS)


async def ended(
    store: Store,
    name: str,
    seats: tuple[int, ...],
    ranks: tuple[int, ...],
    *,
    day: int = TODAY,
    game: str = GAME,
    guild: int = GUILD,
) -> tuple[RatingChange, ...]:
    """A match that counted on a day; what it did to the ratings."""
    await opened(store, name, seats=seats, game=game, guild=guild)
    effects = there(
        await store.append(record(1, name), (), Result(name, "knockout", ranks, day * DAY_MS, counted=True))
    )
    return effects.ratings


async def rolled(store: Store, dates: LeaderboardDates = DATES) -> None:
    """The server's leaderboards as they are on a day."""
    while not await LeaderboardQueries(store).roll(GUILD, dates):
        pass
    assert await LeaderboardQueries(store).is_current(GUILD, dates)


async def page_of(store: Store, board: Leaderboard, reader: int, request: PageRequest, length: int) -> LeaderboardPage:
    return await LeaderboardQueries(store).page(board, reader, request, length)


async def many(store: Store, count: int = 24) -> list[int]:
    """Matches of several people, some of whom share a rank; they, in the order of the leaderboard."""
    pairs = {f"m{number}": (1 + number % 5, 10 + number % 7) for number in range(count)}
    pairs |= {f"e{number}": (104 - number, 204 - number) for number in range(4)}
    for name, seats in pairs.items():
        await ended(store, name, seats, (1, 2))
    await rolled(store)
    return [row.user_id for row in await standings_of(store, itertools.chain(*pairs.values()))]


def users(page: LeaderboardPage) -> list[int]:
    return [entry.key.user_id for entry in page.entries]


class BoardContract:
    """Leaderboards: who is on them, in which order, and by which key."""

    async def test_pages_follow_one_another_both_ways_and_list_everybody_once(self, store: Store) -> None:
        listed = await many(store)
        page = await page_of(store, ALWAYS, 0, PageRequest(), 5)
        assert not page.has_previous
        found = users(page)
        while page.has_next:
            page = await page_of(store, ALWAYS, 0, PageRequest(PageOf.AFTER, key=page.entries[-1].key), 5)
            assert page.has_previous
            found += users(page)
        assert found == listed
        back = users(page)
        while page.has_previous:
            page = await page_of(store, ALWAYS, 0, PageRequest(PageOf.BEFORE, key=page.entries[0].key), 5)
            back = [user for user in users(page) if user not in back] + back
        assert back == listed
        assert (page.ranked, page.below) == (len(listed), 0)
        assert await store.count_ranked(GUILD, GAME) == len(listed)

    async def test_ranks_are_as_the_standings_have_them_on_every_page(self, store: Store) -> None:
        listed = await many(store)
        ranks = {row.user_id: row.rank for row in await standings_of(store, listed)}
        for position, user in enumerate(listed):
            page = await page_of(store, ALWAYS, user, PageRequest(PageOf.AFTER, key=key(user)), 3)
            assert page.own is not None
            assert page.own.rank == ranks[user]
            assert await store.leaderboard_place(ALWAYS, user) == (page.own, page.ranked)
            page = await page_of(store, ALWAYS, user, PageRequest(position=position), 1)
            assert users(page) == [user]
            (entry,) = page.entries
            assert entry.rank == ranks[user]
            assert entry.shared == ([*ranks.values()].count(ranks[user]) > 1)

    async def test_past_the_end_is_the_last_page_and_before_the_start_the_first(self, store: Store) -> None:
        listed = await many(store)
        last = (len(listed) - 1) // 5 * 5
        past = await page_of(store, ALWAYS, 0, PageRequest(position=9999), 5)
        assert users(past) == listed[last:]
        lowest = LineKey(Section.BELOW, -(10**9), 10**18)
        assert await page_of(store, ALWAYS, 0, PageRequest(PageOf.AFTER, key=lowest), 5) == past
        highest = LineKey(Section.RANKED, 10**9, 0)
        first = await page_of(store, ALWAYS, 0, PageRequest(PageOf.BEFORE, key=highest), 5)
        assert users(first) == listed[:5]

    async def test_ones_own_page_has_those_next_to_one(self, store: Store) -> None:
        listed = await many(store)
        for position, user in enumerate(listed):
            page = await page_of(store, ALWAYS, user, PageRequest(PageOf.OWN), 5)
            first = max(0, position - 2)
            assert users(page) == listed[first : first + 5]
        elsewhere = await page_of(store, ALWAYS, 999, PageRequest(PageOf.OWN), 5)
        assert users(elsewhere) == listed[:5]
        assert elsewhere.own is None
        assert await store.leaderboard_place(ALWAYS, 999) is None

    async def test_a_leaderboard_without_matches_is_empty(self, store: Store) -> None:
        for request in (
            PageRequest(),
            PageRequest(PageOf.OWN),
            PageRequest(PageOf.AFTER, key=key(1)),
            PageRequest(PageOf.BEFORE, key=key(1)),
        ):
            assert await page_of(store, ALWAYS, ANN, request, 5) == LeaderboardPage((), 0, 0, None, False, False)

    async def test_all_time_ranks_by_rating_less_uncertainty(self, store: Store) -> None:
        (first, second) = await ended(store, "m1", (ANN, BOB), (1, 2))
        page = await page_of(store, ALWAYS, ANN, PageRequest(), 5)
        assert [entry.key.score for entry in page.entries] == [
            score_of(each.after.ordinal - UNMET * (1 - 1 / KNOWN)) for each in (first, second)
        ]
        assert [entry.rating for entry in page.entries] == [first.after, second.after]
        assert [(entry.wins, entry.losses, entry.draws) for entry in page.entries] == [(1, 0, 0), (0, 1, 0)]

    async def test_over_all_games_scores_above_zero_add_up(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(match_weights, "YOUNG", 0)  # both games count
        monkeypatch.setattr(scoring, "UNMET", 0)
        made = [await ended(store, f"h{n}", (ANN, BOB), (1, 2)) for n in range(3)]
        made += [await ended(store, f"c{n}", (ANN, BOB), (1, 2), game="ciq") for n in range(2)]
        everywhere = await page_of(store, Leaderboard(GUILD, ALL_GAMES, Span.ALL_TIME), BOB, PageRequest(), 5)
        ann, bob = everywhere.entries
        expected = [sum(max(0, score_of(made[n][seat].after.ordinal)) for n in (2, 4)) for seat in (0, 1)]
        assert [ann.key.score, bob.key.score] == expected
        assert (ann.wins, bob.losses, ann.rating) == (5, 5, None)
        assert bob.key.score == 0  # below zero in both games

    async def test_over_all_games_a_game_counts_once_its_community_is_grown(self, store: Store) -> None:
        people = range(1, 7)

        async def everybody_meets(game: str, times: range) -> None:
            for number in times:
                for seats in itertools.combinations(people, 2):
                    name = f"{game}{number}.{seats}"
                    await ended(store, name, seats if number % 2 else seats[::-1], (1, 2), game=game)

        async def listed(span: Span, game: str = ALL_GAMES) -> dict[int, int]:
            await rolled(store)
            page = await page_of(store, Leaderboard(GUILD, game, span), ANN, PageRequest(), 9)
            return {entry.key.user_id: entry.matches for entry in page.entries}

        await everybody_meets("ciq", range(1))
        assert await listed(Span.ALL_TIME) == await listed(Span.SEASON) == {}
        await everybody_meets("skat", range(6))
        for span in Span:
            assert await listed(span) == await listed(span, "skat") == dict.fromkeys(people, 30)
        await ended(store, "quiet", (ANN, BOB), (1, 2), game="ciq")
        assert await listed(Span.ALL_TIME) == dict.fromkeys(people, 30)
        assert (await store.days_between(GUILD, range(TODAY + 1), None, 99))[0].everywhere is False
        await everybody_meets("ciq", range(1, 6))
        for span in Span:
            assert await listed(span) == {**dict.fromkeys(people, 60), ANN: 1, BOB: 1}

    async def test_a_season_and_the_last_days_add_up_what_matches_did_to_ratings(self, store: Store) -> None:
        days = (SEASON - 1, SEASON, TODAY - LAST_DAYS, TODAY - LAST_DAYS + 1, TODAY)
        made = {day: await ended(store, f"m{day}", (ANN, BOB), (1, 2), day=day) for day in days}
        await rolled(store)
        for board, first in ((Leaderboard(GUILD, GAME, Span.SEASON), SEASON), (WEEK, DATES.week)):
            page = await page_of(store, board, ANN, PageRequest(), 5)
            assert page.own is not None
            assert page.own.key.score == sum(points(made[day][0].surplus) for day in days if day >= first)
            assert page.own.wins == sum(day >= first for day in days)

    async def test_a_week_later_nobody_has_played_in_the_last_days(self, store: Store) -> None:
        await ended(store, "m1", (ANN, BOB), (1, 2))
        await rolled(store)
        await rolled(store, LeaderboardDates.on(TODAY + LAST_DAYS - 1, SEASON))
        assert (await page_of(store, WEEK, ANN, PageRequest(), 5)).own is not None
        assert not await LeaderboardQueries(store).is_current(GUILD, LeaderboardDates.on(TODAY + LAST_DAYS, SEASON))
        await rolled(store, LeaderboardDates.on(TODAY + LAST_DAYS, SEASON))
        assert (await page_of(store, WEEK, ANN, PageRequest(), 5)).own is None

    async def test_a_season_that_begins_earlier_takes_former_days_in_again(self, store: Store) -> None:
        board = Leaderboard(GUILD, GAME, Span.SEASON)
        await ended(store, "m1", (ANN, BOB), (1, 2), day=SEASON - 5)
        await rolled(store)
        assert (await page_of(store, board, ANN, PageRequest(), 5)).own is None
        await rolled(store, LeaderboardDates.on(TODAY, SEASON - 5))
        page = await page_of(store, board, ANN, PageRequest(), 5)
        assert [entry.matches for entry in page.entries] == [1, 1]

    async def test_with_too_few_matches_one_is_listed_without_a_rank(self, store: Store) -> None:
        least = LEAST_MATCHES[Span.LAST_DAYS]
        for number in range(least):
            await ended(store, f"m{number}", (ANN, 10 + number), (2, 1))
        await rolled(store)
        page = await page_of(store, WEEK, ANN, PageRequest(), 9)
        assert [(entry.key.user_id, entry.rank) for entry in page.entries] == [
            (ANN, 1),
            *((user, None) for user in users(page)[1:]),
        ]
        assert (page.ranked, page.below) == (1, least)
        assert page.entries[0].key.score < page.entries[1].key.score
        before = await page_of(store, WEEK, ANN, PageRequest(PageOf.BEFORE, key=page.entries[1].key), 1)
        assert users(before) == [ANN]

    async def test_who_has_not_played_for_long_comes_after_everybody_else(self, store: Store) -> None:
        for number in range(3):
            await ended(store, f"o{number}", (ANN, BOB), (1, 2), day=TODAY - ACTIVE_DAYS - 1)
        await ended(store, "m1", (CAT, CAT + 1), (1, 2), day=TODAY - ACTIVE_DAYS)
        await rolled(store)
        page = await page_of(store, ALWAYS, ANN, PageRequest(), 9)
        assert [(entry.key.user_id, entry.rank) for entry in page.entries] == [
            (CAT, 1),
            (CAT + 1, 2),
            (ANN, None),
            (BOB, None),
        ]
        await ended(store, "m2", (ANN, CAT), (1, 2))
        page = await page_of(store, ALWAYS, ANN, PageRequest(), 9)
        assert users(page) == [ANN, CAT, CAT + 1, BOB]
        assert there(page.own).rank == 1

    async def test_who_is_hidden_is_listed_for_nobody_and_sees_the_rank_they_would_have(self, store: Store) -> None:
        listed = await many(store)
        hidden = listed[2]
        await LeaderboardQueries(store).set_hidden(GUILD, hidden, hidden=True)
        assert await store.is_hidden(GUILD, hidden)
        for request in (PageRequest(), PageRequest(PageOf.AFTER, key=key(0)), PageRequest(PageOf.OWN)):
            page = await page_of(store, ALWAYS, listed[0], request, 99)
            assert users(page) == [user for user in listed if user != hidden]
            assert page.ranked == len(listed) - 1
        assert await store.count_ranked(GUILD, GAME) == len(listed) - 1
        own = await page_of(store, ALWAYS, hidden, PageRequest(), 99)
        assert hidden not in users(own)
        assert own.own is not None
        assert (own.own.key.section, own.own.rank) == (Section.HIDDEN, 3)
        mine = await page_of(store, ALWAYS, hidden, PageRequest(PageOf.OWN), 5)
        assert users(mine) == listed[:5]
        assert mine.entries[2] == mine.own
        await ended(store, "another", (hidden, listed[0]), (1, 2))
        assert hidden not in users(await page_of(store, ALWAYS, ANN, PageRequest(), 99))
        await LeaderboardQueries(store).set_hidden(GUILD, hidden, hidden=False)
        await rolled(store)
        assert hidden in users(await page_of(store, ALWAYS, ANN, PageRequest(), 99))
        assert not await store.is_hidden(GUILD, hidden)

    async def test_who_is_set_aside_is_listed_for_nobody_until_taken_back_and_hides_themselves_apart(
        self, store: Store
    ) -> None:
        asides = SetAsides(store)
        await ended(store, "m1", (ANN, BOB), (1, 2))
        assert await asides.set_aside(GUILD, ANN)
        assert await asides.set_aside(GUILD, ANN)  # twice is as good
        await ended(store, "m2", (ANN, BOB), (1, 2))
        assert await store.is_hidden(GUILD, ANN)
        for span in Span:
            board = Leaderboard(GUILD, GAME, span)
            assert users(await page_of(store, board, BOB, PageRequest(), 9)) == [BOB]
        assert {key.user_id for key, *_ in await store.days_between(GUILD, range(TODAY, TODAY + 1), None, 9)} == {BOB}
        assert not await store.is_hidden(GUILD + 1, ANN)
        counted = await store.database.read(counting_again.recount)
        assert (counted.differing, counted.differing_lines) == (0, 0)
        await LeaderboardQueries(store).set_hidden(GUILD, ANN, hidden=True)
        await asides.take_back(GUILD, ANN)
        assert await store.is_hidden(GUILD, ANN)
        assert not await store.is_set_aside(GUILD, ANN)
        await asides.set_aside(GUILD, ANN)
        await LeaderboardQueries(store).set_hidden(GUILD, ANN, hidden=False)
        assert await store.is_hidden(GUILD, ANN)
        await asides.take_back(GUILD, ANN)
        await rolled(store)
        assert users(await page_of(store, ALWAYS, BOB, PageRequest(), 9)) == [ANN, BOB]

    async def test_who_is_set_aside_stays_so_when_they_delete_their_data_and_come_back(self, store: Store) -> None:
        await ended(store, "m1", (ANN, BOB), (1, 2))
        await SetAsides(store).set_aside(GUILD, ANN)
        await store.anonymise(GUILD, ANN, -7, {"m1"})
        assert await store.is_set_aside(GUILD, ANN)
        await ended(store, "m2", (ANN, BOB), (1, 2))
        assert users(await page_of(store, ALWAYS, BOB, PageRequest(), 9)) == [BOB]

    async def test_one_can_hide_before_the_first_match_and_in_one_server_alone(self, store: Store) -> None:
        await LeaderboardQueries(store).set_hidden(GUILD, ANN, hidden=True)
        await LeaderboardQueries(store).set_hidden(GUILD + 1, BOB, hidden=True)
        await ended(store, "m1", (ANN, BOB), (1, 2))
        for span in Span:
            assert users(await page_of(store, Leaderboard(GUILD, GAME, span), BOB, PageRequest(), 9)) == [BOB]

    async def test_who_was_deleted_leaves_the_lists_and_may_come_back_as_somebody_new(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(match_weights, "YOUNG", 0)
        await ended(store, "m1", (ANN, BOB), (1, 2))
        await LeaderboardQueries(store).set_hidden(GUILD, ANN, hidden=True)
        await store.anonymise(GUILD, ANN, -7, {"m1"})
        assert not await store.is_hidden(GUILD, ANN)
        assert await store.counted_days(GUILD, ANN) == {}
        for span in Span:
            page = await page_of(store, Leaderboard(GUILD, ALL_GAMES, span), ANN, PageRequest(), 9)
            assert (users(page), page.own) == ([BOB], None)
        await ended(store, "m2", (ANN, BOB), (1, 2))
        assert users(await page_of(store, ALWAYS, ANN, PageRequest(), 9)) == [ANN, BOB]

    async def test_days_say_what_a_persons_matches_add_up_to(self, store: Store) -> None:
        first = await ended(store, "m1", (ANN, BOB), (1, 2), day=5)
        second = await ended(store, "m2", (BOB, ANN), (1, 1), day=5)
        await ended(store, "m3", (BOB, CAT), (1, 2), day=5)
        (((_, game, user, day), tally),) = (await store.counted_days(GUILD, ANN)).items()
        assert (game, user, day) == (GAME, ANN, 5)
        assert tally == (points(first[0].surplus) + points(second[1].surplus), 1, 0, 1)

    async def test_the_days_of_everybody_who_is_listed_follow_one_another_by_key(self, store: Store) -> None:
        for number, day in enumerate((4, 5, 5, 6, 7)):
            await ended(store, f"m{number}", (ANN, 10 + number), (1, 2), day=day)
        await ended(store, "elsewhere", (ANN, BOB), (1, 2), day=5, guild=GUILD + 1)
        await ended(store, "other", (BOB, CAT), (1, 2), day=6, game="other")
        await rolled(store, LeaderboardDates.on(6, 6))  # some days have left the season's, and others have not
        await LeaderboardQueries(store).set_hidden(GUILD, 11, hidden=True)
        await store.anonymise(GUILD, 12, -12, {"m2"})
        expected = [(5, ANN, GAME), (6, ANN, GAME), (6, BOB, "other"), (6, CAT, "other"), (6, 13, GAME)]
        found: list[tuple[DayKey, Tally]] = []
        for most in (1, 2, 9):
            found = []
            while page := await store.days_between(GUILD, range(5, 7), found[-1][0] if found else None, most):
                assert len(page) <= most
                found += [(key, tally) for key, tally, _ in page]
            assert [(key.day, key.user_id, key.game) for key, _ in found] == sorted(expected)
        assert found[0][1] == (await store.counted_days(GUILD, ANN))[DayKey(GUILD, GAME, ANN, 5)]

    async def test_who_was_first_of_a_season_is_kept_once_unless_they_hide_or_are_gone(self, store: Store) -> None:
        assert await store.judged_until(GUILD) is None
        for number, rival in enumerate((BOB, CAT, CAT + 1), 1):
            await ended(store, f"m{number}", (ANN, rival), (1, 2), day=40 + number)
        assert await store.judged_until(GUILD) == 41
        await LeaderboardQueries(store).set_hidden(GUILD, CAT, hidden=True)
        firsts = [(ANN, SeasonFirst(GAME, 60)), (ANN, SeasonFirst(ALL_GAMES, 60)), (CAT, SeasonFirst(GAME, 60))]
        gone = [(BOB, SeasonFirst("other", 60)), (99, SeasonFirst(ALL_GAMES, 60))]
        await store.judge_seasons(GUILD, 60, [*firsts, *gone])
        assert await store.judged_until(GUILD) == 60
        assert await store.season_firsts(GUILD, ANN) == [SeasonFirst(ALL_GAMES, 60), SeasonFirst(GAME, 60)]
        for user in (BOB, CAT, 99):
            assert await store.season_firsts(GUILD, user) == []
        await store.judge_seasons(GUILD, 60, [(BOB, SeasonFirst(GAME, 60))])  # another reader was faster
        assert await store.season_firsts(GUILD, BOB) == []
        await store.judge_seasons(GUILD, 90, [(ANN, SeasonFirst(GAME, 90))])
        assert [first.stop for first in await store.season_firsts(GUILD, ANN)] == [90, 60, 60]
        await store.anonymise(GUILD, ANN, -7, {f"m{number}" for number in (1, 2, 3)})
        assert await store.season_firsts(GUILD, ANN) == await store.season_firsts(GUILD, -7) == []


def key(user: int) -> LineKey:
    """A key that is above all others."""
    return LineKey(Section.RANKED, 10**9, user)
