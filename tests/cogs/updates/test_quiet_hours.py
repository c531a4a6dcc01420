"""Quiet hours: by their owner's clock, past midnight, and shown as moments that everybody reads in their own time."""

from __future__ import annotations

import pytest

from cogs.updates.quiet_hours import HOUR, QUIET_HOURS, UTC_OFFSET, Hours, QuietHours, offset_of

MIDNIGHT = 20_000 * 24 * HOUR
"""UTC, in ms."""


def quiet_at(quiet: QuietHours) -> list[int]:
    """The hours of a day in UTC, at their half, that are quiet."""
    return [hour for hour in range(24) if quiet.are_now(MIDNIGHT + hour * HOUR + HOUR // 2)]


@pytest.mark.parametrize(
    ("hours", "ahead", "expected"),
    [
        ("9-17", "0", [*range(9, 17)]),
        ("22-8", "0", [*range(8), 22, 23]),
        ("22-8", "2", [*range(6), 20, 21, 22, 23]),
        ("22-8", "-5", [*range(3, 13)]),
        ("0-6", "12", [*range(12, 18)]),
    ],
)
def test_they_are_the_hours_of_their_owners_clock(hours: str, ahead: str, expected: list[int]) -> None:
    quiet = QuietHours.of({QUIET_HOURS: hours, UTC_OFFSET: ahead})
    assert quiet_at(quiet) == expected


def test_they_begin_and_end_on_the_hour_and_are_read_as_they_were_written() -> None:
    quiet = QuietHours(Hours(22, 8), 0)
    begins, ends = MIDNIGHT + 22 * HOUR, MIDNIGHT + 8 * HOUR
    assert [quiet.are_now(moment) for moment in (begins - 1, begins, ends - 1, ends)] == [False, True, True, False]
    for start in range(24):
        for end in range(24):
            hours = Hours(start, end)
            assert Hours.read(hours.write()) == (None if start == end else hours)


@pytest.mark.parametrize(
    "preferences",
    [
        {},
        {QUIET_HOURS: "22-8"},
        {UTC_OFFSET: "2"},
        {QUIET_HOURS: "", UTC_OFFSET: "2"},
        {QUIET_HOURS: "8-8", UTC_OFFSET: "2"},
        {QUIET_HOURS: "22-24", UTC_OFFSET: "2"},
        {QUIET_HOURS: "22-8", UTC_OFFSET: "13"},
        {QUIET_HOURS: "22-8", UTC_OFFSET: "٢"},
        {QUIET_HOURS: "22-8\n", UTC_OFFSET: "2"},
    ],
)
def test_without_hours_and_a_time_that_can_be_read_nothing_is_quiet(preferences: dict[str, str]) -> None:
    quiet = QuietHours.of(preferences)
    assert quiet_at(quiet) == []
    assert quiet.next(MIDNIGHT) is None


@pytest.mark.parametrize("ahead", range(-11, 13))
@pytest.mark.parametrize("hour", [0, 5, 21, 23])
def test_they_are_shown_as_the_hours_that_were_chosen(ahead: int, hour: int) -> None:
    now = MIDNIGHT + hour * HOUR + 123
    quiet = QuietHours(Hours(22, 8), ahead)
    shown = quiet.next(now)
    assert shown is not None
    start, end = shown
    assert [(moment // HOUR + ahead) % 24 for moment in shown] == [22, 8]
    assert start % HOUR == end % HOUR == 0
    assert end - start == 10 * HOUR
    assert now < end <= now + 24 * HOUR
    assert quiet.are_now(now) == (start <= now)


@pytest.mark.parametrize("ahead", range(-11, 13))
def test_the_hour_on_somebodys_clock_says_how_far_they_are_ahead(ahead: int) -> None:
    for utc in range(24):
        now = MIDNIGHT + utc * HOUR + 59 * 60_000
        assert offset_of((utc + ahead) % 24, now) == ahead
        assert QuietHours(None, ahead).hour(now) == (utc + ahead) % 24
