"""The picture of a review: its curve, with the moves that cost most marked by their places in the list."""

from __future__ import annotations

from itertools import pairwise

from bot.art.curve import Curve, Mark, Place
from engines.players.review import Measure, Review


def curve_of(review: Review) -> Curve:
    """What is drawn where. Chances rise from 0 to 1, cards left from none to the most that anybody had."""
    chances = review.measure is Measure.CHANCE
    top = 1.0 if chances else max([1.0, *[value for point in review.curve for value in point.values]])
    last = max(1, review.acts)
    seats = range(len(review.curve[0].values) if review.curve else 0)
    lines = tuple([tuple([(point.after / last, point.values[seat] / top) for point in review.curve]) for seat in seats])
    marks = [
        Mark(place, act.seat, _on_line(lines[act.seat], act.number / last))
        for place, act in enumerate(review.costly, start=1)
    ]
    return Curve(lines, tuple(marks), halves=chances)


def _on_line(line: tuple[Place, ...], x: float) -> Place:
    """The place of a line at this distance from its beginning."""
    for (left, low), (right, high) in pairwise(line):
        if left <= x <= right:
            return x, low + (high - low) * (x - left) / (right - left)
    return line[-1]
