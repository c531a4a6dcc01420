"""Spaces edits of messages older than an hour.

Discord refuses them beyond a number that it does not document, with a 429 and the code 30046
(https://discord.com/developers/docs/topics/opcodes-and-status-codes#json). Developers report about three in 20 seconds
in a channel. After a start, a channel may have twenty such boards. The library would wait at each refusal, and
everything else in that channel with it. So each such edit gets a moment of its own, and asks for its turn in the edit
queue then.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final

from bot.scheduler import Scheduler

SPACING_OF_OLD: Final = 7.0
"""Seconds between two edits of old messages in a channel."""


class OldEdits:
    """The edits of old messages that wait for their moment, at most one for each message."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._last: dict[int, float] = {}
        self._waiting: dict[Hashable, Callable[[], None]] = {}

    def __contains__(self, key: Hashable) -> bool:
        """Whether the edit with this key waits for its moment."""
        return key in self._waiting

    def in_turn(self, channel_id: int, key: Hashable, request: Callable[[], None]) -> None:
        """Call `request` when the channel allows the next edit, at once if it does now.

        It replaces an older one with the same key that still waits, and keeps its moment.
        """
        if key in self._waiting:
            self._waiting[key] = request
            return
        now = self._scheduler.monotonic()
        at = self._last.get(channel_id, now - SPACING_OF_OLD) + SPACING_OF_OLD
        self._last = {channel: last for channel, last in self._last.items() if last + SPACING_OF_OLD > now}
        if at <= now:
            self._last[channel_id] = now
            request()
            return
        self._last[channel_id] = at
        self._waiting[key] = request
        self._scheduler.call_later(at - now, self._make, key)

    def _make(self, key: Hashable) -> None:
        self._waiting.pop(key)()
