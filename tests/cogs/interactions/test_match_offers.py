"""What the completions of a match's code look like."""

from __future__ import annotations

from bot.ui.catalogue import translations
from bot.ui.isolation import END, ISOLATE, isolated
from cogs.interactions.autocomplete import match_offers
from cogs.screens.renderer import LONGEST_OPTION


def test_a_name_that_has_no_room_turns_neither_the_time_nor_the_code_round() -> None:
    for before in range(40):
        played = "x" * before + ", ".join(isolated("א" * 20) for _ in range(5))
        ((name, code),) = match_offers([(played, 0, "m1234567")], "", translations("en"))
        assert len(name) <= LONGEST_OPTION
        assert name.count(ISOLATE) == name.count(END)
        assert name.endswith(f" UTC · {code}")
