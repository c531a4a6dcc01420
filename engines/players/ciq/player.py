"""CIQ's computer player, for all levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from engines.ciq.facts import Action, Options
from engines.ciq.table import Phase, Place, Public
from engines.game import Event, Seat
from engines.players.ciq.candidates import CIQTable, beginners, candidates
from engines.players.ciq.look_ahead import affordable, judged, worths_ahead
from engines.players.ciq.memory import Memory, remember, sampled
from engines.players.ciq.rules_of_thumb import by_rule_of_thumb
from engines.players.ciq.sight import sight_from
from engines.players.player import Expired, Player, Situation, Thought
from engines.players.slips import drawn

CIQSituation: TypeAlias = Situation[Memory, Action]

BUDGET: Final = 60
"""The rollouts of the levels that look ahead."""
TRIED: Final = 12
"""They try this many acts at most: those that look best right after the act. With six players there are 30."""
TABLES: Final = 3
"""They try every act on at least this many tables."""


class CIQPlayer(Player[Memory, Action, Options]):
    """As `Player`."""

    def begin(self, options: Options, seats: int, seat: Seat) -> Memory:
        return Memory(options, seat, (Place(),) * seats)

    def remember(self, memory: Memory, fact: Event) -> Memory:
        return remember(memory, fact)

    def candidates(self, situation: CIQSituation) -> Sequence[Action]:
        return candidates(sight_from(situation.memory, situation.view))

    def sample(self, situation: CIQSituation, rng: Random) -> CIQTable:
        """A table that is consistent with everything the seat knows, all such tables equally likely."""
        return CIQTable(sampled(situation.memory, situation.view, rng))

    def rule_of_thumb(self, situation: CIQSituation, rng: Random) -> Action:  # noqa: ARG002  it needs no luck
        return by_rule_of_thumb(sight_from(situation.memory, situation.view))

    def judge(self, situation: CIQSituation, actions: Sequence[Action]) -> Sequence[float]:
        sight = sight_from(situation.memory, situation.view)
        return [judged(sight, action) for action in actions]

    def visible_choices(self, public: Public) -> int:
        if public.asked is None or public.phase is not Phase.TURN:
            return 4
        return 1 << min(public.places[public.asked].hand, 6)


@dataclass(frozen=True, slots=True)
class LookingAhead:
    """A `Policy` that looks a few acts ahead, and slips at a temperature above 0."""

    temperature: float = 0.0

    def __call__(self, situation: CIQSituation, rng: Random, rollouts: int, expired: Expired) -> Thought[Action]:
        """Choose an act."""
        sight = sight_from(situation.memory, situation.view)
        tried = max(1, min(TRIED, affordable(BUDGET, sight) // TABLES))
        acts = sorted(candidates(sight), key=lambda act: judged(sight, act), reverse=True)[:tried]
        if len(acts) == 1:
            return Thought(acts[0])
        count = max(TABLES, affordable(rollouts, sight) // len(acts))
        tables = [PLAYER.sample(situation, rng) for _ in range(count)]
        worths, played = worths_ahead(tables, acts, situation.view.seat, rng, expired)
        return Thought(acts[drawn(worths, self.temperature, rng)], played)


def beginners_acts(situation: CIQSituation) -> Sequence[Action]:
    """The acts that a beginner may think of."""
    return beginners(sight_from(situation.memory, situation.view), rows=True)


def single_cards(situation: CIQSituation) -> Sequence[Action]:
    """Those of them for somebody who hasn't discovered rows yet."""
    return beginners(sight_from(situation.memory, situation.view), rows=False)


PLAYER: Final = CIQPlayer()
