"""The places of seats at the end of a match."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from engines.places import places


def test_C_12_who_left_stands_below_who_was_knocked_out_and_both_below_who_played_on() -> None:
    assert places([0, 0, 0], left=[0, 0, 1], knocked_out=[0, 2, 0]) == (1, 2, 3)
    assert places([0, 9, 9], left=[0, 0, 9], knocked_out=[0, 1, 0]) == (1, 2, 3), "whatever they had"


def test_C_12_the_later_one_stands_above_and_those_at_once_together() -> None:
    assert places([0] * 5, left=[1, 3, 2, 3, 0]) == (5, 2, 4, 2, 1)
    assert places([0] * 4, left=[0] * 4, knocked_out=[2, 1, 1, 0]) == (2, 3, 3, 1)


def test_C_12_those_who_played_on_share_a_place_unless_the_game_knows_an_order() -> None:
    assert places([False, True, False], left=[0, 0, 0]) == (2, 1, 2)
    assert places([False, False], left=[0, 0]) == (1, 1)
    assert places([3, 7, 7, 1], left=[0, 0, 0, 0]) == (3, 1, 1, 4)


def test_C_12_if_nobody_stayed_the_last_to_leave_are_first() -> None:
    assert places([0, 0, 0], left=[1, 2, 2]) == (3, 1, 1)
