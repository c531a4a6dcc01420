"""A move in words, as its game says it (`cogs.screens.clauses`)."""

from __future__ import annotations

from typing import Any

from cogs.screens.clauses import Clause, Move
from cogs.screens.hands.picking import picks_by_cards
from cogs.screens.presenter import Presenter, Reader
from engines.game import Act, Choices, Private


def clause_of(
    action: Any, choices: Choices[Any], own: Private[Any, Any], presenter: Presenter, reader: Reader
) -> Clause:
    """A move as its game says it. Raises LookupError for a move that the seat is not offered."""
    return presenter.clause(move_of(action, choices), own, reader)


def move_of(action: Any, choices: Choices[Any]) -> Move:
    """The offer and the picks that make an act. Raises LookupError for one that is not offered."""
    for offer in choices:
        if isinstance(offer, Act):
            if offer.action == action:
                return Move(offer.verb)
            continue
        picked = picks_by_cards(offer, action)
        if picked is not None and (step := offer.step(picked)).unfinished is None:
            return Move(offer.verb, picked, step.worth)
    raise LookupError("nobody was offered this move")
