"""Deals of the week: when weeks are, how attempts begin in several servers, and how points are counted."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.refusals import Refused
from bot.scheduler import DAY, day_of, ends_at
from bot.store.queries.matches import Result
from cogs.weekly.deals import first_day, last_day, points_of
from cogs.weekly.queries import BEST, WeeklyAttempt, WeeklyQueries
from engines.game import Resign
from tests.bot.play.parts import ANN, BOB, CHANNEL, GUILD, Parts, press_ids

NUMBERS = count(1)
PAGE = Path(__file__).parents[3] / "docs" / "how-we-count.md"
WON, DRAWN, LOST = (1, 2), (1, 1), (2, 1)


async def begun(parts: Parts, user: int = ANN, guild: int = GUILD) -> LiveMatch | None:
    queries = WeeklyQueries(parts.store)
    deal = await parts.tried.sealed("haymaker", last_day(parts.days.today()), queries.deal, queries.seal)
    save = partial(queries.open_attempt, server_name="a server")
    with parts.presses.take_up("weekly", next(press_ids)) as press:
        return await parts.tried.begin(deal, user, (guild, CHANNEL), press, save, everywhere=True)


async def playing(parts: Parts, user: int = ANN, guild: int = GUILD) -> LiveMatch:
    match = await begun(parts, user, guild)
    assert match is not None
    return match


async def resign(parts: Parts, match: LiveMatch) -> None:
    with parts.presses.take_up(match.id, next(press_ids)) as press:
        await press.act(match, 0, Resign())


def attempt(
    ranks: tuple[int, ...] | None, acts: int = 9, *, kind: str = "knockout", guild: int = GUILD, counts: bool = True
) -> WeeklyAttempt:
    number = next(NUMBERS)
    result = None if ranks is None else Result(f"m{number}", kind, ranks, number, counted=False)
    return WeeklyAttempt(f"m{number}", guild, "haymaker", 3, number, CHANNEL, acts, result, counts, None)


# ---------------------------------------------------------------------------------------------- weeks and attempts


@pytest.mark.parametrize("moment", ["2026-11-23T00:00:00", "2026-11-25T12:00:00", "2026-11-29T23:59:59"])
def test_a_week_goes_from_monday_to_monday_in_utc(moment: str) -> None:
    at = int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp() * 1000)
    week = last_day(day_of(at))
    assert datetime.fromtimestamp(ends_at(week) / 1000, UTC).isoformat() == "2026-11-30T00:00:00+00:00"
    assert datetime.fromtimestamp(first_day(week) * DAY / 1000, UTC).isoformat() == "2026-11-23T00:00:00+00:00"
    assert last_day(week + 1) == week + 7


async def test_people_of_two_servers_meet_the_same_cards_and_the_same_luck_of_the_computer(parts: Parts) -> None:
    first, second = await playing(parts), await playing(parts, BOB, GUILD + 1)
    rows = [await parts.store.match(each.id) for each in (first, second)]
    assert len({(row.seed, row.commitment, row.deal_id) for row in rows if row is not None}) == 1
    assert first.question(1, "hard", 0, ()).luck == second.question(1, "hard", 0, ()).luck
    assert first.everywhere
    assert not first.has_board


async def test_nobody_tries_a_deal_in_a_second_server(parts: Parts) -> None:
    match = await playing(parts)
    assert await begun(parts, guild=GUILD + 1) is None
    await resign(parts, match)
    assert await begun(parts, guild=GUILD + 1) is None
    assert await begun(parts) is None
    assert len(parts.registry) == 0


async def test_a_deal_is_closed_to_everybody_until_its_week_is_over(parts: Parts) -> None:
    match = await playing(parts)
    await resign(parts, match)
    week = match.day or 0
    await parts.pass_time(ends_at(week) - parts.now() - 1000)
    with pytest.raises(Refused, match=r"daily\.closed"):
        parts.closed_deals.check_open(match)
    assert match.secret
    await parts.pass_time(10_000)
    parts.closed_deals.check_open(match)
    assert not match.secret


async def test_a_deal_is_closed_while_it_is_played_in_another_server(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, other = await playing(parts), await playing(parts, BOB, GUILD + 1)
    await resign(parts, done)

    async def never(*_: object) -> None:
        """End nothing."""

    monkeypatch.setattr(MatchLifecycle, "end_alone", never)
    await parts.pass_time(ends_at(done.day or 0) - parts.now() + 60_000)
    assert not other.over
    with pytest.raises(Refused, match=r"daily\.closed"):
        parts.closed_deals.check_open(done)
    with pytest.raises(Refused, match=r"daily\.over"):
        await other.act(0, Resign(), interaction_id=next(press_ids))
    monkeypatch.undo()
    await parts.pass_time(60_000)
    assert other.result is not None
    assert other.result.kind == "day_over"
    parts.closed_deals.check_open(done)


async def test_the_next_week_has_another_deal(parts: Parts) -> None:
    first = await playing(parts)
    await parts.pass_time(7 * DAY)
    second = await playing(parts)
    assert first.over
    assert first.deal_id != second.deal_id
    assert (second.day or 0) == (first.day or 0) + 7


# ---------------------------------------------------------------------------------------------- points and standings


@pytest.mark.parametrize(
    ("tried", "points"),
    [
        (attempt(WON, 1), 990),
        (attempt(WON, 12), 880),
        (attempt(WON, 40), 600),
        (attempt(WON, 300), 600),
        (attempt(DRAWN, 3), 500),
        (attempt(LOST, 25), 250),
        (attempt(LOST, 300), 400),
        (attempt(LOST, 25, kind="resignation"), 0),
        (attempt((), 25, kind="week_over"), 0),
    ],
)
def test_an_attempt_has_points(tried: WeeklyAttempt, points: int) -> None:
    assert points_of(tried) == points


def test_the_example_on_the_page_is_right() -> None:
    here = [
        *(attempt(WON, 12), attempt(WON, 30), attempt(WON, 50), attempt(DRAWN), attempt(LOST, 25)),
        *(attempt(LOST, 6), attempt(LOST, 20, kind="resignation")),
    ]
    points = [points_of(each) for each in here]
    assert points == [880, 700, 600, 500, 250, 60, 0]
    assert sum(points[:BEST]) / BEST == 586
    assert sum(points_of(attempt(WON, acts)) for acts in (10, 12, 14)) / BEST == 528
    page = PAGE.read_text("utf-8")
    for told in ("(880 + 700 + 600 + 500 + 250) / 5 = 586", "(900 + 880 + 860 + 0 + 0) / 5 = 528"):
        assert told in page
