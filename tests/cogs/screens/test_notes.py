"""Notes of the catalogue have room in a hand, so that none moves a button or is cut."""

from __future__ import annotations

import re

import pytest

from bot.ui import text_lines
from bot.ui.catalogue import catalogue, keys
from cogs.screens.hands.lines import SUMMARY_LINES
from laws.hands.buttons import NOTES

SAMPLES = {
    "card": "`10♦`",
    "top": "`10±3`",
    "needed": "Queen",
    "defense": "10",
    "suit": "diamonds",
}
"""What stands in the places of a refusal, as long as it may be; two digits in all others."""
NOT_ON_A_HAND = {"ciq.refusal.decks"}
"""What is refused where a match is begun."""
SENTENCES = catalogue("en")
ON_A_HAND = [key for key in keys(SENTENCES) if key in NOTES or ".refusal." in key or key.startswith("refusal.")]


@pytest.mark.parametrize("key", [key for key in ON_A_HAND if key not in NOT_ON_A_HAND])
def test_what_a_press_is_told_has_room_in_bold_in_the_lines_of_a_note(key: str) -> None:
    sentence = SENTENCES[key].string
    assert isinstance(sentence, str)
    note = re.sub(r"\{(\w+)\}", lambda place: SAMPLES.get(place[1], "10"), sentence)
    assert text_lines.fits(f"**{note}**", SUMMARY_LINES), note
