"""The law of absence finds rules that are unfair to the one who is there (C-4, C-5)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.play.computers.stand_ins import LEVEL, SeatHolders, TakenOver
from bot.store.queries.invitations import StandIn
from engines import haymaker
from engines.chance import Chance
from engines.game import Facts, Resign, Seat, TimeUp
from engines.run import Run
from laws.absence import (
    a_stand_in_costs_the_present_nothing,
    absence_costs_the_present_nothing,
    handing_over_undoes_no_loss,
    play_with_absent,
    play_with_stand_in,
)
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


def test_a_rule_that_is_unfair_to_the_present_is_found() -> None:
    case, rng = case_of("haymaker"), random.Random(4)

    def play() -> None:
        for _ in range(30):
            deal = replace(case.deal("default", 2, rng), game=Hasty())
            absence_costs_the_present_nothing(play_with_absent(case, deal, rng))

    with pytest.raises(AssertionError, match=r"by the clock|comes before|was not there|the one who stayed"):
        play()


def test_c_8_a_stand_in_that_is_unfair_to_the_present_is_found() -> None:
    case, rng = case_of("haymaker"), random.Random(5)
    played = [play_with_stand_in(case.deal("default", 2, rng), rng) for _ in range(20)]
    taken = next(each for each in played if any(holder.taken for holder in each.holders.seats))
    present = next(iter(frozenset(range(2)) - taken.absent))
    holders = taken.holders.after(1, None, TakenOver((present,), LEVEL, ()), computer=False)
    with pytest.raises(AssertionError, match="took over from somebody who was there"):
        a_stand_in_costs_the_present_nothing(replace(taken, holders=holders))
    with pytest.raises(AssertionError, match="time was lost"):
        a_stand_in_costs_the_present_nothing(replace(taken, outcome=replace(taken.outcome, kind="time")))


def test_c_8_a_press_that_undoes_a_lost_match_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    case, rng = case_of("haymaker"), random.Random(5)
    played = [play_with_stand_in(case.deal("default", 2, rng), rng) for _ in range(40)]
    for match in played:
        handing_over_undoes_no_loss(match)
    lost = next(match for match in played if match.holders.lost_by_choice(match.outcome.ranks))
    undone = next(match for match in played if match.holders.undone(match.outcome.ranks, StandIn.UNRATED))
    monkeypatch.setattr(SeatHolders, "lost_by_choice", lambda *_: ())
    with pytest.raises(AssertionError, match="a press has undone a lost match"):
        handing_over_undoes_no_loss(lost)
    monkeypatch.setattr(SeatHolders, "lost_by_choice", lambda *_: (0,))
    with pytest.raises(AssertionError, match="counts although a computer played"):
        handing_over_undoes_no_loss(undone)
