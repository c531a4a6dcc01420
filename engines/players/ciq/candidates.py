"""Which acts of CIQ are worth trying: five to ten for each opponent, of some hundred that are legal."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from engines.ciq import CIQ
from engines.ciq.facts import Action, Allow, Attack, Block, Cards, Defend, Draw, Give, Pass, Pile
from engines.ciq.offers import sequence_refusal
from engines.ciq.table import Phase, State
from engines.game import Seat
from engines.players.ciq.sequences import rows, strongest, weakening
from engines.players.ciq.sight import Sight, sight_of
from engines.players.rules_table import RulesTable

STRONGEST: Final = 4
"""Rows on each Damage Pile."""


def candidates(sight: Sight) -> list[Action]:
    """The acts worth trying, all legal and at least one."""
    if sight.phase is Phase.BLOCK:
        return [Allow(), *_blocks(sight)]
    if sight.phase is Phase.GIVE:
        return _gifts(sight)
    found: list[Action] = []
    own, by_defense = sight.own, dict[int, list[Cards]]()
    for target in sight.opponents:
        defense = sight.pools[target].top.rank
        if defense not in by_defense:
            by_defense[defense] = strongest(rows(sight.hand, defense), defense, own, STRONGEST)
        found += [Attack(target, Pile.DAMAGE, row) for row in by_defense[defense]]
        weak = weakening(sight.hand, defense)
        if weak:
            found.append(Attack(target, Pile.DEFENSE, max(weak, key=lambda row: (row[-1].rank, -row[0].rank))))
    fitting = [card for card in sight.hand if card.suit is own.top.suit]
    if fitting:
        found.append(Defend((min(fitting, key=lambda card: card.rank),)))
    if sight.may_draw:
        found.append(Draw())
    if sight.may_pass:
        found.append(Pass())
    return found


def beginners(sight: Sight, *, rows: bool) -> list[Action]:
    """What somebody new may think of: every attack with a single card, too, and perhaps no `rows` of several cards."""
    found = [act for act in candidates(sight) if rows or not isinstance(act, Attack) or len(act.cards) == 1]
    if sight.phase is not Phase.TURN:
        return found
    for target in sight.opponents:
        defense = sight.pools[target].top.rank
        single = [Attack(target, pile, (card,)) for pile in Pile for card in sight.hand]
        found += [act for act in single if act not in found and sequence_refusal(act.cards, defense, act.pile) is None]
    return found


def _blocks(sight: Sight) -> list[Action]:
    """The lowest card that blocks, of each rank."""
    needed = sight.assault.needed if sight.assault else 0
    by_rank = {card.rank: card for card in sight.hand if card.rank >= needed}
    return [Block((by_rank[rank],)) for rank in sorted(by_rank)]


def _gifts(sight: Sight) -> list[Action]:
    """To give the lowest cards, or the highest."""
    owed = sight.assault.owed if sight.assault else 0
    ordered = sorted(sight.hand, key=lambda card: card.rank)
    low, high = ordered[:owed], ordered[-owed:]
    gifts = [tuple([card for card in sight.hand if card in chosen]) for chosen in (low, high)]
    return [Give(gift) for gift in dict.fromkeys(gifts)]


class CIQTable(RulesTable[State, Action]):
    """CIQ's table for search."""

    game = CIQ()

    def candidates(self) -> list[Action]:
        return candidates(sight_of(self.state))

    def label(self, action: Action, viewer: Seat) -> Hashable:  # noqa: ARG002  every act is made openly
        return action
