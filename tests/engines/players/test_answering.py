"""The last resort of a computer player whose own code fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.game import Choices
from engines.players.answering import any_legal_act
from engines.players.levels import LEVELS
from laws.players import positions
from tests.games.cases import case_of

pytestmark = pytest.mark.slow  # asks the players at many positions of matches played by chance


@pytest.mark.parametrize("game", LEVELS)
def test_an_act_found_from_the_choices_alone_is_legal(game: str) -> None:
    for position in positions(case_of(game), 60, seed=5):
        found = any_legal_act(position.question("normal"))
        position.accepts(position.log.deal.game.read(found.act))


def test_it_picks_in_every_game_that_asks_for_cards() -> None:
    """So the law above covers picks, not only whole acts."""
    games = {game for game in LEVELS for each in positions(case_of(game), 60, seed=5) if only_picks(each.question(""))}
    assert games


def only_picks(question: Any) -> bool:
    """Whether a seat can do nothing but pick."""
    return all(not hasattr(offer, "lasting") for offer in question.choices)


def test_choices_without_an_act_are_an_error() -> None:
    position = next(iter(positions(case_of("haymaker"), 1)))
    with pytest.raises(LookupError):
        any_legal_act(replace(position.question("normal"), choices=Choices()))
