"""Unbreakable's computer player, for all levels."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias

from engines.cards import Card
from engines.game import Event, Seat
from engines.players.player import Player, Situation
from engines.players.unbreakable.fast_table import FastTable
from engines.players.unbreakable.memory import Memory, remember
from engines.players.unbreakable.numbers import CARDS, NUMBER, TARGET, WEAPON
from engines.players.unbreakable.odds import after_answer, after_attack, after_chooser, round_of
from engines.players.unbreakable.rules_of_thumb import to_lay, to_put_away
from engines.players.unbreakable.sampling import View, sampled
from engines.unbreakable import WEAPONS, Action, Discard, Lay, Options, Phase, Public

UnbreakableSituation: TypeAlias = Situation[Memory, Action]

ERRS: Final = 0.1
"""How often *easy* makes an act at random."""


class UnbreakablePlayer(Player[Memory, Action, Options]):
    """As `Player`."""

    def begin(self, options: Options, seats: int, seat: Seat) -> Memory:  # noqa: ARG002  always two
        return Memory(seat, options.pace == "swift")

    def remember(self, memory: Memory, fact: Event) -> Memory:
        return remember(memory, fact)

    def candidates(self, situation: UnbreakableSituation) -> Sequence[Action]:
        own = situation.view.own
        if situation.view.public.phase is Phase.LAY:
            return [Lay((card,)) for card in own.hand]
        return [Discard(card) for card in own.weapons]

    def sample(self, situation: UnbreakableSituation, rng: Random) -> FastTable:
        return sampled(situation.memory, situation.view, rng)

    def rule_of_thumb(self, situation: UnbreakableSituation, rng: Random) -> Action:  # noqa: ARG002  it needs no luck
        public, own = situation.view.public, situation.view.own
        if public.phase is Phase.LAY:
            return Lay((CARDS[to_lay([NUMBER[card] for card in own.hand])],))
        return Discard(CARDS[to_put_away([NUMBER[card] for card in own.weapons], _target(public))])

    def judge(self, situation: UnbreakableSituation, actions: Sequence[Action]) -> Sequence[float]:
        view = situation.view
        mine, theirs = view.public.hands[view.seat], view.public.hands[1 - view.seat]
        return [
            _put_away(view, action.card)
            if isinstance(action, Discard)
            else after_attack(round_of(TARGET[NUMBER[action.cards[0]]]), mine, theirs)
            for action in actions
        ]

    def visible_choices(self, public: Public) -> int:
        if public.phase is Phase.LAY and public.turn is not None:
            return public.hands[public.turn]
        return WEAPONS


def _target(public: Public) -> int:
    if public.target is None:
        raise ValueError("weapons are chosen against a target")
    return NUMBER[public.target]


def _put_away(view: View, card: Card) -> float:
    """The share after the round, by how far the pair is that stays."""
    public, seat = view.public, view.seat
    value = TARGET[_target(public)]
    pair = sum([WEAPON[NUMBER[each]] for each in view.own.weapons if each != card])
    how, mine, theirs = round_of(value, abs(pair - value)), public.hands[seat], public.hands[1 - seat]
    if public.turn is None:
        return after_chooser(how, mine, theirs)
    return after_attack(how, mine + 1, theirs) if public.turn == seat else after_answer(how, mine, theirs + 1)


PLAYER: Final = UnbreakablePlayer()
