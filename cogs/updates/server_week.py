"""What rooms have to say to a whole server: one message each, in a channel that the server has chosen.

A room says what its message shows now. Another room keeps the messages, and notes here what a server refuses.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.kept import Kept
from bot.ui.screen import Screen

MOST_REFUSED = 1000
"""How many refusals are remembered: their servers read of them in their settings, and are asked again the next day."""


@dataclass(frozen=True, slots=True)
class WeekPost:
    """What a room's message shows. It needs a control: by that it is found again.

    It is edited while its `edition` is the same; another is a message of its own, and the former one stays as a record.
    With 0, the message is deleted once there is nothing to say. `firsts` are who gets the role of the season's first;
    None leaves the role with whom it is. `channel_id` is where it stands; None for the channel of the server's week.
    """

    screen: Screen
    edition: int = 0
    firsts: tuple[int, ...] | None = None
    channel_id: int | None = None


ReadPost: TypeAlias = Callable[[int], Awaitable[WeekPost | None]]
"""What a room's message in a server shows now; None if there is nothing to say. It may raise StoreError."""


@dataclass(slots=True, eq=False)
class ServerWeek:
    """What the rooms say, by their names, and on which day servers last refused a channel or a role."""

    posts: dict[str, ReadPost] = field(default_factory=dict)
    channels: Kept[int, int] = field(default_factory=lambda: Kept("refused week channels", MOST_REFUSED))
    roles: Kept[int, int] = field(default_factory=lambda: Kept("refused season roles", MOST_REFUSED))
