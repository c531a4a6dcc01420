"""Limits how fast each person may press, so that nobody can slow down the others."""

from __future__ import annotations

from collections import deque

SECOND = 1.0
REMEMBERED = 1024
"""Above this many people, those who have stopped pressing are forgotten."""


class BurstLimit:
    """Everybody's presses in the last second. The bot acts on `most` per person."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._acted: dict[int, deque[float]] = {}
        self._excess: dict[int, int] = {}
        self._forgot_at = float("-inf")

    def __len__(self) -> int:
        """How many people's presses are remembered."""
        return len(self._acted)

    def excess(self, user_id: int, now: float) -> int:
        """Count a press at `now` (seconds, never going back): 0 if it is acted on, else its number, from 1, among the
        presses in a row that are not."""
        if len(self._acted) > REMEMBERED and user_id not in self._acted and now - self._forgot_at >= SECOND:
            # Sooner there is nobody else to forget, and looking takes as long as there are people.
            self._forgot_at = now
            self._forget(now)
        acted = self._acted.setdefault(user_id, deque())
        while acted and now - acted[0] >= SECOND:
            acted.popleft()
        if len(acted) < self._most:
            if not acted:
                self._excess.pop(user_id, None)
            acted.append(now)
            return 0
        self._excess[user_id] = self._excess.get(user_id, 0) + 1
        return self._excess[user_id]

    def _forget(self, now: float) -> None:
        for user_id in [user_id for user_id, acted in self._acted.items() if now - acted[-1] >= SECOND]:
            del self._acted[user_id]
            self._excess.pop(user_id, None)
