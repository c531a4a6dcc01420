"""CIQ's options, actions and events: everything in a match's log.

The events called ``Count…`` are faces of others (`Event.face`) and are not in it. Cards of a pile are written top
first, and cards that move one at a time in the order in which they move.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from engines.ciq.cards import Card
from engines.common_facts import CountDealt, DealerDrawn, NobodyKnows, OwnersOnly
from engines.game import Event, Seat, Unnarrated
from engines.options import NONE, Choosable, Limit, limit, number

Cards: TypeAlias = tuple[Card, ...]

MOST_SEATS: Final = 6
DECKS_A_PLAYER: Final = 2
MOST_DECKS: Final = DECKS_A_PLAYER * MOST_SEATS
"""The most packs (Q-18)."""


@dataclass(frozen=True, slots=True)
class Options(Choosable):
    """The options. `decks` None means one pack per player, 0 as few as the rules allow (Q-18)."""

    decks: int | None = number(None, 0, MOST_DECKS)
    round_limit: Limit = limit(100, 10, 500, listed=(10, 20, 30, 40, 50, 75, 100, 150, 200, 300, 400, 500))
    block_seconds: int = number(60, 10, 600)
    hand_limit: Limit = limit(NONE, 10, 10)


class Pile(Enum):
    """The two piles an attack may go to."""

    DAMAGE = "damage"
    DEFENSE = "defense"


class Source(Enum):
    """Where transferred cards come from."""

    ATTACK = "attack"
    DAMAGE = "damage"
    HAND = "hand"
    DEFENSE = "defense"


# ---------------------------------------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class Attack:
    """Cards of the hand, in order, on one pile of one opponent (Q-2, Q-3)."""

    target: Seat
    pile: Pile
    cards: Cards


@dataclass(frozen=True, slots=True)
class Defend:
    """One card of the top Defense card's suit replaces the player's Defense Pile (Q-14)."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw one card."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass, because there is nothing to draw and nothing else to play (Q-15)."""


@dataclass(frozen=True, slots=True)
class Block:
    """One card that drops the result of the attack's last one (Q-6)."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Allow:
    """No block."""


@dataclass(frozen=True, slots=True)
class Give:
    """Which cards of the hand to give where the piles have run out (Q-9)."""

    cards: Cards


Action: TypeAlias = Attack | Defend | Draw | Pass | Block | Allow | Give


# ---------------------------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class EightLaid(Unnarrated):
    """The 8 a seat's Defense Pile begins with."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class PileDealt(NobodyKnows, Unnarrated):
    """A seat's Attack Pile, top first. Nobody knows it."""

    seat: Seat
    cards: Cards

    def face(self) -> CountDealt:
        return CountDealt(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class TurnBegun(Unnarrated):
    """Whose turn it is, in which round (from 1)."""

    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class TurnedOver(Event):
    """A seat's Damage Pile, turned over, is its Attack Pile now (Q-1)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardsDrawn(OwnersOnly):
    """Cards drawn from the seat's Attack Pile: to refill the hand, or with `chosen` as the turn's act."""

    seat: Seat
    cards: Cards
    chosen: bool

    def face(self) -> CountDrawn:
        return CountDrawn(self.seat, len(self.cards), self.chosen)


@dataclass(frozen=True, slots=True)
class AttackLaid(Event):
    """The whole sequence lies on the opponent's pile, face up (Q-5). `defense` is what it was judged by."""

    seat: Seat
    target: Seat
    pile: Pile
    cards: Cards
    defense: int


@dataclass(frozen=True, slots=True)
class BlockAsked(Unnarrated):
    """The opponent is asked to block with a card of at least this value (Q-7)."""

    seat: Seat
    needed: int


@dataclass(frozen=True, slots=True)
class Blocked(Event):
    """The blocking card, on top of the opponent's own Defense Pile (Q-6)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class LetThrough(Event):
    """No block came."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ResultBegun(Unnarrated):
    """The result of the card at this place of the sequence, from 0, is being worked out."""

    place: int


@dataclass(frozen=True, slots=True)
class CardTaken(Event):
    """The card of the opponent's hand that a Jack takes, face up on the opponent's Damage Pile (Q-10)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Transferred(Event):
    """Cards on their way to the opponent's Damage Pile, one by one on top of it, face up (Q-8, Q-11)."""

    giver: Seat
    taker: Seat
    source: Source
    cards: Cards


@dataclass(frozen=True, slots=True)
class GivingAsked(Unnarrated):
    """The attacker must give this many cards of the hand and may choose which (Q-9)."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class AttackCut(Event):
    """The attack ends: the Attack Pile has run out and the Damage Pile has not (Q-8)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Defended(Event):
    """The new Defense card; the old Defense Pile goes on top of the seat's Damage Pile (Q-14)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A turn without an act; `forced` where there was no other (Q-15)."""

    seat: Seat
    forced: bool


@dataclass(frozen=True, slots=True)
class Leaving(Event):
    """A seat that is under attack leaves; it is out as soon as the attack is worked out (C-4)."""

    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class SeatLeft(Event):
    """A seat is out, by resignation or time; its cards are out of play (C-4, Q-17)."""

    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class Ended(Unnarrated):
    """The end: emptied, decision, resignation or time.

    `ranks` are the places by C-12. Before the third version of the rules there were none: all who did not win
    shared one.
    """

    kind: str
    winners: tuple[Seat, ...]
    ranks: tuple[int, ...] = ()


Fact: TypeAlias = (
    DealerDrawn
    | EightLaid
    | PileDealt
    | TurnBegun
    | TurnedOver
    | CardsDrawn
    | AttackLaid
    | BlockAsked
    | Blocked
    | LetThrough
    | ResultBegun
    | CardTaken
    | Transferred
    | GivingAsked
    | AttackCut
    | Defended
    | Passed
    | Leaving
    | SeatLeft
    | Ended
)


@dataclass(frozen=True, slots=True)
class CountDrawn(Event):
    """What the others see of `CardsDrawn`."""

    seat: Seat
    count: int
    chosen: bool

    @property
    def narrated(self) -> bool:
        """See `Event`: that a hand is filled up goes without saying."""
        return self.chosen
