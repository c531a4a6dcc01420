"""Limits identifies: the day's budget, and the pause between two with the same concurrency key.

Source: Discord's developer documentation, "Identifying", "Session Start Limit Object", "Sharding".
"""

from __future__ import annotations

from discord_sandbox.model.clock import Clock
from discord_sandbox.model.limits import Limits

A_DAY = 86_400.0


class IdentifyLimits:
    """Counts identifies. The day begins with the first of them."""

    def __init__(self, clock: Clock, limits: Limits) -> None:
        self._clock = clock
        self._limits = limits
        self._day_began = 0.0
        self._spent = 0
        self._latest: dict[int, float] = {}

    @property
    def left(self) -> int:
        """Identifies left of the day's budget."""
        self._turn_the_day()
        return max(0, self._limits.identifies_a_day - self._spent)

    @property
    def resets_in(self) -> float:
        """Seconds until the budget is reset."""
        self._turn_the_day()
        return self._day_began + A_DAY - self._clock.now() if self._spent else A_DAY

    def too_soon(self, shard: int) -> bool:
        """Whether a shard of the same concurrency key (shard % max_concurrency) has just identified."""
        key, now = shard % self._limits.max_concurrency, self._clock.now()
        soon = now - self._latest.get(key, 0.0) < self._limits.identify_pause
        if not soon:
            self._latest[key] = now
        return soon

    def spend(self) -> bool:
        """Take one identify from the day's budget. Returns whether there was one."""
        there = self.left > 0
        if not self._spent:
            self._day_began = self._clock.now()
        self._spent += 1
        return there

    def _turn_the_day(self) -> None:
        if self._spent and self._clock.now() - self._day_began >= A_DAY:
            self._spent = 0
