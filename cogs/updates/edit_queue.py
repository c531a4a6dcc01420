"""Painting without hurry: the latest wish for each picture, one stroke at a time in each lane.

A lane is what Discord counts together (a channel's edits, one interaction's token). Wishes for the same picture
replace one another, so a burst of moves costs one edit a second and the last state always gets painted.

Beside that Discord counts all requests of a bot together, those through an interaction's token apart. So the lanes
take turns, a little slower than Discord allows: first what people at a table wait for, and every few turns whoever has
waited longest, so that nothing waits for ever. A picture that waits is changed as often as you like and costs one turn.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from itertools import count
from typing import TypeAlias

from bot import error_numbers

Paint: TypeAlias = Callable[[], Awaitable[int]]
"""Paints a picture as it is by then; how many requests it took, 0 if there was nothing to send."""

ELDEST_EVERY = 8
"""Of so many turns one goes to whoever has waited longest, however little hurry there is."""
TRIES = 7
"""How often a picture is offered to Discord before it waits for the next change: for half a minute at the least."""
FIRST_PAUSE = 2.0
"""Seconds before the second try, at most; each further pause may be twice as long."""
CATCHING_UP = 3
"""How many turns may be made up for at once, when the loop was late to give them."""


class Hurry(IntEnum):
    """How soon a picture is missed, the soonest first."""

    PLAY = 0
    """A board on which somebody just moved."""
    NOTICE = 1
    """A mention, which comes late by its nature."""
    REPAIR = 2
    """A picture that is probably right as it is: after a start."""


@dataclass(slots=True)
class _Wish:
    """How a picture is to be painted, and when it was first wished for: its place in the order of all wishes, and the
    loop's time."""

    paint: Paint
    order: int
    hurry: Hurry
    since: float


class Easel:
    """Lanes of wishes, a stroke in each every `spacing` seconds, and together at most `a_second` strokes a second."""

    def __init__(self, spacing: float, a_second: float) -> None:
        self.shown: Callable[[float], None] = lambda _seconds: None
        """Told, whenever something that was missed has been sent, how many seconds it had been wished for."""
        self._spacing = spacing
        self._interval = 1 / a_second
        self._wishes: dict[Hashable, dict[Hashable, _Wish]] = {}
        self._at_work: dict[Hashable, asyncio.Task[None]] = {}
        self._resting: set[Hashable] = set()
        self._apart: set[Hashable] = set()
        self._queues: dict[Hurry, deque[tuple[int, Hashable]]] = {hurry: deque() for hurry in Hurry}
        self._order = count()
        self._turns = count(1)
        self._next = -math.inf
        self._call: asyncio.TimerHandle | None = None
        self._least = Hurry.PLAY
        self._closed = False

    def wish(
        self, lane: Hashable, picture: Hashable, paint: Paint, hurry: Hurry = Hurry.PLAY, *, apart: bool = False
    ) -> None:
        """Have a picture painted as soon as its lane and its turn allow; an older wish for it is forgotten.

        What Discord counts `apart` from everything else takes no turn.
        """
        if self._closed:
            return
        hurry = max(hurry, self._least)
        wishes = self._wishes.setdefault(lane, {})
        older = wishes.get(picture)
        if older is not None:
            if older.hurry < hurry:  # what it paints shows everything
                return
            older.paint = paint
            if older.hurry == hurry:
                return
            older.hurry, older.since = hurry, asyncio.get_running_loop().time()
        else:
            wishes[picture] = _Wish(paint, next(self._order), hurry, asyncio.get_running_loop().time())
        if apart:
            self._apart.add(lane)
        if lane not in self._at_work:
            self._line_up(lane, wishes[picture])

    @contextmanager
    def repairing(self) -> Iterator[None]:
        """What is wished for within the block is only to be repaired: it waits for what people at a table wait for."""
        self._least = Hurry.REPAIR
        try:
            yield
        finally:
            self._least = Hurry.PLAY

    @property
    def repairs(self) -> bool:
        """Whether what is wished for now is only to be repaired."""
        return self._least is Hurry.REPAIR

    @property
    def idle(self) -> bool:
        """Whether everything wished for is painted."""
        return not self._wishes and not self._at_work

    async def close(self, seconds: float) -> None:
        """Give strokes under way this long to finish, then drop what is left: boards are repaired at the next start."""
        self._closed = True
        if self._call is not None:
            self._call.cancel()
        for wishes in self._wishes.values():
            wishes.clear()
        for lane in self._resting:
            self._at_work[lane].cancel()
        strokes = tuple(self._at_work.values())
        if strokes:
            _, late = await asyncio.wait(strokes, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*strokes, return_exceptions=True)
        self._at_work.clear()  # also of what was cancelled before it began
        self._wishes.clear()

    # ------------------------------------------------------------------------------------ turns

    def _line_up(self, lane: Hashable, wish: _Wish) -> None:
        if lane in self._apart:
            self._begin(lane)
            return
        self._queues[wish.hurry].append((wish.order, lane))
        if self._call is None:
            self._give_turns()

    def _give_turns(self) -> None:
        """Let those begin whose turn it is, and come back when the next is due."""
        self._call = None
        loop = asyncio.get_running_loop()
        now = loop.time()
        while self._next <= now and (lane := self._whose_turn()) is not None:
            self._next = max(self._next, now - CATCHING_UP * self._interval) + self._interval
            self._begin(lane)
        if any(self._queues.values()):
            self._call = loop.call_at(self._next, self._give_turns)

    def _whose_turn(self) -> Hashable | None:
        """The lane that is next; None when nobody waits."""
        queues = [queue for queue in self._queues.values() if queue]
        if next(self._turns) % ELDEST_EVERY == 0:
            queues.sort(key=lambda queue: queue[0][0])
        for queue in queues:
            while queue:
                _, lane = queue.popleft()
                if lane not in self._at_work and self._wishes.get(lane):  # else it had its turn by another wish
                    return lane
        return None

    def _pay(self, lane: Hashable, requests: int) -> None:
        """A turn is one request: what took more is waited for, and what took none is given to the next."""
        if requests == 1 or lane in self._apart:
            return
        self._next += (requests - 1) * self._interval
        if self._call is not None:
            self._call.cancel()
            self._give_turns()

    # ------------------------------------------------------------------------------------ strokes

    def _begin(self, lane: Hashable) -> None:
        self._at_work[lane] = asyncio.get_running_loop().create_task(self._work(lane))

    async def _work(self, lane: Hashable) -> None:
        """One stroke and the rest after it."""
        wishes = self._wishes[lane]
        try:
            sent = await self._stroke(lane, wishes)
            self._pay(lane, sent)
            if sent and not self._closed:
                self._resting.add(lane)
                await asyncio.sleep(self._spacing)
        finally:
            self._resting.discard(lane)
            del self._at_work[lane]
            if wishes:
                self._line_up(lane, min(wishes.values(), key=_urgency))
            else:
                self._wishes.pop(lane, None)
                self._apart.discard(lane)

    async def _stroke(self, lane: Hashable, wishes: dict[Hashable, _Wish]) -> int:
        if not wishes:  # closed before it began
            return 0
        wish = wishes.pop(min(wishes, key=lambda picture: _urgency(wishes[picture])))
        try:
            sent = await wish.paint()
        except Exception as error:  # noqa: BLE001  one picture's failure must not stop its lane
            error_numbers.note(error, "painting")
            return 1
        if sent and wish.hurry is Hurry.PLAY and lane not in self._apart:
            self.shown(asyncio.get_running_loop().time() - wish.since)
        return sent


def _urgency(wish: _Wish) -> tuple[Hurry, int]:
    return wish.hurry, wish.order


def pause_after(failed: int) -> float:
    """Seconds to wait after so many failed tries: by chance, so that a thousand pictures do not come back at once."""
    longest = FIRST_PAUSE * 2.0 ** (failed - 1)
    return random.uniform(longest / 2, longest)  # noqa: S311  no secret, only spread
