"""Invitations in memory."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

from dataclasses import replace

from bot.store.errors import Conflict, InvitationClosed
from bot.store.memory.data import ClosableInvitation, Data
from bot.store.memory.transactions import Transactions, reads, writes
from bot.store.rows.invitations import Invitation, InvitationState


class MemoryInvitations(Transactions):
    """`bot.store.protocols.invitations.InvitationStore` in memory."""

    @writes
    def add_invitation(self, data: Data, invitation: Invitation) -> None:
        if invitation.id in data.invitations:
            raise Conflict("an invitation with this id was added before")
        data.invitations[invitation.id] = ClosableInvitation(invitation)

    @writes
    def set_invitation_message(self, data: Data, id: str, message_id: int) -> None:
        if id in data.invitations:
            found = data.invitations[id]
            data.invitations[id] = replace(found, invitation=replace(found.invitation, message_id=message_id))

    @writes
    def reseat_invitation(self, data: Data, invitation: Invitation) -> None:
        found = data.invitations.get(invitation.id)
        if found is None or not found.is_open:
            raise InvitationClosed("the invitation is no longer open")
        reseated = replace(
            found.invitation,
            host_id=invitation.host_id,
            invited=invitation.invited,
            seated=invitation.seated,
            salts=invitation.salts,
        )
        data.invitations[invitation.id] = replace(found, invitation=reseated)

    @writes
    def close_invitation(self, data: Data, id: str, state: InvitationState) -> bool:
        return close(data, id, state, self._now())

    @reads
    def invitation(self, data: Data, id: str) -> tuple[Invitation, InvitationState] | None:
        found = data.invitations.get(id)
        return None if found is None else (found.invitation, found.state)

    @reads
    def open_invitations(self, data: Data) -> list[Invitation]:
        return [each for each in _open(data) if self.serves.includes(each.guild_id)]

    @reads
    def open_invitations_of(self, data: Data, user_id: int) -> list[Invitation]:
        return [each for each in _open(data) if user_id in _users(each)]

    @reads
    def invitations_of(self, data: Data, guild_id: int, user_id: int) -> list[tuple[Invitation, InvitationState]]:
        return invitations_that_name(data, guild_id, user_id)


def _open(data: Data) -> list[Invitation]:
    found = (each.invitation for each in data.invitations.values() if each.is_open)
    return sorted(found, key=lambda each: (each.expires_at, each.id))


def close(data: Data, invitation_id: str, state: InvitationState, now: int) -> bool:
    """Close an invitation if it is open. Returns whether it was."""
    found = data.invitations.get(invitation_id)
    if found is None or not found.is_open:
        return False
    data.invitations[invitation_id] = ClosableInvitation(replace(found.invitation, closed_at=now), state)
    return True


def invitations_that_name(data: Data, guild_id: int, user_id: int) -> list[tuple[Invitation, InvitationState]]:
    """All invitations in a server that name a person, each with its state, the oldest first."""
    named = [
        (each.invitation, each.state)
        for each in data.invitations.values()
        if each.invitation.guild_id == guild_id and user_id in _users(each.invitation)
    ]
    return sorted(named, key=lambda each: (each[0].created_at, each[0].id))


def _users(invitation: Invitation) -> set[int]:
    return {invitation.host_id, *invitation.invited, *invitation.seated, *invitation.places}
