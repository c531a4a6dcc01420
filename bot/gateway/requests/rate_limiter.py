"""Limits the requests that Discord counts against the bot: those with its own token.

Discord takes 50 of them per second (https://discord.com/developers/docs/topics/rate-limits#global-rate-limit). The
library notices that limit when it is broken: then all requests under way wait, are sent together, and most are refused
once more. Each refusal counts towards a ban of the address. So requests wait here before they are sent. Answers to
interactions and edits through their tokens count for nothing and don't wait.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import deque
from collections.abc import Callable
from typing import Final

WITHOUT_LIMIT: Final = re.compile(r"/(interactions|webhooks)/")
SECOND: Final = 1.0
REQUESTS_PER_SECOND: Final = 45
"""How many requests a bot's processes make together. Discord counts its 50 as they arrive, and some are late."""
EDITS_PER_SECOND: Final = 40
"""How many of these may be edits, posts and removals of the edit queue. The difference leaves it room to catch up."""
LEAST: Final = 5
"""How many requests per second a process may make however few shards it has: people wait for the answers."""


class RateLimiter:
    """Sends a limited number of requests in any second, in the order in which they came."""

    def __init__(self, share: float = 1.0) -> None:
        """`share` is this process's of all that the bot may make; more than 1 if something else keeps the limit."""
        self.edits_per_second: Final = EDITS_PER_SECOND * share
        most = max(LEAST, math.floor(REQUESTS_PER_SECOND * share))
        self._sent: deque[float] = deque(maxlen=most)
        self._count: Callable[[], None] = lambda: None

    def count_with(self, count: Callable[[], None]) -> None:
        """Call this for each request that Discord counts, in the task that makes it."""
        self._count = count

    async def wait(self, path: str) -> None:
        """Wait until a request for this path may be sent."""
        if WITHOUT_LIMIT.search(path):
            return
        self._count()
        now = asyncio.get_running_loop().time()
        at = now
        if len(self._sent) == self._sent.maxlen:
            at = max(now, self._sent[0] + SECOND)
        self._sent.append(at)
        if at > now:
            await asyncio.sleep(at - now)
