"""What the processes of a bot have saved in one PostgreSQL database, as another program reads it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.play.matchmaking.invitations import Proposal, Terms
from bot.scheduler import LoopScheduler
from engines import GAMES
from tests.bot.play.parts import Parts, press_ids
from tests.bot.store.memory_store import MemoryStore
from tests.clusters.play import GAME, Table
from tests.postgresql.server import SOON, Server
from tests.postgresql.stores import new_database, opened_store


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
        """The same through a port on loopback that leads to the server, which must answer soon."""
        return {"CARDROOM_DATABASE": f"{self.server.tcp_url(self.name, port)}?{SOON}"}

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

    async def owners(self) -> list[tuple[int, str | None]]:
        """Who holds which shard, also if nobody does."""
        return await self._rows("SELECT shard, owner FROM shard_leases ORDER BY shard")

    async def begin_matches(self, tables: Sequence[Table], folder: Path) -> None:
        """Save matches at these tables, as if their process was killed before it showed a board. `folder` gets the key
        by which deleted people are recognised."""
        scheduler, options = LoopScheduler(), GAMES[GAME].info.options()
        memory = MemoryStore(now=scheduler.now)
        parts = Parts(memory, scheduler, seed=tables[0].server.id)
        asked = []
        for table in tables:
            host, guest = (person.id for person in table.people)
            terms = Terms(table.server.id, table.channel.id, GAME, options, "daily")
            asked.append(await parts.inviting.invite(Proposal(terms, host, (guest,))))
            with parts.presses.take_up(asked[-1].id, next(press_ids)) as press:
                await parts.seating.take_seat(asked[-1].id, guest, None, press)
        rows = await memory.live_matches()
        saved = await memory.saved_matches([row.id for row in rows])
        await parts.close()
        async with opened_store(self.server.url(self.name), folder, scheduler.now) as store:
            await asyncio.gather(*map(store.add_invitation, asked))
            dealt = [(row, saved[row.id].records[0], saved[row.id].timers) for row in rows]
            await asyncio.gather(*(store.open_match(*each) for each in dealt))

    async def _rows(self, query: str, *values: object) -> list[Any]:
        def read() -> list[Any]:
            with self.server.connect_as_admin(self.name) as connection:
                found: list[Any] = connection.execute(query, values).fetchall()
                return found

        return await asyncio.to_thread(read)

    def drop(self) -> None:
        """Remove it."""
        self.server.drop_database(self.name)
