"""The curve of a rating as values: how it went, how sure it was, and the numbers that its picture names."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating as players read it, and the lowest and highest that it may really be.

    `at` is where it lies from left to right, in any unit that grows: the number of a match, or seconds.
    """

    at: float
    rating: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class RatingCurve:
    """How a rating went, the oldest point first. Raises ValueError without a point, or if one lies before another."""

    points: tuple[RatingPoint, ...]

    def __post_init__(self) -> None:
        if not self.points:
            raise ValueError("a curve has at least one point")
        if any(after.at < before.at for before, after in pairwise(self.points)):
            raise ValueError("the points of a curve are in order")

    @property
    def lowest(self) -> int:
        """The lowest rating, which the picture names if it is not the highest too."""
        return min([point.rating for point in self.points])

    @property
    def highest(self) -> int:
        """The highest rating, which the picture names."""
        return max([point.rating for point in self.points])

    @property
    def newest(self) -> int:
        """The last rating, which the picture names at the end of the line."""
        return self.points[-1].rating
