"""Folds CIQ's facts into its state, without any rule."""

from __future__ import annotations

from typing import assert_never

from engines.ciq import facts
from engines.ciq.table import Assault, Phase, Place, State
from engines.common_facts import DealerDrawn
from engines.values import put, replace


def evolve(state: State, event: facts.Fact) -> State:  # noqa: PLR0911, PLR0912  one answer per fact
    """The state after a fact. Frequent facts come first, because the cases are tried in turn."""
    places = state.places
    match event:
        case facts.TurnBegun():
            return replace(
                state, window=state.window + 1, phase=Phase.TURN, turn=event.seat, round=event.round, assault=None
            )
        case facts.CardsDrawn():
            own = places[event.seat]
            return state.at(event.seat, replace(own.with_hand(event.cards), attack=own.attack[len(event.cards) :]))
        case facts.AttackLaid():
            return _attacked(state, event)
        case facts.BlockAsked():
            return _asking(state, Phase.BLOCK, needed=event.needed)
        case facts.LetThrough():
            return _worked(state)
        case facts.Blocked():
            own = places[event.seat].without_hand((event.card,))
            return _worked(state.at(event.seat, replace(own, defense=(event.card, *own.defense))), blocked=True)
        case facts.ResultBegun():
            return _worked(state, place=event.place)
        case facts.Transferred():
            return _transferred(state, event)
        case facts.TurnedOver():
            own = places[event.seat]
            return state.at(event.seat, replace(own, attack=own.damage[::-1], damage=()))
        case facts.Defended():
            own = places[event.seat].without_hand((event.card,))
            return state.at(event.seat, replace(own, damage=(*own.defense, *own.damage), defense=(event.card,)))
        case facts.AttackCut() | facts.Passed():
            return state
        case DealerDrawn():
            return replace(state, dealer=event.dealer, first=(event.dealer + 1) % len(places))
        case facts.EightLaid():
            return state.at(event.seat, replace(places[event.seat], defense=(event.card,)))
        case facts.PileDealt():
            return state.at(event.seat, replace(places[event.seat], attack=event.cards))
        case facts.CardTaken():
            own = places[event.seat].without_hand((event.card,))
            return state.at(event.seat, own.damaged((event.card,)))
        case facts.GivingAsked():
            return _asking(state, Phase.GIVE, owed=event.count)
        case facts.Leaving():
            leaving = (*state.leaving, (event.seat, event.reason))
            return replace(state, leaving=leaving, departed=(*state.departed, event.seat))
        case facts.SeatLeft():
            leaving = tuple([each for each in state.leaving if each[0] != event.seat])
            departed = state.departed if event.seat in state.departed else (*state.departed, event.seat)
            return replace(state, out=state.out | {event.seat}, leaving=leaving, departed=departed)
        case facts.Ended():
            return replace(state, phase=Phase.OVER, assault=None, ended=event)
        case _:
            assert_never(event)


def _attacked(state: State, event: facts.AttackLaid) -> State:
    places = put(state.places, event.seat, state.places[event.seat].without_hand(event.cards))
    places = put(places, event.target, _laid(places[event.target], event))
    return replace(
        state,
        places=places,
        assault=Assault(event.seat, event.target, event.pile, event.cards, event.defense),
    )


def _laid(place: Place, event: facts.AttackLaid) -> Place:
    if event.pile is facts.Pile.DAMAGE:
        return place.damaged(event.cards)
    return replace(place, defense=(*event.cards[::-1], *place.defense))


def _asking(state: State, phase: Phase, *, needed: int = 0, owed: int = 0) -> State:
    assault = state.assault and replace(state.assault, needed=needed, owed=owed)
    return replace(state, window=state.window + 1, phase=phase, assault=assault)


def _worked(state: State, *, place: int | None = None, blocked: bool = False) -> State:
    """The attack continues, and nothing is asked meanwhile."""
    old = state.assault
    if old is None:
        return state
    new = replace(old, needed=0, owed=0, place=old.place if place is None else place, blocked=old.blocked or blocked)
    return replace(state, assault=new)


def _transferred(state: State, event: facts.Transferred) -> State:
    giver = state.places[event.giver]
    count = len(event.cards)
    match event.source:
        case facts.Source.ATTACK:
            giver = replace(giver, attack=giver.attack[count:])
        case facts.Source.DAMAGE:
            giver = replace(giver, damage=())
        case facts.Source.HAND:
            giver = giver.without_hand(event.cards)
        case facts.Source.DEFENSE:
            giver = replace(giver, defense=giver.defense[count:])
        case _:
            assert_never(event.source)
    places = put(state.places, event.giver, giver)
    places = put(places, event.taker, places[event.taker].damaged(event.cards))
    assault = state.assault and replace(state.assault, moved=state.assault.moved + count, owed=0)
    return replace(state, places=places, assault=assault)
