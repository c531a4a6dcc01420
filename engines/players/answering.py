"""Answers a question: the one entrance to the computer players."""

from __future__ import annotations

from functools import reduce
from random import Random
from typing import Any

from engines.game import Act, Pick
from engines.players.levels import CHOOSERS, LEVELS, PLAYED
from engines.players.player import Expired, Situation
from engines.players.question import Answer, Question


def answer(question: Question, expired: Expired) -> Answer:
    """The act that the question's level chooses.

    It depends on the question alone, unless `expired` becomes true: then it is the best found so far, or the rule of
    thumb. Raises KeyError for a game or a level that doesn't exist.
    """
    policy = LEVELS[question.game][question.level].policy
    if expired():
        return fallback(question)
    thought = policy(situation_of(question), Random(question.luck), question.rollouts, expired)
    return Answer(PLAYED[question.game].write(thought.action), thought.rollouts)


def fallback(question: Question) -> Answer:
    """The act by rule of thumb, in less than a millisecond: for a worker that died or a deadline that is close.

    Raises KeyError for a game without a computer player.
    """
    action = CHOOSERS[question.game].rule_of_thumb(situation_of(question), Random(question.luck))
    return Answer(PLAYED[question.game].write(action))


def any_legal_act(question: Question) -> Answer:
    """An act found from the choices alone, for a player whose own code fails.

    Whole acts come first, then the first items that make a pick. Raises LookupError if neither makes an act.
    """
    offers = sorted(question.choices, key=lambda offer: isinstance(offer, Pick))
    for offer in offers:
        action = offer.action if isinstance(offer, Act) else _first_pick(offer)
        if action is not None:
            return Answer(PLAYED[question.game].write(action))
    raise LookupError(question.game)


def _first_pick(pick: Pick[Any]) -> Any | None:
    """The act made by picking the first item that may be added, until that is an act; None if it never is."""
    picked: tuple[int, ...] = ()
    while (step := pick.step(picked)).unfinished is not None:
        item = next((item for item, refusal in enumerate(step.addable) if refusal is None), None)
        if item is None:
            return None
        picked = (*picked, item) if pick.ordered else tuple(sorted((*picked, item)))
    return pick.action(picked)


def situation_of(question: Question) -> Situation[Any, Any]:
    """What the asked seat knows."""
    player = CHOOSERS[question.game]
    memory = player.begin(question.options, question.seats, question.seat)
    return Situation(reduce(player.remember, question.seen, memory), question.view, question.choices)
