"""Seals the deal of an invitation, takes the players' salts, and makes a match's chance from it (docs/fair-deals.md).

Salts are what the players themselves add to a deal until it begins, so that nobody can have picked its cards.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from bot.games import GAMES
from bot.play.refusals import Refused
from bot.store.codec import Codec
from bot.store.queries.invitations import Invitation, InvitationKind, SealedDeal, Series, StandIn
from bot.store.queries.matches import UNSALTED, MatchRow, Salt
from bot.store.special_ids import is_computer, level_of
from bot.store.verification import terms_of
from engines.chance import Chance, SeededChance
from engines.deals import SEED_BYTES, VERSION, Deal, commitment_of, salt_digest

ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""What ids of matches and deals are made of: nothing that looks like something else."""
ID_LENGTH: Final = 10

SYSTEM_RANDOM: Final = random.SystemRandom()
"""Makes ids and the seeds of deals; nobody can foresee it."""

LONGEST: Final = 64
"""How many characters a salt may have."""


def random_id(source: random.Random) -> str:
    """The id of a match or of a deal."""
    return "".join(source.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def seal(
    game: str,
    options: Any,
    codec: Codec,
    source: random.Random,
    *,
    clock: str,
    stand_in: StandIn = StandIn.OFF,
    series: Series | None = None,
    chosen: tuple[str, bytes] | None = None,
) -> SealedDeal:
    """A new deal, with a seed that `source` makes and nobody may know before the end; or one whose id and seed are
    `chosen`.

    Raises ValueError for a clock that there isn't.
    """
    deal_id, seed = chosen or (random_id(source), source.randbytes(SEED_BYTES))
    rules_version, fields = GAMES[game].info.rules_version, codec.encode_fields(options)
    made = commitment_of(seed, game, rules_version, deal_id, fields, terms=terms_of(clock, stand_in, series))
    return SealedDeal(VERSION, deal_id, rules_version, fields, seed, made)


def salts_of(invitation: Invitation) -> tuple[Salt, ...]:
    """The salts of those who sit, seat by seat."""
    texts = dict(invitation.salts)
    found = [texts.get(user, "") for user in invitation.seated]
    return tuple([Salt(salt_digest(text), text) if text else UNSALTED for text in found])


def deal_of(row: MatchRow) -> Deal:
    """What all uses of a match's chance share."""
    salts = tuple([salt.digest for salt in row.salts])
    levels = tuple([level_of(user) if is_computer(user) else None for user in row.seats])
    first = None if row.series is None else row.series.first
    return Deal(row.game, row.rules_version, row.deal_id, salts, levels, first)


def chances_of(row: MatchRow, pack_id: str) -> Callable[[int], Chance]:
    """Makes a match's chance for each of its game's own acts, by the act's number (`stand_ins.act_numbers`).

    `pack_id` is that of its pack.
    """
    deal = deal_of(row)
    return lambda act: SeededChance(row.seed, deal, act, pack_id)


def with_salt(invitation: Invitation, user_id: int, text: str) -> Invitation:
    """The invitation with a player's salt. Blanks around it are cut.

    Raises Refused for somebody who does not play, who has added one already, or whose salt is empty or too long, and
    for a match that begins without a deal.
    """
    salt = text.strip()
    check_may_add(invitation, user_id)
    if not salt:
        raise Refused("salt.empty")
    if len(salt) > LONGEST:
        raise Refused("salt.too_long", most=LONGEST)
    return replace(invitation, salts=(*invitation.salts, (user_id, salt)))


def check_may_add(invitation: Invitation, user_id: int) -> None:
    """Raise Refused for somebody who may add no salt, or none any more."""
    if invitation.origin is not None:
        raise Refused("salt.practice")
    challenged = invitation.kind is InvitationKind.CHALLENGE and user_id in invitation.invited
    if not challenged and user_id not in invitation.seated:
        raise Refused("salt.not_playing" if invitation.kind is InvitationKind.CHALLENGE else "salt.not_seated")
    if user_id in dict(invitation.salts):
        raise Refused("salt.added_already")


def may_add_salt(invitation: Invitation, user_id: int) -> bool:
    """Whether somebody may add a salt."""
    try:
        check_may_add(invitation, user_id)
    except Refused:
        return False
    return True


def without_salt(invitation: Invitation, user_id: int) -> Invitation:
    """The invitation without what somebody added who plays no longer."""
    return replace(invitation, salts=tuple((user, salt) for user, salt in invitation.salts if user != user_id))
