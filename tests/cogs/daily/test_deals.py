"""Deals of the day: which games have one, how they are sealed, and how attempts are counted."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.computers.reviewer import NotReviewed
from bot.play.deals.sealing import deal_of
from bot.play.deals.tried import (
    MOST_WAITING,
    AttemptState,
    deal_request,
    ending_of,
    options_of_deal,
    seats_of_deal,
    tried_games,
)
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.scheduler import DAY, day_of, ends_at
from bot.store.errors import NotSaved
from bot.store.queries.matches import Result
from bot.store.verification import opens_seal
from cogs.daily.deals import by_score, score_of, tally
from cogs.daily.queries import DailyAttempt
from engines import GAMES
from engines.game import Resign
from engines.players.deal_of_day import Choice, DayRequest, program, seed_of
from engines.players.levels import LEVELS, PLAYERS, RACERS
from tests.bot.play.parts import ANN, BOB, CHANNEL, GUILD, Parts, press_ids
from tests.bot.store.rows import daily_deal
from tests.quick_reviewer import EVEN, InLoop


async def begun(parts: Parts, user: int = ANN, game: str = "haymaker") -> LiveMatch:
    deal = await parts.daily.deal(GUILD, game)
    with parts.presses.take_up("daily", next(press_ids)) as press:
        match = await parts.daily.begin(deal, user, CHANNEL, press)
    assert match is not None
    return match


def attempt(ranks: tuple[int, ...] | None, acts: int, kind: str = "knockout") -> DailyAttempt:
    result = None if ranks is None else Result("m", kind, ranks, 1, counted=False)
    return DailyAttempt("m", GUILD, "haymaker", 1, ANN, CHANNEL, acts, result, False)


# ---------------------------------------------------------------------------------------------- games and deals


def test_every_game_of_turns_with_a_player_that_searches_has_a_deal_and_no_race() -> None:
    assert set(tried_games()) == {game for game in GAMES if game in PLAYERS and game in LEVELS and game not in RACERS}
    assert {"haymaker", "ciq"} <= set(tried_games())


def test_c_11_a_deal_is_dealt_as_recommended() -> None:
    for game in tried_games():
        info = GAMES[game].info
        assert options_of_deal(game) == info.presets[info.recommended_for(seats_of_deal(game))]


async def test_a_deal_is_sealed_once_and_its_seal_binds_it(parts: Parts) -> None:
    first, second = await asyncio.gather(*(parts.daily.deal(GUILD, "ciq") for _ in range(2)))
    assert first == second == await parts.daily.deal(GUILD, "ciq")
    with parts.presses.take_up("daily", next(press_ids)) as press:
        match = await parts.daily.begin(first, ANN, CHANNEL, press)
    assert match is not None
    row = await parts.store.match(match.id)
    assert row is not None
    assert opens_seal(row)
    assert (row.seed, row.commitment) == (first.seed, first.commitment)


async def test_servers_games_and_days_have_deals_of_their_own(parts: Parts) -> None:
    deals = [await parts.daily.deal(GUILD, "ciq"), await parts.daily.deal(GUILD, "haymaker")]
    deals.append(await parts.daily.deal(GUILD + 1, "ciq"))
    await parts.pass_time(DAY)
    deals.append(await parts.daily.deal(GUILD, "ciq"))
    assert len({deal.seed for deal in deals}) == len({deal.deal_id for deal in deals}) == 4


async def test_a_deal_that_is_altered_or_of_yesterday_is_not_begun(parts: Parts) -> None:
    deal = replace(await parts.daily.deal(GUILD, "ciq"), seed=b"x" * 32)
    with (
        parts.presses.take_up("daily", next(press_ids)) as press,
        pytest.raises(Refused, match=r"daily\.deal_altered"),
    ):
        await parts.daily.begin(deal, ANN, CHANNEL, press)
    deal = await parts.daily.deal(GUILD, "ciq")
    await parts.pass_time(DAY)
    with parts.presses.take_up("daily", next(press_ids)) as press, pytest.raises(Refused, match=r"daily\.over"):
        await parts.daily.begin(deal, ANN, CHANNEL, press)


# ---------------------------------------------------------------------------------------------- attempts


async def test_the_computers_luck_is_the_same_in_all_attempts(parts: Parts) -> None:
    first, second = await begun(parts, ANN), await begun(parts, BOB)
    assert first.id != second.id
    assert first.question(1, "hard", 0, ()).luck == second.question(1, "hard", 0, ()).luck
    other = await begun(parts, ANN, "ciq")
    assert other.question(1, "hard", 0, ()).luck != first.question(1, "hard", 0, ()).luck


async def test_an_attempt_that_cannot_be_ended_is_ended_later_and_keeps_the_deal_closed(parts: Parts) -> None:
    match, done = await begun(parts, ANN), await begun(parts, BOB)
    await done.act(0, Resign())
    parts.clock.settle(done)
    await parts.pass_time(ends_at(day_of(parts.now())) - parts.now())
    parts.store.fail_next_write(NotSaved("the disk is full"))  # type: ignore[attr-defined]  # a MemoryStore
    await parts.pass_time(10_000)
    assert not match.over
    with pytest.raises(Refused, match=r"daily\.closed"):
        parts.closed_deals.check_open(done)
    await parts.pass_time(60_000)
    assert match.over
    assert match.result is not None
    assert match.result.kind == "day_over"
    parts.closed_deals.check_open(done)
    assert parts.days.idle


async def test_a_press_on_its_way_when_the_day_ends_still_counts(parts: Parts) -> None:
    match, idle = await begun(parts, ANN), await begun(parts, BOB)
    await parts.pass_time(ends_at(day_of(parts.now())) - parts.now() + 2000)
    await match.act(0, Resign(), interaction_id=next(press_ids))
    assert match.result is not None
    assert match.result.kind == "resignation"
    assert not idle.over
    await parts.pass_time(2000)
    assert idle.over


# ---------------------------------------------------------------------------------------------- counting


@pytest.mark.parametrize(
    ("ranks", "kind", "ending"),
    [
        (None, "", AttemptState.PLAYING),
        ((1, 2), "knockout", AttemptState.WON),
        ((1, 1), "count", AttemptState.DRAWN),
        ((2, 1), "knockout", AttemptState.LOST),
        ((2, 1), "resignation", AttemptState.RESIGNED),
        ((), "day_over", AttemptState.UNFINISHED),
    ],
)
def test_an_attempt_ends_as_its_ranks_say(ranks: tuple[int, ...] | None, kind: str, ending: AttemptState) -> None:
    assert ending_of(attempt(ranks, 5, kind)) is ending


@pytest.mark.parametrize(
    ("ranks", "kind", "score"),
    [((1, 2), "knockout", 62), ((1, 1), "draw", 12), ((2, 1), "knockout", -38), ((2, 1), "resignation", -38)],
)
def test_a_score_is_what_somebody_got_above_the_worth_of_the_deal(
    ranks: tuple[int, ...], kind: str, score: int
) -> None:
    assert score_of(attempt(ranks, 9, kind), replace(daily_deal(), worth=380)) == score


def test_a_score_is_what_somebody_got_above_the_worth_of_the_deal_and_attempts_are_in_its_order() -> None:
    assert score_of(attempt(None, 9), daily_deal()) is None
    assert score_of(attempt((), 9, "day_over"), daily_deal()) is None
    won, drawn, lost = attempt((1, 2), 11), attempt((1, 1), 33), attempt((2, 1), 3, "resignation")
    deal = replace(daily_deal(), worth=600)
    assert by_score([lost, won, drawn, won, attempt(None, 1)], deal) == {40: [won, won], -10: [drawn], -60: [lost]}


def test_while_the_day_is_on_attempts_are_counted_by_how_they_ended() -> None:
    attempts = [attempt((2, 1), 14), attempt((1, 2), 11), attempt((2, 1), 9), attempt((2, 1), 3, "resignation")]
    assert tally(attempts) == {AttemptState.WON: 1, AttemptState.LOST: 2}
    assert tally([attempt(None, 11)]) == {}


async def test_a_deal_is_chosen_from_those_of_a_secret_root(parts: Parts) -> None:
    deal = await parts.daily.deal(GUILD, "ciq")
    assert deal.seed == seed_of(deal.root, deal.nth)
    assert (deal.nth, deal.worth) == (EVEN.count, EVEN.worth)
    assert deal.program == program("ciq", deal.level)
    assert deal.root.hex() not in repr(deal)
    assert repr(deal.root) not in repr(deal)


async def test_a_deal_is_tried_with_the_cards_and_the_luck_of_its_attempts(parts: Parts) -> None:
    match = await begun(parts, game="ciq")
    row = await parts.store.match(match.id)
    assert row is not None
    assert deal_request("ciq", row.deal_id, bytes(32)).deal == deal_of(row)


async def test_while_nothing_can_be_tried_there_is_no_deal_yet(parts: Parts) -> None:
    class Busy(InLoop):
        async def choose(self, request: DayRequest) -> Choice:  # noqa: ARG002  it chooses nothing
            raise NotReviewed

    parts.tried.reviewer = Busy()
    with pytest.raises(Refused, match=r"daily\.later"):
        await parts.daily.deal(GUILD, "ciq")
    parts.tried.reviewer = InLoop()
    assert (await parts.daily.deal(GUILD, "ciq")).nth == 1


async def test_who_would_wait_too_long_for_a_deal_is_told_at_once(parts: Parts) -> None:
    chosen = asyncio.Event()

    class Slow(InLoop):
        async def choose(self, request: DayRequest) -> Choice:
            await chosen.wait()
            return await super().choose(request)

    parts.tried.reviewer = Slow()
    waiting = [asyncio.ensure_future(parts.daily.deal(GUILD + server, "ciq")) for server in range(MOST_WAITING)]
    await asyncio.sleep(0.05)
    with pytest.raises(Refused, match=r"daily\.later"):
        await asyncio.wait_for(parts.daily.deal(GUILD - 1, "ciq"), 1)
    chosen.set()
    assert len({deal.guild_id for deal in await asyncio.gather(*waiting)}) == MOST_WAITING
    assert (await parts.daily.deal(GUILD - 1, "ciq")).nth == 1
