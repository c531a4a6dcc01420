"""The settings of all servers, in memory: screens need them at once, and few servers change any."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.play.refusals import translate_errors
from bot.play.servers.settings import ENDED, ServerSettings
from bot.store.rows.servers import SettingChange
from bot.store.store import Store

_UNCHANGED = ServerSettings()


class KnownServerSettings:
    """What is set in each server. Changes go through this object, into the store first."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        """`now` is the time of day in ms UTC."""
        self._store = store
        self._now = now
        self._stored: dict[int, dict[str, str]] = {}
        self._read: dict[int, ServerSettings] = {}
        self._changing = asyncio.Lock()

    async def load(self) -> None:
        """Read the settings of all servers. Raises StoreError."""
        self._stored = await self._store.server_settings()
        self._read = {guild_id: ServerSettings.read(stored) for guild_id, stored in self._stored.items()}

    def of(self, guild_id: int) -> ServerSettings:
        """What is set in a server."""
        return self._read.get(guild_id, _UNCHANGED)

    async def change(self, guild_id: int, user_id: int, name: str, value: str) -> bool:
        """Change a setting and record who did it. An empty value is the default. Returns whether it was another.

        Raises Unsaved; then it stays as it was.
        """
        async with self._changing:
            former = self._stored.get(guild_id, {}).get(name, "")
            if former == value:
                return False
            change = SettingChange(guild_id, user_id, self._now(), name, former, value)
            await translate_errors(self._store.change_setting(change))
            stored = {**self._stored.get(guild_id, {}), name: value}
            self._stored[guild_id] = {name: value for name, value in stored.items() if value}
            self._read[guild_id] = ServerSettings.read(self._stored[guild_id])
            return True

    async def note_ended(self, guild_id: int, user_id: int, match_id: str, game: str) -> None:
        """Record that a moderator called a match off. Raises Unsaved."""
        change = SettingChange(guild_id, user_id, self._now(), ENDED, match_id, game)
        await translate_errors(self._store.record_change(change))

    def forget_server(self, guild_id: int) -> None:
        """Forget the settings of a purged server."""
        self._stored.pop(guild_id, None)
        self._read.pop(guild_id, None)
