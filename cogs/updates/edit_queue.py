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
from bot.telemetry import Telemetry

SendEdit: TypeAlias = Callable[[], Awaitable[int]]
"""Paints a picture as it is by then; how many requests it took, 0 if there was nothing to send."""

SPACING = 1.0
"""Seconds between two edits in a channel, and between two edits of one hand."""
REQUESTS_A_SECOND = 40
"""How many edits, posts and removals a second in all channels together; Discord takes 50 requests of a bot, and those
that are made up for (`CATCHING_UP`) and the rest of our requests need some room."""
OLDEST_EVERY = 8
"""Of so many turns one goes to whoever has waited longest, however little hurry there is."""
TRIES = 7
"""How often a picture is offered to Discord before it waits for the next change: for half a minute at the least."""
FIRST_RETRY_DELAY = 2.0
"""Seconds before the second try, at most; each further pause may be twice as long."""
CATCHING_UP = 3
"""How many turns may be made up for at once, when the loop was late to give them."""


class Priority(IntEnum):
    """How soon a picture is missed, the soonest first."""

    PLAY = 0
    """A board on which somebody just moved."""
    NOTICE = 1
    """A mention, which comes late by its nature."""
    REPAIR = 2
    """A picture that is probably right as it is: after a start."""


@dataclass(slots=True)
class _Request:
    """How a picture is to be painted, and when it was first wished for: its place in the order of all wishes, and the
    loop's time."""

    send: SendEdit
    order: int
    priority: Priority
    since: float


class EditQueue:
    """Lanes of wishes, a stroke in each every `spacing` seconds, and together at most `a_second` strokes a second."""

    def __init__(self, spacing: float, a_second: float, telemetry: Telemetry) -> None:
        self._telemetry = telemetry
        self._spacing = spacing
        self._interval = 1 / a_second
        self._requests: dict[Hashable, dict[Hashable, _Request]] = {}
        self._working: dict[Hashable, asyncio.Task[None]] = {}
        self._resting: set[Hashable] = set()
        self._own_bucket: set[Hashable] = set()
        self._queues: dict[Priority, deque[tuple[int, Hashable]]] = {priority: deque() for priority in Priority}
        self._order = count()
        self._turn_numbers = count(1)
        self._next = -math.inf
        self._wake_up: asyncio.TimerHandle | None = None
        self._lowest = Priority.PLAY
        self._closed = False

    def request_edit(
        self,
        bucket: Hashable,
        key: Hashable,
        send: SendEdit,
        priority: Priority = Priority.PLAY,
        *,
        own_bucket: bool = False,
    ) -> None:
        """Have a picture painted as soon as its lane and its turn allow; an older wish for it is forgotten.

        What Discord counts `own_bucket` from everything else takes no turn.
        """
        if self._closed:
            return
        priority = max(priority, self._lowest)
        requests = self._requests.setdefault(bucket, {})
        pending = requests.get(key)
        if pending is not None:
            if pending.priority < priority:  # what it paints shows everything
                return
            pending.send = send
            if pending.priority == priority:
                return
            pending.priority, pending.since = priority, asyncio.get_running_loop().time()
        else:
            requests[key] = _Request(send, next(self._order), priority, asyncio.get_running_loop().time())
        if own_bucket:
            self._own_bucket.add(bucket)
        if bucket not in self._working:
            self._enqueue(bucket, requests[key])

    @contextmanager
    def repairing(self) -> Iterator[None]:
        """What is wished for within the block is only to be repaired: it waits for what people at a table wait for."""
        self._lowest = Priority.REPAIR
        try:
            yield
        finally:
            self._lowest = Priority.PLAY

    @property
    def is_repairing(self) -> bool:
        """Whether what is wished for now is only to be repaired."""
        return self._lowest is Priority.REPAIR

    @property
    def idle(self) -> bool:
        """Whether everything wished for is painted."""
        return not self._requests and not self._working

    async def close(self, seconds: float) -> None:
        """Give strokes under way this long to finish, then drop what is left: boards are repaired at the next start."""
        self._closed = True
        if self._wake_up is not None:
            self._wake_up.cancel()
        for requests in self._requests.values():
            requests.clear()
        for bucket in self._resting:
            self._working[bucket].cancel()
        edits = tuple(self._working.values())
        if edits:
            _, late = await asyncio.wait(edits, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*edits, return_exceptions=True)
        self._working.clear()  # also of what was cancelled before it began
        self._requests.clear()

    # ------------------------------------------------------------------------------------ turns

    def _enqueue(self, bucket: Hashable, request: _Request) -> None:
        if bucket in self._own_bucket:
            self._begin(bucket)
            return
        self._queues[request.priority].append((request.order, bucket))
        if self._wake_up is None:
            self._grant_turns()

    def _grant_turns(self) -> None:
        """Let those begin whose turn it is, and come back when the next is due."""
        self._wake_up = None
        loop = asyncio.get_running_loop()
        now = loop.time()
        while self._next <= now and (bucket := self._next_bucket()) is not None:
            self._next = max(self._next, now - CATCHING_UP * self._interval) + self._interval
            self._begin(bucket)
        if any(self._queues.values()):
            self._wake_up = loop.call_at(self._next, self._grant_turns)

    def _next_bucket(self) -> Hashable | None:
        """The lane that is next; None when nobody waits."""
        queues = [queue for queue in self._queues.values() if queue]
        if next(self._turn_numbers) % OLDEST_EVERY == 0:
            queues.sort(key=lambda queue: queue[0][0])
        for queue in queues:
            while queue:
                _, bucket = queue.popleft()
                if bucket not in self._working and self._requests.get(bucket):  # else it had its turn by another wish
                    return bucket
        return None

    def _charge(self, bucket: Hashable, requests: int) -> None:
        """A turn is one request: what took more is waited for, and what took none is given to the next."""
        if requests == 1 or bucket in self._own_bucket:
            return
        self._next += (requests - 1) * self._interval
        if self._wake_up is not None:
            self._wake_up.cancel()
            self._grant_turns()

    # ------------------------------------------------------------------------------------ strokes

    def _begin(self, bucket: Hashable) -> None:
        self._working[bucket] = asyncio.get_running_loop().create_task(self._work(bucket))

    async def _work(self, bucket: Hashable) -> None:
        """One stroke and the rest after it."""
        requests = self._requests[bucket]
        try:
            sent = await self._edit(bucket, requests)
            self._charge(bucket, sent)
            if sent and not self._closed:
                self._resting.add(bucket)
                await asyncio.sleep(self._spacing)
        finally:
            self._resting.discard(bucket)
            del self._working[bucket]
            if requests:
                self._enqueue(bucket, min(requests.values(), key=_urgency))
            else:
                self._requests.pop(bucket, None)
                self._own_bucket.discard(bucket)

    async def _edit(self, bucket: Hashable, requests: dict[Hashable, _Request]) -> int:
        if not requests:  # closed before it began
            return 0
        request = requests.pop(min(requests, key=lambda key: _urgency(requests[key])))
        try:
            sent = await request.send()
        except Exception as error:  # noqa: BLE001  one picture's failure must not stop its lane
            error_numbers.log_error(error, "painting", self._telemetry)
            return 1
        if sent and request.priority is Priority.PLAY and bucket not in self._own_bucket:
            self._telemetry.board_lag(asyncio.get_running_loop().time() - request.since)
        return sent


def _urgency(request: _Request) -> tuple[Priority, int]:
    return request.priority, request.order


def retry_delay(failed: int) -> float:
    """Seconds to wait after so many failed tries: by chance, so that a thousand pictures do not come back at once."""
    longest = FIRST_RETRY_DELAY * 2.0 ** (failed - 1)
    return random.uniform(longest / 2, longest)  # noqa: S311  no secret, only spread
