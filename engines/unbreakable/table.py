"""Unbreakable's state, what people may know of it, and the values of cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Final, TypeAlias

from engines.cards import Card, Suit, pack
from engines.game import Pack, Seat
from engines.unbreakable.facts import Cards, Ended, Options

PACK: Final = Pack("french52", pack(range(1, 14)))
WEAPONS: Final = 3
FAR: Final = 100
"""The value of a court card as chooser or attacker. No pair reaches it, so the highest pair is closest (U-3)."""

Two: TypeAlias = tuple[Cards, Cards]

_SWIFT_SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)


class Phase(Enum):
    """The question."""

    CHOOSE = "choose"
    LAY = "lay"
    OVER = "over"


def weapon(card: Card) -> int:
    """A card's value in a weapon hand: the ace one, court cards nothing."""
    return 0 if card.rank > 10 else card.rank


def target_value(card: Card) -> int:
    """A card's value as chooser or attacker."""
    return FAR if card.rank > 10 else card.rank


def strength(pair: Sequence[Card]) -> int:
    """The sum of a pair."""
    return sum([weapon(card) for card in pair])


def distance(pair: Sequence[Card], target: Card) -> int:
    """How far a pair is from the target; the smaller wins."""
    return abs(strength(pair) - target_value(target))


def swift_discard(hand: Cards, target: Card) -> Card:
    """The card that swift play puts away: the closest pair stays, ties by the lower rank, then ♠ ♥ ♦ ♣."""
    pairs = {next(card for card in hand if card not in pair): pair for pair in combinations(hand, 2)}
    return min(pairs, key=lambda card: (distance(pairs[card], target), card.rank, _SWIFT_SUITS.index(card.suit)))


@dataclass(frozen=True, slots=True)
class Round:
    """How the last round went: its target, both pairs, who was closest (nobody: a deflector), whether exactly."""

    target: Card
    attacker: Seat | None
    pairs: Two
    winner: Seat | None
    knockout: bool


@dataclass(frozen=True, slots=True)
class State:
    """A match between two acts. `known` are the cards that went to a match hand face up and are there still."""

    options: Options
    dealer: Seat = 0
    deck: Cards = ()
    discards: Cards = ()
    hands: Two = ((), ())
    known: Two = ((), ())
    weapons: Two = ((), ())
    chosen: tuple[Card | None, Card | None] = (None, None)
    target: Card | None = None
    turn: Seat | None = None
    attackers: int = 0
    window: int = 0
    phase: Phase = Phase.CHOOSE
    last: Round | None = None
    ended: Ended | None = None

    @property
    def undecided(self) -> tuple[Seat, ...]:
        """The seats that have not chosen yet."""
        return tuple(seat for seat in (0, 1) if self.chosen[seat] is None)


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know. `turn` is None while the chooser decides who goes first.

    `known` are the cards of each match hand that went there face up.
    """

    options: Options
    dealer: Seat
    phase: Phase
    target: Card | None
    turn: Seat | None
    attackers: int
    chosen: tuple[bool, bool]
    hands: tuple[int, int]
    known: Two
    deck: int
    discards: int
    last: Round | None


@dataclass(frozen=True, slots=True)
class Own:
    """A seat's match hand, its weapon hand, and the weapon card it put away, if it has chosen."""

    hand: Cards
    weapons: Cards
    chosen: Card | None


def observe_public(state: State) -> Public:
    """What everybody may know."""
    return Public(
        options=state.options,
        dealer=state.dealer,
        phase=state.phase,
        target=state.target,
        turn=state.turn,
        attackers=state.attackers,
        chosen=(state.chosen[0] is not None, state.chosen[1] is not None),
        hands=(len(state.hands[0]), len(state.hands[1])),
        known=state.known,
        deck=len(state.deck),
        discards=len(state.discards),
        last=state.last,
    )
