"""Checks that every game makes before it judges an act: the match is not over, the actor is seated and must answer, the
time is really up.

A guard raises IllegalAction with the ruling that the act breaks, and otherwise does nothing. `decide` calls them in
this order, so that a refusal means the same in every game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from engines.game import IllegalAction, Refusal, Seat, Timer, TimeUp


def check(refusal: Refusal | None) -> None:
    """Refuse the act if there is a refusal."""
    if refusal is not None:
        raise IllegalAction.of(refusal)


def check_on(ended: object) -> None:
    """Check that the match is not over: there is no fact of its end yet (C-0)."""
    if ended is not None:
        raise IllegalAction("C-0", "refusal.match_over")


def check_time_up(
    actor: Seat | None, action: TimeUp, running: Sequence[Timer], awaited: Iterable[Seat] = ()
) -> tuple[Seat, ...]:
    """Check that the clock acts, with a timer that is running, and for seats that are awaited (C-5). Returns them, in
    ascending order."""
    asked = tuple(sorted(awaited))
    late = action.seats or asked
    is_running = (action.timer, action.key) in [(timer.name, timer.key) for timer in running]
    if actor is not None or not is_running or late != tuple([seat for seat in asked if seat in late]):
        raise IllegalAction("C-5", "refusal.time_is_not_up")
    return late


def seated(actor: Seat | None, seats: int) -> Seat:
    """Check that a seat of the table acts, and return it (C-0)."""
    if actor is None or not 0 <= actor < seats:
        raise IllegalAction("C-0", "refusal.not_seated")
    return actor


def check_turn(seat: Seat, asked: Seat) -> None:
    """Check that the seat is the one that must answer (C-0)."""
    if seat != asked:
        raise IllegalAction("C-0", "refusal.not_your_turn")


def check_asked(game: str, answers: Enum, asks: Enum) -> None:
    """Check that the act answers the open question: both are phases of the game with this key (C-0)."""
    if answers is not asks:
        raise IllegalAction("C-0", f"{game}.refusal.asked_{asks.value}")
