"""Folds facts into the state. It applies no rule and draws nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engines.champions import facts
from engines.champions.cards import Card, Cards, sorted_cards
from engines.champions.table import Battle, Phase, State
from engines.game import Seat
from engines.values import put, put_of_two, replace


def after(state: State, event: facts.Fact) -> State:  # noqa: PLR0911, PLR0912  one answer per fact
    """The state after a fact. Facts of every battle come first, because the cases are tried in turn."""
    match event:
        case facts.TurnBegun():
            return replace(
                state,
                turn=state.turn + 1,
                window=state.window + 1,
                phase=Phase.OPPONENT,
                challenger=event.challenger,
                battle=None,
            )
        case facts.OpponentNamed():
            return _asking(state, Phase.NUMBER, Battle(event.opponent, event.taken))
        case facts.NumberSet() | facts.NumberDrawn():
            return _asking(state, Phase.DICE, replace(state.fought, number=event.number))
        case facts.DieSelected():
            return _die(state, event, seen=True)
        case facts.DieDrawn():
            return _die(state, event, seen=event.seen)
        case facts.Called() | facts.Inverted():
            return replace(state, battle=replace(state.fought, lowest=event.lowest))
        case facts.Rolled():
            return replace(state, battle=replace(state.fought, rolled=event.cards))
        case facts.DieSeen():
            return replace(state, battle=replace(state.fought, seen=(True, True)))
        case facts.BattleWon():
            return _won(state, event.winner, event.card)
        case facts.BattleTied():
            return replace(state, battle=replace(state.fought, tied=True))
        case facts.ExchangeAsked():
            return _asking(state, Phase.EXCHANGE, replace(state.fought, asked=_sides(state, event.seats)))
        case facts.ExchangeChosen():
            gives = put_of_two(state.fought.gives, _side(state, event.seat), (event.card,))
            return replace(state, battle=replace(state.fought, gives=gives))
        case facts.NumberlessRolled() | facts.CardGiven():
            return _discarded(state, event.seat, event.card)
        case facts.CardDrawn():
            return replace(state, draw=state.draw[1:], decks=with_cards(state, event.seat, (event.card,)))
        case facts.FirstDrawn():
            return replace(state, first=event.seat)
        case facts.DeckDealt():
            return replace(state, decks=with_cards(state, event.seat, event.cards))
        case facts.PileLaid():
            return replace(state, draw=event.draw)
        case facts.FaceupLost():
            piles = put(state.piles, event.seat, state.piles[event.seat][:-1])
            return replace(state, piles=piles, discards=(*state.discards, event.card))
        case facts.StealAsked():
            return _asking(state, Phase.STEAL, replace(state.fought, asked=_sides(state, event.seats)))
        case facts.DieShown():
            shown = put_of_two(state.fought.shown, _side(state, event.thief), event.cards)
            return replace(state, battle=replace(state.fought, shown=shown))
        case facts.StealChosen():
            chosen = () if event.card is None else (event.card,)
            steals = put_of_two(state.fought.steals, _side(state, event.seat), chosen)
            return replace(state, battle=replace(state.fought, steals=steals))
        case facts.Stolen():
            state = replace(state, decks=without_card(state, event.victim, event.card))
            return replace(state, decks=with_cards(state, event.thief, (event.card,)))
        case facts.StealDeclined():
            return state
        case facts.Reshuffled():
            return replace(state, draw=event.draw, discards=())
        case facts.SeatsLeft():
            now = max(state.left) + 1
            left = tuple([now if seat in event.seats else when for seat, when in enumerate(state.left)])
            return replace(state, left=left)
        case facts.BattleVoid():
            return _asking(state, Phase.OPPONENT, None)
        case facts.Ended():
            return replace(state, phase=Phase.OVER, ended=event)
        case _:
            assert_never(event)


def with_cards(state: State, seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    """The decks with these cards added to one."""
    return put(state.decks, seat, sorted_cards((*state.decks[seat], *cards)))


def without_card(state: State, seat: Seat, card: Card) -> tuple[Cards, ...]:
    """The decks with this card taken from one."""
    return put(state.decks, seat, tuple([other for other in state.decks[seat] if other != card]))


def _asking(state: State, phase: Phase, battle: Battle | None) -> State:
    """Ask another question."""
    return replace(state, phase=phase, window=state.window + 1, battle=battle)


def _die(state: State, event: facts.DieSelected | facts.DieDrawn, *, seen: bool) -> State:
    """A die is made; once both are, the challenge is asked for."""
    battle, side = state.fought, _side(state, event.seat)
    dice = put_of_two(battle.dice, side, sorted_cards(event.cards))
    battle = replace(battle, dice=dice, seen=put_of_two(battle.seen, side, seen))
    if all(dice):
        return _asking(state, Phase.CALL, battle)
    return replace(state, battle=battle)


def _won(state: State, winner: Seat, card: Card) -> State:
    """The winner's card is discarded or, with Victory Dice, laid face up."""
    if not state.options.victory_dice:
        return _discarded(state, winner, card)
    piles = put(state.piles, winner, (*state.piles[winner], card))
    return replace(state, decks=without_card(state, winner, card), piles=piles)


def _discarded(state: State, seat: Seat, card: Card) -> State:
    """A card goes from a deck to the discard pile."""
    return replace(state, decks=without_card(state, seat, card), discards=(*state.discards, card))


def _side(state: State, seat: Seat) -> int:
    return state.battlers.index(seat)


def _sides(state: State, seats: Sequence[Seat]) -> frozenset[int]:
    return frozenset([_side(state, seat) for seat in seats])
