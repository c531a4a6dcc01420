"""Last Card's computer player, by rule of thumb: play what fits, of the suit it has most of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias

from cardroom_last_card.engine import Action, Options, Play, PlayPick, Public, fits
from engines.game import Act, Event, Seat
from engines.players.player import Chooser, Situation

LastCardSituation: TypeAlias = Situation[None, Action]

USUAL_CHOICES: Final = 3
"""Drawing, and two cards that fit."""


class LastCardPlayer(Chooser[None, Action, Options]):
    """As `Chooser`. It remembers nothing: what it needs lies before it."""

    def begin(self, options: Options, seats: int, seat: Seat) -> None:
        pass

    def remember(self, memory: None, fact: Event) -> None:
        pass

    def candidates(self, situation: LastCardSituation) -> Sequence[Action]:
        """What fits; else to draw or to pass."""
        found: list[Action] = []
        for offer in situation.choices:
            if isinstance(offer, PlayPick):
                found += [Play((card,)) for card in offer.hand if fits(card, offer.top)]
        return found or [offer.action for offer in situation.choices if isinstance(offer, Act)]

    def rule_of_thumb(self, situation: LastCardSituation, rng: Random) -> Action:
        suits = Counter(card.suit for card in situation.view.own.hand)
        return max(
            self.candidates(situation),
            key=lambda act: (suits[act.cards[0].suit] if isinstance(act, Play) else 0, rng.random()),
        )

    def visible_choices(self, public: Public) -> int:  # noqa: ARG002  about as many in every turn
        return USUAL_CHOICES


PLAYER: Final = LastCardPlayer()
