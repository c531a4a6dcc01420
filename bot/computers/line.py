"""The questions that wait for a worker, and how long each may be thought about.

Nobody should wait longer than people expect a computer to think. So when more questions wait, each gets less time:
thinking is cut short first.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engines.players.question import Answer, Question

ANSWERED_WITHIN: Final = 2.0
"""The seconds within which questions should be answered. Players pretend to think for about as long anyway
(`engines.players.question`)."""

SHORTEST: Final = 0.005
"""A shorter time to think is of no use: it is over before a search has begun."""

NoAnswer: TypeAlias = Literal["busy", "error", "late", "worker"]
"""Why no worker gave the answer: too many questions wait, the player failed, the time was over, or no worker was
there or survived. These words are labels of a metric, so they never change."""


@dataclass(slots=True, eq=False)
class Asked:
    """A question that waits or is being thought about."""

    question: Question
    due: float
    """When it should be answered, by the loop's time."""
    reply: asyncio.Future[Answer | NoAnswer]
    deaths: int = 0
    """How many workers have died while they thought about it."""

    def count_death(self) -> int:
        """A worker has died while it thought about this; how many have."""
        self.deaths += 1
        return self.deaths

    def settle(self, reply: Answer | NoAnswer) -> None:
        """Reply, unless nobody waits for it any more."""
        if not self.reply.done():
            self.reply.set_result(reply)


class Line:
    """Questions are taken in the order in which they were asked. All calls must come from one event loop."""

    def __init__(self) -> None:
        self._waiting: deque[Asked] = deque()
        self._arrived = asyncio.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, asked: Asked) -> None:
        """The question waits behind all others."""
        self._waiting.append(asked)
        self._arrived.set()

    def put_back(self, asked: Asked) -> None:
        """The question waits again, ahead of all others."""
        self._waiting.appendleft(asked)
        self._arrived.set()

    def remove(self, asked: Asked) -> None:
        """The question waits no longer; nothing if it didn't."""
        if asked in self._waiting:
            self._waiting.remove(asked)

    async def wait(self) -> None:
        """Return once a question waits."""
        while not self._waiting:
            self._arrived.clear()
            await self._arrived.wait()

    def take(self, now: float, workers: int) -> tuple[Asked, float] | None:
        """The next question and the seconds to think about it; None if none waits."""
        if not self._waiting:
            return None
        seconds = time_to_think((asked.due for asked in self._waiting), now, workers)
        return self._waiting.popleft(), seconds


def time_to_think(due: Iterable[float], now: float, workers: int) -> float:
    """The seconds for the first of these questions, so that all can have as many and none is late.

    0 if that is too short to think at all.
    """
    seconds = min((moment - now) * min(1.0, workers / place) for place, moment in enumerate(due, 1))
    return seconds if seconds >= SHORTEST else 0.0
