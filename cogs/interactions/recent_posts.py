"""Remembers what was posted where lately, so that nobody fills a channel with the same."""

from __future__ import annotations

from collections.abc import Hashable


class RecentPosts:
    """What was posted lately, by any key. A restart forgets it, which does no harm."""

    def __init__(self) -> None:
        self._at: dict[Hashable, float] = {}

    def begin(self, post: Hashable, now: float, pause: float) -> float | None:
        """Note a post that is about to be made at a time (seconds UTC).

        Returns None, or the time at which it was made before, if that is less than `pause` seconds ago; then nothing is
        noted.
        """
        self._at = {known: at for known, at in self._at.items() if now - at < pause}
        before = self._at.get(post)
        if before is None:
            self._at[post] = now
        return before

    def withdraw(self, post: Hashable) -> None:
        """Forget a post, because it was not made."""
        self._at.pop(post, None)
