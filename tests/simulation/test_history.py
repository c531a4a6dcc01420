"""Which press the laws take for the one that began a match: its deal does not say."""

from __future__ import annotations

from bot.store.queries.matches import Record
from tests.simulation.history import History, Pressed, Written

MATCH = "m1"


def pressed(number: int, at: float, came: float, failed_at: float | None) -> Pressed:
    return Pressed(number, 7, MATCH, "start", "", (), 1, at, [(came, 1)], failed_at=failed_at)


def begun_by(*presses: Pressed) -> int:
    """The press by which a match was begun at 20 s."""
    history = History()
    history.presses = {each.id: each for each in presses}
    found = history.press_of(Written(20.0, Record(MATCH, 0, None, None, None, "[]", 0), (), over=False))
    assert found is not None
    return found.id


def test_a_deal_belongs_to_a_press_that_came_in_time_rather_than_to_a_later_one_that_did_not() -> None:
    in_time, too_late = pressed(1, 5.0, 5.1, 8.0), pressed(2, 9.0, 19.0, 12.0)
    assert begun_by(in_time, too_late) == 1
    assert begun_by(too_late) == 2, "alone it is found out"


def test_a_deal_belongs_to_the_last_press_of_those_that_did_not_fail() -> None:
    failed = pressed(3, 5.0, 19.5, 8.0)
    assert begun_by(pressed(1, 15.0, 15.1, None), pressed(2, 16.0, 16.1, None), failed) == 2
