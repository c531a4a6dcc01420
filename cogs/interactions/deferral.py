"""The first response of what takes long: put off in time, in private.

Discord wants a first response within three seconds; a store that another program has locked is waited for longer. So a
clock runs from the moment an interaction is taken up. Whoever answers stops it; where it runs out first, the answer is
put off, which is a first response too, and what was meant to be the first then comes by another way (`cogs.interactions.responses`).
Stopping and running out exclude each other, so there is always exactly one first response.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from enum import Enum, auto
from typing import Any

PATIENCE = 2.0
"""Seconds after which an answer is put off; the rest of the three is for the way to Discord."""


class PutOff(Enum):
    """Whether an answer was put off, and what stands in its place."""

    NOT = auto()
    UNSEEN = auto()
    """The pressed message, the presser's own, stays as it was: it is what the interaction's token edits."""
    THINKING = auto()
    """A message that only the presser sees says that the bot is thinking: it is what the token edits."""
    FILLED = auto()
    """The same, with its content."""


class Patience:
    """The clock of one interaction."""

    __slots__ = ("_call", "_putting_off", "_state")

    def __init__(self, seconds: float, put_off: Callable[[], Coroutine[Any, Any, PutOff]]) -> None:
        """Let `put_off` give the first response in so many seconds, unless somebody answers first."""
        self._putting_off: asyncio.Task[PutOff] | None = None
        self._state = PutOff.NOT
        # Only the call knows what it is to do: once stopped it holds nothing, so no interaction outlives its answer.
        self._call = asyncio.get_running_loop().call_later(seconds, self._run_out, put_off)

    async def answered(self) -> PutOff:
        """Somebody answers now: stop the clock. Where it has run out, wait until the answer is put off."""
        if self._putting_off is None:
            self._call.cancel()
        elif self._state is PutOff.NOT:
            self._state = await self._putting_off
        return self._state

    @property
    def ran_out(self) -> bool:
        """Whether the answer is being put off, or was."""
        return self._putting_off is not None

    def filled(self) -> None:
        """What stood in the answer's place has its content."""
        if self._state is PutOff.THINKING:
            self._state = PutOff.FILLED

    def _run_out(self, put_off: Callable[[], Coroutine[Any, Any, PutOff]]) -> None:
        self._putting_off = asyncio.get_running_loop().create_task(put_off())
