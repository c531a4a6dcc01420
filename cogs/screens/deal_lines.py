"""What a public message says of its deal in small type: its id, its short seal, and the hashes of its salts.

The first two are one line, which stays the same from the challenge to the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.play.live_match import LiveMatch
from bot.store.queries.invitations import Invitation
from bot.ui.catalogue import Translations
from engines.deals import salt_digest, short_seal

HASH_DIGITS: Final = 16
"""How many digits of a salt's SHA-256 are shown in public; the proof has them all."""


def invited_deal(invitation: Invitation, words: Translations, name: Callable[[int], str]) -> str:
    """The deal of an open invitation, and a line for each salt that was added."""
    if invitation.origin is not None:
        return words("deal.practice", match=invitation.origin.match_id)
    lines = [words("deal.line", deal=invitation.deal_id, seal=short_seal(invitation.commitment))]
    lines += [
        words("deal.salt", player=name(user), hash=salt_digest(text).hex()[:HASH_DIGITS])
        for user, text in invitation.salts
    ]
    return "\n".join(lines)


def played_deal(match: LiveMatch, words: Translations) -> str:
    """The deal of a match, or that it has none and was begun from another match."""
    if match.origin is not None:
        return words("deal.practice", match=match.origin.match_id)
    return words("deal.line", deal=match.deal_id, seal=match.short_seal)
