"""Invitations: challenges, and tables that still fill."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

from typing import Protocol

from bot.store.rows import Invitation, InvitationState


class InvitationStore(Protocol):
    """Invitations: challenges, and tables that still fill."""

    async def add_invitation(self, invitation: Invitation) -> None:
        """Remember a new, open invitation. Raises Conflict when its id was used before."""

    async def set_invitation_message(self, id: str, message_id: int) -> None:
        """Note the public message that shows the invitation."""

    async def reseat(self, invitation: Invitation) -> None:
        """Note who hosts, who is invited and who sits. Raises InvitationClosed when it is not open any more."""

    async def close_invitation(self, id: str, state: InvitationState) -> bool:
        """Close an open invitation. False when it was not open any more (or never was): nothing changed."""

    async def invitation(self, id: str) -> tuple[Invitation, InvitationState] | None:
        """An invitation and what became of it; None for an unknown id."""

    async def open_invitations(self) -> list[Invitation]:
        """All invitations still open, the first to expire first."""

    async def invitations_of(self, guild_id: int, user_id: int) -> list[tuple[Invitation, InvitationState]]:
        """All invitations in a server that name a person, and what became of them, the oldest first."""
