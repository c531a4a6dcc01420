"""What `decide` is made with: a run of facts and the state after them, handed on together."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engines.chance import SeededChance
from engines.deals import Deal
from engines.game import Event, Facts
from engines.run import Run


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """Points are scored."""

    points: int


def total(state: int, event: Scored) -> int:
    return state + event.points


def run() -> Run[Scored, int]:
    return Run(total, 10, SeededChance(b"", Deal("darts", 1, "G1", ()), 1, "none"))


def test_each_fact_changes_the_state_that_the_next_one_is_decided_by() -> None:
    throwing = run()
    for _ in range(3):
        throwing.add(Scored(throwing.state))
    assert throwing.facts.state == throwing.state == 80
    assert throwing.facts == (Scored(10), Scored(20), Scored(40))


def test_facts_handed_on_do_not_grow_with_the_run() -> None:
    throwing = run().add(Scored(1))
    handed = throwing.facts
    throwing.add(Scored(2))
    assert (handed, handed.state) == ((Scored(1),), 11)


def test_facts_are_a_tuple_whatever_their_state() -> None:
    facts = Facts((Scored(1), Scored(2)), 13)
    assert facts == (Scored(1), Scored(2)) == Facts(facts, 99)
    assert hash(facts) == hash(tuple(facts))
    assert repr(facts) == repr(tuple(facts)), "a state holds what nobody may read in a log"
    assert type(facts[:1]) is tuple


def test_the_state_of_facts_cannot_be_changed() -> None:
    facts = Facts((Scored(1),), 11)
    with pytest.raises(AttributeError):
        facts.state = 12
    assert facts.state == 11
