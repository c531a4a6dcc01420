"""CIQ's table: the state, and what the players and the public may know of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from engines.ciq.cards import in_order, packs
from engines.ciq.facts import DECKS_A_PLAYER, MOST_DECKS, Cards, Ended, Options, Pile
from engines.game import Pack, Seat
from engines.options import Limit, OptionRefused
from engines.values import put, replace

HAND: Final = 5
"""How many cards a hand is filled up to when a turn begins."""

PLAYERS_A_PACK: Final = 4
"""A pack has this many 8s, and every player needs one."""


def decks_of(options: Options, seats: int) -> int:
    """How many packs a match with this many players uses (Q-18). Raises OptionRefused."""
    least = -(-seats // PLAYERS_A_PACK)
    if options.decks is None:
        return seats
    if options.decks == 0:
        return least
    most = DECKS_A_PLAYER * seats
    if not least <= options.decks <= most:
        raise OptionRefused("ciq.refusal.decks", seats=seats, least=least, most=most)
    return options.decks


PACKS: Final = tuple(Pack(f"ciq54x{decks}", packs(decks)) for decks in range(1, MOST_DECKS + 1))


class Phase(Enum):
    """What the match waits for."""

    TURN = "turn"
    BLOCK = "block"
    GIVE = "give"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Place:
    """What lies before one player. Piles are written top first; the hand is sorted (`Card.place`)."""

    hand: Cards = ()
    attack: Cards = ()
    damage: Cards = ()
    defense: Cards = ()

    @property
    def cards(self) -> int:
        """How many cards the player has left in all."""
        return len(self.hand) + len(self.attack) + len(self.damage) + len(self.defense)

    @property
    def stuck(self) -> bool:
        """Whether there is neither a card to play nor one to draw."""
        return not (self.hand or self.attack or self.damage)

    @property
    def value(self) -> int:
        """The Defense: the rank of the top Defense card, never a joker's. Zero before the deal."""
        return self.defense[0].rank if self.defense else 0

    def with_hand(self, cards: Cards) -> Place:
        """These cards added to the hand."""
        return replace(self, hand=in_order((*self.hand, *cards)))

    def without_hand(self, cards: Cards) -> Place:
        """These cards taken from the hand."""
        places = {card.place for card in cards}  # numbers are compared faster than cards
        return replace(self, hand=tuple([card for card in self.hand if card.place not in places]))

    def damaged(self, cards: Cards) -> Place:
        """These cards put on the Damage Pile one by one."""
        return replace(self, damage=(*cards[::-1], *self.damage))


@dataclass(frozen=True, slots=True)
class Assault:
    """An attack being worked out.

    `place` is the card of the sequence whose result is on (-1 before the first), `moved` how many cards have been
    transferred so far (Q-12). While there is a question, `needed` is the value that a block needs, and `owed` how many
    cards the attacker must choose from the hand; otherwise they are zero.
    """

    attacker: Seat
    target: Seat
    pile: Pile
    sequence: Cards
    defense: int
    needed: int = 0
    blocked: bool = False
    place: int = -1
    moved: int = 0
    owed: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """Everything, hidden cards included. `departed` are the seats that leave or have left, in the order of leaving."""

    options: Options = field(default_factory=Options)
    dealer: Seat = 0
    first: Seat = 0
    round: int = 0
    window: int = 0
    phase: Phase = Phase.TURN
    turn: Seat = 0
    places: tuple[Place, ...] = ()
    assault: Assault | None = None
    leaving: tuple[tuple[Seat, str], ...] = ()
    out: frozenset[Seat] = frozenset()
    departed: tuple[Seat, ...] = ()
    ended: Ended | None = None

    @property
    def asked(self) -> Seat:
        """Who has to answer; nobody once the match is over."""
        if self.phase is Phase.BLOCK and self.assault is not None:
            return self.assault.target
        return self.turn

    @property
    def staying(self) -> tuple[Seat, ...]:
        """The seats that are neither out nor leaving."""
        if not self.out and not self.leaving:
            return tuple(range(len(self.places)))
        gone = self.out.union([seat for seat, _ in self.leaving])
        return tuple([seat for seat in range(len(self.places)) if seat not in gone])

    def after(self, seat: Seat) -> tuple[Seat, bool]:
        """The next seat that is still in, and whether a new round begins with it (Q-16)."""
        seats = len(self.places)
        for step in range(1, seats + 1):
            following = (seat + step) % seats
            if following not in self.out:
                to_first = (self.first - seat - 1) % seats + 1
                return following, to_first <= step
        raise ValueError("nobody is left")

    def at(self, seat: Seat, place: Place) -> State:
        """The state with what lies before one player replaced."""
        return replace(self, places=put(self.places, seat, place))


@dataclass(frozen=True, slots=True)
class PublicPlace:
    """What everybody may know of a player's cards: two counts, and two open piles, top first (Q-0)."""

    hand: int
    attack: int
    damage: Cards
    defense: Cards
    out: bool

    @property
    def cards(self) -> int:
        """How many cards the player has left in all."""
        return self.hand + self.attack + len(self.damage) + len(self.defense)


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know. `asked` is None once the match is over."""

    dealer: Seat
    round: int
    round_limit: Limit
    hand_limit: Limit
    phase: Phase
    turn: Seat
    asked: Seat | None
    places: tuple[PublicPlace, ...]
    assault: Assault | None


@dataclass(frozen=True, slots=True)
class Own:
    """A seat's hand."""

    hand: Cards


def public(state: State) -> Public:
    """What everybody may know of a state."""
    return Public(
        dealer=state.dealer,
        round=state.round,
        round_limit=state.options.round_limit,
        hand_limit=state.options.hand_limit,
        phase=state.phase,
        turn=state.turn,
        asked=None if state.ended else state.asked,
        places=tuple(
            [
                PublicPlace(len(each.hand), len(each.attack), each.damage, each.defense, seat in state.out)
                for seat, each in enumerate(state.places)
            ]
        ),
        assault=state.assault,
    )
