"""The table of Champions of Chance: the state, and what the players and the public may know of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engines.champions.cards import Cards
from engines.champions.facts import Ended, Options
from engines.game import Seat


class Phase(Enum):
    """What the match waits for."""

    OPPONENT = "opponent"
    NUMBER = "number"
    DICE = "dice"
    CALL = "call"
    STEAL = "steal"
    EXCHANGE = "exchange"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle under way. Its rows have one entry per side, 0 the challenger's and 1 the opponent's.

    All its cards are also in decks (a winner's revealed card in a pile), so these are copies. `asked` are the sides
    that may steal or must exchange. `steals` is None until the side has chosen, then the card, or no card if it
    declines. `gives` has the card to exchange once it is chosen.
    """

    opponent: Seat
    taken: bool
    number: int = 0
    dice: tuple[Cards, Cards] = ((), ())
    seen: tuple[bool, bool] = (False, False)
    lowest: bool | None = None
    rolled: Cards = ()
    tied: bool = False
    asked: frozenset[int] = frozenset()
    shown: tuple[Cards, Cards] = ((), ())
    steals: tuple[Cards | None, Cards | None] = (None, None)
    gives: tuple[Cards, Cards] = ((), ())


@dataclass(frozen=True, slots=True)
class State:
    """Everything, hidden cards included. Decks are sorted; of the draw pile the top is first, of faceup piles last.

    `left[seat]` is 0 for a seat that still plays. Otherwise it is the order of leaving: 1 first, equal numbers
    together.
    """

    options: Options
    seats: int
    first: Seat = 0
    turn: int = 0
    window: int = 0
    phase: Phase = Phase.OPPONENT
    challenger: Seat = 0
    battle: Battle | None = None
    decks: tuple[Cards, ...] = ()
    piles: tuple[Cards, ...] = ()
    draw: Cards = ()
    discards: Cards = ()
    left: tuple[int, ...] = ()
    ended: Ended | None = None

    @property
    def fought(self) -> Battle:
        """The battle under way. Raises RuntimeError between battles."""
        if self.battle is None:
            raise RuntimeError("no battle is on")
        return self.battle

    @property
    def battlers(self) -> tuple[Seat, ...]:
        """The challenger and the opponent; nobody between battles."""
        return () if self.battle is None else (self.challenger, self.battle.opponent)

    @property
    def living(self) -> tuple[Seat, ...]:
        """The seats that have not left."""
        return tuple([seat for seat in range(self.seats) if not self.left[seat]])

    @property
    def able(self) -> tuple[Seat, ...]:
        """The seats that can battle: they have not left and hold cards (K-11)."""
        return tuple([seat for seat in range(self.seats) if not self.left[seat] and self.decks[seat]])

    @property
    def awaited(self) -> frozenset[Seat]:
        """The seats that the match waits for."""
        match self.phase:
            case Phase.OPPONENT | Phase.CALL:
                return frozenset({self.challenger})
            case Phase.NUMBER:
                return frozenset({self.fought.opponent})
            case Phase.OVER:
                return frozenset()
        return frozenset([self.battlers[side] for side in (0, 1) if self.owes(side)])

    def owes(self, side: int) -> bool:
        """Whether a side of the battle must choose cards and has not."""
        battle = self.fought
        match self.phase:
            case Phase.DICE:
                return not battle.dice[side]
            case Phase.STEAL:
                return side in battle.asked and battle.steals[side] is None
            case Phase.EXCHANGE:
                return side in battle.asked and not battle.gives[side]
        return False

    def score(self, seat: Seat) -> int:
        """The icons in a seat's faceup pile (K-11)."""
        return sum([card.icons for card in self.piles[seat]])


@dataclass(frozen=True, slots=True)
class PublicBattle:
    """What everybody may know of a battle: how large the dice are, and the cards only once they are rolled.

    `sizes` is 0 for a side that has not selected yet. `asked` are the sides that may steal or must exchange.
    """

    opponent: Seat
    taken: bool
    number: int
    sizes: tuple[int, int]
    lowest: bool | None
    rolled: Cards
    tied: bool
    asked: frozenset[int]


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know. `awaited` is empty once the match is over; `scores` are 0 without Victory Dice."""

    options: Options
    first: Seat
    turn: int
    phase: Phase
    challenger: Seat
    battle: PublicBattle | None
    awaited: frozenset[Seat]
    decks: tuple[int, ...]
    piles: tuple[Cards, ...]
    scores: tuple[int, ...]
    draw: int
    discards: int
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Own:
    """A seat's deck; of the battle it is in, the die (unless it is blind and not rolled), what it may steal from, what
    it has chosen to steal (no card: nothing) and what to exchange."""

    deck: Cards
    die: Cards = ()
    shown: Cards = ()
    steals: Cards | None = None
    gives: Cards = ()
