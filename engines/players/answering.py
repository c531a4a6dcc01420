"""Answers a question: the one entrance to the computer players."""

from __future__ import annotations

from functools import reduce
from random import Random

from engines import GAMES
from engines.players.levels import CHOOSERS, LEVELS
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
    thought = policy(_situation(question), Random(question.luck), question.rollouts, expired)
    return Answer(GAMES[question.game].write(thought.action), thought.rollouts)


def fallback(question: Question) -> Answer:
    """The act by rule of thumb, in less than a millisecond: for a worker that died or a deadline that is close.

    Raises KeyError for a game without a computer player.
    """
    action = CHOOSERS[question.game].rule_of_thumb(_situation(question), Random(question.luck))
    return Answer(GAMES[question.game].write(action))


def _situation(question: Question) -> Situation[object, object]:
    player = CHOOSERS[question.game]
    memory = player.begin(question.options, question.seats, question.seat)
    return Situation(reduce(player.remember, question.seen, memory), question.view, question.choices)
