"""Selections that fit an id travel whole; longer ones are saved, and a control carries only its change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.screen import Button, Option, Press, Screen, Select
from cogs.screens import custom_ids, selections

PLACES = st.lists(st.integers(0, 647), unique=True, max_size=648)


@given(PLACES, st.integers(0, 323), st.booleans())
def test_an_argument_fits_and_carries_the_selection_or_its_change(places: list[int], index: int, ordered: bool) -> None:
    picked = tuple(places if ordered else sorted(places))
    for pressed in (None, index):
        arg = selections.argument("defense5", picked, ordered=ordered, index=pressed)
        assert len(arg) <= custom_ids.LONGEST_ARGUMENT
        assert custom_ids.read(custom_ids.write("m" * 10, Press("p", 999_999, arg)))[1].arg == arg
        assert selections.verb_of(arg) == "defense5"
        after = picked if pressed is None else selections.toggled(picked, pressed, ordered=ordered)
        change = selections.read_change(arg)
        if change is None:
            assert custom_ids.read_selection(arg, ordered=ordered) == after
        else:
            assert change == selections.Change(len(picked), "defense5", pressed)


def test_short_selections_travel_whole_and_a_screen_says_whether_its_selection_must_be_saved() -> None:
    assert selections.argument("attack", (2, 0), ordered=True, index=1) == "attack.cab"
    assert selections.argument("attack", (2, 0), ordered=True, index=2) == "attack."
    assert selections.argument("attack", (0, 2), ordered=False, index=1) == "attack.7"
    assert selections.argument("attack", (0, 2), ordered=False, index=2) == "attack.1"

    def screen(*args: str) -> Screen:
        options = tuple(Option(arg, arg) for arg in args)
        return Screen("", (), ((Button("", Press("d", 1, "attack.")),), (Select(Press("p", 1, "list0"), "", options),)))

    assert not selections.is_truncated(screen("attack.a", "attack.b"))
    assert selections.is_truncated(screen("attack.a", "-70.attack.b"))


@pytest.mark.parametrize("arg", ["-3.attack.ab", "-3.attack.a.", "-3.attack.?"])
def test_a_malformed_change_is_an_unknown_id(arg: str) -> None:
    with pytest.raises(custom_ids.UnknownCustomId):
        selections.read_change(arg)
