"""Servers that the bot knows, and what it notes about itself."""

from __future__ import annotations

from typing import Protocol


class ServerStore(Protocol):
    """Servers that the bot knows, and what it notes about itself."""

    async def guilds(self) -> set[int]:
        """Every server that something is remembered of, departures aside."""

    async def depart(self, guild_id: int, at: int) -> None:
        """Note that we are in a server no more. A departure noted before keeps its moment."""

    async def come_back(self, guild_id: int) -> None:
        """Forget a departure; harmless where there is none."""

    async def departures(self) -> dict[int, int]:
        """The servers we are in no more, and since when (ms UTC)."""

    async def purge(self, guild_id: int) -> None:
        """Forget all of a server: every row that names it, the departure too. Nothing of any other changes."""

    async def beat(self, now: int) -> None:
        """Note that the bot is up."""

    async def last_beat(self) -> int | None:
        """When the bot was last known to be up; None before its first start."""

    async def credit_downtime(self, now: int) -> int:
        """Give the time since the last beat back to every deadline of live matches and open invitations, and beat.

        Returns the milliseconds given: 0 on the first start, and when the clock was set back.
        """

    async def fact(self, key: str) -> str | None:
        """A fact about the installation, such as the fingerprint of the commands last announced; None if unset."""

    async def set_fact(self, key: str, value: str) -> None:
        """Remember a fact in place of the former one."""
