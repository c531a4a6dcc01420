"""What a player of Haymaker has told by its acts, which both players saw. The opponent's net reads it.

A history is `SIZE` numbers from 0 to 1, or to 3 for blocks that are much too strong. Some fade as time passes.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from engines.players.haymaker.bits import RANK_OF, RANKS, singles, strength

History: TypeAlias = tuple[float, ...]

ATTACKED: Final = 0
"""For each rank: the player attacked with one card of it. It fades with each further attack."""
UNEQUALLED: Final = ATTACKED + RANKS
"""For each rank: the player didn't equal one card of it. It fades when the player draws a card that nobody has seen."""
HIT: Final = UNEQUALLED + RANKS
"""For each rank: the player took the hit of one card of it. It fades in the same way."""
PASSED: Final = HIT + RANKS
"""The player passed. It fades with each further attack."""
GAVE: Final = PASSED + 1
"""The rank of the card that it gave in a pass. It fades in the same way."""
BLOCK: Final = GAVE + 1
"""Its last block: how many cards, the strength that it had too much, its highest rank, and whether it reversed."""
SIZE: Final = BLOCK + 4

FADES: Final = 0.8
NOTHING: Final[History] = (0.0,) * SIZE
"""The history of a player that has not acted yet."""


def attacked(history: History, cards: int) -> History:
    """After an attack with these cards."""
    lately = [each * FADES for each in history[:UNEQUALLED]]
    if not cards & (cards - 1):
        lately[RANK_OF[cards] - 1] = 1.0
    return (*lately, *history[UNEQUALLED:PASSED], history[PASSED] * FADES, history[GAVE] * FADES, *history[BLOCK:])


def hit(history: History, attack: int) -> History:
    """After taking the hit of an attack."""
    if attack & (attack - 1):
        return history
    rank = RANK_OF[attack]
    return _with(_with(history, UNEQUALLED + rank - 1, 1.0), HIT + rank - 1, 1.0)


def blocked(history: History, attack: int, block: int, *, reversal: bool) -> History:
    """After blocking an attack."""
    strong, needed = strength(block), strength(attack)
    if not attack & (attack - 1) and strong != needed:
        history = _with(history, UNEQUALLED + needed - 1, 1.0)
    highest = max([RANK_OF[card] for card in singles(block)])
    return (*history[:BLOCK], block.bit_count() / 4, (strong - needed) / 10, highest / 10, float(reversal))


def drew(history: History) -> History:
    """After taking a card from the draw pile that the other player hasn't seen."""
    return (*history[:UNEQUALLED], *[each * FADES for each in history[UNEQUALLED:PASSED]], *history[PASSED:])


def passed(history: History) -> History:
    """After a pass, before anything is drawn."""
    return _with(history, PASSED, 1.0)


def gave(history: History, card: int) -> History:
    """After keeping one of the cards drawn in a pass, and giving the other."""
    return _with(drew(history), GAVE, RANK_OF[card] / 10)


def _with(history: History, index: int, value: float) -> History:
    return (*history[:index], value, *history[index + 1 :])
