"""The law of the buttons' places meets what it is about, and finds a presenter that moves them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

from cogs.games.haymaker import HaymakerPresenter
from engines import GAMES
from laws import buttons
from tests.games.cases import case_of, is_race

PICKING = [key for key in GAMES if not is_race(key)]
"""A race has nothing to pick; its buttons are looked at in `test_tivmiv_presenter`."""


def test_the_random_matches_ask_for_picks_and_for_acts_beside_them() -> None:
    met = {
        (key, len(match.choices(seat).offers) > len(buttons.picks(match, seat)))
        for key in PICKING
        for table in case_of(key).tables
        for match, seat in buttons.questions(case_of(key), *table)
        if buttons.picks(match, seat)
    }
    assert {key for key, _ in met} >= {"champions", "ciq", "haymaker", "unbreakable"}
    assert met >= {("haymaker", True), ("ciq", True)}


class FidgetingPresenter(HaymakerPresenter):
    """Names the cards of a hand differently each time."""

    def __init__(self) -> None:
        self._count = itertools.count()

    def item(self, own: Any, verb: str, place: int) -> str:
        return f"{super().item(own, verb, place)} {next(self._count)}"


def test_a_button_that_becomes_another_is_found() -> None:
    case = replace(case_of("haymaker"), presenter=FidgetingPresenter())
    asked = [(match, seat) for match, seat in buttons.questions(case, "default", 2) if buttons.picks(match, seat)]
    match, seat = asked[0]
    buttons.nothing_moves_while_picking(case_of("haymaker"), match, seat)
    with pytest.raises(AssertionError):
        buttons.nothing_moves_while_picking(case, match, seat)
