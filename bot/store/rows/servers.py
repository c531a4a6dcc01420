"""Servers: changes of their settings, and what the bot observes at its looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MOST_SETTING_CHANGES: Final = 100
"""How many changes of a server's settings are kept. Older ones are deleted."""


@dataclass(frozen=True, slots=True)
class SettingChange:
    """Who changed a setting of a server, when, and from what to what; an empty value is the default.

    What a moderator did to a match is listed in the same way: then `name` is no setting, and `value` says what it was.
    """

    guild_id: int
    user_id: int
    at: int
    name: str
    former: str
    value: str


LONGEST_LOOK: Final = 24 * 3600 * 1000
"""Milliseconds that count at most from one look to the next. So a clock that jumps by years adds a day."""


@dataclass(frozen=True, slots=True)
class ObservedSuspension:
    """A suspended match: since when (ms UTC), and for how long the bot has observed that (ms)."""

    since: int
    observed: int


@dataclass(frozen=True, slots=True)
class Observed:
    """What the bot has observed at its looks: the servers that it is not in, each with how long (ms), and the suspended
    matches by their ids."""

    departures: Mapping[int, int]
    suspended: Mapping[str, ObservedSuspension]
