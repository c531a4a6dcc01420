"""Events in the calendar of a server that take place in one of its channels.

Discord has the members of a server see them, and remind who wants that. The bot asks for nothing that it isn't told to
enter, so it needs *Create Events* only then, and no intent.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import discord

from cogs.updates.channel_messages import translate_failures

LONGEST_NAME: Final = 100
"""Of an event and of its location."""
LONGEST_ABOUT: Final = 1000
UNKNOWN_EVENT: Final = 10070
TOO_MANY_EVENTS: Final = 30038
FINISHED_EVENT: Final = 180000
"""Discord's error codes for an event that is gone, for one more than 100 that aren't over, and for one that is over
(https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""
_GUILD_ONLY, _SOMEWHERE_ELSE = 2, 3
_ACTIVE, _COMPLETED = 2, 3


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """An event: its name, where it takes place and what it is about, and from when to when (ms UTC)."""

    name: str
    location: str
    about: str
    starts_at: int
    ends_at: int


@dataclass(frozen=True, slots=True, eq=False)
class ServerCalendar:
    """The calendars of all servers. All methods raise NotTaken."""

    client: discord.Client

    async def enter(self, guild_id: int, event: CalendarEvent) -> int:
        """Enter an event that is still to begin. Returns its id."""
        with translate_failures():
            made = await self.client.http.create_guild_scheduled_event(
                guild_id,
                name=event.name[:LONGEST_NAME],
                description=event.about[:LONGEST_ABOUT],
                scheduled_start_time=_moment(event.starts_at),
                scheduled_end_time=_moment(event.ends_at),
                privacy_level=_GUILD_ONLY,
                entity_type=_SOMEWHERE_ELSE,
                entity_metadata={"location": event.location[:LONGEST_NAME]},
            )
        return int(made["id"])

    async def begin(self, guild_id: int, event_id: int) -> None:
        """Have an event begin now."""
        with translate_failures():
            await self.client.http.edit_scheduled_event(guild_id, event_id, status=_ACTIVE)

    async def finish(self, guild_id: int, event_id: int) -> None:
        """Have an event end now that has begun."""
        with translate_failures():
            await self.client.http.edit_scheduled_event(guild_id, event_id, status=_COMPLETED)

    async def remove(self, guild_id: int, event_id: int) -> None:
        """Take an event out of the calendar."""
        with translate_failures():
            await self.client.http.delete_scheduled_event(guild_id, event_id)


def _moment(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat()
