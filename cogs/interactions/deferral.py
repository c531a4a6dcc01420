"""The first response of what takes long: put off in time, in private.

Discord wants a first response within three seconds; a store that another program has locked is waited for longer. So a
clock runs from the moment an interaction is taken up. Whoever answers stops it; where it runs out first, the answer is
put off, which is a first response too, and what was meant to be the first then comes by another way
(`cogs.interactions.responses`). Stopping and running out exclude each other, so there is always exactly one first
response.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from enum import Enum, auto
from typing import Any


class Deferral(Enum):
    """Whether an answer was put off, and what stands in its place."""

    NOT = auto()
    UNSEEN = auto()
    """The pressed message, the presser's own, stays as it was: it is what the interaction's token edits."""
    THINKING = auto()
    """A message that only the presser sees says that the bot is thinking: it is what the token edits."""
    FILLED = auto()
    """The same, with its content."""


class DeferralTimer:
    """The clock of one interaction."""

    __slots__ = ("_deferring", "_state", "_timer")

    def __init__(self, seconds: float, defer: Callable[[], Coroutine[Any, Any, Deferral]]) -> None:
        """Let `defer` give the first response in so many seconds, unless somebody answers first."""
        self._deferring: asyncio.Task[Deferral] | None = None
        self._state = Deferral.NOT
        # Only the call knows what it is to do: once stopped it holds nothing, so no interaction outlives its answer.
        self._timer = asyncio.get_running_loop().call_later(seconds, self._expire, defer)

    async def answered(self) -> Deferral:
        """Somebody answers now: stop the clock. Where it has run out, wait until the answer is put off."""
        if self._deferring is None:
            self._timer.cancel()
        elif self._state is Deferral.NOT:
            self._state = await self._deferring
        return self._state

    @property
    def expired(self) -> bool:
        """Whether the answer is being put off, or was."""
        return self._deferring is not None

    def filled(self) -> None:
        """What stood in the answer's place has its content."""
        if self._state is Deferral.THINKING:
            self._state = Deferral.FILLED

    def _expire(self, defer: Callable[[], Coroutine[Any, Any, Deferral]]) -> None:
        self._deferring = asyncio.get_running_loop().create_task(defer())
