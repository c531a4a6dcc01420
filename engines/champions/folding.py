"""What each fact makes of the table. No rule is applied here, and nothing is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from engines.champions.cards import Card, Cards, sorted_cards
from engines.champions.facts import (
    BattleTied,
    BattleVoid,
    BattleWon,
    Called,
    CardDrawn,
    CardGiven,
    DeckDealt,
    DieDrawn,
    DieSeen,
    DieSelected,
    DieShown,
    Ended,
    ExchangeAsked,
    ExchangeChosen,
    FaceupLost,
    Fact,
    FirstDrawn,
    Inverted,
    NumberlessRolled,
    NumberSet,
    OpponentNamed,
    PileLaid,
    Reshuffled,
    Rolled,
    SeatsLeft,
    StealAsked,
    StealChosen,
    StealDeclined,
    Stolen,
    TurnBegun,
)
from engines.champions.table import Battle, Phase, State
from engines.game import Seat
from engines.values import put, put_of_two, replace


def after(state: State, event: Fact) -> State:  # noqa: PLR0911, PLR0912  one answer a fact
    """The state after a fact."""
    match event:
        case FirstDrawn(seat):
            return replace(state, first=seat)
        case DeckDealt(seat, cards):
            return replace(state, decks=with_cards(state, seat, cards))
        case PileLaid(draw):
            return replace(state, draw=draw)
        case TurnBegun(challenger):
            return _asking(state, Phase.OPPONENT, turn=state.turn + 1, challenger=challenger, battle=None)
        case OpponentNamed(_, opponent, taken):
            return _asking(state, Phase.NUMBER, battle=Battle(opponent, taken))
        case NumberSet(_, number):
            return _asking(state, Phase.DICE, battle=replace(state.fought, number=number))
        case DieSelected(seat, cards):
            return _die(state, seat, cards, seen=True)
        case DieDrawn(seat, cards, seen):
            return _die(state, seat, cards, seen=seen)
        case Called(_, lowest) | Inverted(_, lowest):
            return replace(state, battle=replace(state.fought, lowest=lowest))
        case Rolled(_, _, cards):
            return replace(state, battle=replace(state.fought, rolled=cards))
        case DieSeen():
            return replace(state, battle=replace(state.fought, seen=(True, True)))
        case NumberlessRolled(seat, card):
            return _discarded(state, seat, card)
        case BattleWon(winner, _, card):
            if not state.options.victory_dice:
                return _discarded(state, winner, card)
            piles = put(state.piles, winner, (*state.piles[winner], card))
            return replace(state, decks=without_card(state, winner, card), piles=piles)
        case FaceupLost(seat, card):
            return replace(
                state, piles=put(state.piles, seat, state.piles[seat][:-1]), discards=(*state.discards, card)
            )
        case BattleTied():
            return replace(state, battle=replace(state.fought, tied=True))
        case StealAsked(seats):
            return _asking(state, Phase.STEAL, battle=replace(state.fought, asked=_sides(state, seats)))
        case DieShown(thief, cards):
            battle = state.fought
            return replace(state, battle=replace(battle, shown=put_of_two(battle.shown, _side(state, thief), cards)))
        case StealChosen(seat, card_or_none):
            battle, chosen = state.fought, () if card_or_none is None else (card_or_none,)
            return replace(state, battle=replace(battle, steals=put_of_two(battle.steals, _side(state, seat), chosen)))
        case Stolen(thief, victim, card):
            state = replace(state, decks=without_card(state, victim, card))
            return replace(state, decks=with_cards(state, thief, (card,)))
        case StealDeclined():
            return state
        case ExchangeAsked(seats):
            return _asking(state, Phase.EXCHANGE, battle=replace(state.fought, asked=_sides(state, seats)))
        case ExchangeChosen(seat, card):
            battle = state.fought
            return replace(state, battle=replace(battle, gives=put_of_two(battle.gives, _side(state, seat), (card,))))
        case CardGiven(seat, card):
            return _discarded(state, seat, card)
        case Reshuffled(draw):
            return replace(state, draw=draw, discards=())
        case CardDrawn(seat, card):
            return replace(state, draw=state.draw[1:], decks=with_cards(state, seat, (card,)))
        case SeatsLeft(seats):
            now = max(state.left) + 1
            left = tuple([now if seat in seats else when for seat, when in enumerate(state.left)])
            return replace(state, left=left)
        case BattleVoid():
            return _asking(state, Phase.OPPONENT, battle=None)
        case Ended():
            return replace(state, phase=Phase.OVER, ended=event)
        case _:
            assert_never(event)


def with_cards(state: State, seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    """The decks, these cards added to one."""
    return put(state.decks, seat, sorted_cards((*state.decks[seat], *cards)))


def without_card(state: State, seat: Seat, card: Card) -> tuple[Cards, ...]:
    """The decks, this card taken from one."""
    return put(state.decks, seat, tuple([other for other in state.decks[seat] if other != card]))


def _asking(state: State, phase: Phase, **changes: Any) -> State:
    """Another question is put."""
    return replace(state, phase=phase, window=state.window + 1, **changes)


def _die(state: State, seat: Seat, cards: Cards, *, seen: bool) -> State:
    """A die is made; once both are, the challenge is asked for."""
    battle, side = state.fought, _side(state, seat)
    battle = replace(
        battle, dice=put_of_two(battle.dice, side, sorted_cards(cards)), seen=put_of_two(battle.seen, side, seen)
    )
    if all(battle.dice):
        return _asking(state, Phase.CALL, battle=battle)
    return replace(state, battle=battle)


def _discarded(state: State, seat: Seat, card: Card) -> State:
    """A card goes from a deck to the discard pile."""
    return replace(state, decks=without_card(state, seat, card), discards=(*state.discards, card))


def _side(state: State, seat: Seat) -> int:
    return state.battlers.index(seat)


def _sides(state: State, seats: Sequence[Seat]) -> frozenset[int]:
    return frozenset([_side(state, seat) for seat in seats])
