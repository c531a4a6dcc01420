"""Haymaker's options, actions and events: everything in a match's log.

The events called ``Count…`` are faces of others (`Event.face`) and are not in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engines.cards import Card
from engines.common_facts import CountDealt, DealerDrawn, NobodyKnows, OwnersOnly
from engines.game import Event, Seat, Unnarrated

Cards: TypeAlias = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """Haymaker has none."""


# ---------------------------------------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class Attack:
    """One card is a normal attack, two or more of one suit are a haymaker (H-4)."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Pass:
    """Instead of attacking: draw two, keep one, give one, and switch roles (H-5, H-6)."""


@dataclass(frozen=True, slots=True)
class Block:
    """Cards at least as strong as the attack."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class TakeHit:
    """No block: give a random card, or two to a haymaker."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Which of the two cards drawn in a pass to keep (H-7)."""

    card: Card


Action: TypeAlias = Attack | Pass | Block | TakeHit | Keep


# ---------------------------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class HandDealt(OwnersOnly, Unnarrated):
    """A seat's ten cards."""

    seat: Seat
    cards: Cards

    def face(self) -> CountDealt:
        return CountDealt(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class PileLaid(NobodyKnows, Unnarrated):
    """The draw pile, its top first, and the burned cards. Nobody knows them."""

    draw: Cards
    burned: Cards


@dataclass(frozen=True, slots=True)
class TurnBegun(Unnarrated):
    """Whose attack it is, and whether a pass is open to them (H-5)."""

    attacker: Seat
    may_pass: bool


@dataclass(frozen=True, slots=True)
class AttackLaid(Event):
    """The attack, face up."""

    seat: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class BlockLaid(Event):
    """The block, face up, and whether it is a reversal."""

    seat: Seat
    cards: Cards
    reversal: bool


@dataclass(frozen=True, slots=True)
class HitTaken(Event):
    """The defender takes the hit; `asked` is False for one who had no card to block with (H-10)."""

    seat: Seat
    asked: bool


@dataclass(frozen=True, slots=True)
class TableCleared(Unnarrated):
    """The attack's and the block's cards go to this seat's discard pile (H-2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardsDrawn(OwnersOnly):
    """Cards drawn to the hand after a reversal or, with `passing`, laid aside to choose from (H-6)."""

    seat: Seat
    cards: Cards
    passing: bool

    def face(self) -> CountDrawn:
        return CountDrawn(self.seat, len(self.cards), self.passing)


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """The attacker passes."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardKept(OwnersOnly):
    """The card that the attacker keeps in a pass. The others know what they may from the drawing."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardsGiven(Event):
    """The random cards a hit costs (H-12) or, with `passing`, the card drawn but not kept. Both players see them."""

    giver: Seat
    taker: Seat
    cards: Cards
    passing: bool

    def audience(self) -> frozenset[Seat]:
        return frozenset({self.giver, self.taker})

    def face(self) -> CountGiven:
        return CountGiven(self.giver, self.taker, len(self.cards), self.passing)


@dataclass(frozen=True, slots=True)
class Ended(Unnarrated):
    """The end: knockout, technical_knockout, decision, draw, resignation or time. Nobody wins a draw."""

    kind: str
    winner: Seat | None


Fact: TypeAlias = (
    DealerDrawn
    | HandDealt
    | PileLaid
    | TurnBegun
    | AttackLaid
    | BlockLaid
    | HitTaken
    | TableCleared
    | CardsDrawn
    | Passed
    | CardKept
    | CardsGiven
    | Ended
)


@dataclass(frozen=True, slots=True)
class CountDrawn(Event):
    """What the others see of `CardsDrawn`."""

    seat: Seat
    count: int
    passing: bool


@dataclass(frozen=True, slots=True)
class CountGiven(Event):
    """What spectators see of `CardsGiven`."""

    giver: Seat
    taker: Seat
    count: int
    passing: bool
