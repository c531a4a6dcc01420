"""Hidden Face's computer player, by rule of thumb: guess the middle of what a card can be."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias

from cardroom_hidden_face.engine import RANKS, Action, Guess, Name, Options, Phase, Public
from engines.game import Act, Event, Seat
from engines.players.player import Chooser, Situation

HiddenFaceSituation: TypeAlias = Situation[None, Action]


class HiddenFacePlayer(Chooser[None, Action, Options]):
    """As `Chooser`. It remembers nothing: the board shows what each card can still be."""

    def begin(self, options: Options, seats: int, seat: Seat) -> None:
        pass

    def remember(self, memory: None, fact: Event) -> None:
        pass

    def candidates(self, situation: HiddenFaceSituation) -> Sequence[Action]:
        return [offer.action for offer in situation.choices if isinstance(offer, Act)]

    def rule_of_thumb(self, situation: HiddenFaceSituation, rng: Random) -> Action:
        public: Public = situation.view.public
        if public.phase is Phase.GUESS and public.target is not None:
            lowest, highest = public.bounds[public.target]
            return Guess((lowest + highest + rng.randrange(2)) // 2)
        others = [seat for seat in public.staying if seat != situation.view.seat]
        return Name(min(others, key=lambda seat: (_open(public, seat), rng.random())))

    def visible_choices(self, public: Public) -> int:
        return len(RANKS) if public.phase is Phase.GUESS else len(public.staying) - 1


def _open(public: Public, seat: Seat) -> int:
    """How many ranks a seat's card can still have."""
    lowest, highest = public.bounds[seat]
    return 1 + highest - lowest


PLAYER: Final = HiddenFacePlayer()
