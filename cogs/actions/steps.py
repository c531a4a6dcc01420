"""Has the steps of what people sign up for made when they are due: after what people did, and by the clock."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Final

from bot import logs
from bot.play.clocks.match_clock import MatchClock
from bot.play.observers import Observer
from bot.play.refusals import Refused
from bot.scheduler import ScheduledCall, Scheduler
from bot.store.errors import StoreError
from bot.telemetry import Telemetry

AGAIN: Final = 0
"""A step was made, so it has to be seen what comes next."""
RETRY_SECONDS: Final = 30.0
"""After how long a step is tried again that could not be saved."""
STANDS_SECONDS: Final = 1.0
"""After how long it is looked again whether Discord is in reach. While all clocks stand nobody can press, so no step is
due."""
LONGEST_WAIT: Final = 3600.0
"""Seconds after which is looked again at the latest, because the time of day may have been corrected."""


@dataclass(slots=True, eq=False)
class Steps(Observer, ABC):
    """Makes the steps of all that there are, each in a task of its own while a step of it is made."""

    scheduler: Scheduler
    telemetry: Telemetry
    clock: MatchClock
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _again: set[str] = field(default_factory=set, init=False)
    """Those to look at again once their task has made its steps."""
    _calls: dict[str, ScheduledCall] = field(default_factory=dict, init=False)
    _closed: bool = field(default=False, init=False)

    @abstractmethod
    async def advance(self, guild_id: int, key: str) -> int | None:
        """Make all steps that are due, given a server and an id. Returns when the next one is (ms UTC); None if nothing
        is due before something else happens. Raises Refused, Unsaved too, and StoreError."""

    @property
    def idle(self) -> bool:
        """Whether no step is being made."""
        return not self._tasks

    def wake(self, guild_id: int, key: str) -> None:
        """Make the steps that are due."""
        if self._closed:
            return
        if key in self._tasks:
            self._again.add(key)
            return
        if key in self._calls:
            self._calls.pop(key).cancel()
        self._tasks[key] = asyncio.get_running_loop().create_task(self._make(guild_id, key))

    async def _make(self, guild_id: int, key: str) -> None:
        wait: float | None = None
        try:
            if self.clock.paused:
                wait = STANDS_SECONDS
            else:
                due = await self.advance(guild_id, key)
                wait = None if due is None else (due - self.scheduler.now()) / 1000
        except (StoreError, Refused):
            wait = RETRY_SECONDS
        except Exception as error:  # noqa: BLE001  nobody awaits this task
            logs.log_error(error, "making a step", self.telemetry)
            wait = RETRY_SECONDS
        finally:
            del self._tasks[key]
        if key in self._again:
            self._again.discard(key)
            self.wake(guild_id, key)
        elif wait is not None and not self._closed:
            seconds = min(max(wait, 0.0), LONGEST_WAIT)
            self._calls[key] = self.scheduler.call_later(seconds, self._due, guild_id, key)

    def _due(self, guild_id: int, key: str) -> None:
        self._calls.pop(key, None)
        self.wake(guild_id, key)

    async def close(self) -> None:
        """Make no further steps. Those under way are made."""
        self._closed = True
        for call in self._calls.values():
            call.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
