"""What every game asks before it judges an act: is the match on, who acts, are they asked, is the time really up.

A guard raises IllegalAction with the ruling that the act offends, and does nothing to one that it lets pass. `decide`
asks them in this order, so that a refusal means the same in every game.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from engines.game import IllegalAction, Refusal, Seat, Timer, TimeUp


def check(refusal: Refusal | None) -> None:
    """Refuse the act where there is a refusal."""
    if refusal is not None:
        raise IllegalAction.of(refusal)


def check_on(ended: object) -> None:
    """The match is not over: there is no fact of its end yet (C-0)."""
    if ended is not None:
        raise IllegalAction("C-0", "refusal.match_over")


def check_time_up(actor: Seat | None, action: TimeUp, running: Sequence[Timer]) -> None:
    """The clock itself acts, and by a timer that is running (C-5)."""
    if actor is not None or (action.timer, action.key) not in [(timer.name, timer.key) for timer in running]:
        raise IllegalAction("C-5", "refusal.time_is_not_up")


def seated(actor: Seat | None, seats: int) -> Seat:
    """The seat that acts, one of so many at the table (C-0)."""
    if actor is None or not 0 <= actor < seats:
        raise IllegalAction("C-0", "refusal.not_seated")
    return actor


def check_turn(seat: Seat, asked: Seat) -> None:
    """The seat is the one that is asked (C-0)."""
    if seat != asked:
        raise IllegalAction("C-0", "refusal.not_your_turn")


def check_asked(game: str, answers: Enum, asks: Enum) -> None:
    """The act answers the question that is on the table: both are phases of the game with this key (C-0)."""
    if answers is not asks:
        raise IllegalAction("C-0", f"{game}.refusal.asked_{asks.value}")
