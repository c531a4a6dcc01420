"""Names are made harmless: markdown in them is shown and has no effect."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.screens.safe_names import (
    LONGEST,
    LONGEST_SERVER,
    plain_name,
    safe_name,
    safe_names,
    safe_server_name,
)

USER = 100000000000001234


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Alice", "Alice"),
        ("**Alice**", r"\*\*Alice\*\*"),
        ("@everyone", r"\@everyone"),
        ("<@&123>", r"\<\@\&123\>"),
        ("# big", r"\# big"),
        ("https://evil.example", r"https\:\/\/evil\.example"),
        ("[click](x)", r"\[click\]\(x\)"),
        ("a\nb\tc", "abc"),
        ("  a   b  ", "a b"),
        ("Ali\u202ece", "Alice"),
        ("A\u200bl\u200ci\u200dce", "Alice"),
        ("nul\x00l", "null"),
        ("Zoë 🎲", "Zoë 🎲"),
        ("", "\\#1234"),
        ("\u200b\u202e", "\\#1234"),
        ("   ", "\\#1234"),
        ("\u3164", "\\#1234"),
        ("\uffa0\u115f\u1160", "\\#1234"),
        ("\u2800", "\\#1234"),
        ("\U0001d159", "\\#1234"),
        ("\U000e0041\ufe0f", "\\#1234"),
        ("Ali\u3164ce\u2800", "Alice"),
        ("\u0301\u0301", "\\#1234"),
        ("➤ Bob · 0 cards", "Bob 0 cards"),
        ("Gal·la", "Gal·la"),
    ],
)
def test_a_name_is_shown_without_markdown(name: str, shown: str) -> None:
    assert safe_name(name, USER) == shown


def test_a_pile_of_accents_is_cut_whatever_stands_between_them() -> None:
    shown = plain_name("Z" + "\u0335" * 40 + "algo", USER)
    assert sum(unicodedata.combining(char) > 0 for char in shown) <= 2
    assert shown.endswith("algo")
    shown = plain_name("Z" + "\u0335\u200b" * 40, USER)
    assert sum(unicodedata.combining(char) > 0 for char in shown) <= 2


@pytest.mark.parametrize(
    "names",
    [
        ("Alice", "Alice"),
        ("Alice", "alice"),
        ("Alice", "Alice\u3164"),
        ("Alice", "Al\u00edce"),
        ("Alice", "\u0410l\u0456\u0441e"),
        ("Alice", "A1ice"),
        ("Bill", "BiII"),
        ("Alice", "Ａｌｉｃｅ"),
        ("Alice", "𝓐𝓵𝓲𝓬𝓮"),
        ("Alice", "A l i c e"),
        ("Barney", "Bamey"),
        ("Alice", "Alice", "Alice #1"),
        ("Alice", "Alice", "Alice #2 #1"),
        ("Alice#1", "Alice#2"),
    ],
)
def test_people_whose_names_look_alike_are_told_apart(names: tuple[str, ...]) -> None:
    shown = safe_names(tuple((name, USER + seat) for seat, name in enumerate(names)))
    assert [name.rsplit("#")[-1] for name in shown] == [str(seat + 1) for seat in range(len(names))]


def test_names_that_look_different_get_no_number() -> None:
    names = ("Alice", "Bob", "Player 1", "Player 2", "Łukasz", "Боб")
    assert safe_names(tuple((name, USER + seat) for seat, name in enumerate(names))) == names


NAMES = st.lists(st.text(max_size=40) | st.sampled_from(["Alice", "alice", "Alice #1", "#1", "A#1#1", ""]), max_size=6)


@given(NAMES)
def test_all_names_shown_together_are_different_and_none_is_blank(names: list[str]) -> None:
    shown = safe_names(tuple((name, USER + seat) for seat, name in enumerate(names)))
    assert len(set(shown)) == len(names)
    assert all(any(unicodedata.category(char)[0] in "LNPS" for char in name) for name in shown)


def test_a_servers_name_is_made_safe_too() -> None:
    shown = safe_server_name("Free **Nitro** https://evil.example @everyone", USER)
    assert shown == r"Free \*\*Nitro\*\* https\:\/\/evil\.example \@everyone"
    assert len(safe_server_name("a" * 200, USER)) == LONGEST_SERVER


@given(st.text(max_size=200))
def test_any_name_is_one_short_line_with_every_sign_escaped(name: str) -> None:
    plain = plain_name(name, USER)
    assert plain
    assert len(plain) <= LONGEST
    assert "\n" not in plain
    shown = safe_name(name, USER)
    rest = iter(shown)
    for char in rest:
        if char == "\\":
            next(rest)
        else:
            assert not char.isascii() or char.isalnum() or char == " "
