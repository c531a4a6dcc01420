"""Changed copies of frozen values."""

from __future__ import annotations

from engines.values import put, put_of_two


def test_one_row_is_replaced_and_the_others_stay() -> None:
    assert put(("a", "b", "c"), 0, "x") == ("x", "b", "c")
    assert put(("a", "b", "c"), 2, "x") == ("a", "b", "x")
    assert put_of_two(("a", "b"), 0, "x") == ("x", "b")
    assert put_of_two(("a", "b"), 1, "x") == ("a", "x")
