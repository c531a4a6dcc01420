"""Unbreakable by rules of thumb.

- Keep the closest pair. That is never worse, against any pair of the opponent.
- Lay the card that is most likely to be deflected: then it leaves the hand and doesn't come back. Nines are, courts
  hardly ever.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.players.unbreakable.numbers import TARGET, put_away
from engines.players.unbreakable.odds import round_of


def to_put_away(weapons: Sequence[int], target: int) -> int:
    """The weapon card to put away."""
    return put_away(weapons, target)


def to_lay(hand: Sequence[int]) -> int:
    """The card to lay as the attacker."""
    return max(hand, key=lambda card: (round_of(TARGET[card]).deflects, -card))
