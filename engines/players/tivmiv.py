"""Tiv-Miv's computer player, for all levels.

A race has no turns, so nobody is awaited: a seat is asked whenever it has looked and has something to do.
`engines.players.pace` says when that is, and how long it takes to act. The levels lay the same cards; they differ in
how fast they are.

By rules of thumb:

- Say "Winner winner, chicken dinner!" as soon as it is possible.
- Lay a card if one fits: the one after which most of the seat's own cards fit, and few of the others'; a high card
  rather than a low one, because what is left over counts.
- If none fits, draw. If the deck is empty too, there is nothing to do until the top changes, and the seat isn't asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist
from typing import Final, TypeAlias

from engines.game import Act, Choices, Event, Private, Seat
from engines.players.player import Racer, Situation
from engines.tivmiv import facts
from engines.tivmiv.facts import Action, Card, Cards, Options
from engines.tivmiv.rules import MOST_SEATS
from engines.tivmiv.table import PACK, Own, Public, Stage, takes

USUAL_CHOICES: Final = 4
"""Drawing, and two or three cards that fit."""

OTHERS: Final = 1.0
"""What it costs if another player surely holds a card that fits, where each fitting card of one's own is worth 1."""
A_POINT: Final = 0.05
"""What each point of the card's value is worth."""

USUAL_VALUE: Final = 5.5
"""The mean main value of a card."""
SPEED_IN_POINTS: Final = 7.0
"""A seat that is 1 % faster gains 0.07 points in a phase for each card it was dealt (measured for two)."""
CATCH_UP: Final = 3.0
"""How much sooner the seats are level again than at the end of the match."""
LEAST_LEFT: Final = 0.3
"""The part of a phase that counts as left at its end."""
LAST_POINTS: Final = 17.0
"""About the standard deviation of the difference in points at the end, if one of two keeps level."""

_BEHIND: Final = {seats: NormalDist().inv_cdf(1 - 1 / seats) for seats in range(2, MOST_SEATS + 1)}
"""By how many standard deviations one stays behind to win its share of the matches."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat remembers beyond what it sees: the cards that have been on top of the centre pile in this phase."""

    centre: frozenset[Card] = frozenset()


TivMivSituation: TypeAlias = Situation[Memory, Action]


class TivMivPlayer(Racer[Memory, Action, Options]):
    """As `Racer`."""

    def begin(self, options: Options, seats: int, seat: Seat) -> Memory:  # noqa: ARG002  the same for all
        return Memory()

    def remember(self, memory: Memory, fact: Event) -> Memory:
        match fact:
            case facts.PhaseBegun():
                return Memory()
            case facts.CentreTurned(card) | facts.CardPlaced(card=card) | facts.BottomTurned(card):
                return Memory(memory.centre | {card})
            case facts.Recycled(cards):
                return Memory(memory.centre.union(cards))
            case _:
                return memory

    def candidates(self, situation: TivMivSituation) -> Sequence[Action]:
        return acts_of(situation.choices)

    def rule_of_thumb(self, situation: TivMivSituation, rng: Random) -> Action:  # noqa: ARG002  it needs no luck
        """*Ready* or the cry if it is offered, else a card that fits, else to draw. Something must be offered."""
        acts = acts_of(situation.choices)
        for act in acts:
            if not isinstance(act, (facts.Draw, facts.DrawHandful, facts.Place)):
                return act
        places = [act for act in acts if isinstance(act, facts.Place)]
        return max(places, key=_worth_in(situation.memory, situation.view)) if places else acts[0]

    def visible_choices(self, public: Public) -> int:
        return USUAL_CHOICES if public.stage is Stage.RACE else 1

    def busy(self, public: Public) -> Collection[Seat]:
        """As `Racer.busy`: in the race a deck can be drawn from. Whether a seat without a deck could place a card is
        hidden."""
        if public.stage is not Stage.RACE:
            return frozenset()
        return frozenset([seat for seat, deck in enumerate(public.decks) if deck and seat not in public.out])

    def ahead(self, public: Public, seat: Seat) -> float:
        """As `Racer.ahead`. The seat is compared with the best of the others, by points and by cards left.

        What it gained in scored phases tells how much too fast it is for a whole phase; what it is ahead now would have
        to be lost in what is left of the match. Of several others it stays a few points behind the best, so that it
        wins one match in three against two of its speed, and not every second one.
        """
        others = [other for other in range(len(public.hands)) if other != seat and other not in public.out]
        if public.stage is not Stage.RACE or not others:
            return 0.0
        seats = len(others) + 1
        dealt = (len(PACK.cards) - 1) // seats
        left = [hand + deck for hand, deck in zip(public.hands, public.decks, strict=True)]
        costs = [total + USUAL_VALUE * cards for total, cards in zip(public.totals, left, strict=True)]
        scored = min([public.totals[other] for other in others]) - public.totals[seat]
        now = min([costs[other] for other in others]) - costs[seat] + LAST_POINTS * _BEHIND[seats]
        phases_left = public.phases - public.phase + min([left[seat], *[left[other] for other in others]]) / dealt
        return (scored + CATCH_UP * now / max(LEAST_LEFT, phases_left)) / (SPEED_IN_POINTS * dealt)


def unseen(memory: Memory, hand: Cards) -> list[Card]:
    """The cards that the seat hasn't seen in this phase: in other hands, in the decks, or put under the pile."""
    seen = memory.centre.union(hand)
    return [card for card in PACK.cards if card not in seen]


def acts_of(choices: Choices[Action]) -> list[Action]:
    """All acts that are offered. In Tiv-Miv every offer is one whole act."""
    return [offer.action for offer in choices if isinstance(offer, Act)]


def _worth_in(memory: Memory, view: Private[Public, Own]) -> Callable[[facts.Place], float]:
    """What laying a card is worth where it changes what fits next."""
    hand, public = view.own.hand, view.public
    values = [card.value for card in hand]
    unknown = [card.value for card in unseen(memory, hand)]
    held = sum([count for seat, count in enumerate(public.hands) if seat != view.seat])

    def worth(place: facts.Place) -> float:
        taken = takes(place.value, place.index)
        fitting = sum([value in taken for value in values]) - (place.value in taken)
        theirs = sum([value in taken for value in unknown])
        missed = (1 - theirs / len(unknown)) ** held if unknown else 1.0
        return fitting - OTHERS * (1 - missed) + A_POINT * place.value

    return worth


PLAYER: Final = TivMivPlayer()
