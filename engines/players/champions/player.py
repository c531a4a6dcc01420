"""Champions of Chance's computer player, for all levels."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from random import Random
from typing import Final, TypeAlias

from engines.champions import (
    Action,
    Call,
    Challenge,
    Decline,
    Exchange,
    NameNumber,
    Options,
    Phase,
    Public,
    Select,
    Steal,
)
from engines.game import Event, Seat
from engines.players.champions.candidates import dice, exchanges
from engines.players.champions.fast_table import DECLINE, NUMBERS, FastTable
from engines.players.champions.imagining import sampled
from engines.players.champions.judging import judged
from engines.players.champions.memory import Memory, remember
from engines.players.champions.numbering import Numbering, bits_of, singles
from engines.players.champions.rules_of_thumb import by_rule_of_thumb
from engines.players.champions.sight import Sight, sight_from
from engines.players.player import Player, Situation

ChampionsSituation: TypeAlias = Situation[Memory, Action]

ERRS: Final = 0.5
"""How often *easy* makes an act at random."""


class ChampionsPlayer(Player[Memory, Action, Options]):
    """As `Player`."""

    def begin(self, options: Options, seats: int, seat: Seat) -> Memory:
        return Memory(options, seat, (0,) * seats, ((),) * seats)

    def remember(self, memory: Memory, fact: Event) -> Memory:
        return remember(memory, fact)

    def candidates(self, situation: ChampionsSituation) -> Sequence[Action]:
        sight = _sight(situation)
        return [action_of(sight.cards, sight.phase, number) for number in numbers(sight)]

    def sample(self, situation: ChampionsSituation, rng: Random) -> FastTable:
        return sampled(situation.memory, situation.view, rng)

    def rule_of_thumb(self, situation: ChampionsSituation, rng: Random) -> Action:  # noqa: ARG002  it needs no luck
        sight = _sight(situation)
        return action_of(sight.cards, sight.phase, by_rule_of_thumb(sight))

    def judge(self, situation: ChampionsSituation, actions: Sequence[Action]) -> Sequence[float]:
        sight = _sight(situation)
        return [judged(sight, number_of(action)) for action in actions]

    def visible_choices(self, public: Public) -> int:
        battle = public.battle
        if battle is None:
            return 2 * len(public.decks)
        if public.phase is Phase.DICE:
            count = max([public.decks[seat] for seat in public.awaited], default=1)
            return comb(count, min(battle.number, count))
        return {Phase.CALL: 2, Phase.NUMBER: len(NUMBERS)}.get(public.phase, 6)


def numbers(sight: Sight) -> Sequence[int]:
    """The candidates as numbers (`fast_table`)."""
    match sight.phase:
        case Phase.OPPONENT:
            named = [2 * seat for seat in sight.opponents]
            return [*named, *[act + 1 for act in named]] if sight.faceup else named
        case Phase.NUMBER:
            return NUMBERS
        case Phase.DICE:
            return dice(sight.cards, sight.deck, sight.number)
        case Phase.CALL:
            return (0, 1)
        case Phase.STEAL:
            return [*exchanges(sight.cards, sight.to_steal), DECLINE]
        case _:
            return exchanges(sight.cards, sight.deck)


def number_of(action: Action) -> int:  # noqa: PLR0911  one number an act
    """The act as a number."""
    match action:
        case Challenge(opponent, take):
            return 2 * opponent + take
        case NameNumber(number):
            return number
        case Select(cards):
            return bits_of([card.place for card in cards])
        case Call(lowest):
            return int(lowest)
        case Steal(card):
            return card.place
        case Decline():
            return DECLINE
        case Exchange(cards):
            return cards[0].place


def action_of(cards: Numbering, phase: Phase, number: int) -> Action:
    """The act that a number means in a phase."""
    match phase:
        case Phase.OPPONENT:
            return Challenge(number >> 1, take=number & 1 == 1)
        case Phase.NUMBER:
            return NameNumber(number)
        case Phase.DICE:
            return Select(tuple([cards.cards[each] for each in singles(number)]))
        case Phase.CALL:
            return Call(lowest=number == 1)
        case Phase.STEAL:
            return Decline() if number == DECLINE else Steal(cards.cards[number])
        case _:
            return Exchange((cards.cards[number],))


def _sight(situation: ChampionsSituation) -> Sight:
    return sight_from(situation.memory, situation.view)


PLAYER: Final = ChampionsPlayer()
