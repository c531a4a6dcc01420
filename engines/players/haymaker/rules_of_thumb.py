"""Haymaker by rules of thumb, as a careful person might play who counts no further than this turn.

- Attack with one card, one that the opponent can hardly equal or block: what isn't blocked wins a card.
- A haymaker only if it surely wins: the opponent has one card left, and it is too weak. Any block of one reverses.
- Pass if every attack is likely to be reversed.
- Answer with few and weak cards; a reversal may take one card more. Rather take the hit than block with three.
- In a pass keep the stronger card.
"""

from __future__ import annotations

from typing import Final

from engines.haymaker import Phase
from engines.players.haymaker.bits import RANK_OF, RANKS, strength
from engines.players.haymaker.candidates import attacks, blocks
from engines.players.haymaker.memory import Known, odds_of_ranks

BLOCKED: Final = 0.2
"""What a block is worth to the attacker, where an unblocked attack is worth 1."""
REVERSED: Final = 0.8
"""What a reversal costs the attacker, and is worth to the defender."""
A_POINT: Final = 0.03
"""What a card costs for each point of its strength."""
A_CARD: Final = 0.5
"""What each further card of a block costs."""
A_HIT: Final = 0.9
"""What each card costs that is given for a hit."""
ALL_CARDS: Final = 1.5
"""What a hit costs that takes the last cards."""
RATHER_PASS: Final = 0.0
"""Below this an attack isn't worth making."""


def by_rule_of_thumb(known: Known) -> int:
    """The act, as a number (`candidates`)."""
    if known.phase is Phase.ATTACK:
        return _attack(known)
    if known.phase is Phase.REPLY:
        return _reply(known)
    return max(known.drawn, key=lambda card: RANK_OF[card])


def _attack(known: Known) -> int:
    if known.their_count == 1:
        winning = [cards for cards in attacks(known.hand) if strength(cards) > RANKS and cards & (cards - 1)]
        if winning:
            return min(winning, key=strength)
    equal = odds_of_ranks(known)
    worth = [0.0] * (RANKS + 1)
    none_stronger = 1.0
    for rank in range(RANKS, 0, -1):
        unequalled = 1 - equal[rank]
        hit, blocked = unequalled * none_stronger, unequalled * (1 - none_stronger)
        worth[rank] = hit + BLOCKED * blocked - REVERSED * equal[rank] - A_POINT * rank
        none_stronger *= unequalled
    single = [card for card in attacks(known.hand) if not card & (card - 1)]
    best = max(single, key=lambda card: worth[RANK_OF[card]])
    return 0 if known.may_pass and known.draw and worth[RANK_OF[best]] < RATHER_PASS else best


def _reply(known: Known) -> int:
    needed, haymaker = strength(known.attack), known.attack & (known.attack - 1) != 0
    last = known.their_count == 0
    cost, count = 1 + haymaker, known.hand.bit_count()

    def worth(block: int) -> float:
        strong = strength(block)
        gain = REVERSED if haymaker or last or strong == needed else 0.0
        return gain - A_CARD * (block.bit_count() - 1) - A_POINT * strong

    options = blocks(known.hand, needed)
    if not options:
        return 0
    best = max(options, key=worth)
    if count < cost:
        return best
    return best if worth(best) > -(ALL_CARDS if count == cost else A_HIT * cost) else 0
