"""What the processes of a bot have saved in one PostgreSQL database, as another program reads it."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.postgresql.server import Server
from tests.postgresql.stores import new_database


class SharedData:
    """One database of a server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.name = new_database(server)

    @property
    def settings(self) -> dict[str, str]:
        """The settings of a process that stores everything here."""
        return {"CARDROOM_DATABASE": self.server.url(self.name)}

    def settings_through(self, port: int) -> dict[str, str]:
        """The same through a port on loopback that leads to the server."""
        return {"CARDROOM_DATABASE": self.server.tcp_url(self.name, port)}

    async def moves(self, guild_id: int) -> list[tuple[str, int]]:
        """The acts of people in a server: match and number in its log, in order."""
        return await self._rows(
            "SELECT match_id, seq FROM records JOIN matches ON matches.id = match_id"
            " WHERE matches.guild_id = %s AND actor IS NOT NULL ORDER BY opened_at, seq",
            guild_id,
        )

    async def deadline(self, guild_id: int) -> int:
        """When the one deadline of a server's only match is (ms UTC)."""
        ((found,),) = await self._rows("SELECT deadline FROM timers WHERE guild_id = %s", guild_id)
        return int(found)

    async def owners(self) -> list[tuple[int, str]]:
        """Who holds which shard."""
        return await self._rows("SELECT shard, owner FROM shard_leases ORDER BY shard")

    async def _rows(self, query: str, *values: object) -> list[Any]:
        def read() -> list[Any]:
            with self.server.connect_as_admin(self.name) as connection:
                found: list[Any] = connection.execute(query, values).fetchall()
                return found

        return await asyncio.to_thread(read)

    def drop(self) -> None:
        """Remove it."""
        self.server.drop_database(self.name)
