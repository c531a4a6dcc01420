"""Which values each game's options take, and which a match has if nobody chooses: as the rulings' tables say."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from engines import GAMES
from engines.options import Choice, Number, Switch, Takes, takes

OPTIONS: dict[str, dict[str, tuple[Any, Takes]]] = {
    "champions": {
        "die": ("chosen", Choice(("chosen", "blind", "soft_blind"))),
        "victory_dice": (False, Switch()),
        "wacky_numbers": (False, Switch()),
        "icon_tiebreak": (False, Switch()),
    },
    "ciq": {
        "decks": (None, Number(0, 6)),
        "round_limit": (100, Number(10, 500)),
        "block_seconds": (60, Number(10, 600)),
    },
    "haymaker": {},
    "tivmiv": {
        "phases": (6, Number(1, 10)),
        "idle_seconds": (180, Number(30, 900, 10)),
        "ready_seconds": (60, Number(10, 600, 10)),
    },
    "unbreakable": {
        "match_hand": (5, Number(2, 7)),
        "turn_limit": (100, Number(20, 300, 2)),
        "pace": ("classic", Choice(("classic", "swift"))),
    },
}


@pytest.mark.parametrize("game", OPTIONS)
def test_the_options_of_a_game_are_those_of_its_rulings(game: str) -> None:
    options = GAMES[game].info.options
    defaults = {field.name: field.default for field in fields(options)}
    assert {name: (defaults[name], taken) for name, taken in takes(options).items()} == OPTIONS[game]
