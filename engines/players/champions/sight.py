"""What an asked seat of Champions of Chance sees when it chooses, by its memory and its view."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from engines.champions.table import Own, Phase, Public
from engines.game import Private, Seat
from engines.players.champions.memory import Memory
from engines.players.champions.numbering import COUNT, Numbering, numbering

View: TypeAlias = Private[Public, Own]


class Strengths(NamedTuple):
    """What each card is worth against a random card of an opponent if the highest wins, and if the lowest does: the
    chance to win less the chance to lose."""

    high: tuple[float, ...]
    low: tuple[float, ...]


class Sight(NamedTuple):
    """What the asked seat sees. `against` has the strengths against each seat; the seat's own are not used."""

    cards: Numbering
    seat: Seat
    phase: Phase
    deck: Sequence[int]
    number: int
    die: Sequence[int]
    """The seat's own die; empty if the seat doesn't know it."""
    to_steal: Sequence[int]
    other: Seat
    """The other battler; the seat itself between battles."""
    opponents: Sequence[Seat]
    """The other seats that can battle."""
    counts: Sequence[int]
    """How many cards each deck has."""
    scores: Sequence[int]
    faceup: Sequence[int]
    """The seat's own faceup pile, the top last."""
    against: Sequence[Strengths]


@lru_cache(maxsize=32)
def strengths(cards: Numbering, weights: tuple[float, ...]) -> Strengths:
    """The strengths against a deck in which each card is as likely as its weight."""
    likely = [(card, weight) for card, weight in enumerate(weights) if weight]
    high, low = [
        tuple([sum([weight * mine[card] for card, weight in likely]) for mine in worths]) for worths in cards.worths
    ]
    return Strengths(high, low)


@lru_cache(maxsize=32)
def strengths_of_pack(cards: Numbering) -> Strengths:
    """The strengths against a deck of which nothing is known."""
    pack = set(cards.pack)
    return strengths(cards, tuple([(card in pack) / len(pack) for card in range(COUNT)]))


def weights(memory: Memory, view: View, seat: Seat) -> tuple[float, ...]:
    """How likely a random card of another seat's deck is each card."""
    cards, count = numbering(memory.options), memory.counts[seat]
    found = [0.0] * COUNT
    known = {held.card for row in memory.held for held in row}
    known.update(memory.gone, [card.place for card in view.own.deck])
    known.update([card.place for pile in view.public.piles for card in pile])
    unseen = [card for card in cards.pack if card not in known] or cards.pack
    rest = max(0.0, count - sum([held.likely for held in memory.held[seat]]))
    for card in unseen:
        found[card] = rest / (count * len(unseen))
    for held in memory.held[seat]:
        found[held.card] = held.likely / count
    return tuple(found)


def sight_from(memory: Memory, view: View) -> Sight:
    """What a seat sees by its view, and by what it remembers."""
    public, own, seat = view.public, view.own, view.seat
    cards, battle = numbering(memory.options), public.battle
    other = seat
    if battle is not None:
        other = public.challenger if seat == battle.opponent else battle.opponent
    able = [each for each, count in enumerate(public.decks) if count and not public.left[each] and each != seat]
    unknown = strengths_of_pack(cards)
    asked_about = able if battle is None else [other]
    return Sight(
        cards=cards,
        seat=seat,
        phase=public.phase,
        deck=cards.numbers_of(own.deck),
        number=0 if battle is None else battle.number,
        die=cards.numbers_of(own.die),
        to_steal=cards.numbers_of(own.shown),
        other=other,
        opponents=able,
        counts=public.decks,
        scores=public.scores,
        faceup=[card.place for card in public.piles[seat]],
        against=[
            strengths(cards, weights(memory, view, each)) if each in asked_about and public.decks[each] else unknown
            for each in range(len(public.decks))
        ],
    )
