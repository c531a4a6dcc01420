"""A law for Unbreakable's samples. `laws.players` exchanges cards that the seat never saw, but here cards come back.

For a sampled table it makes up the whole match that leads there: with other cards in the deck, in each reshuffled deck,
in the opponent's hands and among those put away. The rules fold it. The seat must see the same facts in it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engines.cards import Card
from engines.game import Event, seen_by
from engines.players.player import Situation
from engines.players.unbreakable.fast_table import FastTable
from engines.players.unbreakable.numbers import CARDS
from engines.players.unbreakable.player import PLAYER
from engines.unbreakable import (
    PACK,
    WEAPONS,
    AttackerLaid,
    ChooserTurned,
    Chosen,
    DeckLaid,
    ExtraDrawn,
    MatchHandDealt,
    PairsShown,
    Reshuffled,
    State,
    TargetTaken,
    TurnBegun,
    WeaponDealt,
    WeaponsDiscarded,
    swift_discard,
)
from engines.values import replace
from laws.players import Position
from tests.engines.players.unbreakable_tables import TWIN

SAMPLES: Final = 5
WAYS: Final = 400
"""How often a history is looked for. The first way is nearly always one."""
ANOTHER: Final = 0.2
"""How often, then, a card gets another place than in the true match."""


class NoHistoryError(AssertionError):
    """Raised where no history was found."""


@dataclass(eq=False)
class Drawn:
    """A card that the opponent drew, unseen, from a deck (0 for the first); `other` is the one in the made-up match."""

    deck: int
    true: Card
    other: Card | None = None


@dataclass(eq=False)
class Round:
    """The opponent's side of a round. `gone` is the deck in play when its weapons were discarded."""

    target: Card
    weapons: list[Drawn] = field(default_factory=list)
    pair: tuple[Card, ...] = ()
    gone: int | None = None

    @property
    def away(self) -> Drawn:
        """What was put away, in a match where the pair has got its places."""
        return next(each for each in self.weapons if each.other not in self.pair)


@dataclass(eq=False)
class Deck:
    """A deck as it was laid. `elsewhere` are the cards that the seat could place then, `held` the opponent's others."""

    cards: tuple[Card, ...]
    elsewhere: frozenset[Card]
    held: tuple[Drawn, ...]
    drawn: dict[Card, Drawn] = field(default_factory=dict)


class History:
    """A match that leads to a sample. `events` are its facts. Raises NoHistoryError.

    A card that the opponent laid may have come to its hand at several times. Without `rng` it is when it truly came, or
    else the earliest.
    """

    def __init__(self, position: Position, sample: FastTable, rng: random.Random | None = None) -> None:
        self.rng = rng
        self.other = 1 - position.seat
        self.sample, self.state = sample, position.state
        self.located: set[Card] = set()
        """The cards that the seat can place."""
        self.layers: dict[Card, int] = {}
        """The deck into which each card last came while the seat could place it."""
        self.open: set[Card] = set()
        """The opponent's cards that went to the hand face up."""
        self.target: Card = CARDS[0]
        self.decks: list[Deck] = []
        self.hidden: list[Drawn] = []
        self.rounds: list[Round] = []
        for event in position.events:
            self._read(event)
            self.located.update(position.case.sees(event, position.seat))
        self._fill_hands()
        self._fill_away()
        self._fill_decks()
        self.events = self._rewritten(position.events)

    # ------------------------------------------------------------------------------------------ what happened

    def _read(self, event: Event) -> None:
        match event:
            case DeckLaid(cards) | Reshuffled(cards):
                self._lay_deck(cards)
            case MatchHandDealt(self.other, cards):
                self.hidden += [self._draw(card) for card in cards]
            case ExtraDrawn(self.other, card):
                self.hidden.append(self._draw(card))
            case WeaponDealt(self.other, card):
                if not self.rounds or self.rounds[-1].gone is not None:
                    self.rounds.append(Round(self.target))
                self.rounds[-1].weapons.append(self._draw(card))
            case PairsShown():
                self.rounds[-1].pair = event.second if self.other else event.first
                self._give(self.rounds[-1].weapons, self.rounds[-1].pair)
            case TurnBegun() | WeaponsDiscarded():
                self.rounds[-1].gone = len(self.decks) - 1
            case ChooserTurned(card):
                self.target = card
            case AttackerLaid(seat, card):
                self.target = card
                if seat == self.other and card not in self.open:
                    self._give(self.hidden, [card])
                    self.hidden = [each for each in self.hidden if each.other is None]
                self.open.discard(card)
            case TargetTaken(self.other):
                self.open.add(self.target)

    def _lay_deck(self, cards: tuple[Card, ...]) -> None:
        if self.decks:
            for card in self.located & set(cards):
                self.layers[card] = len(self.decks)
            self.located -= set(cards)
        unshown = self.rounds[-1].weapons if self.rounds and self.rounds[-1].gone is None else []
        self.decks.append(Deck(cards, frozenset(self.located), (*self.hidden, *unshown)))

    def _draw(self, card: Card) -> Drawn:
        deck = len(self.decks) - 1
        return self.decks[deck].drawn.setdefault(card, Drawn(deck, card))

    def _give(self, places: Sequence[Drawn], cards: Sequence[Card]) -> None:
        """Each card to the place with the earliest deck that it may have come from: the others take more cards."""
        for card in sorted(cards, key=lambda card: -self.layers.get(card, 0)):
            fitting = [each for each in places if each.other is None and each.deck >= self.layers.get(card, 0)]
            if not fitting:
                raise NoHistoryError("a card lies where it can't have come")
            true = [each for each in fitting if each.true == card]
            if self.rng and (not true or self.rng.random() < ANOTHER):
                self.rng.choice(fitting).other = card
            else:
                min(true or fitting, key=lambda each: each.deck).other = card

    # ------------------------------------------------------------------------------------------ what is made up

    def _fill_hands(self) -> None:
        theirs = [CARDS[card] for card in self.sample.hands[self.other]]
        assert self.open <= set(theirs)
        self._give(self.hidden, [card for card in theirs if card not in self.open])
        if self.sample.weapons[self.other]:
            self._give(self.rounds[-1].weapons, [CARDS[card] for card in self.sample.weapons[self.other]])

    def _fill_away(self) -> None:
        """The cards put away that lie on the discard pile: in swift play each must fit the pair that was kept."""
        rounds = [each for each in self.rounds if each.gone == len(self.decks) - 1]
        cards = {CARDS[card] for card in self.sample.discards} - self.located
        assert len(cards) == len(rounds)
        places = [each.away for each in rounds]
        fits = [sorted(cards, key=lambda card: card != each.away.true) for each in rounds]
        fits = [
            [card for card in fit if self._may_put_away(each, card)] for fit, each in zip(fits, rounds, strict=True)
        ]
        taken: dict[Card, int] = {}
        for place in range(len(rounds)):
            if not _matched(place, fits, taken, set()):
                raise NoHistoryError("no cards put away fit all the pairs kept")
        for card, place in taken.items():
            places[place].other = card

    def _may_put_away(self, each: Round, card: Card) -> bool:
        swift = self.state.options.pace == "swift"
        return self.layers.get(card, 0) <= each.away.deck and (
            not swift or swift_discard((*each.pair, card), each.target) == card
        )

    def _fill_decks(self) -> None:
        """Cards put away before the last reshuffle: any that are left in their deck. What lay on the table during a
        reshuffle didn't come into the next deck."""
        on_table = {id(each.away) for each in self.rounds if each.gone is not None and each.gone > each.away.deck}
        for number, deck in enumerate(self.decks[:-1]):
            held = {each.other for each in deck.held}
            left = [card for card in PACK.cards if card not in {*deck.elsewhere, *held, *_taken(deck)}]
            places = [each for each in deck.drawn.values() if each.other is None]
            for each in sorted(places, key=lambda drawn: id(drawn) not in on_table):
                later = _taken(self.decks[number + 1]) if id(each) in on_table else ()
                possible = [card for card in left if card not in later]
                if not possible:
                    raise NoHistoryError("no card can have lain on the table during a reshuffle")
                each.other = each.true if each.true in possible else possible[0]
                left.remove(each.other)
            if left:
                raise NoHistoryError("a deck has another number of cards")

    def _rewritten(self, events: Sequence[Event]) -> tuple[Event, ...]:
        found: list[Event] = []
        deck, dealt = -1, 0
        weapons: dict[Card, Card] = {}
        for event in events:
            match event:
                case DeckLaid() | Reshuffled():
                    deck += 1
                    found.append(replace(event, cards=self._laid(deck)))
                case MatchHandDealt(self.other, cards):
                    found.append(replace(event, cards=tuple([self._now(deck, card) for card in cards])))
                case ExtraDrawn(self.other, card):
                    found.append(replace(event, card=self._now(deck, card)))
                case WeaponDealt(self.other, card):
                    weapons = weapons if dealt % WEAPONS else {}
                    dealt += 1
                    weapons[card] = self._now(deck, card)
                    found.append(replace(event, card=weapons[card]))
                case Chosen(self.other, card):
                    found.append(replace(event, card=self._chosen(self.rounds[dealt // WEAPONS - 1], weapons, card)))
                case _:
                    found.append(event)
        return tuple(found)

    def _now(self, deck: int, card: Card) -> Card:
        other = self.decks[deck].drawn[card].other
        assert other is not None
        return other

    def _laid(self, deck: int) -> tuple[Card, ...]:
        laid = self.decks[deck]
        left = len(self.state.deck) if laid is self.decks[-1] else 0
        drawn = laid.cards[: len(laid.cards) - left]
        rest = [CARDS[card] for card in reversed(self.sample.deck)] if left else []
        return (*[self._now(deck, card) if card in laid.drawn else card for card in drawn], *rest)

    def _chosen(self, each: Round, weapons: dict[Card, Card], card: Card) -> Card:
        """The card that is put away instead of a true one."""
        if each.pair:
            other = each.away.other if card not in each.pair else card
        elif card == self.state.chosen[self.other]:
            other = CARDS[self.sample.chosen[self.other]]
        else:
            other = weapons[card]
        assert other is not None
        return other


def _taken(deck: Deck) -> set[Card | None]:
    """The cards of a deck that the seat has seen drawn, and those that the opponent has drawn for certain."""
    return {*(set(deck.cards) - deck.drawn.keys()), *[each.other for each in deck.drawn.values()]}


def _matched(place: int, fits: Sequence[Sequence[Card]], taken: dict[Card, int], tried: set[Card]) -> bool:
    """Give a place a card that fits, and the place that had it another one."""
    for card in fits[place]:
        if card in tried:
            continue
        tried.add(card)
        if card not in taken or _matched(taken[card], fits, taken, tried):
            taken[card] = place
            return True
    return False


def samples_have_a_history(position: Position, rng: random.Random) -> None:
    """A match leads to a sampled table in which the seat sees the same facts, and has the same view and choices.

    One of `SAMPLES` is enough: several reshuffles into a match, in about one position of a thousand, some samples
    contradict what a long chain of conclusions would tell about cards put away long ago. The memory doesn't draw it.
    """
    deal, game = position.log.deal, position.log.deal.game
    situation = position.situation()
    sample, events = _with_history(position, situation, rng)
    for true, other in zip(position.events, events, strict=True):
        assert seen_by(true, position.seat) == seen_by(other, position.seat)
    state = game.start(deal.options, deal.seats)
    for event in events:
        _can_happen(state, event)
        state = game.evolve(state, event)
    assert game.observe(state, position.seat) == situation.view
    assert game.choices(state, position.seat) == situation.choices
    table = TWIN.table_of(state)
    assert TWIN.places(table) == TWIN.places(sample)
    assert TWIN.others(table) == TWIN.others(sample)


def _with_history(
    position: Position, situation: Situation[Any, Any], rng: random.Random
) -> tuple[FastTable, tuple[Event, ...]]:
    for tried in range(SAMPLES):
        sample = PLAYER.sample(situation, rng)
        try:
            return sample, _history(position, sample, WAYS // SAMPLES)
        except NoHistoryError:
            if tried == SAMPLES - 1:
                raise
    raise AssertionError("at least one sample is tried")


def _history(position: Position, sample: FastTable, ways: int) -> tuple[Event, ...]:
    for way in range(ways):
        try:
            return History(position, sample, random.Random(way) if way else None).events
        except NoHistoryError:
            continue
    raise NoHistoryError(f"no match with the same facts leads to this table, tried in {ways} ways")


def _can_happen(state: State, event: Event) -> None:
    """A fact draws the deck's top card, reshuffles the discard pile, and moves cards that are there."""
    match event:
        case WeaponDealt() | ExtraDrawn() | ChooserTurned():
            assert event.card == state.deck[0]
        case DeckLaid():
            assert sorted(event.cards, key=PACK.cards.index) == list(PACK.cards)
        case Reshuffled():
            assert not state.deck
            assert set(event.cards) == set(state.discards)
        case Chosen():
            assert event.card in state.weapons[event.seat]
        case AttackerLaid():
            assert event.card in state.hands[event.seat]
        case PairsShown():
            for seat, pair in enumerate((event.first, event.second)):
                assert set(pair) == set(state.weapons[seat]) - {state.chosen[seat]}
