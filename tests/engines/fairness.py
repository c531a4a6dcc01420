"""Counts of what chance made, and how far they are from what fair chance makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

FAIR = 4.5
"""The most standard deviations that a fair use of chance is off. One in 300,000 is off further; the seeds are fixed."""
UNFAIR = 5.5
"""The fewest that a planted unfair one must be off, so that it is clearly beyond the bound."""


@dataclass(frozen=True, slots=True)
class Finding:
    """How far something is off, in standard deviations of fair chance."""

    what: str
    off: float


def evenly(what: str, drawn: Iterable[Hashable], outcomes: Collection[Hashable]) -> Finding:
    """Whether each of these outcomes was drawn equally often (Pearson's chi-square). No other may have been drawn."""
    counts = Counter(drawn)
    assert counts.keys() <= set(outcomes), f"{what}: {counts.keys() - set(outcomes)}"
    expected = counts.total() / len(outcomes)
    assert expected >= 5, f"{what}: too few were drawn to tell"
    square = sum((counts[each] - expected) ** 2 for each in outcomes) / expected
    return Finding(what, _deviations(square, len(outcomes) - 1))


def shuffled(what: str, orders: Sequence[Sequence[Hashable]], before: Sequence[Hashable]) -> list[Finding]:
    """Whether each item was at each index of these orders equally often, and as many as one of them where it was
    before. (How many stay has the mean 1 and the variance 1.)"""
    assert all(sorted(order, key=repr) == sorted(before, key=repr) for order in (orders[0], orders[-1]))
    counts = [Counter(order[index] for order in orders) for index in range(len(before))]
    expected = len(orders) / len(before)
    square = sum((each[item] - expected) ** 2 for each in counts for item in before) / expected
    stayed = sum(each[item] for each, item in zip(counts, before, strict=True))
    return [
        Finding(f"{what}: places", _deviations(square, (len(before) - 1) ** 2)),
        Finding(f"{what}: stayed", abs(stayed - len(orders)) / sqrt(len(orders))),
    ]


def depth(what: str, depths: Collection[float]) -> Finding:
    """Whether depths between 0 (top) and 1 (bottom) are a half on average, as those of any card in a shuffled pile."""
    mean = sum(depths) / len(depths)
    return Finding(what, abs(mean - 0.5) * sqrt(12 * len(depths)))


def _deviations(square: float, freedom: int) -> float:
    """A chi-square as standard deviations of the normal distribution (E. B. Wilson and M. M. Hilferty, 1931)."""
    spread = 2 / (9 * freedom)
    return float(((square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def assert_fair(findings: Iterable[Finding]) -> None:
    """All are as fair chance makes them."""
    assert [each for each in findings if each.off > FAIR] == []
