"""How long a computer player pretends to think. People are confused by an answer that comes at once.

The time depends on luck and on what everybody may see. If it depended on the search or the hand, it would tell
something.
"""

from __future__ import annotations

from math import log2
from random import Random
from typing import Final

SHORTEST: Final = 0.8
LONGEST: Final = 2.5
MOST_CHOICES: Final = 64
"""From this number of acts on, a choice counts as large."""


def thinking_seconds(visible_choices: int, luck: int) -> float:
    """The seconds to wait before the act is made, from 0.8 to 2.5; longer on average if there is more to choose from.

    `visible_choices` is from `Player.visible_choices`.
    """
    size = min(1.0, log2(max(1, visible_choices)) / log2(MOST_CHOICES))
    drawn = Random(luck).betavariate(2, 2)
    return SHORTEST + (LONGEST - SHORTEST) * (size + 2 * drawn) / 3
