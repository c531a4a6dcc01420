"""Five days off in a season, each begun day one of them."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from bot.scheduler import DAY
from cogs.away.queries import DAYS_OFF, Absence, Absences, days_left, season_at
from tests.bot.play.parts import Parts

HOUR = 3_600_000
ANN, BOB = 11, 12


def at(month: int, day: int, hour: int = 0) -> int:
    return round(datetime(2026, month, day, hour, tzinfo=UTC).timestamp() * 1000)


@pytest.fixture
async def absences() -> Absences:
    return Absences(Parts.fresh().store)


@pytest.mark.parametrize(
    ("began", "until", "taken"),
    [
        (at(5, 4), at(5, 4), 0),
        (at(5, 4), at(5, 4) + 1, 1),
        (at(5, 4), at(5, 5), 1),
        (at(5, 4, 9), at(5, 6, 10), 3),
        (at(3, 30), at(4, 2), 1),
        (at(6, 30), at(7, 3), 1),
        (at(3, 1), at(3, 3), 0),
    ],
)
def test_each_begun_day_in_the_season_is_one(began: int, until: int, taken: int) -> None:
    assert Absence(began, until).days_in(season_at(at(5, 5))) == taken
    assert days_left([Absence(began, until)], at(5, 5)) == DAYS_OFF - taken


async def test_nobody_gets_more_than_there_are_and_a_season_gives_new_ones(absences: Absences) -> None:
    now = at(5, 4, 9)
    assert await absences.begin(ANN, now, 3) == now + 3 * DAY
    assert await absences.begin(ANN, now + 4 * DAY, 3) is None
    assert await absences.begin(ANN, now + 4 * DAY, 2) == now + 6 * DAY
    assert await absences.begin(ANN, now + 7 * DAY, 1) is None
    assert days_left(await absences.of_user(ANN), now + 7 * DAY) == 0
    assert await absences.begin(BOB, now, 5) == now + 5 * DAY
    summer = at(7, 1)
    assert await absences.begin(ANN, summer, 5) == summer + 5 * DAY
    assert await absences.of_user(ANN) == [Absence(summer, summer + 5 * DAY)], "what is long over is not kept"


async def test_a_repeated_press_takes_nothing_twice_and_more_days_make_it_longer(absences: Absences) -> None:
    now = at(5, 4, 9)
    for again in (now, now + 5, now + HOUR):
        assert await absences.begin(ANN, again, 2) == now + 2 * DAY
    assert await absences.begin(ANN, now + HOUR, 1) == now + 2 * DAY, "fewer days change nothing"
    assert await absences.begin(ANN, now + DAY + HOUR, 2) == now + 3 * DAY
    assert await absences.begin(ANN, now + HOUR, 5) == now + 5 * DAY
    assert await absences.of_user(ANN) == [Absence(now, now + 5 * DAY)]


async def test_days_that_were_not_begun_come_back(absences: Absences) -> None:
    now = at(5, 4, 9)
    await absences.begin(ANN, now, 5)
    assert await absences.end(ANN, now + DAY + HOUR)
    assert not await absences.end(ANN, now + DAY + 2 * HOUR)
    assert await absences.current(now + DAY + HOUR) == []
    assert days_left(await absences.of_user(ANN), now + 2 * DAY) == 3


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
async def test_daylight_saving_makes_no_day_off_longer_or_shorter(
    absences: Absences, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        for now in (at(3, 7, 12), at(3, 28, 12), at(4, 4, 12), at(10, 3, 12), at(10, 24, 12), at(10, 31, 12)):
            until = await absences.begin(now, now, 2)  # the moment stands for somebody else each time
            assert until == now + 2 * DAY
            assert days_left(await absences.of_user(now), now) == DAYS_OFF - 2
    finally:
        monkeypatch.undo()
        time.tzset()
