"""What must be true of an invitation before somebody sits down or its match begins."""

from __future__ import annotations

from typing import Any

from bot.games import GAMES
from bot.play.refusals import NotInstalled, Refused
from bot.store.rows.invitations import Invitation, InvitationKind
from engines.options import OptionRefused


def is_complete(invitation: Invitation) -> bool:
    """Whether the match of an invitation begins by itself with those who sit there."""
    if invitation.kind is InvitationKind.CHALLENGE:
        return set(invitation.seated) >= set(invitation.invited)
    return invitation.auto_start and len(invitation.seated) >= GAMES[invitation.game].info.seats[0]


def check_installed(invitation: Invitation) -> None:
    """Raise NotInstalled where no match can come of the invitation at present."""
    if invitation.game not in GAMES:
        raise NotInstalled(invitation.game, "challenge.not_installed")


def check_host(invitation: Invitation, user_id: int) -> None:
    """Raise Refused unless it is a table and somebody its host."""
    if invitation.kind is not InvitationKind.TABLE:
        raise Refused("table.not_a_table")
    if user_id != invitation.host_id:
        raise Refused("table.not_host")


def check_may_change(invitation: Invitation) -> None:
    """Raise Refused where it is settled who plays, because the match is begun from another one."""
    if invitation.origin is not None:
        raise Refused("differently.settled")


def check_options(game: str, options: Any, seats: int) -> None:
    """Raise Refused now if the match could not begin when the last player sits down."""
    try:
        GAMES[game].start(options, seats)
    except OptionRefused as refused:
        raise Refused(refused.key, **refused.values) from None
