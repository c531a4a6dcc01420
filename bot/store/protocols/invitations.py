"""Invitations: challenges, and tables that are filling."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

from typing import Protocol

from bot.store.rows.invitations import Invitation, InvitationState


class InvitationStore(Protocol):
    """Invitations, from the first message until they close. `MatchStore.open_match` turns one into a match."""

    async def add_invitation(self, invitation: Invitation) -> None:
        """Add a new, open invitation. Raises Conflict when its id was used before."""

    async def set_invitation_message(self, id: str, message_id: int) -> None:
        """Record which public message shows the invitation."""

    async def reseat_invitation(self, invitation: Invitation) -> None:
        """Record who hosts, who is invited, who is seated, and their salts.

        Raises InvitationClosed when it is no longer open.
        """

    async def close_invitation(self, id: str, state: InvitationState) -> bool:
        """Close an open invitation. Returns False, and changes nothing, when it is unknown or no longer open."""

    async def invitation(self, id: str) -> tuple[Invitation, InvitationState] | None:
        """An invitation and its state; None for an unknown id."""

    async def open_invitations(self) -> list[Invitation]:
        """All open invitations, the first to expire first."""

    async def open_invitations_of(self, user_id: int) -> list[Invitation]:
        """The open invitations that name a person, in all servers, of any range: the first to expire first."""

    async def invitations_of(self, guild_id: int, user_id: int) -> list[tuple[Invitation, InvitationState]]:
        """All invitations in a server that name a person, each with its state, the oldest first."""
