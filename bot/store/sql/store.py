"""The whole store on a database that is asked in SQL."""

from __future__ import annotations

from bot.store.sql.boards import SqlBoards
from bot.store.sql.daily import SqlDaily
from bot.store.sql.invitations import SqlInvitations
from bot.store.sql.matches import SqlMatches
from bot.store.sql.people import SqlPeople
from bot.store.sql.profiles import SqlProfiles
from bot.store.sql.replays import SqlReplays
from bot.store.sql.screens import SqlScreens
from bot.store.sql.servers import SqlClusters, SqlServers
from bot.store.sql.standings import SqlStandings


class SqlStore(
    SqlInvitations,
    SqlMatches,
    SqlScreens,
    SqlStandings,
    SqlBoards,
    SqlDaily,
    SqlPeople,
    SqlProfiles,
    SqlReplays,
    SqlServers,
    SqlClusters,
):
    """`bot.store.protocols.store.Store`, but for how it is opened: what the methods do and raise is written there."""

    async def close(self) -> None:
        """Finish waiting work and release the data. Closing twice is harmless."""
        await self.database.close()
