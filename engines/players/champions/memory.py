"""What a seat of Champions of Chance remembers: which cards it has seen in which deck.

A revealed card returns to its deck, a stolen or shown one has been seen too. When another seat exchanges a card, or two
others steal, a seat sees only that a card has moved: so a card that it has seen there may still be there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engines.champions import facts
from engines.common_facts import CountDealt
from engines.game import Event, Seat
from engines.values import put, replace

UNKNOWN = -1
"""A card that the seat doesn't see."""


class Held(NamedTuple):
    """A card that was seen in another seat's deck, and how likely it is still there."""

    card: int
    likely: float


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat remembers; cards are numbers (`numbering`).

    `held` has, for each other seat, the cards seen in its deck, `counts` how many cards each deck has, `gone` the cards
    that the seat knows to be in the discard pile. `battlers` are those whose cards were revealed last, `exchanging` the
    seats that have yet to discard after a tie.
    """

    options: facts.Options
    seat: Seat
    counts: tuple[int, ...]
    held: tuple[tuple[Held, ...], ...]
    gone: frozenset[int] = frozenset()
    battlers: tuple[Seat, ...] = ()
    exchanging: tuple[Seat, ...] = ()


def remember(memory: Memory, fact: Event) -> Memory:  # noqa: PLR0911, PLR0912  one answer per fact
    """The memory after a fact as the seat sees it."""
    match fact:
        case facts.DeckDealt(seat, cards):
            return replace(memory, counts=put(memory.counts, seat, len(cards)))
        case CountDealt(seat, count):
            return replace(memory, counts=put(memory.counts, seat, count))
        case facts.Rolled(challenger, opponent, (first, second)):
            memory = replace(memory, battlers=(challenger, opponent))
            return _holds(_holds(memory, challenger, first.place), opponent, second.place)
        case facts.BattleWon(winner=winner, card=card) if memory.options.victory_dice:
            return _takes(memory, winner, card.place)
        case facts.BattleWon(winner=seat, card=card) | facts.NumberlessRolled(seat, card):
            return _discards(memory, seat, card.place)
        case facts.FaceupLost(_, card):
            return replace(memory, gone=memory.gone | {card.place})
        case facts.DieShown(thief, cards):
            (victim,) = [seat for seat in memory.battlers if seat != thief]
            for card in cards:
                memory = _holds(memory, victim, card.place)
            return memory
        case facts.Stolen(thief, victim, card):
            return _gets(_takes(memory, victim, card.place), thief, card.place)
        case facts.StolenUnseen(thief, victim):
            return _gets(_takes(memory, victim), thief)
        case facts.ExchangeAsked(seats):
            return replace(memory, exchanging=seats)
        case facts.BattleVoid():
            return replace(memory, exchanging=())
        case facts.CardGiven(seat, card):  # the others may discard before or after: nobody sees the difference
            memory = replace(memory, exchanging=tuple([other for other in memory.exchanging if other != seat]))
            return _discards(memory, seat, card.place)
        case facts.Reshuffled() | facts.PileTurned():
            return replace(_given(memory), gone=frozenset())
        case facts.CardDrawn(seat, card):
            return _gets(_given(memory), seat, card.place)
        case facts.CardDrawnUnseen(seat):
            return _gets(_given(memory), seat)
        case _:
            return memory


def _given(memory: Memory) -> Memory:
    """The memory once the seats that exchange have discarded: all at once, before the first of them draws."""
    for seat in memory.exchanging:
        memory = _takes(memory, seat)
    return replace(memory, exchanging=())


def _discards(memory: Memory, seat: Seat, card: int) -> Memory:
    memory = _takes(memory, seat, card)
    return replace(memory, gone=memory.gone | {card})


def _holds(memory: Memory, seat: Seat, card: int) -> Memory:
    """The memory with a card known to be in a seat's deck, and nowhere else."""
    held = tuple([tuple([each for each in row if each.card != card]) for row in memory.held])
    if seat != memory.seat:
        held = put(held, seat, (*held[seat], Held(card, 1.0)))
    return replace(memory, held=held, gone=memory.gone - {card})


def _takes(memory: Memory, seat: Seat, card: int = UNKNOWN) -> Memory:
    """The memory with a card gone from a seat's deck. An unknown one may be any of them."""
    count, row = memory.counts[seat], memory.held[seat]
    if card == UNKNOWN:
        row = tuple([Held(each.card, each.likely * (count - 1) / count) for each in row])
    else:
        row = tuple([each for each in row if each.card != card])
    return replace(memory, counts=put(memory.counts, seat, count - 1), held=put(memory.held, seat, row))


def _gets(memory: Memory, seat: Seat, card: int = UNKNOWN) -> Memory:
    memory = replace(memory, counts=put(memory.counts, seat, memory.counts[seat] + 1))
    return memory if card == UNKNOWN else _holds(memory, seat, card)
