"""What a challenge or a table says of its deal in small type, to be noted before anybody acts: its id, its short seal,
and the hashes of its salts. Later only *Proof* shows them."""

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
        return words("deal.practice")
    lines = [words("deal.line", deal=invitation.deal_id, seal=short_seal(invitation.commitment))]
    lines += [
        words("deal.salt", player=name(user), hash=salt_digest(text).hex()[:HASH_DIGITS])
        for user, text in invitation.salts
    ]
    return "\n".join(lines)


def practice_line(match: LiveMatch, words: Translations) -> str:
    """That a match has no deal of its own, because it was begun from another one; empty for all others, whose deal
    *Proof* has from the first moment on."""
    return "" if match.origin is None else words("deal.practice")
