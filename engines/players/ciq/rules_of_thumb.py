"""CIQ by rules of thumb.

- Attack so that as many cards as possible move, the opponent with the fewest cards if it makes no difference.
- If no attack moves a card, draw; if that isn't possible, lower your own Defense, or pass.
- Block with the lowest card that does, if the card that it blocks would move many.
- Give away the highest cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engines.ciq.facts import Action, Allow, Attack, Block, Defend, Draw, Pass, Pile
from engines.ciq.table import Phase
from engines.game import Seat
from engines.players.ciq.candidates import candidates
from engines.players.ciq.sequences import moved, rows
from engines.players.ciq.sight import Sight

WORTH_BLOCKING: Final = 5
"""From this number of cards on, a result is worth a block, which raises the blocker's own Defense."""


def by_rule_of_thumb(sight: Sight) -> Action:
    """The act."""
    if sight.phase is Phase.BLOCK:
        return _reply(sight)
    if sight.phase is Phase.GIVE:
        return candidates(sight)[-1]
    best, most = None, (False, 0, 0)
    for target in _weakest_by_defense(sight):
        pool = sight.pools[target]
        for row in rows(sight.hand, pool.top.rank):
            count, wins = moved(row, pool.top.rank, sight.own)
            if best is None or (wins, count, -pool.cards) > most:
                best, most = Attack(target, Pile.DAMAGE, row), (wins, count, -pool.cards)
    if best is not None and most[1] > 0:
        return best
    if sight.may_draw:
        return Draw()
    lower = [card for card in sight.hand if card.suit is sight.own.top.suit and card.rank < sight.own.top.rank]
    if lower:
        return Defend((min(lower, key=lambda card: card.rank),))
    return Pass() if sight.may_pass or best is None else best


def _weakest_by_defense(sight: Sight) -> Iterable[Seat]:
    """Of the opponents with the same Defense, for whom the same rows count, the one with the fewest cards."""
    found: dict[int, Seat] = {}
    for seat in sight.opponents:
        pool = sight.pools[seat]
        other = found.get(pool.top.rank)
        if other is None or pool.cards < sight.pools[other].cards:
            found[pool.top.rank] = seat
    return found.values()


def _reply(sight: Sight) -> Action:
    assault = sight.assault
    blocks = candidates(sight)[1:]
    if assault is None or not blocks:
        return Allow()
    attacker = sight.pools[assault.attacker]
    row, defense = assault.sequence, assault.defense
    before = attacker._replace(hand=attacker.hand + len(row))
    through, wins = moved(row, defense, before)
    stopped, _ = moved(row, defense, before, blocked=True)
    block = blocks[0]
    return block if isinstance(block, Block) and (wins or through - stopped >= WORTH_BLOCKING) else Allow()
