"""A failure is made small: the faults that it needs, and the time that it needs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.simulation import dials
from tests.simulation.happenings import Violation
from tests.simulation.run import Result
from tests.simulation.shrink import Failure, Try, shrink
from tests.simulation.weather_fields import Weather

BAD = dials.read("latency=0.5,tail=0.1,cuts=9,silences=3,kills=2,absent=0.4,rate429=0.1")


def attempts(needed: set[str], at: float) -> Try:
    """Runs in which the law fails at a moment, where these faults are on."""

    def attempt(tries: Sequence[tuple[float, Weather]]) -> list[Result]:
        results = []
        for hours, weather in tries:
            fails = needed <= dials.turned(weather).keys() and at <= hours * 3600
            results.append(Result(1, hours, 0, 0.0, "", [Violation("law", at, "")] if fails else []))
        return results

    return attempt


@pytest.mark.parametrize("needed", [{"kills"}, {"tail", "absent"}, {"latency", "cuts", "rate429"}], ids=len)
def test_only_the_faults_that_it_needs_are_left(needed: set[str]) -> None:
    smallest = shrink(Failure("law", 10.0, BAD), attempts(needed, at=60.0), lambda _: None)
    assert dials.turned(smallest.weather).keys() == needed
