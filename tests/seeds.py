"""Whether a text tells a match's seed, without knowing it: what was sealed is known by its commitment."""

from __future__ import annotations

import re

from bot.play.live_match import LiveMatch
from engines.deals import commitment_v1

_SEEDS = re.compile(r"(?=([0-9a-f]{64}))")
"""Everything that may be a seed in hexadecimal digits."""


def tells_seed(text: str, match: LiveMatch) -> bool:
    """Whether the match's seed is written anywhere in a text."""
    return any(commitment_v1(bytes.fromhex(found)).hex() == match.commitment for found in _SEEDS.findall(text))
