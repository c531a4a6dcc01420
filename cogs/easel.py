"""Painting without hurry: the latest wish for each picture, one stroke at a time in each lane.

A lane is what Discord counts together (a channel's edits, one interaction's token). Wishes for the same picture
replace one another, so a burst of moves costs one edit a second and the last state always gets painted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import TypeAlias

from bot import faults

Paint: TypeAlias = Callable[[], Awaitable[bool]]
"""Paints a picture as it is by then; whether anything was sent for it."""


class Easel:
    """Lanes of wishes; a lane has a task only while it has wishes."""

    def __init__(self, spacing: float) -> None:
        self._spacing = spacing
        self._wishes: dict[Hashable, dict[Hashable, Paint]] = {}
        self._lanes: dict[Hashable, asyncio.Task[None]] = {}
        self._resting: set[Hashable] = set()

    def wish(self, lane: Hashable, picture: Hashable, paint: Paint) -> None:
        """Have a picture painted as soon as its lane allows; an older wish for it is forgotten."""
        self._wishes.setdefault(lane, {})[picture] = paint
        if lane not in self._lanes:
            self._lanes[lane] = asyncio.get_running_loop().create_task(self._work(lane))

    @property
    def idle(self) -> bool:
        """Whether everything wished for is painted."""
        return not self._lanes

    async def close(self, seconds: float) -> None:
        """Give strokes under way this long to finish, then drop what is left: boards are repaired at the next start."""
        for lane in self._resting:
            self._lanes[lane].cancel()
        lanes = tuple(self._lanes.values())
        if lanes:
            _, late = await asyncio.wait(lanes, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*lanes, return_exceptions=True)

    async def _work(self, lane: Hashable) -> None:
        wishes = self._wishes[lane]
        try:
            while wishes:
                picture = next(iter(wishes))
                paint = wishes.pop(picture)
                sent = True
                try:
                    sent = await paint()
                except Exception as error:  # noqa: BLE001  one picture's failure must not stop its lane
                    faults.note(error, "painting")
                if not sent:
                    continue
                self._resting.add(lane)
                await asyncio.sleep(self._spacing)
                self._resting.discard(lane)
        finally:
            self._resting.discard(lane)
            del self._wishes[lane], self._lanes[lane]
