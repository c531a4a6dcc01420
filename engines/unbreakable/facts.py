"""Everything in Unbreakable's log: options, acts, and the facts that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Self, TypeAlias

from engines.cards import Card
from engines.common_facts import DealerDrawn, NobodyKnows, OwnersOnly
from engines.game import Event, Seat, Unnarrated
from engines.options import Choosable, Limit, choice, limit, number

Cards: TypeAlias = tuple[Card, ...]

USUAL_LIMIT: Final[Mapping[str, int]] = {"classic": 100, "swift": 200}
"""Attackers until the decision, by the pace, where nobody chooses (U-10)."""

_LISTED_LIMITS: Final = (20, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 700, 1000)


@dataclass(frozen=True, slots=True)
class Options(Choosable):
    """The options: cards in the match hand, attackers until the decision (U-10), and who picks the pairs.

    `turn_limit` None is the usual one of the pace. A challenge stores it as a number (`settled`).
    """

    match_hand: int = number(5, 2, 7)
    turn_limit: Limit | None = limit(None, 20, 1000, step=2, listed=_LISTED_LIMITS)
    pace: str = choice("classic", "swift")

    @property
    def limit(self) -> Limit:
        """After how many attackers the match goes to decision."""
        return USUAL_LIMIT[self.pace] if self.turn_limit is None else self.turn_limit

    def settled(self) -> Self:
        return replace(self, turn_limit=self.limit)


# ---------------------------------------------------------------------------------------------- acts


@dataclass(frozen=True, slots=True)
class Discard:
    """Put away one of the three weapon cards; the other two are the pair that counts (U-1)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a card of the match hand as the attacker: just one, which `decide` judges."""

    cards: Cards


Action: TypeAlias = Discard | Lay


# ---------------------------------------------------------------------------------------------- facts


@dataclass(frozen=True, slots=True)
class DeckLaid(NobodyKnows, Unnarrated):
    """The whole deck, its top first. Nobody knows it."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class MatchHandDealt(OwnersOnly, Unnarrated):
    """A seat's match hand, dealt from the top of the deck."""

    seat: Seat
    cards: Cards

    def face(self) -> MatchCountDealt:
        return MatchCountDealt(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class MatchCountDealt(Unnarrated):
    """What the others see of `MatchHandDealt`."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class ChooserTurned(Event):
    """The deck's top card is turned up."""

    card: Card


@dataclass(frozen=True, slots=True)
class TurnBegun(Unnarrated):
    """The weapon hands of the round before are discarded; this seat lays an attacker (U-0)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AttackerLaid(Event):
    """The attacker, face up, out of the match hand."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class WeaponDealt(OwnersOnly, Unnarrated):
    """One card of a weapon hand, from the top of the deck."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class WeaponsReady(Unnarrated):
    """Both weapon hands are dealt; both choose."""


@dataclass(frozen=True, slots=True)
class Chosen(OwnersOnly):
    """A seat's choice; a later one takes its place (U-1)."""

    seat: Seat
    card: Card

    def face(self) -> ChoiceMade:
        return ChoiceMade(self.seat)


@dataclass(frozen=True, slots=True)
class ChoiceMade(Event):
    """What the others see of `Chosen`."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PairsShown(Event):
    """Both pairs, seat by seat, and who is closest (nobody: a deflector); a knockout if the pair is exact."""

    first: Cards
    second: Cards
    winner: Seat | None
    knockout: bool


@dataclass(frozen=True, slots=True)
class TargetTaken(Event):
    """The chooser or attacker goes to this seat's match hand (U-4, U-5)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TargetDiscarded(Event):
    """The chooser or attacker is discarded."""


@dataclass(frozen=True, slots=True)
class ExtraDrawn(OwnersOnly):
    """The card that a knockout on an attacker costs (U-5)."""

    seat: Seat
    card: Card

    def face(self) -> ExtraCountDrawn:
        return ExtraCountDrawn(self.seat)


@dataclass(frozen=True, slots=True)
class ExtraCountDrawn(Event):
    """What the others see of `ExtraDrawn`."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class WeaponsDiscarded(Unnarrated):
    """The weapon hands go to the discard pile, before a new chooser is turned (U-2)."""


@dataclass(frozen=True, slots=True)
class Reshuffled(NobodyKnows):
    """The discard pile is the new deck, its top first (U-8)."""

    cards: Cards

    def face(self) -> CountReshuffled:
        return CountReshuffled(len(self.cards))


@dataclass(frozen=True, slots=True)
class CountReshuffled(Event):
    """What everybody sees of `Reshuffled`."""

    count: int


@dataclass(frozen=True, slots=True)
class Ended(Unnarrated):
    """The end: unbreakable, decision, draw, resignation or time. Nobody wins a draw."""

    kind: str
    winner: Seat | None


Fact: TypeAlias = (
    DealerDrawn
    | DeckLaid
    | MatchHandDealt
    | ChooserTurned
    | TurnBegun
    | AttackerLaid
    | WeaponDealt
    | WeaponsReady
    | Chosen
    | PairsShown
    | TargetTaken
    | TargetDiscarded
    | ExtraDrawn
    | WeaponsDiscarded
    | Reshuffled
    | Ended
)
"""The events in the log; the others are faces and are not in it."""
