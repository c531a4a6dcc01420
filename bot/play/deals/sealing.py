"""Seals the deal of an invitation, and makes a match's chance from it (docs/fair-deals.md)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

from bot.games import GAMES
from bot.play.refusals import Refused
from bot.store.codec import Codec
from bot.store.rows.invitations import Invitation
from bot.store.rows.matches import UNSALTED, MatchRow, Salt
from engines.deals import SEED_BYTES, VERSION, Deal, commitment_of, salt_digest

ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""What ids of matches and deals are made of: nothing that looks like something else."""
ID_LENGTH: Final = 10


@dataclass(frozen=True, slots=True)
class SealedDeal:
    """A new deal: its id, its secret seed, what its seal binds besides, and the seal (32 bytes)."""

    version: int
    id: str
    rules_version: int
    options: str
    seed: bytes
    commitment: bytes


def random_id(source: random.Random) -> str:
    """The id of a match or of a deal."""
    return "".join(source.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def seal(game: str, options: Any, codec: Codec, source: random.Random) -> SealedDeal:
    """A new deal, with a seed that `source` makes and nobody may know before the end."""
    deal_id, seed = random_id(source), source.randbytes(SEED_BYTES)
    rules_version, fields = GAMES[game].info.rules_version, codec.encode_fields(options)
    made = commitment_of(seed, game, rules_version, deal_id, fields)
    return SealedDeal(VERSION, deal_id, rules_version, fields, seed, made)


def rules_version_of(invitation: Invitation) -> int:
    """The version of the rules under which the match of an invitation is dealt: the one that was sealed.

    Raises Refused where that is newer than the installed rules.
    """
    if invitation.rules_version > GAMES[invitation.game].info.rules_version:
        raise Refused("challenge.newer_rules")
    return invitation.rules_version


def salts_of(invitation: Invitation, seats: tuple[int, ...]) -> tuple[Salt, ...]:
    """The salts of the users on the seats, seat by seat."""
    texts = dict(invitation.salts)
    found = [texts.get(user, "") for user in seats]
    return tuple([Salt(salt_digest(text), text) if text else UNSALTED for text in found])


def deal_of(row: MatchRow) -> Deal:
    """What all uses of a match's chance share."""
    return Deal(row.game, row.rules_version, row.deal_id, tuple(salt.digest for salt in row.salts))
