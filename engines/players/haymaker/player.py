"""Haymaker's computer player, for all levels."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias

from engines.game import Event, Seat
from engines.haymaker import Action, Options, Phase, Public
from engines.players.haymaker.bits import strength
from engines.players.haymaker.candidates import HIT, PASS, action_of, attacks, blocks, number_of
from engines.players.haymaker.memory import Known, Memory, known_from, remember
from engines.players.haymaker.net import mixed, share_of, shipped
from engines.players.haymaker.rules_of_thumb import by_rule_of_thumb, worths
from engines.players.player import Expired, Player, Situation, Thought

HaymakerSituation: TypeAlias = Situation[Memory, Action]


class HaymakerPlayer(Player[Memory, Action, Options]):
    """As `Player`."""

    def begin(self, options: Options, seats: int, seat: Seat) -> Memory:  # noqa: ARG002  the same for all options
        return Memory(seat)

    def remember(self, memory: Memory, fact: Event) -> Memory:
        return remember(memory, fact)

    def candidates(self, situation: HaymakerSituation) -> Sequence[Action]:
        known = _known(situation)
        return [action_of(known.phase, number) for number in numbers(known)]

    def rule_of_thumb(self, situation: HaymakerSituation, rng: Random) -> Action:  # noqa: ARG002  it needs no luck
        known = _known(situation)
        return action_of(known.phase, by_rule_of_thumb(known))

    def judge(self, situation: HaymakerSituation, actions: Sequence[Action]) -> Sequence[float]:
        values = shipped().values(_known(situation), [number_of(action) for action in actions])
        return [share_of(value) for value in values]

    def visible_choices(self, public: Public) -> int:
        if public.asked is None or public.phase is Phase.KEEP:
            return 2
        return 1 << min(public.hands[public.asked], 6)


def numbers(known: Known) -> Sequence[int]:
    """The candidates as numbers (`candidates`)."""
    if known.phase is Phase.ATTACK:
        found = attacks(known.hand)
        return [PASS, *found] if known.may_pass else found
    if known.phase is Phase.REPLY:
        return [HIT, *blocks(known.hand, strength(known.attack))]
    return known.drawn


def hard(situation: HaymakerSituation, rng: Random, rollouts: int, expired: Expired) -> Thought[Action]:  # noqa: ARG001  it plays no rollouts
    """The act that a net judges best, or one that it judges nearly as good."""
    known = _known(situation)
    acts = numbers(known)
    values = shipped().values(known, acts)
    return Thought(action_of(known.phase, acts[mixed(values, rng.random())]))


def worths_by_thumb(situation: HaymakerSituation, actions: Sequence[Action]) -> Sequence[float]:
    """What each of these acts seems worth by rule of thumb."""
    return worths(_known(situation), [number_of(action) for action in actions])


def _known(situation: HaymakerSituation) -> Known:
    return known_from(situation.memory, situation.view)


PLAYER: Final = HaymakerPlayer()
