"""Long messages are cut where Discord still takes them, whatever it counts."""

from __future__ import annotations

import pytest

from bot.ui.screen import Rule, Screen, Text
from cogs.screens.renderer import LONGEST_TEXT, render


def written(*sections: Text | Rule) -> str:
    """All texts of a message with these sections."""
    (container,) = render(Screen("", sections), "m")
    return "".join(each["content"] for each in container["components"] if "content" in each)


def units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("char", ["x", "é", "♠", "🃏", "👩‍🚀"])
def test_a_long_text_is_cut_by_utf_16_units_and_says_so(char: str) -> None:
    shown = written(Text(char * 5000))
    assert LONGEST_TEXT - 3 <= units(shown) <= LONGEST_TEXT
    assert shown.endswith("…")
    assert shown.encode("utf-8").decode("utf-8") == shown  # no half of a character is left


def test_what_fits_is_not_cut_and_several_texts_share_the_room() -> None:
    whole = "🃏" * (LONGEST_TEXT // 2)
    assert written(Text(whole)) == whole
    shown = written(Text("🃏" * 1500), Rule(), Text("x" * 2000))
    assert units(shown) <= LONGEST_TEXT
    assert shown.count("🃏") == 1500
