"""High Card's computer player, by rule of thumb.

Both choose in secret, and every card is gone once it was laid. So no card is better than another for sure, and a player
who can be read loses. It lays any.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias

from cardroom_high_card.engine import Lay, Options, Public
from engines.game import Act, Event, Seat
from engines.players.player import Chooser, Situation

HighCardSituation: TypeAlias = Situation[None, Lay]


class HighCardPlayer(Chooser[None, Lay, Options]):
    """As `Chooser`. It remembers nothing: what it needs lies before it."""

    def begin(self, options: Options, seats: int, seat: Seat) -> None:
        pass

    def remember(self, memory: None, fact: Event) -> None:
        pass

    def candidates(self, situation: HighCardSituation) -> Sequence[Lay]:
        return [offer.action for offer in situation.choices if isinstance(offer, Act)]

    def rule_of_thumb(self, situation: HighCardSituation, rng: Random) -> Lay:
        return rng.choice(self.candidates(situation))

    def visible_choices(self, public: Public) -> int:
        return max(public.hands)


PLAYER: Final = HighCardPlayer()
