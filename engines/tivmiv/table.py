"""Tiv-Miv's table: the state, and what the players and the public may know of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from engines.game import Pack, Seat
from engines.options import NONE
from engines.tivmiv.facts import Card, Cards, Ended, Options

VALUES: Final = range(1, 11)
INDICES: Final = range(1, 4)
FACES: Final = tuple((value, index) for value in VALUES for index in INDICES)
_FACE_OF: Final = {face: face for face in FACES}


def _copies(value: int, index: int) -> int:
    """How often a face is in the pack (T-1)."""
    return 3 if index == 2 or (value, index) in ((1, 1), (5, 3), (10, 1)) else 2


PACK: Final = Pack(
    "tivmiv73",
    tuple(Card(value, index, copy) for value, index in FACES for copy in range(1, _copies(value, index) + 1)),
)


def card_face(card: Card) -> tuple[int, int]:
    """A card's face: main value and index. All states share its value, because thousands are in memory."""
    return _FACE_OF[card.value, card.index]


def takes(value: int, index: int) -> tuple[int, int]:
    """The main values that may be laid on a face: the difference and the sum, kept between 1 and 10 (T-4)."""
    return (value - index - 1) % 10 + 1, (value + index - 1) % 10 + 1


Faces: TypeAlias = tuple[tuple[int, int], ...]
"""Faces: main value and index."""


class Stage(Enum):
    """The stage of a phase: dealt and waiting for all to be ready (only the first, T-10), and so on."""

    DEALT = "dealt"
    COUNTDOWN = "countdown"
    RACE = "race"
    SCORED = "scored"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class State:
    """Everything, hidden cards included.

    Hands are sorted, a deck's top is first, the pile's top is last. `left[seat]` is 0 while the seat plays, then how
    many had left when it did, itself included. `acts` are the players' in this phase, `moves` every card drawn or
    placed in it, `countdowns` those of the phase; they name the timers. `absences` are phases in a row without an act.
    `house_drew` says that nobody has drawn in this phase since the bot did (T-7a). `dealt[seat]` is how many cards it
    was dealt in this phase, `faces[seat]` the faces that it has drawn of them, each once, in the order of drawing.
    """

    options: Options
    phase: int
    stage: Stage
    pile: Cards
    decks: tuple[Cards, ...]
    hands: tuple[Cards, ...]
    left: tuple[int, ...]
    absences: tuple[int, ...]
    scores: tuple[tuple[int | None, ...], ...] = ()
    acted: frozenset[Seat] = frozenset()
    ready: frozenset[Seat] = frozenset()
    acts: int = 0
    moves: int = 0
    countdowns: int = 0
    house_drew: bool = False
    dealt: tuple[int, ...] = ()
    faces: tuple[Faces, ...] = ()
    ended: Ended | None = None

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that are not out."""
        return tuple([seat for seat, left in enumerate(self.left) if not left])

    @property
    def top(self) -> Card:
        """The card on top of the centre pile."""
        return self.pile[-1]

    @property
    def someone_can_play(self) -> bool:
        """Whether a seat may lay a card from its hand."""
        top = self.pile[-1]
        return self.plays_on(takes(top.value, top.index))

    def plays_on(self, taken: tuple[int, int]) -> bool:
        """Whether some seat could lay a card on one that takes these values, its last card on any (T-8)."""
        for hand, deck, left in zip(self.hands, self.decks, self.left, strict=True):
            if left:
                continue
            if len(hand) == 1 and not deck:
                return True
            for card in hand:
                if card.value in taken:
                    return True
        return False

    @property
    def may_stall(self) -> bool:
        """Whether the pile is turned if nobody places a card now: all decks are drawn out (T-7b). Somebody can place
        one, or there would be a dead end (T-7); so this depends on nothing hidden."""
        turned = self.options.stall_seconds != NONE and len(self.pile) > 1
        return turned and self.stage is Stage.RACE and not any(self.decks[seat] for seat in self.playing)

    def left_over(self, seat: Seat) -> Cards:
        """All cards that a seat has left, drawn or not."""
        return (*self.hands[seat], *self.decks[seat])

    def totals(self) -> tuple[int, ...]:
        """Every seat's points of all scored phases."""
        return tuple([sum([row[seat] or 0 for row in self.scores if row]) for seat in range(len(self.left))])


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know: the top card and what it takes, the scores, and counts.

    `scores` has a row of points for each phase so far, empty for one that was not scored; a seat that was out has None
    in it. `out` are the seats that have left. `may_stall` says that the pile is turned if nobody places a card (T-7b).
    """

    phase: int
    phases: int
    stage: Stage
    top: Card
    takes: tuple[int, int]
    below: int
    decks: tuple[int, ...]
    hands: tuple[int, ...]
    scores: tuple[tuple[int | None, ...], ...]
    totals: tuple[int, ...]
    ready: frozenset[Seat]
    out: frozenset[Seat]
    may_stall: bool


@dataclass(frozen=True, slots=True)
class Own:
    """A seat's drawn cards, sorted; the faces that it has drawn in this phase, each once and in the order of drawing;
    and how many cards it was dealt."""

    hand: Cards
    faces: Faces = ()
    dealt: int = 0
