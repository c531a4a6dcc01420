"""Makes up full tables that fit all that a seat of Champions of Chance has seen.

A seat's moments are played through once more, with a card that nobody knows in each place whose card the seat doesn't
know, and hidden moves made at random: which card another seat discards, draws, or steals from a third. A card without
a name gets one when the seat sees it. What is seen later rules out some of the moves; then they are made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple, TypeAlias

from engines.champions import Own, Phase, Public
from engines.game import Private, Seat
from engines.players.champions.fast_table import DECLINE, FastTable
from engines.players.champions.memory import UNKNOWN, Kind, Memory, Moment
from engines.players.champions.numbering import COUNT, numbering

View: TypeAlias = Private[Public, Own]

DRAW_PILE: Final = -1
"""Where a card was seen that the seat drew: on top of the draw pile."""
TRIES: Final = 6000
"""How often hidden moves are made again, about 0.1 ms each. One or two tries are enough, except in a long match of
many: at the hardest of 10,000 positions, one strict try in 140 found a table."""
STRICT_TRIES: Final = 1000
"""How many of the tries assume that no card made two hidden moves."""

UNDUE: Final = 0.3
"""How often the other tries let a card wait that could go now to where it is seen next."""


class ImaginingError(RuntimeError):
    """Raised if no table was found that fits. That would be an error in here."""


class Contradiction(Exception):  # noqa: N818  hidden moves that don't fit are made again
    """A hidden move doesn't fit what was seen later."""


class History(NamedTuple):
    """A match as it may have gone: where all cards are now, and how they came there.

    `dealt` are the decks as dealt, `piles` the draw pile of the deal and of each shuffle, the top first, and `moved`
    the card of each moment that has one. `draw` has its top last.
    """

    decks: list[list[int]]
    draw: list[int]
    discards: list[int]
    dealt: list[list[int]]
    piles: list[list[int]]
    moved: list[int]


class Foresight(NamedTuple):
    """What is seen after a hidden move.

    `next_seen` is in which deck each card is seen next (`DRAW_PILE`: on top of it), the soonest last. `needed` is for
    each deck, or the draw pile, how many cards without a name get one there before it gets another hidden card.
    `returning` are the cards that are seen after the discard pile is shuffled again.
    """

    next_seen: dict[int, int]
    needed: dict[int, int]
    returning: frozenset[int]


NOTHING: Final = Foresight({}, {}, frozenset())


@lru_cache(maxsize=16)
def foresight(dealt: tuple[int, ...], moments: tuple[Moment, ...]) -> tuple[Foresight, ...]:
    """The foresight for each of a seat's moments: all tables for one question have the same."""
    first = dict.fromkeys(dealt, -1)
    for at, moment in enumerate(moments):
        first.setdefault(moment.card, at)
    following: dict[int, int] = {}
    needed: dict[int, int] = {}
    returning: frozenset[int] = frozenset()
    found = []
    for at in range(len(moments) - 1, -1, -1):
        kind, seat, card, to = moments[at]
        if kind is Kind.SHUFFLED:
            needed.pop(DRAW_PILE, None)
            returning = frozenset(following)
            found.append(NOTHING)
        elif card == UNKNOWN:
            found.append(Foresight(following.copy(), needed.copy(), returning))
            if kind is not Kind.GIVEN:
                needed.pop(to if kind is Kind.STOLEN else seat, None)
        else:
            found.append(NOTHING)
            if kind is not Kind.FACEUP_LOST:
                place = DRAW_PILE if kind is Kind.DRAWN else seat
                following.pop(card, None)
                following[card] = place
                returning -= {card}
                needed[place] = needed.get(place, 0) + (first[card] == at)
    return tuple(found[::-1])


class _Replay:
    """One try to play a seat's moments through. Cards without a name are numbers from `COUNT` on.

    A card that a seat discards is one that isn't seen in its deck again, and what it steals or draws isn't seen in a
    third deck. With `loosely` it may be, which is rare: after a shuffle, or by way of two thefts.
    """

    def __init__(self, memory: Memory, rng: Random, *, loosely: bool) -> None:
        pack, seats, size = numbering(memory.options).pack, len(memory.counts), len(memory.dealt)
        self.memory = memory
        self.rng = rng
        self.loosely = loosely
        self.foresight = foresight(memory.dealt, memory.moments)
        nameless = iter(range(COUNT, 2 * COUNT))
        self.decks = [
            list(memory.dealt) if seat == memory.seat else [next(nameless) for _ in range(size)]
            for seat in range(seats)
        ]
        self.dealt = [deck[:] for deck in self.decks]
        self.draw = [next(nameless) for _ in range(len(pack) - size * seats)]
        self.discards: list[int] = []
        self.piles: list[list[int]] = [[]]
        self.moved: list[int] = []
        self.names: dict[int, int] = {}
        self.unnamed = set(pack) - set(memory.dealt)
        self.stolen = UNKNOWN

    def history(self) -> History:
        """The match as it may have gone. Raises Contradiction."""
        for at, moment in enumerate(self.memory.moments):
            self._play(at, moment)
        self.rng.shuffle(self.draw)
        self.piles[-1] += self.draw[::-1]
        rest = sorted(self.unnamed)
        self.rng.shuffle(rest)
        everywhere = (*self.decks, self.draw, self.discards)
        self.names.update(zip([card for row in everywhere for card in row if card >= COUNT], rest, strict=True))
        named = self._named
        return History(
            [sorted(named(deck)) for deck in self.decks],
            named(self.draw),
            named(self.discards),
            [named(deck) for deck in self.dealt],
            [named(pile) for pile in self.piles],
            named(self.moved),
        )

    def _named(self, cards: Sequence[int]) -> list[int]:
        names = self.names
        return [names.get(card, card) for card in cards]

    def _play(self, at: int, moment: Moment) -> None:
        kind, seat, card, to = moment
        if kind is Kind.SHUFFLED:
            self.draw, self.discards = self.discards, []
            self.piles.append([])
        elif kind is Kind.FACEUP_LOST:
            self.discards.append(card)
        else:
            source = self.draw if kind is Kind.DRAWN else self.decks[seat]
            if card == UNKNOWN:
                card = self._hidden(at, moment, source)
            elif card not in source:
                self._name(card, source)
            if kind is not Kind.SEEN:
                source.remove(card)
                self._lay(kind, card, to if kind is Kind.STOLEN else seat)
        self.stolen = card if kind is Kind.STOLEN else UNKNOWN

    def _lay(self, kind: Kind, card: int, seat: Seat) -> None:
        """Lay a card where it goes."""
        self.moved.append(card)
        if kind is Kind.DRAWN:
            self.piles[-1].append(card)
        if kind in (Kind.DRAWN, Kind.STOLEN):
            self.decks[seat].append(card)
        elif kind is not Kind.WON:
            self.discards.append(card)

    def _name(self, card: int, source: list[int]) -> None:
        """A card is seen for the first time: one without a name gets it."""
        nameless = [other for other in source if other >= COUNT]
        if not nameless or card not in self.unnamed:
            raise Contradiction
        chosen = self.rng.choice(nameless)
        self.names[chosen] = card
        self.unnamed.discard(card)
        source[source.index(chosen)] = card

    def _hidden(self, at: int, moment: Moment, source: list[int]) -> int:
        """The card of a hidden move: one that is seen next where it goes, else any that isn't seen where it couldn't
        be then."""
        kind, seat, _, to = moment
        back = self.stolen if kind is Kind.STOLEN else UNKNOWN  # two who steal from each other take no card back
        next_seen, needed, returning = self.foresight[at]
        place = DRAW_PILE if kind is Kind.DRAWN else seat
        goal = to if kind is Kind.STOLEN else seat
        nameless = [card for card in source if card >= COUNT]
        free = [card for card in source if card < COUNT and card not in next_seen and card != back]
        if kind is Kind.GIVEN:
            free += [card for card in source if card in returning and (self.loosely or next_seen[card] != place)]
        else:
            due = [card for card in next_seen if next_seen[card] == goal and card in source and card != back]
            if due and not (self.loosely and self.rng.random() < UNDUE):
                return due[-1]
            if self.loosely:
                free += [card for card in source if card in next_seen and card != back]
            if needed.get(goal, 0) > len([card for card in self.decks[goal] if card >= COUNT]):
                free = []
        if needed.get(place, 0) < len(nameless):
            free += [card for card in nameless if card != back]
        stolen = kind is Kind.STOLEN
        free = free or [card for card in source if (stolen or card in returning) and card != back]
        if not free:
            raise Contradiction
        return self.rng.choice(free)


def imagined(memory: Memory, rng: Random) -> History:
    """A match that the seat would have seen as it has seen this one. Raises ImaginingError."""
    for number in range(TRIES):
        try:
            return _Replay(memory, rng, loosely=number >= STRICT_TRIES).history()
        except Contradiction:
            continue
    raise ImaginingError(f"no match fits what seat {memory.seat} has seen in {len(memory.moments)} moments")


def table_of(memory: Memory, view: View, history: History, rng: Random) -> FastTable:
    """The table that a match has come to, with dice and sealed choices of the other battler that may be the true
    ones."""
    public, own, seat = view.public, view.own, view.seat
    cards = numbering(memory.options)
    table = FastTable(cards, history.decks, history.draw, public.challenger)
    table.discards = history.discards
    table.piles = [[card.place for card in pile] for pile in public.piles]
    table.left = public.left
    table.phase = public.phase
    battle = public.battle
    if battle is None:
        return table
    table.opponent, table.taken, table.number = battle.opponent, battle.taken, battle.number
    table.rolled = tuple([card.place for card in battle.rolled])
    table.tied = battle.tied
    mine = 0 if seat == public.challenger else 1
    theirs = 1 - mine
    other = battle.opponent if mine == 0 else public.challenger
    deck = history.decks[other]
    table.dice[mine] = cards.numbers_of(own.die) or rng.sample(history.decks[seat], battle.sizes[mine])
    table.dice[theirs] = rng.sample(deck, battle.sizes[theirs]) if not table.rolled else []
    if public.phase is Phase.STEAL:
        table.dice[theirs] = cards.numbers_of({*own.shown, battle.rolled[theirs]})
    if public.phase in (Phase.STEAL, Phase.EXCHANGE):
        table.asked_sides = tuple(sorted(battle.asked))
        if theirs in battle.asked and other not in public.awaited:
            table.chosen[theirs] = _sealed(table, theirs, deck, rng)
    return table


def _sealed(table: FastTable, side: int, deck: list[int], rng: Random) -> int:
    """What the other side may have chosen."""
    if table.phase is Phase.STEAL:
        return rng.choice([*table.to_steal(side), DECLINE])
    return deck[0] if table.left[table.opponent if side else table.challenger] else rng.choice(deck)


def sampled(memory: Memory, view: View, rng: Random) -> FastTable:
    """A table that fits all that the seat has seen. Raises ImaginingError."""
    return table_of(memory, view, imagined(memory, rng), rng)
