"""What an act tells in Tiv-Miv depends on hidden cards in the three ways that the rulings name, and in no other.

The general law folds a log whose hidden cards were exchanged, so what the rules themselves derived from hidden cards
stands in it unchanged. Here the same act is *decided* on the other table, and what each viewer is told of it compared
fact by fact: equal up to the first fact that the rules derive from hidden cards (T-7, T-7a), points left out (T-9).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engines.chance import Chance
from engines.game import Event, Facts, Resign, Seat, TimeUp, seen_by
from engines.run import Run
from engines.tivmiv import (
    Action,
    CardDrawn,
    CardPlaced,
    Draw,
    Ended,
    Fact,
    HouseDraws,
    Options,
    PhaseBegun,
    PhaseEnded,
    Recycled,
    Stage,
    State,
    TivMiv,
)
from laws.case import Viewer
from laws.knowledge import exchanged
from laws.play import Deal, MatchLog, Odds, random_match
from laws.suite import share_of
from tests.games.cases import case_of

SEATS = (2, 3, 6)


def played(seed: int, seats: int) -> MatchLog:
    rng = random.Random(seed)
    deal = Deal(TivMiv(), Options(phases=2), seats, rng.randbytes(32))
    return random_match(deal, rng, Odds(time=0.05, resign=0.002))


def told(events: Sequence[Event], viewer: Viewer) -> tuple[list[Event | None], bool]:
    """What a viewer is told up to the first fact that the rules derive, and whether there is one.

    As far as it is shown: without a card's copy, and without a phase's points and the places that they make.
    """
    found: list[Event | None] = []
    for event in events:
        if isinstance(event, Recycled | HouseDraws) or (isinstance(event, PhaseEnded) and event.how == "dead_end"):
            return found, True
        shown = seen_by(event, viewer)
        match shown:
            case CardPlaced() | CardDrawn():
                shown = replace(shown, card=replace(shown.card, copy=0))
            case PhaseEnded():
                shown = replace(shown, points=())
            case Ended("points" | "shared" | "abandoned"):
                shown = Ended("points", ())
        found.append(shown)
    return found, False


def assert_only_derived_facts_tell(log: MatchLog, at: int, rng: random.Random, game: TivMiv) -> None:
    """Decide the move after so many on a table with other hidden cards, for every viewer."""
    deal, move = log.deal, log.moves[at]
    if any(isinstance(event, PhaseBegun) for event in move.events):
        return  # all cards are dealt anew: there is nothing hidden that it could depend on
    if isinstance(move.action, TimeUp) and move.action.timer == "draw":
        return  # that the clock of T-7a runs at all is derived
    pack = game.pack(deal.options, deal.seats).cards
    mine_of = game.decide(log.states[at], move.actor, move.action, deal.chance(at + 1))
    for viewer in (None, *range(deal.seats)):
        others = exchanged(case_of("tivmiv"), pack, log.events(at + 1), viewer, rng)[: len(log.events(at))]
        state = _folded(deal, others)
        instead = game.decide(state, move.actor, move.action, deal.chance(at + 1))
        (mine, cut), (theirs, cut_too) = told(mine_of, viewer), told(instead, viewer)
        length = min(len(mine), len(theirs)) if cut or cut_too else max(len(mine), len(theirs))
        assert mine[:length] == theirs[:length], f"viewer {viewer} is told"


def _folded(deal: Deal, events: Sequence[Event]) -> Any:
    state = deal.game.start(deal.options, deal.seats)
    for event in events:
        state = deal.game.evolve(state, event)
    return state


@pytest.mark.parametrize("seats", SEATS)
def test_what_an_act_tells_depends_on_hidden_cards_only_by_the_rules(seats: int) -> None:
    rng = random.Random(seats)
    for seed in range(share_of(6, fewest=2)):
        log = played(seed, seats)
        for at in rng.sample(range(len(log.moves)), min(60, len(log.moves))):
            assert_only_derived_facts_tell(log, at, rng, TivMiv())


class Sighing(TivMiv):
    """Ends the phase after a drawing that leaves nobody a card to play."""

    def decide(
        self, state: State, actor: Seat | None, action: Action | TimeUp | Resign, chance: Chance
    ) -> Facts[Fact, State]:
        facts = super().decide(state, actor, action, chance)
        after = facts.state
        if isinstance(action, Draw) and after.stage is Stage.RACE and not after.someone_can_play:
            return Run(self.evolve, state, chance).add(*facts, PhaseEnded(state.phase, "idle", None, ())).facts
        return facts


def test_a_leak_planted_in_the_rules_is_found() -> None:
    rng = random.Random(1)
    log = played(1, 3)

    def search() -> None:
        for at in range(len(log.moves)):
            assert_only_derived_facts_tell(log, at, rng, Sighing())

    with pytest.raises(AssertionError, match="is told"):
        search()
