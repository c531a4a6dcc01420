"""What a person's latest matches say of their reliability: it fades, can be improved, and spares new people."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.play.reliability import READ, Level, Reliability, clean_matches_needed, reliability, reliability_of
from bot.store.queries.attendances import Attendance, Stay
from tests.bot.store.memory_store import MemoryStore
from tests.bot.store.rows import ANN, CAT, GUILD, attended, opened, record

HOUR = 3_600_000
DAY = 24 * HOUR
NOW = 20_000 * DAY
TURNS = 15


def attendance(stay: Stay, hours_ago: float, *, length: float = 1, late: int | None = None) -> Attendance:
    """A match that ended this long ago and lasted `length` hours. Who runs out of time is late once."""
    ended = NOW - int(hours_ago * HOUR)
    late = (stay is Stay.OUT_OF_TIME) if late is None else late
    began = ended - int(length * HOUR)
    return Attendance(f"m{hours_ago}-{length}", 0, began, ended, stay, asked=TURNS, in_time=TURNS - late)


def matches(stay: Stay, number: int, *, since: float = 0) -> list[Attendance]:
    """Matches that ended one a day, and before each of which the former one was over; the last `since` hours ago."""
    return [attendance(stay, since + 24 * each) for each in range(number)]


def of(*attendances: Attendance) -> Reliability:
    return reliability(attendances, NOW)


def test_nobody_is_judged_by_nothing() -> None:
    assert of().level is Level.NEW
    assert (of().finished_share, of().in_time_share, of().matches) == (1, 1, 0)
    assert of().is_reliable


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("stay", Stay)
def test_after_a_few_matches_people_are_still_new_and_may_sit_anywhere(stay: Stay, number: int) -> None:
    found = of(*matches(stay, number))
    assert found.level is Level.NEW
    assert found.is_reliable


def test_three_matches_of_this_moment_are_enough_to_judge_somebody() -> None:
    found = of(*matches(Stay.LEFT, 9))
    assert [replace(found, weight=weight).level is Level.NEW for weight in (2.9, 3.0)] == [True, False]


def test_who_finishes_all_their_matches_finishes_nearly_all() -> None:
    found = of(*matches(Stay.FINISHED, 30))
    assert found.level is Level.FINISHES_NEARLY_ALL
    assert (found.finished_share, found.in_time_share) == (1, 1)


@pytest.mark.parametrize(
    ("every", "level"),
    [
        (1, Level.OFTEN_LEAVES),
        (2, Level.SOMETIMES_LEAVES),
        (4, Level.FINISHES_MOST),
        (20, Level.FINISHES_NEARLY_ALL),
    ],
)
@pytest.mark.parametrize("stay", [Stay.LEFT, Stay.OUT_OF_TIME])
def test_the_level_follows_how_often_somebody_leaves(every: int, level: Level, stay: Stay) -> None:
    played = [attendance(stay if each % every == 0 else Stay.FINISHED, 24 * each) for each in range(30)]
    assert of(*played).level is level


def test_who_stays_but_answers_late_is_not_reliable_either() -> None:
    late = [attendance(Stay.FINISHED, 24 * each, late=7) for each in range(12)]
    found = of(*late)
    assert found.finished_share == 1
    assert found.in_time_share == pytest.approx(0.65, abs=0.05)
    assert found.level is Level.SOMETIMES_LEAVES


@pytest.mark.parametrize("before", [0, 1, 2, 3, 4, 5, 6, 10, 20, 200])
@pytest.mark.parametrize("at_once", [1, 2, 8, 25])
def test_a_weekend_away_costs_less_than_a_tenth(before: int, at_once: int) -> None:
    """All matches that were being played when somebody left run out of time, at their own moments."""
    played = matches(Stay.FINISHED, before, since=100)
    lost = [attendance(Stay.OUT_OF_TIME, 12 + 48 * each / at_once, length=90) for each in range(at_once)]
    usual, found = of(*played), of(*lost, *played)
    assert usual.finished_share - found.finished_share < (0.14 if usual.level is Level.NEW else 0.1)
    assert usual.in_time_share - found.in_time_share < 0.1
    assert found.level >= Level.FINISHES_MOST
    assert found.absences == 1


def test_who_begins_another_match_is_no_longer_away() -> None:
    """To let one match after the other run out is no absence, however fast."""
    each_anew = [attendance(Stay.OUT_OF_TIME, 2 * each, length=1) for each in range(10)]
    found = of(*each_anew)
    assert found.absences == 10
    assert found.level is Level.OFTEN_LEAVES


def test_an_absence_ends_after_four_days() -> None:
    apart = [attendance(Stay.OUT_OF_TIME, 24 * each, length=2000) for each in range(10)]
    assert of(*apart).absences == 2


def test_to_leave_right_after_the_deal_is_never_excused_as_an_absence() -> None:
    assert of(*[attendance(Stay.LEFT, each, length=200) for each in range(10)]).level is Level.OFTEN_LEAVES


@pytest.mark.parametrize("stay", [Stay.LEFT, Stay.OUT_OF_TIME])
def test_ten_clean_matches_redeem_the_worst_past(stay: Stay) -> None:
    past = [attendance(stay, 300 + 10 * each, length=1) for each in range(READ)]
    assert of(*past).level is Level.OFTEN_LEAVES
    assert not of(*past).is_reliable
    assert of(*matches(Stay.FINISHED, 10), *past).is_reliable


def test_the_clean_matches_that_are_needed_are_enough_and_no_more_than_that() -> None:
    past = [attendance(Stay.LEFT, 300 + 10 * each) for each in range(20)]
    needed = clean_matches_needed(past, NOW)
    assert 1 < needed <= 10
    assert reliability([*matches(Stay.FINISHED, needed), *past], NOW).is_reliable
    assert not reliability([*matches(Stay.FINISHED, needed - 2), *past], NOW).is_reliable
    assert clean_matches_needed(matches(Stay.FINISHED, 9), NOW) == 0
    assert clean_matches_needed((), NOW) == 0


def test_time_alone_improves_it_too() -> None:
    past = [attendance(Stay.LEFT, 24 * each) for each in range(20)]
    shares = [reliability(past, NOW + 60 * DAY * each).finished_share for each in range(6)]
    assert shares == sorted(shares)
    assert reliability(past, NOW + 365 * DAY).level is Level.NEW


stays = st.sampled_from(Stay)
pasts = st.lists(
    st.tuples(stays, st.integers(0, 3000), st.integers(1, 200)), max_size=45, unique_by=lambda each: each[1]
)


@given(pasts)
def test_shares_are_shares_and_no_match_finished_in_time_makes_them_worse(
    past: list[tuple[Stay, int, int]],
) -> None:
    played = [attendance(stay, 1 + hours, length=length) for stay, hours, length in past]
    found, after = of(*played), of(attendance(Stay.FINISHED, 0), *played)
    for share, later in (
        (found.finished_share, after.finished_share),
        (found.in_time_share, after.in_time_share),
    ):
        assert 0 < share <= 1
        assert later >= share - 1e-12


@given(pasts)
def test_the_order_in_which_matches_are_read_does_not_matter(past: list[tuple[Stay, int, int]]) -> None:
    played = [attendance(stay, hours, length=length) for stay, hours, length in past]
    assert of(*reversed(played)) == of(*played)


async def test_it_is_read_from_what_is_kept_of_a_person_in_a_server() -> None:
    store = MemoryStore(now=lambda: NOW)
    for number in range(10):
        await opened(store, f"m{number}")
        kept = attended(f"m{number}", Stay.LEFT, Stay.FINISHED, ended_at=NOW - number * DAY)
        await store.append(record(1, f"m{number}"), (), kept)
    found = await reliability_of(store, GUILD, ANN, NOW)
    assert (found.level, found.matches, found.left) == (Level.OFTEN_LEAVES, 10, 10)
    assert (await reliability_of(store, GUILD, CAT, NOW)).level is Level.NEW
    assert (await reliability_of(store, GUILD + 1, ANN, NOW)).level is Level.NEW
