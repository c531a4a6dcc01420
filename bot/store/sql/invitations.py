"""Invitations, in SQL."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

from bot.store.queries import invitations
from bot.store.rows.invitations import Invitation, InvitationState
from bot.store.sql import lists
from bot.store.sql.part import SqlPart


class SqlInvitations(SqlPart):
    """`bot.store.protocols.invitations.InvitationStore`."""

    async def add_invitation(self, invitation: Invitation) -> None:
        await self.database.write(lambda db: invitations.add(db, invitation))

    async def set_invitation_message(self, id: str, message_id: int) -> None:
        await self.database.write(lambda db: invitations.set_message(db, id, message_id))

    async def reseat_invitation(self, invitation: Invitation) -> None:
        await self.database.write(lambda db: invitations.reseat(db, invitation))

    async def close_invitation(self, id: str, state: InvitationState) -> bool:
        now = self._now()
        return await self.database.write(lambda db: invitations.close(db, id, state, now))

    async def invitation(self, id: str) -> tuple[Invitation, InvitationState] | None:
        return await self.database.read(lambda db: invitations.find(db, id))

    async def open_invitations(self) -> list[Invitation]:
        return await self.database.read(lambda db: invitations.all_open(db, self.serves))

    async def open_invitations_of(self, user_id: int) -> list[Invitation]:
        return await lists.open_invitations_of(self.database, user_id)

    async def invitations_of(self, guild_id: int, user_id: int) -> list[tuple[Invitation, InvitationState]]:
        return await lists.invitations_of(self.database, guild_id, user_id)
