"""Haymaker by rules of thumb, as a careful person might play who counts no further than this turn.

- Attack with one card, one that the opponent can hardly equal or block: what isn't blocked wins a card.
- A haymaker only if it surely wins: the opponent has one card left, and it is too weak. Any block of one reverses.
- Pass if every attack is likely to be reversed.
- Answer with few and weak cards; a reversal may take one card more. Rather take the hit than block with three.
- In a pass keep the stronger card.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

from engines.haymaker import Phase
from engines.players.haymaker.bits import RANK_OF, RANKS, strength
from engines.players.haymaker.candidates import HIT, PASS, attacks, blocks
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
SURE_WIN: Final = 2.0
"""What an attack is worth that can't be blocked and takes the last card."""
RATHER_PASS: Final = 0.0
"""Below this an attack isn't worth making."""


def by_rule_of_thumb(known: Known) -> int:
    """The act, as a number (`candidates`)."""
    if known.phase is Phase.ATTACK:
        return _attack(known)
    if known.phase is Phase.REPLY:
        return _reply(known)
    return max(known.drawn, key=lambda card: RANK_OF[card])


def worths(known: Known, acts: Sequence[int]) -> list[float]:
    """What each of these acts seems worth by the same rules, for a player who doesn't always find the best."""
    if known.phase is Phase.ATTACK:
        singles, winning = _worths_of_attacks(known), set(_winning(known))
        return [_worth_of_attack(known, act, singles, winning) for act in acts]
    if known.phase is Phase.REPLY:
        return [_worth_of_hit(known) if act == HIT else _worth_of_block(known, act) for act in acts]
    return [A_POINT * RANK_OF[act] for act in acts]


def _worth_of_attack(known: Known, act: int, singles: Sequence[float], winning: Set[int]) -> float:
    if act == PASS:
        return RATHER_PASS if known.draw else -REVERSED
    if not _is_haymaker(act):
        return singles[RANK_OF[act]]
    return SURE_WIN if act in winning else -REVERSED


def _attack(known: Known) -> int:
    winning = _winning(known)
    if winning:
        return min(winning, key=strength)
    worth = _worths_of_attacks(known)
    single = [card for card in attacks(known.hand) if not card & (card - 1)]
    best = max(single, key=lambda card: worth[RANK_OF[card]])
    return PASS if known.may_pass and known.draw and worth[RANK_OF[best]] < RATHER_PASS else best


def _winning(known: Known) -> list[int]:
    """The haymakers that surely win."""
    if known.their_count != 1:
        return []
    return [cards for cards in attacks(known.hand) if strength(cards) > RANKS and cards & (cards - 1)]


def _worths_of_attacks(known: Known) -> list[float]:
    """What an attack with one card is worth, by its rank."""
    equal = odds_of_ranks(known)
    worth = [0.0] * (RANKS + 1)
    none_stronger = 1.0
    for rank in range(RANKS, 0, -1):
        unequalled = 1 - equal[rank]
        hit, blocked = unequalled * none_stronger, unequalled * (1 - none_stronger)
        worth[rank] = hit + BLOCKED * blocked - REVERSED * equal[rank] - A_POINT * rank
        none_stronger *= unequalled
    return worth


def _reply(known: Known) -> int:
    options = blocks(known.hand, strength(known.attack))
    if not options:
        return HIT
    best = max(options, key=lambda block: _worth_of_block(known, block))
    if known.hand.bit_count() < _cost(known):
        return best
    return best if _worth_of_block(known, best) > _worth_of_hit(known) else HIT


def _worth_of_block(known: Known, block: int) -> float:
    needed, strong = strength(known.attack), strength(block)
    reverses = _is_haymaker(known.attack) or known.their_count == 0 or strong == needed
    gain = REVERSED if reverses else 0.0
    return gain - A_CARD * (block.bit_count() - 1) - A_POINT * strong


def _worth_of_hit(known: Known) -> float:
    cost = _cost(known)
    return -(ALL_CARDS if known.hand.bit_count() <= cost else A_HIT * cost)


def _cost(known: Known) -> int:
    """How many cards a hit takes."""
    return 1 + _is_haymaker(known.attack)


def _is_haymaker(cards: int) -> bool:
    return cards & (cards - 1) != 0
