"""Champions of Chance's options, actions and events: everything in a match's log. The events at the end of this module
are faces of others (`Event.face`) and are not in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engines.champions.cards import Card, Cards
from engines.common_facts import CountDealt, NobodyKnows, OwnersOnly
from engines.game import Event, Seat, Unnarrated
from engines.options import Choosable, choice, switch


@dataclass(frozen=True, slots=True)
class Options(Choosable):
    """How the die is made (K-7, K-8), the two expansions, whether icons decide ties (K-12), and whether the number is
    named or drawn (K-19)."""

    die: str = choice("chosen", "blind", "soft_blind")
    victory_dice: bool = switch()
    wacky_numbers: bool = switch()
    icon_tiebreak: bool = switch()
    number: str = choice("named", "drawn")

    @property
    def icons_count(self) -> bool:
        """Whether the cards' dice icons mean anything in this match."""
        return self.victory_dice or self.icon_tiebreak


# ---------------------------------------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class Challenge:
    """Whom to battle and, with Victory Dice, whether one's own top faceup card sets the number (K-10)."""

    opponent: Seat
    take: bool = False


@dataclass(frozen=True, slots=True)
class NameNumber:
    """How many cards each die has, 2 to 6."""

    number: int


@dataclass(frozen=True, slots=True)
class Select:
    """The cards of one's die."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Call:
    """Which result wins: the lowest or the highest."""

    lowest: bool


@dataclass(frozen=True, slots=True)
class Steal:
    """Which card of the other die to take (K-17)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Decline:
    """To steal nothing (K-17)."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """The one card to discard after a tie (K-3)."""

    cards: Cards


Action: TypeAlias = Challenge | NameNumber | Select | Call | Steal | Decline | Exchange


# ---------------------------------------------------------------------------------------------- events: set-up, turns


@dataclass(frozen=True, slots=True)
class FirstDrawn(Event):
    """Who begins."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DeckDealt(OwnersOnly, Unnarrated):
    """A seat's six cards."""

    seat: Seat
    cards: Cards

    def face(self) -> CountDealt:
        return CountDealt(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class PileLaid(NobodyKnows, Unnarrated):
    """The draw pile, its top first. Nobody knows it."""

    draw: Cards


@dataclass(frozen=True, slots=True)
class TurnBegun(Unnarrated):
    """Whose turn it is to battle."""

    challenger: Seat


# ---------------------------------------------------------------------------------------------- events: a battle


@dataclass(frozen=True, slots=True)
class OpponentNamed(Event):
    """Whom the challenger battles, and whether the challenger's top faceup card sets the number (K-10)."""

    challenger: Seat
    opponent: Seat
    taken: bool


@dataclass(frozen=True, slots=True)
class NumberSet(Event):
    """The number, named by the opponent or set by the challenger's faceup card."""

    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class NumberDrawn(Event):
    """The number, drawn at random instead of named (K-19)."""

    number: int


@dataclass(frozen=True, slots=True)
class DieSelected(OwnersOnly):
    """A battler's die, chosen (or, where the deck has no more cards than the number, all of it)."""

    seat: Seat
    cards: Cards

    def face(self) -> DieSized:
        return DieSized(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class DieDrawn(Event):
    """A battler's die, drawn at random; `seen` says whether its owner may look at it (K-8) or nobody may (K-7)."""

    seat: Seat
    cards: Cards
    seen: bool

    def audience(self) -> frozenset[Seat]:
        return frozenset({self.seat} if self.seen else ())

    def face(self) -> DieSized:
        return DieSized(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class Called(Event):
    """The challenge: the lowest or the highest wins."""

    seat: Seat
    lowest: bool


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """The two cards revealed, the challenger's first."""

    challenger: Seat
    opponent: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class DieSeen(OwnersOnly):
    """What a blind die was made of: its owner sees it once it is rolled (K-7)."""

    seat: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class Inverted(Event):
    """INVERT: this many of the revealed cards invert the challenge, which is now this one (K-14)."""

    times: int
    lowest: bool


@dataclass(frozen=True, slots=True)
class NumberlessRolled(Event):
    """Nobody wins: this seat's revealed card was NUMBERLESS and is discarded (K-13)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class BattleWon(Event):
    """Who won by which card, which leaves the deck. `by` is number, icons, TIEBREAK or BEGGAR."""

    winner: Seat
    loser: Seat
    card: Card
    by: str


@dataclass(frozen=True, slots=True)
class FaceupLost(Event):
    """The faceup card that set the number is discarded because the battle was lost (K-10)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class BattleTied(Event):
    """A tie; `specials` says that both had won by a special (K-16)."""

    specials: bool


@dataclass(frozen=True, slots=True)
class StealAsked(Unnarrated):
    """These seats may steal, and are asked at the same time (K-17)."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class DieShown(Unnarrated):
    """What a seat may steal from: the cards of the other die that are still in the other deck."""

    thief: Seat
    cards: Cards

    def audience(self) -> frozenset[Seat]:
        return frozenset({self.thief})


@dataclass(frozen=True, slots=True)
class StealChosen(OwnersOnly, Unnarrated):
    """What a seat wants to steal; None when it declines. The others see only that it has chosen."""

    seat: Seat
    card: Card | None

    def face(self) -> Sealed:
        return Sealed(self.seat)


@dataclass(frozen=True, slots=True)
class Stolen(Event):
    """A card changes its deck. Both battlers see it."""

    thief: Seat
    victim: Seat
    card: Card

    def audience(self) -> frozenset[Seat]:
        return frozenset({self.thief, self.victim})

    def face(self) -> StolenUnseen:
        return StolenUnseen(self.thief, self.victim)


@dataclass(frozen=True, slots=True)
class StealDeclined(Event):
    """A seat declined to steal."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ExchangeAsked(Unnarrated):
    """After a tie these seats exchange a card each (K-3)."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class ExchangeChosen(OwnersOnly, Unnarrated):
    """Which card a seat will discard. The others see only that it has chosen."""

    seat: Seat
    card: Card

    def face(self) -> Sealed:
        return Sealed(self.seat)


@dataclass(frozen=True, slots=True)
class CardGiven(OwnersOnly):
    """The card goes to the discard pile. The others know what they may from `ExchangeAsked`."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Reshuffled(NobodyKnows):
    """The discard pile becomes the draw pile, in this order (K-4). Nobody knows it."""

    draw: Cards

    def face(self) -> PileTurned:
        return PileTurned(len(self.draw))


@dataclass(frozen=True, slots=True)
class CardDrawn(OwnersOnly):
    """A card drawn in exchange."""

    seat: Seat
    card: Card

    def face(self) -> CardDrawnUnseen:
        return CardDrawnUnseen(self.seat)


# --------------------------------------------------------------------------------------------- events: leaving, the end


@dataclass(frozen=True, slots=True)
class SeatsLeft(Event):
    """These seats leave at once, by resignation or because their time is up (C-4, C-5)."""

    seats: tuple[Seat, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class BattleVoid(Event):
    """The battle is over without a result, or without what was still to be worked out of it (K-5, C-4)."""

    challenger: Seat
    opponent: Seat


@dataclass(frozen=True, slots=True)
class Ended(Unnarrated):
    """The end, and every seat's rank.

    The kinds are out_of_cards and score, each with `_shared` when several win; resignation and time; nobody_left.
    """

    kind: str
    ranks: tuple[int, ...]


Fact: TypeAlias = (
    FirstDrawn
    | DeckDealt
    | PileLaid
    | TurnBegun
    | OpponentNamed
    | NumberSet
    | NumberDrawn
    | DieSelected
    | DieDrawn
    | Called
    | Rolled
    | DieSeen
    | Inverted
    | NumberlessRolled
    | BattleWon
    | FaceupLost
    | BattleTied
    | StealAsked
    | DieShown
    | StealChosen
    | Stolen
    | StealDeclined
    | ExchangeAsked
    | ExchangeChosen
    | CardGiven
    | Reshuffled
    | CardDrawn
    | SeatsLeft
    | BattleVoid
    | Ended
)


# ---------------------------------------------------------------------------------------------- faces


@dataclass(frozen=True, slots=True)
class DieSized(Event):
    """What the others see of `DieSelected` and `DieDrawn`."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class Sealed(Unnarrated):
    """What the others see of `StealChosen` and `ExchangeChosen`."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StolenUnseen(Event):
    """What the others see of `Stolen`."""

    thief: Seat
    victim: Seat


@dataclass(frozen=True, slots=True)
class PileTurned(Event):
    """What everybody sees of `Reshuffled`."""

    count: int


@dataclass(frozen=True, slots=True)
class CardDrawnUnseen(Event):
    """What the others see of `CardDrawn`."""

    seat: Seat
