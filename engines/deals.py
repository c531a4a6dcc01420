"""What a deal is made from besides its seed, and the commitment that binds it before play (docs/fair-deals.md).

The commitment binds the seed and all that decides how it is used. A context names the deal, which has an id of its own,
and no player. So the same deal can be played again with the seats exchanged.

The version's name is part of every context and never changes silently. Another way to deal is another version.
"""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

SEED_BYTES: Final = 32
VERSION: Final = 3
"""The version of deals. Versions 1 and 2 were never in a release."""
SHORT_SEAL: Final = 20
"""How many characters of a commitment people are shown: in base32 they are 100 bits."""

_DEAL: Final = f"cardroom/deal/v{VERSION}"
_COMMIT: Final = f"cardroom/commit/v{VERSION}".encode()


def salt_digest(salt: str) -> bytes:
    """The SHA-256 of a player's salt in NFC, 32 bytes; of the empty text where there is none."""
    return hashlib.sha256(unicodedata.normalize("NFC", salt).encode()).digest()


NO_SALT: Final = salt_digest("")


@dataclass(frozen=True, slots=True)
class Deal:
    """What all contexts of one match share, and who acts first in it.

    `salts` are the digests of the players' salts, seat by seat (`salt_digest`), and `rules_version` is the version of
    the rules to deal by. `computers` has the level of the computer that has each seat, None for a person's; it is empty
    where all are people's. `first` is the seat that acts first; None where that is drawn (C-9).
    """

    game: str
    rules_version: int
    deal_id: str
    salts: tuple[bytes, ...]
    computers: tuple[str | None, ...] = ()
    first: int | None = None

    def context(self, number: int, pack_id: str) -> str:
        """The context of a deal of the match (counted from 1): lines joined by newlines, none after the last."""
        head = (_DEAL, self.game, str(self.rules_version), self.deal_id, str(number), pack_id)
        levels = self.computers or (None,) * len(self.salts)
        each = enumerate(zip(self.salts, levels, strict=True))
        return "\n".join((*head, *(f"{seat}:{salt.hex()}{_mark(level)}" for seat, (salt, level) in each)))


def _mark(level: str | None) -> str:
    return "" if level is None else f":{level}"


def commitment_of(seed: bytes, game: str, rules_version: int, deal_id: str, options: str, *, terms: str) -> bytes:
    """The commitment to a seed and to what it is used for, 32 bytes.

    `options` is the JSON text of all fields of the options, with sorted keys and no spaces, as it was first written.
    `terms` are those of the match that are no options of its game (`bot.store.verification.terms_of`).
    """
    header = "\n".join((game, str(rules_version), deal_id, options, terms))
    return hashlib.sha256(_COMMIT + b"\x00" + seed + b"\x00" + header.encode()).digest()


@lru_cache(maxsize=1024)
def short_seal(commitment: bytes) -> str:
    """The first 100 bits of a commitment as people are shown it: 20 characters of base32 (RFC 4648).

    Remembered, because it is on every hand and board of its match.
    """
    return base64.b32encode(commitment).decode()[:SHORT_SEAL]
