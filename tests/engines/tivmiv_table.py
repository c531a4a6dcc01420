"""Tiv-Miv's tables laid out by hand, for the tests of its rulings. Seats are called A to F."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pytest

from engines.chance import Chance, SeededChance
from engines.deals import NO_SALT, Deal
from engines.game import Choices, IllegalAction, Outcome, Refusal, Seat, TimeUp, fold
from engines.tivmiv import PACK, Card, Cards, Fact, Options, Place, Stage, State, TivMiv

GAME = TivMiv()
A, B, C, D, E, F = range(6)


def chance(seed: int = 0, seats: int = 2, seq: int = 1) -> Chance:
    """Chance for one act of a match with this seed."""
    table = Deal("tivmiv", GAME.info.rules_version, "G1", (NO_SALT,) * seats)
    return SeededChance(seed.to_bytes(32, "big"), table, seq, PACK.pack_id)


def place(face: str) -> Place:
    """The act of placing a face such as ``7±1``."""
    value, index = face.split("±")
    return Place(int(value), int(index))


class Pack:
    """The pack on the table, from which faces are taken."""

    def __init__(self) -> None:
        self._cards = list(PACK.cards)

    def take(self, faces: str) -> Cards:
        """Cards of these faces, such as ``7±1 5±2``."""
        taken: list[Card] = []
        for face in faces.split():
            card = next(card for card in self._cards if card.name == face)
            self._cards.remove(card)
            taken.append(card)
        return tuple(taken)

    def rest(self) -> Cards:
        """All that is left."""
        return tuple(self._cards)


def lay(
    pile: str,
    *hands: str,
    decks: tuple[str, ...] = (),
    options: Options | None = None,
    stage: Stage = Stage.RACE,
) -> State:
    """A race with these hands, on a pile whose top is named last. What is not named is with a seat that is out.

    So the pack is whole, and nothing but what is named plays a part. That seat is the last one.
    """
    pack = Pack()
    middle = pack.take(pile)
    held = tuple(tuple(sorted(pack.take(hand))) for hand in hands)
    drawn = tuple(pack.take(deck) for deck in (decks or ("",) * len(hands)))
    seats = len(hands)
    return State(
        options=options or Options(),
        phase=1,
        stage=stage,
        pile=middle,
        decks=(*drawn, pack.rest()),
        hands=(*held, ()),
        left=(*(0,) * seats, 1),
        absences=(0,) * (seats + 1),
        acted=frozenset(range(seats)),
        acts=9,
        moves=9,
        countdowns=1,
        dealt=(0,) * (seats + 1),
        faces=((),) * (seats + 1),
    )


def places(state: State) -> Counter[Card]:
    """Every card on the table, by how often it lies there."""
    return Counter(card for row in (state.pile, *state.hands, *state.decks) for card in row)


@dataclass
class Played:
    """A match taken on from a state; each act must keep the cards together."""

    state: State
    facts: tuple[Fact, ...] = ()
    seed: int = 0
    seq: int = 0

    def does(self, seat: Seat | None, action: Any) -> Played:
        """Act, and check that no card is lost or doubled."""
        self.seq += 1
        by = chance(self.seed, len(self.state.left), self.seq)
        self.facts = tuple(GAME.decide(self.state, seat, action, by))
        self.state = fold(GAME, self.state, self.facts)
        assert places(self.state) == Counter(PACK.cards)
        return self

    def refuses(self, seat: Seat | None, action: Any) -> Refusal:
        """Try to act, and be refused with nothing changed."""
        before = repr(self.state)
        with pytest.raises(IllegalAction) as refused:
            GAME.decide(self.state, seat, action, chance(self.seed, len(self.state.left), self.seq + 1))
        assert repr(self.state) == before
        return refused.value.refusal

    def ring(self, timer: str) -> Played:
        """Let this timer of the window run out."""
        return self.does(None, TimeUp(timer, self.timers()[timer].key))

    def timers(self) -> dict[str, Any]:
        """The window's timers by name."""
        window = GAME.window(self.state)
        return {timer.name: timer for timer in (window.timers if window else ())}

    def told(self) -> list[str]:
        """The names of the facts of the last act."""
        return [type(fact).__name__ for fact in self.facts]

    def choices(self, seat: Seat) -> Choices[Any]:
        """What a seat may do."""
        return GAME.choices(self.state, seat)

    def hand(self, seat: Seat) -> list[str]:
        """A seat's hand by names."""
        return [card.name for card in self.state.hands[seat]]

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, if it has."""
        return GAME.outcome(self.state)


def opened(seats: int, seed: int = 0, options: Options | None = None) -> Played:
    """A match of this seed after the opening: the first phase waits for all to be ready."""
    start = GAME.start(options or Options(), seats)
    return Played(fold(GAME, start, GAME.deal(start, chance(seed, seats, 0))), seed=seed)


def racing(seats: int, seed: int = 0, options: Options | None = None) -> Played:
    """A match of this seed after its first GO."""
    return opened(seats, seed, options).ring("ready").ring("go")


def scored(table: Played) -> State:
    """The state, moved on to where the phase has ended with nobody acting any more."""
    return table.ring("idle").state


def without_acts(state: State) -> State:
    """The state as if nobody had acted in this phase."""
    return replace(state, acted=frozenset(), acts=0)
