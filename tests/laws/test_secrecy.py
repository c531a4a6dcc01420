"""The secrecy law finds a presenter that hints at what its reader may not know."""

from __future__ import annotations

import itertools
import random

import pytest

from bot.play.live_match import LiveMatch
from cogs.screens.presenter import Presenter
from laws.secrecy import bodies_keep_secrets, played
from tests.games.cases import case_of
from tests.laws.planted import PeekingPainter, PeekingPresenter


@pytest.mark.parametrize("hint", ["card", "parity", "order", "picture"])
def test_a_planted_leak_is_caught(hint: str) -> None:
    case, rng = case_of("haymaker"), random.Random(5)
    log = played(case, "default", 2, seed=1)

    def peeking(match: LiveMatch, hint: str) -> Presenter:
        return PeekingPainter(match) if hint == "picture" else PeekingPresenter(match, hint)

    def search() -> None:
        for _, moves in itertools.product(range(10), range(4)):
            bodies_keep_secrets(case, log, moves, rng, lambda match: peeking(match, hint))

    with pytest.raises(AssertionError, match="sees what they may not know"):
        search()
