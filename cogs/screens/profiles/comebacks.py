"""Comebacks: matches that somebody won after they had been far behind, by the numbers that everybody could see then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cogs.screens.presenter import Presenter
from engines.game import AnyGame, Event, Seat, fold


def was_far_behind(
    game: AnyGame, state: Any, records: Iterable[Sequence[Event]], presenter: Presenter, seat: Seat
) -> bool:
    """Whether a seat was ever far behind in a match, after one of its records.

    `state` is the one before the deal, and `records` are the facts of each record, in their order. It takes a
    millisecond or a few, so do it outside the event loop. Raises what the rules raise for facts that they cannot read.
    """
    for facts in records:
        state = fold(game, state, facts)
        lead = presenter.lead(game.observe_public(state))
        if lead is not None and lead.is_far_behind(seat):
            return True
    return False
