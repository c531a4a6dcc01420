"""What a seat of Champions of Chance remembers: which cards it has seen in which deck, and what has moved since.

A revealed card returns to its deck, a stolen or shown one has been seen too. When another seat exchanges a card, or two
others steal, a seat sees only that a card has moved: so a card that it has seen there may still be there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from engines.champions import (
    BattleVoid,
    BattleWon,
    CardDrawn,
    CardDrawnUnseen,
    CardGiven,
    CountDealt,
    DeckDealt,
    DieShown,
    ExchangeAsked,
    FaceupLost,
    NumberlessRolled,
    Options,
    PileTurned,
    Reshuffled,
    Rolled,
    Stolen,
    StolenUnseen,
)
from engines.game import Event, Seat
from engines.values import put, replace

UNKNOWN = -1
"""In a `Moment`: a card that the seat doesn't see."""


class Kind(Enum):
    """What a moment is about."""

    SEEN = "a card was seen in a seat's deck"
    WON = "a card left the winner's deck"
    DISCARDED = "a card left a deck for the discard pile"
    FACEUP_LOST = "a faceup card went to the discard pile"
    GIVEN = "a seat discarded a card of its deck in exchange"
    DRAWN = "a seat drew a card"
    STOLEN = "a seat took a card out of another's deck"
    SHUFFLED = "the discard pile became the draw pile"


class Moment(NamedTuple):
    """A card that was seen or has moved. `seat` is where it is or where it came from; `card` may be `UNKNOWN`; a
    stolen card went `to` a seat."""

    kind: Kind
    seat: Seat = 0
    card: int = UNKNOWN
    to: Seat = 0


class Held(NamedTuple):
    """A card that was seen in another seat's deck, and how likely it is still there."""

    card: int
    likely: float


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat remembers. `moments` are all that it has seen happen to cards, its own hand as dealt is `dealt`.

    `held` has, for each other seat, the cards seen in its deck, `counts` how many cards each deck has, `gone` the cards
    that the seat knows to be in the discard pile. `exchanging` are the seats that have yet to discard after a tie.
    """

    options: Options
    seat: Seat
    counts: tuple[int, ...]
    held: tuple[tuple[Held, ...], ...]
    dealt: tuple[int, ...] = ()
    moments: tuple[Moment, ...] = ()
    gone: frozenset[int] = frozenset()
    exchanging: tuple[Seat, ...] = ()


def remember(memory: Memory, fact: Event) -> Memory:  # noqa: PLR0911, PLR0912  one answer per fact
    """The memory after a fact as the seat sees it."""
    match fact:
        case DeckDealt(seat, cards):
            dealt = tuple(sorted([card.place for card in cards]))
            return replace(memory, dealt=dealt, counts=put(memory.counts, seat, len(cards)))
        case CountDealt(seat, count):
            return replace(memory, counts=put(memory.counts, seat, count))
        case Rolled(challenger, opponent, (first, second)):
            memory = _with(memory, Moment(Kind.SEEN, challenger, first.place))
            return _with(memory, Moment(Kind.SEEN, opponent, second.place))
        case BattleWon(winner=winner, card=card):
            kind = Kind.WON if memory.options.victory_dice else Kind.DISCARDED
            return _with(memory, Moment(kind, winner, card.place))
        case NumberlessRolled(seat, card):
            return _with(memory, Moment(Kind.DISCARDED, seat, card.place))
        case FaceupLost(seat, card):
            return _with(memory, Moment(Kind.FACEUP_LOST, seat, card.place))
        case DieShown(thief, cards):
            victim = _victim(memory, thief)
            for card in cards:
                memory = _with(memory, Moment(Kind.SEEN, victim, card.place))
            return memory
        case Stolen(thief, victim, card):
            return _with(memory, Moment(Kind.STOLEN, victim, card.place, thief))
        case StolenUnseen(thief, victim):
            return _with(memory, Moment(Kind.STOLEN, victim, to=thief))
        case ExchangeAsked(seats):
            return replace(memory, exchanging=seats)
        case BattleVoid():
            return replace(memory, exchanging=())
        case CardGiven(seat, card):
            return _given(memory, card.place)
        case Reshuffled() | PileTurned():
            return _with(_given(memory), Moment(Kind.SHUFFLED))
        case CardDrawn(seat, card):
            return _with(_given(memory), Moment(Kind.DRAWN, seat, card.place))
        case CardDrawnUnseen(seat):
            return _with(_given(memory), Moment(Kind.DRAWN, seat))
        case _:
            return memory


def _victim(memory: Memory, thief: Seat) -> Seat:
    """The other battler: the two whose cards were revealed last."""
    rolled = [moment.seat for moment in memory.moments if moment.kind is Kind.SEEN][-2:]
    return rolled[1] if rolled[0] == thief else rolled[0]


def _given(memory: Memory, own: int = UNKNOWN) -> Memory:
    """The memory once the seats that exchange have discarded: all at once, before the first of them draws."""
    if own != UNKNOWN:  # the others may discard before or after: nobody sees the difference
        memory = replace(memory, exchanging=tuple([seat for seat in memory.exchanging if seat != memory.seat]))
        return _with(memory, Moment(Kind.GIVEN, memory.seat, own))
    for seat in memory.exchanging:
        memory = _with(memory, Moment(Kind.GIVEN, seat))
    return replace(memory, exchanging=())


def _with(memory: Memory, moment: Moment) -> Memory:  # noqa: PLR0911  one answer a kind
    """The memory with one more moment."""
    memory = replace(memory, moments=(*memory.moments, moment))
    seat, card = moment.seat, moment.card
    match moment.kind:
        case Kind.SEEN:
            return _holds(memory, seat, card)
        case Kind.WON:
            return _takes(memory, seat, card)
        case Kind.DISCARDED | Kind.GIVEN:
            memory = _takes(memory, seat, card)
            return memory if card == UNKNOWN else replace(memory, gone=memory.gone | {card})
        case Kind.FACEUP_LOST:
            return replace(memory, gone=memory.gone | {card})
        case Kind.DRAWN:
            return _gets(memory, seat, card)
        case Kind.STOLEN:
            return _gets(_takes(memory, seat, card), moment.to, card)
        case Kind.SHUFFLED:
            return replace(memory, gone=frozenset())


def _holds(memory: Memory, seat: Seat, card: int) -> Memory:
    """The memory with a card known to be in a seat's deck, and nowhere else."""
    held = tuple([tuple([each for each in row if each.card != card]) for row in memory.held])
    if seat != memory.seat:
        held = put(held, seat, (*held[seat], Held(card, 1.0)))
    return replace(memory, held=held, gone=memory.gone - {card})


def _takes(memory: Memory, seat: Seat, card: int) -> Memory:
    """The memory with a card gone from a seat's deck. An unknown one may be any of them."""
    count, row = memory.counts[seat], memory.held[seat]
    if card == UNKNOWN:
        row = tuple([Held(each.card, each.likely * (count - 1) / count) for each in row])
    else:
        row = tuple([each for each in row if each.card != card])
    return replace(memory, counts=put(memory.counts, seat, count - 1), held=put(memory.held, seat, row))


def _gets(memory: Memory, seat: Seat, card: int) -> Memory:
    memory = replace(memory, counts=put(memory.counts, seat, memory.counts[seat] + 1))
    return memory if card == UNKNOWN else _holds(memory, seat, card)
