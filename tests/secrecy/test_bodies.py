"""The secrecy law: nothing a viewer is sent depends on a card which that viewer has had no right to see.

Random matches are relabelled: the cards a viewer never saw (by the rulings' Knowledge table, not by what the engine
observes) change places through the whole log. Every body that viewer or the public is sent must stay equal to the byte.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from bot.play.live_match import LiveMatch
from cogs.games.champions import ChampionsPresenter
from cogs.games.ciq import CIQPresenter
from cogs.games.haymaker import HaymakerPresenter
from cogs.games.tivmiv import TivMivPresenter
from cogs.games.unbreakable import UnbreakablePresenter
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import Component, render
from engines import GAMES
from laws.bodies import bodies, match_of, screens
from laws.knowledge import exchanged
from laws.play import MatchLog, Odds, deal_of, random_match, tables
from sandbox.model.errors import Faults
from sandbox.validation.components import Media, read_components
from sandbox.validation.forms import Form

PRESENTERS: dict[str, Presenter] = {
    "champions": ChampionsPresenter(),
    "ciq": CIQPresenter(),
    "haymaker": HaymakerPresenter(),
    "tivmiv": TivMivPresenter(),
    "unbreakable": UnbreakablePresenter(),
}
MATCHES = 24


def assert_kept(log: MatchLog, moves: int, rng: random.Random, presenter_of: Any) -> None:
    """Compare what each viewer is sent after so many moves with what they would be sent of other hidden cards.

    `presenter_of` makes a presenter for a match, so that a test can plant one that peeks.
    """
    deal = log.deal
    events = log.events(moves)
    pack = deal.game.pack(deal.options, deal.seats).cards
    for viewer in (None, *range(deal.seats)):
        others = exchanged(deal.game, pack, events, viewer, rng)
        mine, theirs = match_of(deal, events, moves), match_of(deal, others, moves)
        assert bodies(mine, presenter_of(mine), viewer) == bodies(theirs, presenter_of(theirs), viewer), (
            f"viewer {viewer} is told"
        )


def played(key: str, preset: str, seats: int, seed: int) -> MatchLog:
    rng = random.Random(seed)
    return random_match(deal_of(key, preset, seats, rng), rng, Odds(time=0.02, resign=0.01))


def faults(components: list[Component]) -> dict[str, Any]:
    """What Discord would refuse in a message of these components."""
    found = Faults()
    read_components(Form({"components": components}, found), v2=True, custom_emojis=(), media=Media())
    return found.tree


def test_every_game_has_its_presenter_here() -> None:
    assert PRESENTERS.keys() == GAMES.keys()


def seeds(key: str, matches: int) -> range:
    """The seeds for one table of a game: at least one, and about so many for all its tables together."""
    return range(max(1, matches // sum(each == key for each, _, _ in tables())))


def points(log: MatchLog, rng: random.Random, most: int) -> list[int]:
    """After how many moves to look at a match: its beginning, its end, and some in between, so many at the most."""
    between = range(1, len(log.moves))
    return sorted({0, len(log.moves), *rng.sample(between, min(len(between), most - 2))})


@pytest.mark.parametrize(("key", "preset", "seats"), list(tables()))
def test_no_body_depends_on_a_card_its_reader_never_saw(key: str, preset: str, seats: int) -> None:
    for seed in seeds(key, MATCHES):
        log = played(key, preset, seats, seed)
        rng = random.Random(seed)
        for moves in points(log, rng, 16):
            assert_kept(log, moves, rng, lambda _: PRESENTERS[key])


@pytest.mark.parametrize(("key", "preset", "seats"), list(tables()))
def test_every_screen_fits_discords_limits_with_the_longest_names(key: str, preset: str, seats: int) -> None:
    for seed in seeds(key, 4):
        log = played(key, preset, seats, seed)
        for moves in points(log, random.Random(seed), 8):
            match = match_of(log.deal, log.events(moves), moves)
            for viewer in (None, *range(seats)):
                for screen in screens(match, PRESENTERS[key], viewer):
                    assert faults(render(screen, match.id)) == {}


class PeekingPresenter(HaymakerPresenter):
    """A presenter with a hole: on the board, it hints at what the first seat holds."""

    def __init__(self, match: LiveMatch, hint: str) -> None:
        self._match = match
        self._hint = hint

    def seat_facts(self, public: Any, seat: int, reader: Reader) -> tuple[str, ...]:
        hand = self._match.private(0).own.hand
        hints = {
            "card": hand[0].name if hand else "",
            "parity": str(sum(card.rank for card in hand) % 2),
            "order": str([card.suit.value for card in hand]),
        }
        return (*super().seat_facts(public, seat, reader), hints[self._hint])


@pytest.mark.parametrize("hint", ["card", "parity", "order"])
def test_a_planted_leak_is_caught(hint: str) -> None:
    log = played("haymaker", "default", 2, seed=1)
    rng = random.Random(5)

    def search() -> None:
        for _, moves in itertools.product(range(10), range(4)):
            assert_kept(log, moves, rng, lambda match: PeekingPresenter(match, hint))

    with pytest.raises(AssertionError, match="is told"):
        search()
