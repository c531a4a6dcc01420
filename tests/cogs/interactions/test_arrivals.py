"""How late an interaction comes, whatever the host's clock says."""

from __future__ import annotations

from cogs.interactions.arrivals import InteractionAge
from cogs.interactions.time_limits import MAX_AGE

EPOCH = 1_420_070_400.0


def made_at(seconds: float) -> int:
    """A snowflake made this many seconds after 2026 began."""
    return int((1_767_225_600.0 - EPOCH + seconds) * 1000) << 22


def test_what_comes_at_once_is_fresh_on_a_clock_that_is_an_hour_fast_or_slow() -> None:
    for error in (-3600.0, 0.0, 3600.0):
        arrivals = InteractionAge()
        assert arrivals.age(made_at(0), 1_767_225_600.0 + error + 0.1) == 0
        assert arrivals.age(made_at(1), 1_767_225_601.0 + error + 0.2) < MAX_AGE


def test_an_interaction_replayed_after_its_token_expired_is_late() -> None:
    arrivals = InteractionAge()
    arrivals.age(made_at(0), 1_767_225_600.1)
    assert arrivals.age(made_at(10), 1_767_225_600.1 + 10 + 5) > MAX_AGE


def test_an_old_smallest_difference_is_forgotten() -> None:
    arrivals = InteractionAge()
    arrivals.age(made_at(0), 1_767_225_600.0)
    assert arrivals.age(made_at(700), 1_767_225_600.0 + 700 + 8) == 0
