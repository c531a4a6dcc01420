"""The law of absence finds rules that are unfair to the one who is there (C-4, C-5)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engines import ciq, haymaker, unbreakable
from engines.chance import Chance
from engines.game import Facts, Resign, Seat, TimeUp
from engines.run import Run
from laws.absence import absence_costs_the_present_nothing, play_with_absent
from tests.games.cases import case_of


class Hasty(haymaker.Haymaker):
    """Whoever is asked and does not answer has won."""

    def decide(
        self, state: haymaker.State, actor: Seat | None, action: haymaker.Action | TimeUp | Resign, chance: Chance
    ) -> Facts[haymaker.Fact, haymaker.State]:
        facts = super().decide(state, actor, action, chance)
        last = facts[-1]
        if isinstance(last, haymaker.Ended) and last.kind == "time":
            return Run(self.evolve, state, chance).add(*facts[:-1], haymaker.Ended("time", state.asked)).facts
        return facts


class Sweeping(unbreakable.Unbreakable):
    """Time running out takes both, also the one who has chosen."""

    def decide(
        self, state: unbreakable.State, actor: Seat | None, action: unbreakable.Action | TimeUp | Resign, chance: Chance
    ) -> Facts[unbreakable.Fact, unbreakable.State]:
        facts = super().decide(state, actor, action, chance)
        if isinstance(action, TimeUp):
            return Run(self.evolve, state, chance).add(unbreakable.Ended("time", None)).facts
        return facts


class Confused(ciq.CIQ):
    """The seat after the one that was asked leaves."""

    def decide(
        self, state: ciq.State, actor: Seat | None, action: ciq.Action | TimeUp | Resign, chance: Chance
    ) -> Facts[ciq.Fact, ciq.State]:
        facts = super().decide(state, actor, action, chance)
        others = [seat for seat in state.staying if seat != state.asked]
        confused = [
            replace(fact, seat=others[0]) if isinstance(fact, ciq.SeatLeft) and fact.reason == "time" else fact
            for fact in facts
        ]
        return Run(self.evolve, state, chance).add(*confused).facts


@pytest.mark.parametrize("unfair", [Hasty(), Sweeping(), Confused()], ids=lambda game: type(game).__name__)
def test_a_rule_that_is_unfair_to_the_present_is_found(unfair: object) -> None:
    game = unfair
    assert isinstance(game, haymaker.Haymaker | unbreakable.Unbreakable | ciq.CIQ)
    case, rng = case_of(game.info.key), random.Random(4)

    def play() -> None:
        for _ in range(30):
            deal = replace(case.deal("default", 2, rng), game=game)
            absence_costs_the_present_nothing(play_with_absent(case, deal, rng))

    with pytest.raises(AssertionError, match=r"by the clock|comes before|was not there|the one who stayed"):
        play()
