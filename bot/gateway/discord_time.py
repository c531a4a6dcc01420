"""Discord's time of day, as the bot learns it: people read all times by Discord's clock, and the machine's may be
wrong.

An interaction's id says when Discord made it, and each reply to a request has a `Date`, in whole seconds. On its way
either only becomes older, so of many the newest-looking is nearest. The very newest is left out: Discord makes ids on
many machines, and one of them may be wrong.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

_EPOCH: Final = 1_420_070_400_000
"""Where the times in Discord's ids begin (https://discord.com/developers/docs/reference#snowflakes), in ms UTC."""
_HALF_A_SECOND: Final = 500
"""A `Date` leaves out up to a second."""
_EVERY: Final = 5.0
"""Of what comes within this many seconds, one is looked at: a line that was silent may deliver much at once."""
_WINDOW: Final = 3600.0
"""Seconds for which one counts. In that time two clocks drift apart by a third of a second at most (100 ppm)."""
_MOST: Final = 64


def made_at(discord_id: int) -> int:
    """When Discord made what has this id, in ms UTC by its own clock."""
    return (discord_id >> 22) + _EPOCH


class DiscordTime:
    """How far Discord's time of day is ahead of the machine's.

    What was learned is reckoned by the event loop's time, so a jump of the machine's time of day makes it no older. It
    stays when nobody presses anything for days.
    """

    def __init__(self) -> None:
        self._seen: deque[tuple[float, float]] = deque(maxlen=_MOST)
        """When it came, by the loop's time in seconds, and how far Discord's time was ahead of that, in ms."""

    def note_id(self, made: int) -> None:
        """Learn from an id that Discord has made just now."""
        if self._is_wanted():
            self._note(made_at(made))

    def note_reply(self, headers: Mapping[str, str]) -> None:
        """Learn from the headers of a reply that has just come."""
        if not self._is_wanted() or (date := headers.get("Date")) is None:
            return
        try:
            at = parsedate_to_datetime(date)
        except ValueError:
            return
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        self._note(round(at.timestamp() * 1000) + _HALF_A_SECOND)

    @property
    def ahead(self) -> int:
        """How many ms Discord's time of day is ahead of the machine's, negative if it is behind; 0 if nothing is known
        of it."""
        if not self._seen:
            return 0
        nearest = sorted((ahead for _, ahead in self._seen), reverse=True)[:2][-1]
        return round(nearest + _loop_time() * 1000 - time.time_ns() / 1_000_000)

    def _is_wanted(self) -> bool:
        return not self._seen or _loop_time() - self._seen[-1][0] >= _EVERY

    def _note(self, at: int) -> None:
        now = _loop_time()
        while self._seen and now - self._seen[0][0] > _WINDOW:
            self._seen.popleft()
        self._seen.append((now, at - now * 1000))


def _loop_time() -> float:
    return asyncio.get_running_loop().time()
