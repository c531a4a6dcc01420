"""What an attempt at a deal of the week was worth is written soon after it is over, and is never lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.scheduler import DAY
from bot.store.errors import NotSaved
from bot.store.special_ids import direct_venue
from cogs.weekly import queries
from cogs.weekly.queries import WeeklyQueries
from cogs.weekly.scoring import Scoring
from tests.bot.play.parts import ANN, BOB, GUILD, Parts
from tests.cogs.weekly.test_deals import playing, resign
from tests.failing_rules import raising

GAME = "haymaker"


@pytest.fixture
def scoring(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> Scoring:
    monkeypatch.setattr(queries, "LEAST_RATED", 0)
    scoring = Scoring(WeeklyQueries(parts.store), parts.scheduler)
    parts.observers.add(scoring)
    return scoring


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """No points can be saved, until it is undone."""

    with monkeypatch.context() as broken:
        broken.setattr(WeeklyQueries, "score", raising(NotSaved("the disk is full")))
        yield broken


async def scored(scoring: Scoring, guild: int = GUILD) -> list[int]:
    """Who has points in a server."""
    return sorted(user for user, _ in await scoring.queries.best_in(GAME, scoring.week(), guild, 9))


async def look(scoring: Scoring) -> None:
    """Have Ann look at how her attempt ended."""
    own = await scoring.queries.attempt(GAME, scoring.week(), ANN)
    assert own is not None
    await scoring.score_now(own)


async def test_an_attempt_is_scored_once_it_is_over(parts: Parts, scoring: Scoring) -> None:
    first, second = await playing(parts), await playing(parts, BOB)
    await resign(parts, first)
    await scoring.close()
    assert await scored(scoring) == [ANN]
    await resign(parts, second)
    await scoring.close()
    assert await scored(scoring) == [ANN, BOB]


async def test_who_plays_outside_of_servers_has_points_that_count_for_none(parts: Parts, scoring: Scoring) -> None:
    venue = direct_venue(ANN)
    await resign(parts, await playing(parts, ANN, venue))
    await scoring.close()
    own = await scoring.queries.attempt(GAME, scoring.week(), ANN)
    assert own is not None
    assert (own.guild_id, own.counts, own.points is None) == (venue, False, False)
    assert await scored(scoring, venue) == []


async def test_one_that_was_altered_keeps_no_other_waiting(
    parts: Parts, scoring: Scoring, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await playing(parts), await playing(parts, BOB)
    score = WeeklyQueries.score

    async def refuse_first(queries: WeeklyQueries, match_id: str) -> None:
        if match_id == first.id:
            raise ValueError("altered")
        await score(queries, match_id)

    monkeypatch.setattr(WeeklyQueries, "score", refuse_first)
    await resign(parts, first)
    await resign(parts, second)
    await scoring.close()
    assert await scored(scoring) == [BOB]


async def test_who_looks_at_once_finds_their_points(parts: Parts, scoring: Scoring, broken: pytest.MonkeyPatch) -> None:
    match = await playing(parts)
    await resign(parts, match)
    await scoring.close()
    broken.undo()
    assert await scored(scoring) == []
    await look(scoring)
    assert await scored(scoring) == [ANN]


async def test_what_could_not_be_saved_is_saved_with_the_next(
    parts: Parts, scoring: Scoring, broken: pytest.MonkeyPatch
) -> None:
    first, second = await playing(parts), await playing(parts, BOB, GUILD + 1)
    await resign(parts, first)
    await scoring.close()
    await look(scoring)
    broken.undo()
    assert await scored(scoring) == []
    await resign(parts, second)
    await scoring.close()
    assert await scored(scoring) == [ANN]
    assert await scored(scoring, GUILD + 1) == [BOB]


async def test_what_a_killed_process_did_not_save_is_saved_at_the_next_start(
    parts: Parts, scoring: Scoring, broken: pytest.MonkeyPatch
) -> None:
    match = await playing(parts)
    await resign(parts, match)
    await scoring.close()
    broken.undo()
    again = Scoring(scoring.queries, parts.scheduler)
    await again.resume()
    await again.close()
    assert await scored(again) == [ANN]


async def test_what_nobody_saved_is_saved_when_the_week_is_looked_at(
    parts: Parts, scoring: Scoring, broken: pytest.MonkeyPatch
) -> None:
    week = scoring.week()
    await resign(parts, await playing(parts))
    await scoring.close()
    broken.undo()
    await parts.pass_time(7 * DAY)
    again = Scoring(scoring.queries, parts.scheduler)
    await again.catch_up(GAME, week)
    await again.close()
    assert await scoring.queries.best_in(GAME, week, GUILD, 9) == [(ANN, 0)]
