"""Folds Tiv-Miv's facts into its state, without rules and chance."""

from __future__ import annotations

from typing import assert_never

from engines.tivmiv import facts
from engines.tivmiv.table import Stage, State, card_face
from engines.values import put, replace


def evolved(state: State, event: facts.Fact) -> State:  # noqa: PLR0911, PLR0912  one answer per fact
    """The state after a fact."""
    match event:
        case facts.CardDrawn():
            return _drawn(state, event)
        case facts.CardPlaced(seat, card):
            hand = tuple([other for other in state.hands[seat] if other != card])
            return replace(
                state,
                hands=put(state.hands, seat, hand),
                pile=(*state.pile, card),
                acted=state.acted | {seat},
                acts=state.acts + 1,
                moves=state.moves + 1,
            )
        case facts.PhaseBegun(phase):
            return _begun(state, phase)
        case facts.CentreTurned(card):
            return replace(state, pile=(card,))
        case facts.DeckDealt(seat, cards):
            return replace(state, decks=put(state.decks, seat, cards), dealt=put(state.dealt, seat, len(cards)))
        case facts.LeftOver(cards):
            return replace(state, pile=(*cards, *state.pile))
        case facts.ReadyAsked():
            return replace(state, stage=Stage.DEALT)
        case facts.CountdownBegun():
            return replace(state, stage=Stage.COUNTDOWN, countdowns=state.countdowns + 1, ready=frozenset())
        case facts.Go():
            return replace(state, stage=Stage.RACE)
        case facts.HouseDraws():
            return replace(state, house_drew=True)
        case facts.Recycled(cards):
            return replace(state, pile=(*state.pile[len(cards) :], *cards))
        case facts.BottomTurned(card):
            return replace(state, pile=(*state.pile[1:], card))
        case facts.PhaseEnded():
            return _scored(state, event)
        case facts.MadeReady(seat):
            return replace(state, ready=state.ready | {seat})
        case facts.SeatsOut(seats):
            last = 1 + max(state.left)
            return replace(state, left=tuple([last if seat in seats else left for seat, left in enumerate(state.left)]))
        case facts.Buried(seat, cards):
            return replace(
                state,
                hands=put(state.hands, seat, ()),
                decks=put(state.decks, seat, ()),
                pile=(*cards, *state.pile),
            )
        case facts.Ended():
            return replace(state, stage=Stage.OVER, ended=event)
        case _:
            assert_never(event)


def _drawn(state: State, event: facts.CardDrawn) -> State:
    seat = event.seat
    hand = tuple(sorted((*state.hands[seat], event.card)))
    face, faces = card_face(event.card), state.faces
    if face not in faces[seat]:
        faces = put(faces, seat, (*faces[seat], face))
    state = replace(
        state,
        decks=put(state.decks, seat, state.decks[seat][1:]),
        hands=put(state.hands, seat, hand),
        moves=state.moves + 1,
        faces=faces,
    )
    if event.by_house:
        return state
    return replace(state, acted=state.acted | {seat}, acts=state.acts + 1, house_drew=False)


def _begun(state: State, phase: int) -> State:
    """Every card is taken up."""
    nothing = ((),) * len(state.left)
    return replace(
        state,
        phase=phase,
        pile=(),
        decks=nothing,
        hands=nothing,
        acted=frozenset(),
        ready=frozenset(),
        acts=0,
        moves=0,
        countdowns=0,
        house_drew=False,
        dealt=(0,) * len(state.left),
        faces=nothing,
    )


def _scored(state: State, event: facts.PhaseEnded) -> State:
    absences = tuple([0 if seat in state.acted else times + 1 for seat, times in enumerate(state.absences)])
    return replace(state, stage=Stage.SCORED, scores=(*state.scores, event.points), absences=absences)
