"""Tiv-Miv's cards, options, actions and events: everything in a match's log.

The events called ``Count…`` are faces of others (`Event.face`) and are not in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from engines.common_facts import CountDealt, NobodyKnows, OwnersOnly
from engines.game import Event, Seat, Unnarrated
from engines.options import Choosable, Limit, limit, number

MOST_PHASES = 10
HANDFUL = 6
MOST_IDLE = 900
LEAST_STALL = 10


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A main value from 1 to 10, an index from 1 to 3, and which of the equal cards it is, which is shown nowhere."""

    value: int
    index: int
    copy: int

    @property
    def name(self) -> str:
        """The card as players read it (C-7)."""
        return face_name(self.value, self.index)

    @property
    def code(self) -> str:
        """The card for transcripts, with its copy: ``7-2b`` is the second 7±2."""
        return f"{self.value}-{self.index}{'abc'[self.copy - 1]}"


Cards: TypeAlias = tuple[Card, ...]


def face_name(value: int, index: int) -> str:
    """What is printed on a card, such as ``7±2``."""
    return f"{value}±{index}"


@dataclass(frozen=True, slots=True)
class Options(Choosable):
    """How many phases, after how many idle seconds a phase ends (T-11), how long one waits for everybody before it
    begins (T-10), and after how many seconds without a placing the bottom card comes to the top (T-7b)."""

    V: ClassVar[int] = 2

    phases: int = number(6, 1, MOST_PHASES)
    idle_seconds: int = number(180, 30, MOST_IDLE, step=10)
    ready_seconds: int = number(60, 10, 600, step=10)
    stall_seconds: Limit = limit(20, LEAST_STALL, 60, listed=(10, 15, 20, 25, 30, 40, 45, 50, 60))


# ---------------------------------------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the top card of one's own deck into the hand (T-6)."""


@dataclass(frozen=True, slots=True)
class DrawHandful:
    """Draw several times at once (T-6): `HANDFUL` cards, or as many as the deck has."""


@dataclass(frozen=True, slots=True)
class Place:
    """Lay a card of this face on the centre pile; equal cards are interchangeable."""

    value: int
    index: int


@dataclass(frozen=True, slots=True)
class Dinner:
    """ "Winner winner, chicken dinner!": lay one's last card, whatever lies on top (T-8)."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Before a phase: let it begin (T-10)."""


Action: TypeAlias = Draw | DrawHandful | Place | Dinner | Ready


# ---------------------------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class PhaseBegun(Event):
    """All cards are taken up and shuffled for this phase, counted from 1."""

    phase: int


@dataclass(frozen=True, slots=True)
class CentreTurned(Event):
    """The card that is turned up in the centre."""

    card: Card


@dataclass(frozen=True, slots=True)
class DeckDealt(NobodyKnows, Unnarrated):
    """A seat's deck, face down, its top first. Nobody knows it, not even its owner."""

    seat: Seat
    cards: Cards

    def face(self) -> CountDealt:
        return CountDealt(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class LeftOver(NobodyKnows, Unnarrated):
    """Cards that do not divide equally, face down under the centre card (T-2), the lowest first."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class ReadyAsked(Unnarrated):
    """The first phase is dealt, and its countdown begins once all are ready (T-10)."""


@dataclass(frozen=True, slots=True)
class CountdownBegun(Unnarrated):
    """Nobody may act until `Go` (T-3)."""


@dataclass(frozen=True, slots=True)
class Go(Event):
    """GO."""


@dataclass(frozen=True, slots=True)
class CardDrawn(OwnersOnly):
    """The top card of a seat's deck comes into its hand; `by_house` where the player did not draw it (T-7a)."""

    seat: Seat
    card: Card
    by_house: bool

    def face(self) -> CountDrawn:
        return CountDrawn(self.seat, self.by_house)


@dataclass(frozen=True, slots=True)
class HouseDraws(Event):
    """Nobody can play and nobody draws: a card is drawn for each seat that has any (T-7a)."""


@dataclass(frozen=True, slots=True)
class CardPlaced(Event):
    """A card is laid on the centre pile, its value shouted (T-12)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Recycled(Event):
    """A dead end: these came from the bottom of the pile to its top, one after another; the last lets play go on."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class BottomTurned(Event):
    """Somebody could play and nobody did: the bottom card of the pile is its top now (T-7b)."""

    card: Card


@dataclass(frozen=True, slots=True)
class PhaseEnded(Event):
    """The end of this phase: by dinner (with a winner), dead_end or idle. `points` are the seats' (None for a seat that
    is out); empty if nobody acted and nothing is scored (T-14).
    """

    phase: int
    how: str
    winner: Seat | None
    points: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class MadeReady(Event):
    """A seat is ready for the next phase, or for the first."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatsOut(Event):
    """Seats that leave together are out, by resignation or (T-11) by time."""

    seats: tuple[Seat, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Buried(NobodyKnows, Unnarrated):
    """The cards of a seat that is out, shuffled face down under the centre pile, the lowest first."""

    seat: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class Ended(Unnarrated):
    """The end: points, shared, abandoned, resignation, time or called_off. Only the last is void."""

    kind: str
    ranks: tuple[int, ...]


Fact: TypeAlias = (
    PhaseBegun
    | CentreTurned
    | DeckDealt
    | LeftOver
    | ReadyAsked
    | CountdownBegun
    | Go
    | CardDrawn
    | HouseDraws
    | CardPlaced
    | Recycled
    | BottomTurned
    | PhaseEnded
    | MadeReady
    | SeatsOut
    | Buried
    | Ended
)


@dataclass(frozen=True, slots=True)
class CountDrawn(Unnarrated):
    """What the others see of `CardDrawn`."""

    seat: Seat
    by_house: bool
