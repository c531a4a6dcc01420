"""Days as the deal of the day counts them: by UTC, the same for everybody."""

from __future__ import annotations

from typing import Final

DAY: Final = 24 * 3600 * 1000
"""Milliseconds."""


def day_of(now: int) -> int:
    """The number of days from 1970-01-01 to a moment (ms UTC)."""
    return now // DAY


def begins_at(day: int) -> int:
    """When a day begins (ms UTC)."""
    return day * DAY


def ends_at(day: int) -> int:
    """When a day ends (ms UTC): the next one begins at this moment."""
    return begins_at(day + 1)
