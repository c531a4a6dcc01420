"""How fast one person may press."""

from __future__ import annotations

import pytest

from bot import kept
from cogs.interactions import arrivals
from cogs.interactions.arrivals import BurstLimit


def test_presses_up_to_the_limit_are_acted_on_and_the_rest_counted_until_somebody_pauses() -> None:
    presses = BurstLimit(3)
    assert [presses.excess(1, at) for at in (0.0, 0.1, 0.2, 0.3, 0.4)] == [0, 0, 0, 1, 2]
    assert presses.excess(2, 0.4) == 0
    presses = BurstLimit(2)
    assert [presses.excess(1, at / 4) for at in range(10)] == [0, 0, 1, 2, 0, 0, 3, 4, 0, 0]
    assert [presses.excess(1, 9 + at / 4) for at in range(4)] == [0, 0, 1, 2]


def test_those_who_stopped_are_forgotten_and_looked_for_once_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    presses = BurstLimit(1)
    for user in range(arrivals.REMEMBERED + 1):
        presses.excess(user, 0.0)
    presses.excess(-1, 2.0)
    assert len(presses) == 1
    presses = BurstLimit(1)
    for user in range(arrivals.REMEMBERED + 1):
        presses.excess(user, 0.0)
    looked: list[float] = []
    monkeypatch.setattr(presses, "_forget", looked.append)
    for number in range(50):
        presses.excess(-1 - number, 2.0 + number / 20)
    assert looked == [2.0, 3.0, 4.0]


def test_of_a_crowd_few_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrivals, "_MOST_PEOPLE", 8)
    before = {*map(id, kept.all_kept())}
    presses = BurstLimit(1)
    for user in range(20):
        presses.excess(user, 0.0)
        presses.excess(user, 0.0)
    assert [len(each) for each in kept.all_kept() if id(each) not in before] == [8, 8]
