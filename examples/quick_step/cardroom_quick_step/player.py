"""Quick Step's computer player, by rule of thumb: lay what most of its other cards can follow.

How fast it is comes from `engines.players.pace`. It needs to know when a seat has something to do, and who is ahead.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import log
from random import Random
from typing import Final, TypeAlias

from cardroom_quick_step.engine import Action, Lay, Options, Public, fits
from engines.game import Act, Event, Seat
from engines.players.player import Racer, Situation

QuickStepSituation: TypeAlias = Situation[None, Action]

USUAL_CHOICES: Final = 2
"""To call, and a card that fits."""


class QuickStepPlayer(Racer[None, Action, Options]):
    """As `Racer`. It remembers nothing: what it needs lies before it."""

    def begin(self, options: Options, seats: int, seat: Seat) -> None:
        pass

    def remember(self, memory: None, fact: Event) -> None:
        pass

    def candidates(self, situation: QuickStepSituation) -> Sequence[Action]:
        return [offer.action for offer in situation.choices if isinstance(offer, Act)]

    def rule_of_thumb(self, situation: QuickStepSituation, rng: Random) -> Action:
        acts, hand = self.candidates(situation), situation.view.own.hand
        lays = [act for act in acts if isinstance(act, Lay)]
        if not lays:
            return acts[0]
        return max(lays, key=lambda lay: (sum([fits(other, lay.card) for other in hand]), rng.random()))

    def visible_choices(self, public: Public) -> int:  # noqa: ARG002  about as many all the time
        return USUAL_CHOICES

    def busy(self, public: Public) -> Collection[Seat]:
        """As `Racer.busy`: who has not called can do so. Whether a card fits is hidden."""
        if not public.racing:
            return frozenset()
        return frozenset([seat for seat, gone in enumerate(public.left) if not gone and seat not in public.called])

    def ahead(self, public: Public, seat: Seat) -> float:
        """As `Racer.ahead`: the race is even if all need as long for the cards that they have left."""
        others = [count for other, count in enumerate(public.hands) if other != seat and not public.left[other]]
        return log((1 + min(others)) / (1 + public.hands[seat])) if others else 0.0


PLAYER: Final = QuickStepPlayer()
