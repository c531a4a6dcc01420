"""What a seat of Unbreakable remembers: which cards lie where, as far as somebody who pays attention can say.

Cards come back: when the deck is empty, the discard pile is the new deck (U-8). So a seat that has seen a card may
later not know where it is; but it still knows where the card can't be. A card that was on the discard pile at the last
reshuffle isn't among the cards that the opponent has had in the hand since before.

The unseen cards are therefore kept in layers, the oldest first: layer 0 was never seen, layer 1 came into a new deck at
some reshuffle, and so on. A place that got its card when there were n layers has a card of one of these n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from engines.cards import Card
from engines.game import Event, Seat
from engines.players.unbreakable.numbers import ALL, CARDS, NUMBER, bits_of, put_away
from engines.unbreakable import (
    WEAPONS,
    AttackerLaid,
    ChooserTurned,
    CountReshuffled,
    DealerDrawn,
    ExtraCountDrawn,
    ExtraDrawn,
    MatchCountDealt,
    MatchHandDealt,
    PairsShown,
    TargetDiscarded,
    TargetTaken,
    TurnBegun,
    WeaponDealt,
    WeaponsDiscarded,
    WeaponsReady,
)
from engines.values import replace

Counts: TypeAlias = tuple[int, ...]
"""How many cards of the opponent's match hand the seat doesn't know, by the layer that was the last when they came."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat remembers; sets of cards are bits."""

    seat: Seat
    swift: bool
    dealer: Seat = 0
    layers: tuple[int, ...] = (ALL,)
    """The cards that the seat can't place."""
    hidden: tuple[tuple[Counts, int], ...] = (((0,), 1),)
    """What the opponent's unknown cards may be: counts, and in how many ways it may have come to them. There is more
    than one if it laid a card that may have come at several times."""
    theirs: int = 0
    """The opponent's cards that went to the hand face up."""
    target: int = 0
    table: int = 0
    """The weapon cards on the table that the seat has seen."""
    round_away: int | None = None
    """What the opponent's third weapon card may be, once its pair is shown."""
    discards: int = 0
    """The discard pile's cards that the seat has seen."""
    round_old: bool = False
    """Whether that card surely came from the deck before the last reshuffle."""
    away: tuple[tuple[int, bool], ...] = ()
    """For each other card of the discard pile, which the opponent put away: what it may be, and whether it surely came
    from the deck before the last reshuffle."""
    deck: int = len(CARDS)
    """How many cards the deck had, before the weapon hands that are being dealt."""
    early: int = 0
    """How many of the opponent's weapon cards were dealt before a reshuffle between them."""
    late: int = 0
    """The cards that came into the deck by that reshuffle: none of the early ones."""
    kept_out: tuple[tuple[int, int, bool], ...] = ()
    """Sets of cards of which one, put away by the opponent, came into a new deck; the layer that was the last until
    then; and whether that is the present deck. The opponent doesn't have that one in the hand since before."""

    @property
    def unseen(self) -> int:
        """All cards that the seat can't place."""
        return sum(self.layers)


def remember(memory: Memory, fact: Event) -> Memory:  # noqa: PLR0911, PLR0912  one answer per fact
    """The memory after a fact as the seat sees it."""
    match fact:
        case WeaponDealt(_, card):
            seen = _bit(card)
            return replace(memory, table=memory.table | seen, layers=_without(memory.layers, seen))
        case WeaponsReady():
            return replace(memory, deck=memory.deck - 2 * WEAPONS)
        case PairsShown():
            return _pairs_shown(memory, fact.second if memory.seat == 0 else fact.first)
        case TurnBegun() | WeaponsDiscarded():
            return _weapons_gone(memory)
        case AttackerLaid(seat, card):
            if seat == memory.seat:
                return replace(memory, target=_bit(card))
            return _their_attacker(memory, card)
        case TargetTaken(seat):
            taken = 0 if seat == memory.seat else memory.target
            return replace(memory, theirs=memory.theirs | taken, target=0)
        case TargetDiscarded():
            return replace(memory, discards=memory.discards | memory.target, target=0)
        case ExtraDrawn(_, card):
            return replace(_placed(memory, _bit(card)), deck=memory.deck - 1)
        case ExtraCountDrawn():
            return _hidden_more(memory, 1)
        case CountReshuffled(count):
            return _reshuffled(memory, count)
        case ChooserTurned(card):
            return replace(_placed(memory, _bit(card)), target=_bit(card), deck=memory.deck - 1)
        case DealerDrawn(dealer):
            return replace(memory, dealer=dealer)
        case MatchHandDealt(_, cards):
            return replace(_placed(memory, bits_of(cards)), deck=memory.deck - len(cards))
        case MatchCountDealt(_, count):
            return _hidden_more(memory, count)
        case _:
            return memory


def _bit(card: Card) -> int:
    return 1 << NUMBER[card]


def _without(layers: tuple[int, ...], seen: int) -> tuple[int, ...]:
    return tuple([layer & ~seen for layer in layers])


def _placed(memory: Memory, seen: int) -> Memory:
    """The memory once the seat can place these cards."""
    return replace(memory, layers=_without(memory.layers, seen))


def _hidden_more(memory: Memory, count: int) -> Memory:
    """The memory once the opponent has drawn unseen cards into the match hand."""
    more = tuple([((*counts[:-1], counts[-1] + count), ways) for counts, ways in memory.hidden])
    return replace(memory, hidden=more, deck=memory.deck - count)


def _their_attacker(memory: Memory, card: Card) -> Memory:
    """The memory once the opponent laid a card: a known one, or one that may have come at several times."""
    laid = _bit(card)
    if memory.theirs & laid:
        return replace(memory, theirs=memory.theirs & ~laid, target=laid)
    layers = memory.layers
    oldest = next((place for place, layer in enumerate(layers) if layer & laid), 0)
    return replace(memory, hidden=_one_less(memory.hidden, oldest), layers=_without(layers, laid), target=laid)


def _one_less(hidden: tuple[tuple[Counts, int], ...], oldest: int) -> tuple[tuple[Counts, int], ...]:
    """What the opponent's unknown cards may be without one that came with this layer or later."""
    found: dict[Counts, int] = {}
    for counts, ways in hidden:
        for place in range(oldest, len(counts)):
            if counts[place]:
                left = (*counts[:place], counts[place] - 1, *counts[place + 1 :])
                found[left] = found.get(left, 0) + ways * counts[place]
    if len(found) == 1:
        return ((next(iter(found)), 1),)  # so that the numbers don't grow for ever
    return tuple(found.items())


def _pairs_shown(memory: Memory, pair: Sequence[Card]) -> Memory:
    """The memory once the opponent's pair is shown: the third card is none that can be placed."""
    seen = bits_of(pair)
    away = memory.unseen & ~seen
    old = memory.early > 0 and (seen & memory.late).bit_count() == WEAPONS - memory.early
    if old:
        away &= ~memory.late  # all late cards are shown, so the third one is an early one
    if memory.swift:
        away &= swift_away(seen, memory.target)
    layers = _without(memory.layers, seen)
    return replace(memory, layers=layers, table=memory.table | seen, round_away=away, round_old=old)


@lru_cache(maxsize=4096)
def swift_away(pair: int, target: int) -> int:
    """The cards that swift play puts away of three if it keeps this pair."""
    first, second = (pair & -pair).bit_length() - 1, pair.bit_length() - 1
    attacked, others = target.bit_length() - 1, ALL & ~pair & ~target
    return sum(
        [
            1 << card
            for card in range(len(CARDS))
            if others >> card & 1 and put_away((first, second, card), attacked) == card
        ]
    )


def _weapons_gone(memory: Memory) -> Memory:
    """The memory once the weapon hands are discarded."""
    more = () if memory.round_away is None else ((memory.round_away, memory.round_old),)
    return replace(
        memory,
        discards=memory.discards | memory.table,
        away=(*memory.away, *more),
        table=0,
        round_away=None,
        early=0,
        late=0,
    )


def _reshuffled(memory: Memory, count: int) -> Memory:
    """The memory once the discard pile is the new deck: its cards are a layer of their own."""
    dealt = memory.deck  # the rest of the old deck went to the weapon hands that are being dealt
    early = dealt // 2 if memory.seat != memory.dealer else (dealt + 1) // 2
    unseen, last = memory.unseen, len(memory.layers) - 1
    out = [(away & unseen, last, True) for away, _ in memory.away if unseen & ~away]
    out += [(cards, layer, False) for cards, layer, _ in memory.kept_out if not cards & ~unseen]
    layers = (*memory.layers, memory.discards)
    hidden = [((*counts, 0), ways) for counts, ways in memory.hidden]
    merged = [place for place, layer in enumerate(layers) if place == 0 or layer]
    return replace(
        memory,
        layers=tuple([layers[place] for place in merged]),
        hidden=_merged(merged, len(layers), hidden),
        discards=0,
        away=(),
        deck=dealt + count,
        early=early,
        late=memory.discards if early else 0,
        round_old=memory.round_away is not None,
        kept_out=tuple([(cards, sum([place <= layer for place in merged]) - 1, now) for cards, layer, now in out]),
    )


def _merged(kept: Sequence[int], layers: int, hidden: Sequence[tuple[Counts, int]]) -> tuple[tuple[Counts, int], ...]:
    """The counts without layers that have no card left: a place that might have one of theirs can't."""
    found: dict[Counts, int] = {}
    for counts, ways in hidden:
        bounds = zip(kept, (*kept[1:], layers), strict=True)
        merged = tuple([sum(counts[start:end]) for start, end in bounds])
        found[merged] = found.get(merged, 0) + ways
    return tuple(found.items())
