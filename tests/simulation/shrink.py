"""Makes a failure small: faults are switched off, and the run is shortened, while the same law still fails."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from tests.simulation import dials
from tests.simulation.run import Result
from tests.simulation.weather_fields import Weather

Try = Callable[[Sequence[tuple[float, Weather]]], Sequence[Result]]
"""Runs the same seed for so many hours in each of these weathers, one or more at once."""

_AFTER: Final = 1.0
"""Seconds that a shortened run goes on after the moment of its failure."""
_HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A run in which a law failed."""

    law: str
    hours: float
    weather: Weather


def shrink(failure: Failure, attempt: Try, tell: Callable[[str], object]) -> Failure:
    """The smallest failure of the same law that was found. `tell` gets a line for each step."""
    smallest = _fewer_faults(failure, attempt, tell)
    return _shorter(smallest, attempt, tell)


def _fails(failure: Failure, result: Result) -> bool:
    return any(violation.law == failure.law for violation in result.violations)


def _fewer_faults(failure: Failure, attempt: Try, tell: Callable[[str], object]) -> Failure:
    """Switch off groups of faults: half of them, a quarter, and so on to each alone."""
    left = list(dials.turned(failure.weather))
    size = max(1, math.ceil(len(left) / 2))
    while left:
        groups = [left[start : start + size] for start in range(0, len(left), size)]
        for group in groups:
            weather = dials.without(failure.weather, set(group))
            (result,) = attempt([(failure.hours, weather)])
            if _fails(failure, result):
                left = [name for name in left if name not in group]
                failure = Failure(failure.law, failure.hours, weather)
                tell(f"without {', '.join(group)} it fails too")
        if size == 1:
            break
        size = math.ceil(size / 2)
    return failure


def _shorter(failure: Failure, attempt: Try, tell: Callable[[str], object]) -> Failure:
    """End just after the law failed; a law that judges the end gets half the time, and half of that."""
    (result,) = attempt([(failure.hours, failure.weather)])
    at = next((violation.at for violation in result.violations if violation.law == failure.law), None)
    hours = failure.hours / 2 if at is None or at / _HOUR >= failure.hours else (at + _AFTER) / _HOUR
    while True:
        (result,) = attempt([(hours, failure.weather)])
        if not _fails(failure, result):
            return failure
        tell(f"in {hours:.3f} hours it fails too")
        failure = Failure(failure.law, hours, failure.weather)
        hours /= 2
