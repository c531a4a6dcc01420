"""Salts: what the players themselves add to a deal until it begins, so that nobody can have picked its cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.play.refusals import Refused
from bot.store.rows.invitations import Invitation, InvitationKind

LONGEST: Final = 64
"""How many characters a salt may have."""


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
