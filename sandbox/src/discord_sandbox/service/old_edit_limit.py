"""Limits edits of messages older than an hour in a channel; beyond it answers 30046.

Discord documents the error and not the number; the one here is what developers report [practice].
"""

from __future__ import annotations

from collections import deque

from discord_sandbox.model import errors
from discord_sandbox.model.clock import Clock
from discord_sandbox.model.snowflake import made_at
from discord_sandbox.model.state import Message

OLD = 3600.0


class OldEditLimit:
    """Counts them; each channel allows `most` within `window` seconds."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._done: dict[int, deque[float]] = {}
        self.most = 3
        self.window = 20.0

    def take(self, message: Message) -> None:
        """Count an edit of `message` if it is old; raises ApiError 30046 if there are too many."""
        now = self._clock.now()
        if now - made_at(message.id) <= OLD:
            return
        done = self._done.setdefault(message.channel.id, deque())
        while done and now - done[0] >= self.window:
            done.popleft()
        if len(done) >= self.most:
            raise errors.old_message_edits(self.window - (now - done[0]) if done else self.window)
        done.append(now)
