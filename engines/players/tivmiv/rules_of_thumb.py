"""Tiv-Miv by rules of thumb.

- Say "Winner winner, chicken dinner!" as soon as it is possible.
- Lay a card if one fits: the one after which most of the seat's own cards fit, and few of the others'; a high card
  rather than a low one, because what is left over counts.
- If none fits, draw. If the deck is empty too, there is nothing to do until the top changes, and the seat isn't asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engines.game import Act, Choices, Private
from engines.players.tivmiv.memory import Memory, unseen
from engines.tivmiv import Action, Draw, Own, Place, Public, takes

OTHERS: Final = 1.0
"""What it costs if another player surely holds a card that fits, where each fitting card of one's own is worth 1."""
A_POINT: Final = 0.05
"""What each point of the card's value is worth."""


def acts_of(choices: Choices[Action]) -> list[Action]:
    """All acts that are offered. In Tiv-Miv every offer is one whole act."""
    return [offer.action for offer in choices if isinstance(offer, Act)]


def by_rule_of_thumb(memory: Memory, view: Private[Public, Own], choices: Choices[Action]) -> Action:
    """The act: *Ready* or the cry if it is offered, else a card that fits, else to draw. Something must be offered."""
    acts = acts_of(choices)
    for act in acts:
        if not isinstance(act, (Draw, Place)):
            return act
    places = [act for act in acts if isinstance(act, Place)]
    return max(places, key=_worth_in(memory, view)) if places else acts[0]


def _worth_in(memory: Memory, view: Private[Public, Own]) -> Callable[[Place], float]:
    """What laying a card is worth where it changes what fits next."""
    hand, public = view.own.hand, view.public
    values = [card.value for card in hand]
    unknown = [card.value for card in unseen(memory, hand)]
    held = sum([count for seat, count in enumerate(public.hands) if seat != view.seat])

    def worth(place: Place) -> float:
        taken = takes(place.value, place.index)
        fitting = sum([value in taken for value in values]) - (place.value in taken)
        theirs = sum([value in taken for value in unknown])
        missed = (1 - theirs / len(unknown)) ** held if unknown else 1.0
        return fitting - OTHERS * (1 - missed) + A_POINT * place.value

    return worth
