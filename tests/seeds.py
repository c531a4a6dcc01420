"""Whether a text tells a match's seed, without knowing it: what was sealed is known by its commitment."""

from __future__ import annotations

import re

from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.store.verification import terms_of
from engines.deals import commitment_of

_SEEDS = re.compile(r"(?=([0-9a-f]{64}))")
"""Everything that may be a seed in hexadecimal digits."""


def tells_seed(text: str, match: LiveMatch) -> bool:
    """Whether the match's seed is written anywhere in a text. The match was sealed under today's rules."""
    found = _SEEDS.findall(text)
    if not found:
        return False
    info = match.game.info
    options = codec(info.key).encode_fields(match.options)
    terms = terms_of(match.time_control.key, match.stand_in, match.series)

    def opens(seed: bytes) -> bool:
        sealed = commitment_of(seed, info.key, info.rules_version, match.deal_id, options, terms=terms)
        return match.commitment == sealed.hex()

    return any(opens(bytes.fromhex(each)) for each in found)
