"""CIQ's tables laid out by hand, for the tests of its rulings. A, B, C and D are the seats 0 to 3."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from engines.cards import Suit
from engines.chance import Chance, SeededChance
from engines.ciq import CIQ, Allow, Attack, Block, Card, Fact, Options, Phase, Pile, State, Transferred, TurnBegun
from engines.ciq import Place as Laid
from engines.ciq.cards import JOKER, RANKS
from engines.deals import NO_SALT, Deal
from engines.game import Choices, IllegalAction, Length, Outcome, Refusal, Seat, TimeUp, fold
from tests.known import there

GAME = CIQ()
A, B, C, D = range(4)

FILLER = "3C"
"""What a pile is made of where only the number of its cards matters."""

_RANKS = {card.code[0]: card.rank for card in (Card(rank, Suit.CLUBS) for rank in RANKS)}


class Place(NamedTuple):
    """What lies before a player: cards as ``7S TH X``, a pile top first, or only how many."""

    hand: str = ""
    attack: str | int = ""
    damage: str | int = ""
    defense: str = "8H"


def lay(*places: Place, turn: Seat = A, options: Options | None = None, number: int = 3) -> State:
    """A table at the beginning of a turn, after the refilling; the copies are numbered as they come."""
    copies: Counter[str] = Counter()

    def cards(codes: str | int) -> tuple[Card, ...]:
        found = []
        for code in [FILLER] * codes if isinstance(codes, int) else codes.split():
            found.append(card(code, copies[code]))
            copies[code] += 1
        return tuple(found)

    laid = [
        Laid(attack=cards(each.attack), damage=cards(each.damage), defense=cards(each.defense)).with_hand(
            cards(each.hand)
        )
        for each in places
    ]
    return State(options or Options(), first=A, round=number, window=7, turn=turn, places=tuple(laid))


def card(code: str, copy: int = 0) -> Card:
    """The card of a code without its copy: ``7S``, ``TH``, ``X``."""
    return Card(JOKER, None, copy) if code == "X" else Card(_RANKS[code[0]], Suit(code[1]), copy)


def chance(seq: int = 1, seed: int = 0, seats: int = 2) -> Chance:
    """Chance for one act of a match with this seed."""
    table = Deal("ciq", GAME.info.rules_version, "G1", (NO_SALT,) * seats)
    return SeededChance(seed.to_bytes(32, "big"), table, seq, f"ciq54x{seats}")


def everything(state: State) -> Counter[Card]:
    """Every card on the table, by how often it lies there."""
    return Counter(
        card
        for place in state.places
        for row in (place.hand, place.attack, place.damage, place.defense)
        for card in row
    )


@dataclass
class Played:
    """A match taken on from a state laid out by hand; each act must keep the cards together.

    `worked` is the state when the last act was worked out, before the next turn began with its refilling.
    """

    state: State
    seed: int = 0
    facts: tuple[Fact, ...] = ()
    worked: State = field(default_factory=State)

    def does(self, seat: Seat | None, action: Any) -> Played:
        """Act, and check that no card is lost or doubled."""
        before = everything(self.state)
        assert max(before.values(), default=1) == 1
        self.facts = tuple(GAME.decide(self.state, seat, action, chance(seed=self.seed)))
        turn = next((at for at, fact in enumerate(self.facts) if isinstance(fact, TurnBegun)), len(self.facts))
        self.worked = fold(GAME, self.state, self.facts[:turn])
        self.state = fold(GAME, self.worked, self.facts[turn:])
        assert everything(self.state) == before
        return self

    def attacks(self, codes: str, target: Seat = B, pile: Pile = Pile.DAMAGE, seat: Seat = A) -> Played:
        """Attack with these cards of the hand."""
        return self.does(seat, Attack(target, pile, self.held(seat, codes)))

    def refuses_attack(self, codes: str, target: Seat = B, pile: Pile = Pile.DAMAGE, seat: Seat = A) -> Refusal:
        """Try to attack with these cards of the hand."""
        return self.refuses(seat, Attack(target, pile, self.held(seat, codes)))

    def blocks(self, seat: Seat, code: str) -> Played:
        """Block with a card of the hand."""
        return self.does(seat, Block(self.held(seat, code)))

    def refuses(self, seat: Seat | None, action: Any) -> Refusal:
        """Try to act, and be refused with nothing changed."""
        before = repr(self.state)
        with pytest.raises(IllegalAction) as refused:
            GAME.decide(self.state, seat, action, chance())
        assert repr(self.state) == before
        return refused.value.refusal

    def held(self, seat: Seat, codes: str) -> tuple[Card, ...]:
        """Cards of a hand by their codes, in this order; a code said twice is two copies."""
        left = list(self.state.places[seat].hand)
        found = []
        for code in codes.split():
            wanted = card(code)
            found.append(next(each for each in left if (each.rank, each.suit) == (wanted.rank, wanted.suit)))
            left.remove(found[-1])
        return tuple(found)

    def does_all(self, kind: type[Fact]) -> list[Any]:
        """The facts of a kind that followed from the last act."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def moved(self) -> int:
        """How many cards the last act transferred."""
        return sum(len(fact.cards) for fact in self.facts if isinstance(fact, Transferred))

    @property
    def choices(self) -> Choices[Any]:
        """What the seat that is asked may do."""
        return GAME.choices(self.state, self.state.asked)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, if it has."""
        return GAME.outcome(self.state)


def names(cards: tuple[Card, ...]) -> str:
    """Cards as ``7S TH X``, without their copies."""
    return " ".join("X" if card.is_joker else card.code[:2] for card in cards)


def opened(seed: int, seats: int = 2, options: Options | None = None) -> State:
    """A match of this seed after the opening."""
    start = GAME.start(options or Options(), seats)
    return fold(GAME, start, GAME.deal(start, chance(0, seed, seats)))


def ring(table: Played) -> tuple[TimeUp, Length]:
    """The act of the clock when the time of the seat that is asked runs out, and how long that time is."""
    window = there(GAME.window(table.state))
    assert window.awaited == window.may_act == {table.state.asked}
    (timer,) = window.timers
    return TimeUp(timer.name, timer.key), timer.length


OTHERS = Place("2C 4C 5C 6C 7C", 9)
"""Somebody with five low clubs who need not be refilled."""


def against(defense: str, hand: str, mine: str | int = 40, *, damage: str | int = "", own: str = "8C") -> Played:
    """A's attack with this hand, this Attack Pile and this Damage Pile, on B with this Defense, who will not block."""
    return Played(lay(Place(hand, mine, damage, own), OTHERS._replace(defense=defense)))


def giving() -> Played:
    """A owes two of four cards."""
    table = against("9H", "3S 4S 5D 6D 7D KC", 1, own="8C 7C 6C").attacks("3S 4S").does(B, Allow())
    assert (table.state.phase, table.state.asked) == (Phase.GIVE, A)
    return table
