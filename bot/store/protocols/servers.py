"""Servers that the bot knows, what is set there, and what the bot records about itself."""

from __future__ import annotations

from typing import Protocol

from bot.store.rows.servers import Observed, SettingChange


class ServerStore(Protocol):
    """Servers, the bot's heartbeat, and metadata of the installation."""

    # -- servers

    async def known_guilds(self) -> set[int]:
        """Every server that some row names, departures aside."""

    async def record_departure(self, guild_id: int, at: int) -> None:
        """Record that the bot left a server at a moment (ms UTC). A departure recorded before keeps its moment.

        The open hands of its matches are deleted.
        """

    async def clear_departure(self, guild_id: int) -> None:
        """Delete a departure; harmless where there is none."""

    async def departures(self) -> dict[int, int]:
        """The servers that the bot is no longer in, and since when (ms UTC)."""

    async def record_look(self, at: int, passed: int | None) -> Observed:
        """Record that the bot looks for what it should purge or call off, and return for how long it has observed it.

        `at` is the time of day (ms UTC). `passed` is the time since the last look (ms), or None for the first look of a
        process, whose clock may be wrong: then `at` is compared with that of the last look. Of that time at most a day
        is added, and none on the very first look or if the clock was set back. What began since the last look is taken
        to have begun then.
        """

    async def purge_guild(self, guild_id: int) -> None:
        """Delete every row that names a server, its departure too, and of people who have no name in another the
        preferences and when they were notified of a table. Nothing of any other server changes."""

    # -- what is set in servers

    async def server_settings(self) -> dict[int, dict[str, str]]:
        """The settings of all servers: by server, then by name. What has its default is not among them."""

    async def change_setting(self, change: SettingChange) -> None:
        """Save the value of a setting, or delete it if it is empty, and record the change."""

    async def record_change(self, change: SettingChange) -> None:
        """Record a change that is no setting's. Of each server the latest `MOST_SETTING_CHANGES` are kept."""

    async def setting_changes(self, guild_id: int) -> list[SettingChange]:
        """The changes of a server that are kept, the latest first."""

    async def record_greeting(self, guild_id: int, at: int) -> bool:
        """Record that a server is greeted (ms UTC). Returns whether it is the first time."""

    # -- the bot's uptime

    async def record_heartbeat(self, now: int) -> None:
        """Record that the bot is up."""

    async def last_heartbeat(self) -> int | None:
        """When the bot was last known to be up; None before its first start."""

    async def credit_downtime(self, now: int) -> int:
        """Add the time since the last heartbeat to every deadline of live matches and open invitations.

        It records a heartbeat in the same step, so no time is credited twice. Returns the milliseconds added: 0 on the
        first start, and less when the clock was set back. What was left of each deadline at the last heartbeat is left
        of it now.
        """

    async def shift_time(self, by: int) -> None:
        """Move every deadline of live matches and open invitations, and the heartbeat, by this many milliseconds.

        For when the time of day is corrected: what was left of each deadline stays the same.
        """

    # -- metadata

    async def metadata(self, key: str) -> str | None:
        """A value about the installation, such as the fingerprint of the commands last announced; None if unset."""

    async def set_metadata(self, key: str, value: str) -> None:
        """Set a value in place of the former one."""
