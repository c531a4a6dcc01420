"""Names are made harmless: markdown in them is shown and has no effect."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.screens.safe_names import LONGEST, plain_name, safe_name

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
    ],
)
def test_a_name_is_shown_without_markdown(name: str, shown: str) -> None:
    assert safe_name(name, USER) == shown


def test_a_pile_of_accents_is_cut() -> None:
    shown = plain_name("Z" + "\u0335" * 40 + "algo", USER)
    assert sum(unicodedata.combining(char) > 0 for char in shown) <= 2
    assert shown.endswith("algo")


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
