"""Remembers which files were posted where lately, so that nobody fills a channel with the same one."""

from __future__ import annotations

from typing import Final, TypeAlias

PAUSE: Final = 600
"""Seconds before the same file of the same match may be posted in the same channel again."""

Post: TypeAlias = tuple[int, str, str]
"""A channel, a match, and the key of a kind of file."""


class RecentPosts:
    """What was posted within the last ten minutes. A restart forgets it, which does no harm."""

    def __init__(self) -> None:
        self._at: dict[Post, float] = {}

    def begin(self, post: Post, now: float) -> float | None:
        """Note a post that is about to be made at a time (seconds UTC).

        Returns None, or the time at which it was made before, if that is too short ago; then nothing is noted.
        """
        self._at = {known: at for known, at in self._at.items() if now - at < PAUSE}
        before = self._at.get(post)
        if before is None:
            self._at[post] = now
        return before

    def withdraw(self, post: Post) -> None:
        """Forget a post, because it was not made."""
        self._at.pop(post, None)
