"""Which values each game's options take, and which a match has if nobody chooses: as the rulings' tables say."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from engines import GAMES
from engines.options import NONE, Choice, Number, Switch, Takes, takes

OPTIONS: dict[str, dict[str, tuple[Any, Takes]]] = {
    "champions": {
        "die": ("chosen", Choice(("chosen", "blind", "soft_blind"))),
        "victory_dice": (False, Switch()),
        "wacky_numbers": (False, Switch()),
        "icon_tiebreak": (False, Switch()),
        "number": ("named", Choice(("named", "drawn"))),
    },
    "ciq": {
        "decks": (None, Number(0, 12)),
        "round_limit": (100, Number(10, 500, or_none=True)),
        "block_seconds": (60, Number(10, 600)),
        "hand_limit": (NONE, Number(10, 10, or_none=True)),
    },
    "haymaker": {},
    "tivmiv": {
        "phases": (6, Number(1, 10)),
        "idle_seconds": (180, Number(30, 900, 10)),
        "ready_seconds": (60, Number(10, 600, 10)),
        "stall_seconds": (20, Number(10, 60, or_none=True)),
    },
    "unbreakable": {
        "match_hand": (5, Number(2, 7)),
        "turn_limit": (None, Number(20, 1000, 2, or_none=True)),  # U-10: as the pace has it
        "pace": ("classic", Choice(("classic", "swift"))),
    },
}


@pytest.mark.parametrize("game", OPTIONS)
def test_the_options_of_a_game_are_those_of_its_rulings(game: str) -> None:
    options = GAMES[game].info.options
    taken = takes(options)
    defaults = {field.name: field.default for field in fields(options)}
    ranges = {name: replace(each, listed=()) if isinstance(each, Number) else each for name, each in taken.items()}
    assert {name: (defaults[name], each) for name, each in ranges.items()} == OPTIONS[game]
    for each in taken.values():
        if isinstance(each, Number):
            assert set(each.listed) <= set(each.numbers)
