"""The secrecy law finds a presenter that hints at what its reader may not know."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from bot.play.live_match import LiveMatch
from bot.ui.preferences import CardStyle
from cogs.screens.presenter import Presenter
from laws.secrecy import bodies_keep_secrets, played
from tests.games.cases import case_of
from tests.laws.planted import PeekingPainter, PeekingPresenter


@pytest.mark.parametrize("hint", ["card", "emoji", "parity", "order", "picture"])
@pytest.mark.parametrize("style", [CardStyle.TEXT, CardStyle.EMOJIS])
def test_a_planted_leak_is_caught(hint: str, style: CardStyle) -> None:
    case, rng = replace(case_of("haymaker"), style=style), random.Random(5)
    log = played(case, "default", 2, seed=1)

    def peeking(match: LiveMatch, hint: str) -> Presenter:
        return PeekingPainter(match) if hint == "picture" else PeekingPresenter(match, hint)

    def search() -> None:
        for _, moves in itertools.product(range(10), range(4)):
            bodies_keep_secrets(case, log, moves, rng, lambda match: peeking(match, hint))

    with pytest.raises(AssertionError, match="sees what they may not know"):
        search()
