"""Unbreakable's computer player, for all levels. It needs no memory: nothing that a seat could remember changes which
act looks best.

By rules of thumb:

- Keep the closest pair. That is never worse, against any pair of the opponent.
- Lay the card that is most likely to be deflected: then it leaves the hand and doesn't come back. Nines are, courts
  hardly ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias

from engines.cards import Card
from engines.game import Event, Private, Seat
from engines.players.player import Player, Situation
from engines.players.unbreakable.odds import after_answer, after_attack, after_chooser, left_after, round_of
from engines.unbreakable.facts import Action, Cards, Discard, Lay, Options
from engines.unbreakable.table import WEAPONS, Own, Phase, Public, distance, swift_discard, target_value

UnbreakableSituation: TypeAlias = Situation[None, Action]
View: TypeAlias = Private[Public, Own]


class UnbreakablePlayer(Player[None, Action, Options]):
    """As `Player`."""

    def begin(self, options: Options, seats: int, seat: Seat) -> None:
        """There is nothing to remember."""

    def remember(self, memory: None, fact: Event) -> None:
        """Nor later."""

    def candidates(self, situation: UnbreakableSituation) -> Sequence[Action]:
        own = situation.view.own
        if situation.view.public.phase is Phase.LAY:
            return [Lay((card,)) for card in own.hand]
        return [Discard(card) for card in own.weapons]

    def rule_of_thumb(self, situation: UnbreakableSituation, rng: Random) -> Action:  # noqa: ARG002  it needs no luck
        public, own = situation.view.public, situation.view.own
        if public.phase is Phase.LAY:
            return Lay((to_lay(own.hand),))
        return Discard(swift_discard(own.weapons, _target(public)))

    def judge(self, situation: UnbreakableSituation, actions: Sequence[Action]) -> Sequence[float]:
        view = situation.view
        return [_put_away(view, act.card) if isinstance(act, Discard) else _laid(view, act.cards[0]) for act in actions]

    def visible_choices(self, public: Public) -> int:
        if public.phase is Phase.LAY and public.turn is not None:
            return public.hands[public.turn]
        return WEAPONS


def to_lay(hand: Cards) -> Card:
    """The card to lay as the attacker."""
    return max(hand, key=lambda card: (round_of(target_value(card)).deflects, -card.place))


def _target(public: Public) -> Card:
    if public.target is None:
        raise ValueError("weapons are chosen against a target")
    return public.target


def _laid(view: View, card: Card) -> float:
    """The share once this card is the attacker."""
    public, seat = view.public, view.seat
    left = left_after(public.options, public.attackers + 1)
    return after_attack(round_of(target_value(card)), public.hands[seat], public.hands[1 - seat], left)


def _put_away(view: View, card: Card) -> float:
    """The share after the round, by how far the pair is that stays."""
    public, seat = view.public, view.seat
    target = _target(public)
    pair = [each for each in view.own.weapons if each != card]
    how = round_of(target_value(target), distance(pair, target))
    mine, theirs, left = public.hands[seat], public.hands[1 - seat], left_after(public.options, public.attackers)
    if public.turn is None:
        return after_chooser(how, mine, theirs, left)
    if public.turn == seat:
        return after_attack(how, mine + 1, theirs, left)
    return after_answer(how, mine, theirs + 1, left)


PLAYER: Final = UnbreakablePlayer()
