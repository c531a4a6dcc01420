"""Tables of Champions of Chance laid out by hand, for the tests of its rulings. A is seat 0, B seat 1, and so on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from engines.champions import Battle, Call, Card, Cards, Champions, Exchange, Fact, Options, Phase, Select, State
from engines.champions.cards import sorted_cards
from engines.chance import Chance, SeededChance
from engines.deals import NO_SALT, Deal
from engines.game import Choices, IllegalAction, Outcome, Refusal, Seat, TimeUp, Turn, fold
from tests.known import there

GAME = Champions()
A, B, C, D = 0, 1, 2, 3

BASE = Options()
VICTORY = Options(victory_dice=True)
WACKY = Options(wacky_numbers=True)
ICONS = Options(icon_tiebreak=True)

HIGHEST, LOWEST = Call(lowest=False), Call(lowest=True)


def chance(seq: int = 1, seed: int = 0, options: Options = BASE, seats: int = 2) -> Chance:
    """Chance for one act of a match with this seed."""
    table = Deal("champions", 1, "G1", (NO_SALT,) * seats)
    return SeededChance(seed.to_bytes(32, "big"), table, seq, GAME.pack(options, seats).pack_id)


class Box:
    """A pack from which cards are taken by what is written on them: ``4``, ``4.3``, ``4!STEAL``, ``4.3!STEAL``."""

    def __init__(self, options: Options) -> None:
        self.left: list[Card] = list(GAME.pack(options, 2).cards)

    def take(self, written: str) -> Cards:
        """Cards with these faces, each another copy. Without icons written, those that the pack has first."""
        return tuple(self._one(face) for face in written.split())

    def _one(self, face: str) -> Card:
        found = next(card for card in self.left if face in (card.code.split("#")[0], _without_icons(card)))
        self.left.remove(found)
        return found


def _without_icons(card: Card) -> str:
    return f"{card.number}{f'!{card.special.value}' if card.special else ''}"


def lay(
    *decks: str,
    options: Options = BASE,
    piles: Sequence[str] = (),
    draw: str | None = None,
    discards: str = "",
    challenger: Seat = A,
) -> State:
    """The challenger is to name an opponent. Where no draw pile is written, it is all the rest of the pack."""
    state = _as_written(*decks, options=options, piles=piles, draw=draw, discards=discards, challenger=challenger)
    return replace(state, decks=tuple(sorted_cards(deck) for deck in state.decks))


def _as_written(
    *decks: str,
    options: Options = BASE,
    piles: Sequence[str] = (),
    draw: str | None = None,
    discards: str = "",
    challenger: Seat = A,
) -> State:
    box = Box(options)
    laid = tuple(box.take(deck) for deck in decks)
    faceup = tuple(box.take(pile) for pile in piles) or ((),) * len(decks)
    thrown = box.take(discards)
    return State(
        options,
        len(decks),
        turn=3,
        window=7,
        challenger=challenger,
        decks=laid,
        piles=faceup,
        draw=tuple(box.left) if draw is None else box.take(draw),
        discards=thrown,
        left=(0,) * len(decks),
    )


def roll(*decks: str, taken: bool = False, dice: tuple[int, int] = (1, 1), **laid: Any) -> State:
    """A and B are in battle, and A is to say highest or lowest. Their dice are the first cards of their decks, as
    written; the roll is certain where there is one."""
    state = _as_written(*decks, **laid)
    made = (sorted_cards(state.decks[A][: dice[0]]), sorted_cards(state.decks[B][: dice[1]]))
    battle = Battle(B, taken, max(2, *dice), made, (True, True))
    held = tuple(sorted_cards(deck) for deck in state.decks)
    return replace(state, phase=Phase.CALL, battle=battle, decks=held)


def names(cards: Sequence[Card]) -> list[str]:
    """What is written on cards, sorted."""
    return sorted(card.name for card in cards)


@dataclass
class Played:
    """A match taken on from a state laid out by hand; each act must keep the cards together."""

    state: State
    facts: tuple[Fact, ...] = ()
    seed: int = 0

    def does(self, seat: Seat | None, action: Any) -> Played:
        """Act, and check that no card is lost or doubled."""
        before = Counter(_places(self.state))
        events = GAME.decide(self.state, seat, action, self._chance())
        self.facts = tuple(events)
        self.state = fold(GAME, self.state, self.facts)
        assert Counter(_places(self.state)) == before
        return self

    def refuses(self, seat: Seat | None, action: Any) -> Refusal:
        """Try to act, and be refused with nothing changed."""
        before = repr(self.state)
        with pytest.raises(IllegalAction) as refused:
            GAME.decide(self.state, seat, action, self._chance())
        assert repr(self.state) == before
        return refused.value.refusal

    def _chance(self) -> Chance:
        return chance(self.state.window, self.seed, self.state.options, self.state.seats)

    def ring(self) -> Played:
        """The time of everybody who is awaited runs out."""
        (timer,) = there(GAME.window(self.state)).timers
        assert timer.length == Turn()
        return self.does(None, TimeUp(timer.name, timer.key))

    def choices(self, seat: Seat) -> Choices[Any]:
        """What a seat may do."""
        return GAME.choices(self.state, seat)

    def verbs(self, seat: Seat) -> list[str]:
        """What a seat may do, by the offers' verbs."""
        return [offer.verb for offer in self.choices(seat)]

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, if it has."""
        return GAME.outcome(self.state)

    @property
    def awaited(self) -> set[Seat]:
        """Whose answer the match waits for."""
        return set(self.state.awaited)

    def deck(self, seat: Seat) -> list[str]:
        """What is written on a seat's cards, sorted."""
        return names(self.state.decks[seat])

    def told(self, kind: type) -> list[Any]:
        """The facts of the last act of one class."""
        return [fact for fact in self.facts if isinstance(fact, kind)]


def _places(state: State) -> Iterator[Card]:
    for cards in (*state.decks, *state.piles, state.draw, state.discards):
        yield from cards


def opened(seed: int, seats: int = 2, options: Options = BASE) -> State:
    """A match of this seed after the opening."""
    start = GAME.start(options, seats)
    return fold(GAME, start, GAME.deal(start, chance(0, seed, options, seats)))


def select(table: Played, seat: int, written: str) -> Select:
    """A selection of cards of the seat's deck, by what is written on them."""
    deck = list(table.state.decks[seat])
    chosen = []
    for face in written.split():
        card = next(card for card in deck if card.name == face)
        deck.remove(card)
        chosen.append(card)
    return Select(tuple(chosen))


def exchange(table: Played, seat: int, face: str) -> Exchange:
    """The exchange of a card of the seat's deck."""
    return Exchange(select(table, seat, face).cards)


def tied(a: str = "4 1 2", b: str = "4 5 6", **laid: Any) -> Played:
    """A and B have rolled a 4 each."""
    return Played(roll(a, b, "1 1 1", **laid)).does(A, HIGHEST)
