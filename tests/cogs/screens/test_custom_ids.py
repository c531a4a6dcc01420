"""Button ids: what is written is read again, and nothing else is."""

from __future__ import annotations

from string import ascii_letters, ascii_lowercase, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.screen import Press
from cogs.screens import custom_ids

VERBS = st.text(ascii_lowercase, min_size=1, max_size=12)
SUBJECTS = st.text(ascii_lowercase + digits + "_", min_size=1, max_size=12)
ARGS = st.text(ascii_letters + digits + "_.-", max_size=60)


@given(SUBJECTS, VERBS, st.integers(0, 999_999), ARGS)
def test_an_id_is_read_as_it_was_written(subject: str, verb: str, window: int, arg: str) -> None:
    press = Press(verb, window, arg)
    text = custom_ids.write(subject, press)
    assert len(text) <= 100
    assert custom_ids.read(text) == (subject, press)


@given(st.text(max_size=120))
def test_any_other_text_is_an_unknown_id(text: str) -> None:
    try:
        subject, press = custom_ids.read(text)
    except custom_ids.UnknownCustomId:
        return
    assert custom_ids.write(subject, press) == text or text.split(":")[2] != str(press.window)


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "g1", "g1:", "g0:abc:1:cards", "g2:abc:0:cards", "g1:abc:1", "g1:abc:x:cards", "g1:abc:-1:cards"),
        *("g1:ABC:0:cards", "g1:abc:9999999:cards", "g1:abc:0:CARDS", f"g1:{'a' * 25}:0:cards", "g1:abc:٣:cards"),
        *("g1:abc:0:cards:with space", f"g1:abc:0:cards:{'a' * 71}", "g1:a:1:cards:é"),
    ],
)
def test_older_and_malformed_ids_are_unknown(text: str) -> None:
    with pytest.raises(custom_ids.UnknownCustomId):
        custom_ids.read(text)


def test_an_id_past_discords_limit_is_not_written() -> None:
    with pytest.raises(ValueError, match="100"):
        custom_ids.write("m" * 24, Press("p", 1, "x" * 90))


@given(st.sets(st.integers(0, 63)))
def test_a_set_of_places_travels_in_the_id(places: set[int]) -> None:
    picked = tuple(sorted(places))
    arg = custom_ids.write_selection("attack", picked, ordered=False)
    assert custom_ids.offer_of(arg) == "attack"
    assert custom_ids.read_selection(arg, ordered=False) == picked


@given(st.lists(st.integers(0, 323), unique=True, max_size=20))
def test_an_order_of_places_travels_in_the_id(places: list[int]) -> None:
    arg = custom_ids.write_selection("attack", tuple(places), ordered=True)
    assert custom_ids.read_selection(arg, ordered=True) == tuple(places)


@pytest.mark.parametrize("arg", ["?", "attack.a:", "attack.a."])
def test_a_malformed_order_is_an_unknown_id(arg: str) -> None:
    with pytest.raises(custom_ids.UnknownCustomId):
        custom_ids.read_selection(arg, ordered=True)


@pytest.mark.parametrize("arg", ["attack.xyz", "?", "attack.1.2"])
def test_a_malformed_selection_is_an_unknown_id(arg: str) -> None:
    with pytest.raises(custom_ids.UnknownCustomId):
        custom_ids.read_selection(arg, ordered=False)


@pytest.mark.parametrize(
    ("arg", "acts"), [("draw.7", 7), ("f1x1.0", 0), ("draw", None), ("attack.3f", None), ("", None)]
)
def test_an_act_in_a_race_carries_how_many_acts_its_hand_counts(arg: str, acts: int | None) -> None:
    assert custom_ids.read_acts(arg) == acts
    if acts is not None:
        assert custom_ids.write_act(custom_ids.offer_of(arg), acts) == arg
