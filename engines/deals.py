"""What a deal is made from besides its seed, and the commitment that binds it before play (docs/fair-deals.md).

Version 1 commits to the seed alone. Its context names the match and its players. Version 2 commits to the seed and to
all that decides how it is used. Its context names the deal, which has an id of its own, and no player. So the same deal
can be played again with the seats exchanged.

The version's name is part of every context and never changes silently. Another way to deal is another version.
"""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

SEED_BYTES: Final = 32
NEWEST: Final = 2
"""The version of new deals."""
SHORT_SEAL: Final = 20
"""How many characters of a commitment people are shown: in base32 they are 100 bits."""

_DEAL_V1: Final = "cardroom/deal/v1"
_DEAL_V2: Final = "cardroom/deal/v2"
_COMMIT_V1: Final = b"cardroom/commit/v1"
_COMMIT_V2: Final = b"cardroom/commit/v2"


class Deal(Protocol):
    """What all contexts of one match share."""

    @property
    def rules_version(self) -> int:
        """The version of the rules to deal by."""
        ...

    def context(self, number: int, pack_id: str) -> str:
        """The context of a deal of the match (counted from 1): lines joined by newlines, none after the last."""
        ...


def salt_digest(salt: str) -> bytes:
    """The SHA-256 of a player's salt in NFC, 32 bytes; of the empty text where there is none."""
    return hashlib.sha256(unicodedata.normalize("NFC", salt).encode()).digest()


NO_SALT: Final = salt_digest("")

# ---------------------------------------------------------------------------------------------- version 1


@dataclass(frozen=True, slots=True)
class Sitter:
    """A player as a context of version 1 names them: the user's id, and a salt (none was ever added)."""

    user_id: int
    salt: str = ""

    def line(self, seat: int) -> str:
        """The context's line for this seat: ``<seat>:<user id>:<hex SHA-256 of the salt in NFC>``."""
        return f"{seat}:{self.user_id}:{(salt_digest(self.salt) if self.salt else NO_SALT).hex()}"


@dataclass(frozen=True, slots=True)
class DealV1:
    """A deal by cardroom/deal/v1."""

    game: str
    rules_version: int
    match_id: str
    sitters: tuple[Sitter, ...]

    def context(self, number: int, pack_id: str) -> str:
        """As `Deal.context`."""
        head = (_DEAL_V1, self.game, str(self.rules_version), self.match_id, str(number), pack_id)
        return "\n".join((*head, *(sitter.line(seat) for seat, sitter in enumerate(self.sitters))))


def commitment_v1(seed: bytes) -> bytes:
    """The commitment of cardroom/commit/v1 to a seed, 32 bytes."""
    return hashlib.sha256(_COMMIT_V1 + b"\x00" + seed).digest()


# ---------------------------------------------------------------------------------------------- version 2


@dataclass(frozen=True, slots=True)
class DealV2:
    """A deal by cardroom/deal/v2. `salts` are the digests of the players' salts, seat by seat (`salt_digest`)."""

    game: str
    rules_version: int
    deal_id: str
    salts: tuple[bytes, ...]

    def context(self, number: int, pack_id: str) -> str:
        """As `Deal.context`."""
        head = (_DEAL_V2, self.game, str(self.rules_version), self.deal_id, str(number), pack_id)
        return "\n".join((*head, *(f"{seat}:{salt.hex()}" for seat, salt in enumerate(self.salts))))


def commitment_v2(seed: bytes, game: str, rules_version: int, deal_id: str, options: str) -> bytes:
    """The commitment of cardroom/commit/v2, 32 bytes: to a seed, and to what it is used for.

    `options` is the JSON text of all fields of the options, with sorted keys and no spaces, as it was first written.
    """
    header = "\n".join((game, str(rules_version), deal_id, options))
    return hashlib.sha256(_COMMIT_V2 + b"\x00" + seed + b"\x00" + header.encode()).digest()


# ---------------------------------------------------------------------------------------------- both


@lru_cache(maxsize=1024)
def short_seal(commitment: bytes) -> str:
    """The first 100 bits of a commitment as people are shown it: 20 characters of base32 (RFC 4648).

    Remembered, because it is on every hand and board of its match.
    """
    return base64.b32encode(commitment).decode()[:SHORT_SEAL]
