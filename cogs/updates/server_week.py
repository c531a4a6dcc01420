"""What rooms have to say to a whole server: one message each, in the channel that the server has chosen for its week.

A room says what its message shows now. Another room keeps the messages, and notes here what a server refuses.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.kept import Kept
from bot.ui.screen import Screen

MOST_REFUSED = 1000
"""In how many servers a refusal is remembered: they read of it in their settings, and are asked again the next day."""


@dataclass(frozen=True, slots=True)
class WeekPost:
    """What a room's message shows. It needs a control: by that it is found again.

    It is edited while its `edition` is the same; another is a message of its own, and the former one stays as a record.
    With 0, the message is deleted once there is nothing to say. `firsts` are who gets the role of the season's first;
    None leaves the role with whom it is.
    """

    screen: Screen
    edition: int = 0
    firsts: tuple[int, ...] | None = None


ReadPost: TypeAlias = Callable[[int], Awaitable[WeekPost | None]]
"""What a room's message in a server shows now; None if there is nothing to say. It may raise StoreError."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a server refused on a day: messages in a channel, or a role."""

    refused_id: int
    day: int


@dataclass(slots=True, eq=False)
class ServerWeek:
    """What the rooms say, by their names, and which channels and roles servers refuse."""

    posts: dict[str, ReadPost] = field(default_factory=dict)
    channels: Kept[int, Refusal] = field(default_factory=lambda: Kept("refused week channels", MOST_REFUSED))
    roles: Kept[int, Refusal] = field(default_factory=lambda: Kept("refused season roles", MOST_REFUSED))

    def refuses_channel(self, guild_id: int, channel_id: int) -> bool:
        """Whether a server refused the last message in the channel of its week."""
        found = self.channels.get(guild_id)
        return found is not None and found.refused_id == channel_id

    def refuses_role(self, guild_id: int, role_id: int) -> bool:
        """Whether a server refused the last time that the role was given or taken."""
        found = self.roles.get(guild_id)
        return found is not None and found.refused_id == role_id
