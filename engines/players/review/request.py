"""What is asked of a review and what it answers: plain values, which can be pickled."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engines.game import Event, Seat


@dataclass(frozen=True, slots=True)
class LoggedAct:
    """A record of a match: who acted (None: the clock), the act in notation, and the facts that followed."""

    actor: Seat | None
    act: str
    facts: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """A match that is over. `opening` are the facts of the deal, `acts` the records after it, in order.

    `players` has who sits on each seat: a computer's level, or `chances.PERSON`; without any, all are people. `luck` is
    `luck_of_review`. `rollouts` is how many possible continuations may be played; 0 is the game's own number
    (`ways`), which takes a few seconds at most. The same request has the same review, unless its time expired.
    """

    game: str
    options: Any
    seats: int
    opening: tuple[Event, ...]
    acts: tuple[LoggedAct, ...]
    luck: int
    rollouts: int = 0
    players: tuple[str, ...] = ()


class Measure(Enum):
    """What a curve shows of each seat."""

    CHANCE = "chance"
    """Its share of the win, from 0 to 1, as far as the players could tell by what they knew."""
    CARDS = "cards"
    """In a race: how many cards it had left."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a curve: the number of acts made so far, and each seat's value."""

    after: int
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CostlyAct:
    """An act by which its seat lost much of its chance, judged by what the seat knew.

    `number` is the act's, from 1, and `facts` is how many facts of the match came before it. `act` and `better` are in
    notation. `cost` is how much larger a share of the win, from 0 to 1, the better act would have brought.
    """

    number: int
    facts: int
    seat: Seat
    act: str
    better: str
    cost: float


@dataclass(frozen=True, slots=True)
class Review:
    """What decided a match. `costly` has at most three acts, the one that cost most first; none in a race.

    `curve` is empty where nobody has measured how true its chances would be.

    `acts` is how many records there were after the deal, `rollouts` how many continuations were played. `dealt` has
    each seat's chance before the first act if all were equal players; it is empty if that isn't known.
    """

    measure: Measure
    acts: int
    curve: tuple[Point, ...]
    costly: tuple[CostlyAct, ...] = ()
    rollouts: int = 0
    dealt: tuple[float, ...] = ()


def luck_of_review(match_id: str) -> int:
    """The luck of a match's review, 64 bits: by a hash of its own, never from the match's seed."""
    text = f"cardroom/review/v1\n{match_id}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
