"""Seasons: the time that a server's season leaderboard is about, by UTC, the same for everybody."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from bot.play.daily.days import begins_at, day_of


class SeasonLength(StrEnum):
    """How long a season is. Each begins with a month."""

    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


_MONTHS: Final = {SeasonLength.MONTH: 1, SeasonLength.QUARTER: 3, SeasonLength.YEAR: 12}


def season_of(day: int, length: SeasonLength) -> range:
    """The days of the season that contains a day, counted since 1970."""
    at = datetime.fromtimestamp(begins_at(day) / 1000, UTC)
    months = _MONTHS[length]
    first = 12 * at.year + (at.month - 1) // months * months
    return range(_first_day(first), _first_day(first + months))


def _first_day(month: int) -> int:
    """The first day of a month, which counts the months since the year 0."""
    begun = datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)
    return day_of(int(begun.timestamp()) * 1000)
