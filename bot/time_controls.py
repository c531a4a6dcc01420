"""The match clocks players choose from: how long a turn, a reply and an invitation take, and when to warn."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.durations import PRESETS, key_of, turn_of
from engines.game import Length, Reply, Seconds, Turn

SLOW_FROM: Final = 10 * 60
"""From so many seconds a turn on, play is slow."""

WARNED_FROM: Final = 120
LONGEST_LEAD: Final = 3600


def warning_lead(length: int) -> int | None:
    """How long before the end of a question's time a player is warned, in seconds; None where the time (seconds) is so
    short that the mention of a turn is warning enough."""
    return None if length < WARNED_FROM else min(length // 4, LONGEST_LEAD)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A match clock: its key in commands and rows, the time for a turn in seconds, and whether play is slow.

    The key is a preset's name, or for any other time its seconds: ``90s``. In slow play people are not expected to sit
    at the table: replies get a turn's time and invitations last a day.
    """

    key: str
    turn: int
    slow: bool

    def length(self, length: Length) -> int:
        """How long a timer of the rules runs at this pace, in seconds."""
        match length:
            case Turn():
                return self.turn
            case Seconds(seconds):
                return seconds
            case Reply(seconds):
                return self.turn if self.slow else seconds

    @property
    def invitation(self) -> int:
        """How long a challenge stands, in seconds."""
        return 24 * 3600 if self.slow else 15 * 60


def time_control(key: str) -> TimeControl:
    """The clock of a key, a preset's wherever it has the same time. Raises ValueError for a key that is none."""
    turn = turn_of(key)
    return TimeControl(key_of(turn), turn, slow=turn >= SLOW_FROM)


TIME_CONTROLS = MappingProxyType({key: time_control(key) for key in PRESETS})
"""The clocks that have names."""
