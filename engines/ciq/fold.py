"""CIQ's facts folded into its state: what lies where after each, and no rule."""

from __future__ import annotations

from typing import assert_never

from engines.ciq.facts import (
    AttackCut,
    AttackLaid,
    BlockAsked,
    Blocked,
    CardsDrawn,
    CardTaken,
    DealerDrawn,
    Defended,
    EightLaid,
    Ended,
    Fact,
    GivingAsked,
    Leaving,
    LetThrough,
    Passed,
    Pile,
    PileDealt,
    ResultBegun,
    SeatLeft,
    Source,
    Transferred,
    TurnBegun,
    TurnedOver,
)
from engines.ciq.table import Assault, Phase, Place, State
from engines.values import put, replace


def evolve(state: State, event: Fact) -> State:  # noqa: PLR0911, PLR0912  one answer a fact
    """The state after a fact."""
    places = state.places
    match event:
        case DealerDrawn(dealer):
            return replace(state, dealer=dealer, first=(dealer + 1) % len(places))
        case EightLaid(seat, card):
            return state.at(seat, replace(places[seat], defense=(card,)))
        case PileDealt(seat, cards):
            return state.at(seat, replace(places[seat], attack=cards))
        case TurnBegun(seat, number):
            return replace(state, window=state.window + 1, phase=Phase.TURN, turn=seat, round=number, assault=None)
        case TurnedOver(seat):
            return state.at(seat, replace(places[seat], attack=places[seat].damage[::-1], damage=()))
        case CardsDrawn(seat, cards):
            rest = replace(places[seat], attack=places[seat].attack[len(cards) :])
            return state.at(seat, rest.with_hand(cards))
        case AttackLaid(seat, target, pile, cards, defense):
            places = put(places, seat, places[seat].without_hand(cards))
            places = put(places, target, _laid(places[target], event))
            return replace(state, places=places, assault=Assault(seat, target, pile, cards, defense))
        case BlockAsked(_, needed):
            return _asking(state, Phase.BLOCK, needed=needed)
        case Blocked(seat, card):
            own = places[seat].without_hand((card,))
            return _worked(state.at(seat, replace(own, defense=(card, *own.defense))), blocked=True)
        case LetThrough():
            return _worked(state)
        case AttackCut() | Passed():
            return state
        case ResultBegun(place):
            return _worked(state, place=place)
        case CardTaken(seat, card):
            return state.at(seat, places[seat].without_hand((card,)).damaged((card,)))
        case Transferred():
            return _transferred(state, event)
        case GivingAsked(_, count):
            return _asking(state, Phase.GIVE, owed=count)
        case Defended(seat, card):
            own = places[seat].without_hand((card,))
            return state.at(seat, replace(own, damage=(*own.defense, *own.damage), defense=(card,)))
        case Leaving(seat, reason):
            return replace(state, leaving=(*state.leaving, (seat, reason)))
        case SeatLeft(seat):
            leaving = tuple([each for each in state.leaving if each[0] != seat])
            return replace(state, out=state.out | {seat}, leaving=leaving)
        case Ended():
            return replace(state, phase=Phase.OVER, assault=None, ended=event)
        case _:
            assert_never(event)


def _laid(place: Place, event: AttackLaid) -> Place:
    if event.pile is Pile.DAMAGE:
        return place.damaged(event.cards)
    return replace(place, defense=(*event.cards[::-1], *place.defense))


def _asking(state: State, phase: Phase, *, needed: int = 0, owed: int = 0) -> State:
    assault = state.assault and replace(state.assault, needed=needed, owed=owed)
    return replace(state, window=state.window + 1, phase=phase, assault=assault)


def _worked(state: State, *, place: int | None = None, blocked: bool = False) -> State:
    """The attack goes on: nothing is asked meanwhile."""
    old = state.assault
    if old is None:
        return state
    new = replace(old, needed=0, owed=0, place=old.place if place is None else place, blocked=old.blocked or blocked)
    return replace(state, assault=new)


def _transferred(state: State, event: Transferred) -> State:
    giver = state.places[event.giver]
    count = len(event.cards)
    match event.source:
        case Source.ATTACK:
            giver = replace(giver, attack=giver.attack[count:])
        case Source.DAMAGE:
            giver = replace(giver, damage=())
        case Source.HAND:
            giver = giver.without_hand(event.cards)
        case Source.DEFENSE:
            giver = replace(giver, defense=giver.defense[count:])
        case _:
            assert_never(event.source)
    places = put(state.places, event.giver, giver)
    places = put(places, event.taker, places[event.taker].damaged(event.cards))
    assault = state.assault and replace(state.assault, moved=state.assault.moved + count, owed=0)
    return replace(state, places=places, assault=assault)
