"""Somebody's absence never costs the one who is there the game: the law of absence on every game, setting and number
of seats (C-4, C-5; H-6, U-1, Q-7, Q-9, Q-22, K-5, T-11)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import GAMES, ciq, haymaker, unbreakable
from engines.chance import Chance
from engines.game import Facts, Resign, Seat, TimeUp
from engines.run import Run
from laws.absence import absence_costs_the_present_nothing, play_with_absent
from laws.play import deal_of, tables

TABLES = list(tables())
MATCHES = 60
FEWEST = 4


@pytest.mark.parametrize(("key", "setting", "seats"), TABLES)
def test_absence_costs_the_present_nothing(key: str, setting: str, seats: int) -> None:
    share = max(FEWEST, MATCHES // sum(1 for table in TABLES if table[0] == key))

    @settings(max_examples=share, deadline=None)  # a match is as long as it is
    @given(seed=st.integers(min_value=0, max_value=2**32 - 1))
    def holds(seed: int) -> None:
        rng = random.Random(seed)
        absence_costs_the_present_nothing(play_with_absent(deal_of(key, setting, seats, rng), rng))

    holds()


@pytest.mark.parametrize("key", GAMES)
def test_the_clock_takes_the_absent_out_in_every_game(key: str) -> None:
    rng = random.Random(f"absent {key}")
    mine = [table for table in TABLES if table[0] == key]
    played = [play_with_absent(deal_of(*mine[at % len(mine)], rng), rng) for at in range(20)]
    assert any(each.outcome.kind == "time" for each in played)
    assert all(each.gone for each in played if each.outcome.kind == "time")


# ---------------------------------------------------------------------------------------------- the law can fail


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
    rng = random.Random(4)

    def play() -> None:
        for _ in range(30):
            deal = replace(deal_of(game.info.key, "default", 2, rng), game=game)
            absence_costs_the_present_nothing(play_with_absent(deal, rng))

    with pytest.raises(AssertionError, match=r"by the clock|comes before|was not there|the one who stayed"):
        play()
