"""What a seat of CIQ remembers: which cards lie where, as far as somebody who pays attention can say.

A Damage Pile lies open, so everybody knows the Attack Pile that it becomes when it is turned over, card by card, and
which of its cards its owner then draws. All other Attack Piles and hands are unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from engines.ciq import facts
from engines.ciq.cards import Card, in_order
from engines.ciq.table import PACKS, Own, Place, Public, State, decks_of
from engines.game import Event, Private, Seat
from engines.values import put, replace

View: TypeAlias = Private[Public, Own]


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat remembers. `places` has the known cards of each seat's hand, the known Attack Pile (empty if it isn't
    known), and the open piles, all piles top first."""

    options: facts.Options
    seat: Seat
    places: tuple[Place, ...]
    leaving: tuple[tuple[Seat, str], ...] = ()

    def at(self, seat: Seat, place: Place) -> Memory:
        """The memory with what is known of one seat's cards replaced."""
        return replace(self, places=put(self.places, seat, place))


def remember(memory: Memory, fact: Event) -> Memory:  # noqa: PLR0911, PLR0912  one answer per fact
    """The memory after a fact as the seat sees it."""
    places = memory.places
    match fact:
        case facts.CountDrawn(seat, count):
            return _drawn(memory, seat, count)
        case facts.CardsDrawn(seat, cards):
            return _drawn(memory, seat, len(cards))
        case facts.AttackLaid(seat, target, pile, cards):
            memory = memory.at(seat, places[seat].without_hand(cards))
            theirs = memory.places[target]
            if pile is facts.Pile.DAMAGE:
                return memory.at(target, theirs.damaged(cards))
            return memory.at(target, replace(theirs, defense=(*cards[::-1], *theirs.defense)))
        case facts.Blocked(seat, card):
            own = places[seat].without_hand((card,))
            return memory.at(seat, replace(own, defense=(card, *own.defense)))
        case facts.CardTaken(seat, card):
            return memory.at(seat, places[seat].without_hand((card,)).damaged((card,)))
        case facts.Transferred():
            memory = memory.at(fact.giver, _given(places[fact.giver], fact))
            return memory.at(fact.taker, memory.places[fact.taker].damaged(fact.cards))
        case facts.TurnedOver(seat):
            own = places[seat]
            return memory.at(seat, replace(own, attack=own.damage[::-1], damage=()))
        case facts.Defended(seat, card):
            own = places[seat].without_hand((card,))
            return memory.at(seat, replace(own, damage=(*own.defense, *own.damage), defense=(card,)))
        case facts.EightLaid(seat, card):
            return memory.at(seat, Place(defense=(card,)))
        case facts.Leaving(seat, reason):
            return replace(memory, leaving=(*memory.leaving, (seat, reason)))
        case facts.SeatLeft(seat):
            return replace(memory, leaving=tuple([each for each in memory.leaving if each[0] != seat]))
        case _:
            return memory


def _drawn(memory: Memory, seat: Seat, count: int) -> Memory:
    """The memory after a seat drew this many cards: they are known only if the pile is."""
    own = memory.places[seat]
    if not own.attack:
        return memory
    return memory.at(seat, replace(own.with_hand(own.attack[:count]), attack=own.attack[count:]))


def _given(giver: Place, fact: facts.Transferred) -> Place:
    """What is known of the giver's cards without those that are transferred."""
    match fact.source:
        case facts.Source.ATTACK:
            return replace(giver, attack=giver.attack[len(fact.cards) :])
        case facts.Source.DAMAGE:
            return replace(giver, damage=())
        case facts.Source.HAND:
            return giver.without_hand(fact.cards)
        case facts.Source.DEFENSE:
            return replace(giver, defense=giver.defense[len(fact.cards) :])


def sampled(memory: Memory, view: View, rng: Random) -> State:
    """A state that agrees with all that the seat knows; the unseen cards lie anywhere, all ways equally likely."""
    public = view.public
    known = [
        replace(place, hand=view.own.hand if seat == memory.seat else place.hand)
        for seat, place in enumerate(memory.places)
    ]
    unseen = _unseen(memory.options, known)
    rng.shuffle(unseen)
    places, used = [], 0
    for place, shown in zip(known, public.places, strict=True):
        missing = shown.hand - len(place.hand)
        hand, used = unseen[used : used + missing], used + missing
        attack = place.attack
        if not attack:
            attack, used = tuple(unseen[used : used + shown.attack]), used + shown.attack
        places.append(Place(in_order((*place.hand, *hand)), attack, shown.damage, shown.defense))
    out = [seat for seat, shown in enumerate(public.places) if shown.out]
    return State(
        options=memory.options,
        dealer=public.dealer,
        first=(public.dealer + 1) % len(places),
        round=public.round,
        window=1,
        phase=public.phase,
        turn=public.turn,
        places=tuple(places),
        assault=public.assault,
        leaving=memory.leaving,
        out=frozenset(out),
        departed=(*out, *[seat for seat, _ in memory.leaving]),
    )


def _unseen(options: facts.Options, known: Iterable[Place]) -> list[Card]:
    """The cards of the pack that the seat can't place."""
    known = list(known)
    seen: set[Card] = set()
    for place in known:
        seen.update(place.hand, place.attack, place.damage, place.defense)
    return [card for card in PACKS[decks_of(options, len(known)) - 1].cards if card not in seen]
