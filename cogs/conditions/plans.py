"""Which matches let people plan moves, and which of what they planned still holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.play.live_match import LiveMatch
from bot.store.special_ids import is_computer, people
from cogs.conditions.queries import ConditionalMove, PlanOutcome
from cogs.screens.presenter import PlansAhead, Presenter
from engines.game import Seat


def planning(match: LiveMatch, presenter: Presenter | None) -> PlansAhead | None:
    """The presenter of a match in which people may plan: a slow one, of a game that has occasions, with several people.
    None in all others."""
    slow = match.has_clock and match.time_control.slow and len(people(match.seats)) > 1
    return presenter if slow and isinstance(presenter, PlansAhead) else None


def may_plan(match: LiveMatch, seat: Seat) -> bool:
    """Whether a seat's player may plan now: the match is in play and waits for others."""
    return not (is_computer(match.seats[seat]) or match.inactive or seat in match.awaited) and plays(match, seat)


def plays(match: LiveMatch, seat: Seat) -> bool:
    """Whether a seat's own player plays it."""
    return match.is_in(seat) and not match.has_stand_in(seat)


def stands(match: LiveMatch) -> bool:
    """Whether the clock is stopped at the open question, because somebody is away or all pause. Plans wait: who moves
    while they are away is back, and one who moved and stayed away would show that the move was planned."""
    return match.rests_until is not None or any(seat in match.away for seat in match.awaited)


def holds(match: LiveMatch, move: ConditionalMove) -> bool:
    """Whether what somebody planned holds: the same person plays the seat, and it has not acted since."""
    same = match.seats[move.seat] == move.user_id and match.own_acts.count(move.seat) == move.acts
    return same and plays(match, move.seat)


def open_moves(match: LiveMatch, seat: Seat, kept: Iterable[ConditionalMove]) -> list[ConditionalMove]:
    """The moves that a seat has planned for its next question."""
    return [each for each in kept if each.seat == seat and each.outcome is PlanOutcome.OPEN and holds(match, each)]


def outcome_of(match: LiveMatch, seat: Seat, kept: Iterable[ConditionalMove]) -> PlanOutcome:
    """What became of the moves that a seat had planned, if its player has not moved since."""
    told = [each.outcome for each in kept if each.seat == seat and each.number == 0 and holds(match, each)]
    return told[0] if told else PlanOutcome.OPEN


def indexes_of(action: Any, held: Iterable[Any]) -> tuple[int, ...]:
    """Where the cards of a move are in its player's hand; those that are gone are left out."""
    hand = list(held)
    return tuple([hand.index(card) for card in getattr(action, "cards", ()) if card in hand])
