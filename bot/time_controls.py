"""The match clocks that players can choose: the time for a turn or a bank for all of them, for a reply and an
invitation, and when to warn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from bot.durations import BANKS, PRESETS, Bank, key_of, turn_of
from engines.game import Length, Reply, Seconds, Turn

SLOW_FROM: Final = 10 * 60
"""From this many seconds per turn, or that a bank gets with each answer, play is slow."""
SLOW_BANK: Final = 3 * 3600
"""From this many seconds in a bank, play is slow."""

WARNED_FROM: Final = 120
LONGEST_LEAD: Final = 3600


def warning_lead(length: int) -> int | None:
    """How many seconds before a question's time runs out to warn the player. None if the time (in seconds) is so short
    that the mention at its start is enough."""
    return None if length < WARNED_FROM else min(length // 4, LONGEST_LEAD)


SHORTEST_RESUME_GRACE: Final = 15
LONGEST_RESUME_GRACE: Final = 3600


def resume_grace(length: int) -> int:
    """How many seconds a resumed deadline gets on top of what was left of its length (in seconds).

    It is for noticing that the match continues. It is short, because a player who can close a thread can get it again.
    """
    return max(SHORTEST_RESUME_GRACE, min(length // 4, LONGEST_RESUME_GRACE))


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A match clock: its key in commands and rows, the time for a turn in seconds, and whether play is slow.

    The key is a preset's name, or for any other time its seconds: ``90s``. In slow play nobody has to stay online:
    replies get a full turn's time, and invitations last a day. With a `bank` (C-15) its whole time is the most that a
    turn can take.
    """

    key: str
    turn: int
    slow: bool
    bank: Bank | None = None

    def runs_bank(self, length: Length) -> bool:
        """Whether a timer of the rules runs as long as the players' banks last."""
        return self.bank is not None and (isinstance(length, Turn) or (isinstance(length, Reply) and self.slow))

    def length(self, length: Length) -> int:
        """How long a timer of the rules runs with this clock, in seconds; with a bank at most."""
        match length:
            case Turn():
                return self.turn
            case Seconds(seconds):
                return seconds
            case Reply(seconds):
                return self.turn if self.slow else seconds

    @property
    def invitation(self) -> int:
        """How long a challenge stays open, in seconds."""
        return 24 * 3600 if self.slow else 15 * 60


@lru_cache(maxsize=256)
def time_control(key: str) -> TimeControl:
    """The clock of a key; a preset if one has the same time. Raises ValueError for an invalid key."""
    bank = Bank.of_key(key)
    if bank is not None:
        slow = bank.by_day or bank.more >= SLOW_FROM or bank.whole >= SLOW_BANK
        return TimeControl(key, bank.whole, slow, bank)
    turn = turn_of(key)
    return TimeControl(key_of(turn), turn, slow=turn >= SLOW_FROM)


TIME_CONTROLS = MappingProxyType({key: time_control(key) for key in (*PRESETS, *(bank.key for bank in BANKS))})
"""The clocks that are listed: the named ones, and some banks."""
