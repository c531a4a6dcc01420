"""Champions of Chance's computer player, for all levels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from random import Random
from typing import Final, TypeAlias

from engines.champions.course import NUMBERS
from engines.champions.facts import Action, Call, Challenge, Decline, Exchange, NameNumber, Options, Select, Steal
from engines.champions.table import Phase, Public
from engines.game import Event, Seat
from engines.players.champions.judging import judged
from engines.players.champions.memory import Memory, remember
from engines.players.champions.numbering import Numbering
from engines.players.champions.rules_of_thumb import by_rule_of_thumb
from engines.players.champions.sight import Sight, sight_from
from engines.players.player import Player, Situation

ChampionsSituation: TypeAlias = Situation[Memory, Action]


class ChampionsPlayer(Player[Memory, Action, Options]):
    """As `Player`."""

    def begin(self, options: Options, seats: int, seat: Seat) -> Memory:
        return Memory(options, seat, (0,) * seats, ((),) * seats)

    def remember(self, memory: Memory, fact: Event) -> Memory:
        return remember(memory, fact)

    def candidates(self, situation: ChampionsSituation) -> Sequence[Action]:
        return candidates(sight_from(situation.memory, situation.view))

    def rule_of_thumb(self, situation: ChampionsSituation, rng: Random) -> Action:  # noqa: ARG002  it needs no luck
        return by_rule_of_thumb(sight_from(situation.memory, situation.view))

    def judge(self, situation: ChampionsSituation, actions: Sequence[Action]) -> Sequence[float]:
        sight = sight_from(situation.memory, situation.view)
        return [judged(sight, action) for action in actions]

    def visible_choices(self, public: Public) -> int:
        battle = public.battle
        if battle is None:
            return 2 * len(public.decks)
        if public.phase is Phase.DICE:
            count = max([public.decks[seat] for seat in public.awaited], default=1)
            return comb(count, min(battle.number, count))
        return {Phase.CALL: 2, Phase.NUMBER: len(NUMBERS)}.get(public.phase, 6)


def candidates(sight: Sight) -> list[Action]:
    """The acts worth trying: all but those that differ only in a card's copy."""
    match sight.phase:
        case Phase.OPPONENT:
            takes = (False, True) if sight.faceup else (False,)
            return [Challenge(seat, take) for take in takes for seat in sight.opponents]
        case Phase.NUMBER:
            return [NameNumber(number) for number in NUMBERS]
        case Phase.DICE:
            return [Select(sight.cards.cards_of(die)) for die in dice(sight.cards, sight.deck, sight.number)]
        case Phase.CALL:
            return [Call(lowest=False), Call(lowest=True)]
        case Phase.STEAL:
            return [*[Steal(sight.cards.cards[card]) for card in _kinds(sight.cards, sight.to_steal)], Decline()]
        case _:
            return [Exchange((sight.cards.cards[card],)) for card in _kinds(sight.cards, sight.deck)]


def dice(cards: Numbering, deck: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """The dice of this size."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for die in combinations(deck, size):
        found.setdefault(tuple([cards.kinds[card] for card in die]), die)
    return list(found.values())


def _kinds(cards: Numbering, numbers: Sequence[int]) -> list[int]:
    """One card of each kind."""
    return list({cards.kinds[card]: card for card in numbers}.values())


PLAYER: Final = ChampionsPlayer()
