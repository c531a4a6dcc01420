"""What an asked seat of CIQ sees when it chooses: numbers of cards and open cards, of a view or of a state."""

from __future__ import annotations

from typing import NamedTuple

from engines.ciq.cards import Card
from engines.ciq.facts import Cards
from engines.ciq.table import Assault, Own, Phase, Public, State
from engines.game import Private, Seat
from engines.options import NONE, Limit
from engines.players.ciq.memory import Memory


class Pool(NamedTuple):
    """One seat's cards: how many in the hand and in each pile, and the top Defense card."""

    hand: int
    attack: int
    damage: int
    defense: int
    top: Card

    @property
    def cards(self) -> int:
        """How many cards the seat has left in all."""
        return self.hand + self.attack + self.damage + self.defense


class Sight(NamedTuple):
    """The asked seat, its hand, and everybody's piles. `opponents` can be attacked."""

    seat: Seat
    hand: Cards
    phase: Phase
    pools: tuple[Pool, ...]
    opponents: tuple[Seat, ...]
    assault: Assault | None
    hand_limit: Limit

    @property
    def own(self) -> Pool:
        """The seat's own cards."""
        return self.pools[self.seat]

    @property
    def may_draw(self) -> bool:
        """Whether drawing is open (Q-15, Q-23)."""
        return self.own.attack > 0 and (self.hand_limit == NONE or len(self.hand) < self.hand_limit)

    @property
    def may_pass(self) -> bool:
        """Whether passing is open (Q-15)."""
        return self.own.attack == 0


def sight_from(memory: Memory, view: Private[Public, Own]) -> Sight:
    """What a seat sees by its view."""
    public, seat = view.public, view.seat
    places = public.places
    gone = {each for each, _ in memory.leaving}
    return Sight(
        seat=seat,
        hand=view.own.hand,
        phase=public.phase,
        pools=tuple(
            [Pool(each.hand, each.attack, len(each.damage), len(each.defense), each.defense[0]) for each in places]
        ),
        opponents=tuple(
            [each for each, place in enumerate(places) if each != seat and not place.out and each not in gone]
        ),
        assault=public.assault,
        hand_limit=public.hand_limit,
    )


def sight_of(state: State) -> Sight:
    """What the asked seat of a state sees."""
    seat = state.asked
    return Sight(
        seat=seat,
        hand=state.places[seat].hand,
        phase=state.phase,
        pools=tuple(
            [
                Pool(len(each.hand), len(each.attack), len(each.damage), len(each.defense), each.defense[0])
                for each in state.places
            ]
        ),
        opponents=tuple([each for each in state.staying if each != seat]),
        assault=state.assault,
        hand_limit=state.options.hand_limit,
    )
