"""Haymaker's tables laid out by hand, for the tests of its rulings. A is seat 0, B is seat 1."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pytest

from engines.cards import Card
from engines.chance import Chance, SeededChance
from engines.deals import NO_SALT, Deal
from engines.game import Choices, IllegalAction, Outcome, Refusal, Seat, TimeUp, Turn, fold
from engines.haymaker import PACK, Attack, Block, Fact, Haymaker, Options, Phase, State
from tests.known import there

GAME = Haymaker()
A, B = 0, 1


def cards(codes: str) -> tuple[Card, ...]:
    """Cards from codes such as ``7S 3D``."""
    return tuple(Card.of(code) for code in codes.split())


def attack(codes: str) -> Attack:
    """An attack with these cards."""
    return Attack(cards(codes))


def block(codes: str) -> Block:
    """A block with these cards."""
    return Block(cards(codes))


def chance(seq: int = 1, seed: int = 0) -> Chance:
    """Chance for one act of a match with this seed."""
    table = Deal("haymaker", 1, "G1", (NO_SALT,) * 2)
    return SeededChance(seed.to_bytes(32, "big"), table, seq, PACK.pack_id)


def lay(
    a: str = "",
    b: str = "",
    *,
    draw: str = "",
    discards: tuple[str, str] = ("", ""),
    may_pass: bool = False,
    attacker: Seat = A,
) -> State:
    """A turn, of A's if nothing else is said, that is about to begin, with these hands; all other cards are burned."""
    state = State(
        turn=3,
        window=7,
        attacker=attacker,
        may_pass=may_pass,
        draw=cards(draw),
        discards=(cards(discards[0]), cards(discards[1])),
    )
    state = replace(state, hands=state.with_cards(A, cards(a)))
    state = replace(state, hands=state.with_cards(B, cards(b)))
    used = set(places(state))
    return replace(state, burned=tuple(card for card in PACK.cards if card not in used))


def places(state: State) -> Counter[Card]:
    """Every card on the table, by how often it lies there."""
    rows = (*state.hands, *state.discards, state.draw, state.burned, state.attack, state.block, state.drawn)
    return Counter(card for row in rows for card in row)


@dataclass
class Played:
    """A match taken on from a state laid out by hand; each act must keep the cards together."""

    state: State
    facts: tuple[Fact, ...] = ()
    seed: int = 0

    def does(self, seat: Seat | None, action: Any) -> Played:
        """Act, and check that no card is lost or doubled."""
        self.facts = tuple(GAME.decide(self.state, seat, action, chance(seed=self.seed)))
        self.state = fold(GAME, self.state, self.facts)
        assert places(self.state) == Counter(PACK.cards)
        return self

    def refuses(self, seat: Seat | None, action: Any) -> Refusal:
        """Try to act, and be refused with nothing changed."""
        before = repr(self.state)
        with pytest.raises(IllegalAction) as refused:
            GAME.decide(self.state, seat, action, chance())
        assert repr(self.state) == before
        return refused.value.refusal

    @property
    def choices(self) -> Choices[Any]:
        """What the seat that is asked may do."""
        return GAME.choices(self.state, self.state.asked)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, if it has."""
        return GAME.outcome(self.state)

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        """A seat's hand."""
        return self.state.hands[seat]

    def discarded(self, seat: Seat) -> tuple[Card, ...]:
        """A seat's discard pile."""
        return self.state.discards[seat]


def turn(state: State) -> tuple[Phase, Seat, bool]:
    """What is asked of whom: the phase, the attacker, whether a pass is open."""
    return state.phase, state.attacker, state.may_pass


def opened(seed: int) -> State:
    """A match of this seed after the opening."""
    start = GAME.start(Options(), 2)
    return fold(GAME, start, GAME.deal(start, chance(0, seed)))


def ring(table: Played) -> TimeUp:
    """The act of the clock when the time of the one seat that is asked runs out."""
    window = there(GAME.window(table.state))
    assert len(window.awaited) == 1
    assert [timer.length for timer in window.timers] == [Turn()]
    return TimeUp(window.timers[0].name, window.timers[0].key)
