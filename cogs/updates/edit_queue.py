"""Queues edits: the latest request for each key, and one edit at a time in each bucket.

A bucket is what Discord counts together (a channel's edits, one interaction's token). A request replaces an older one
with the same key. So a burst of moves costs one edit per second, and the last state is always sent.

Discord also counts all requests of a bot together, except those through an interaction's token. So the buckets take
turns, a little slower than Discord allows. What people at a table wait for goes first. Every few turns the bucket that
has waited longest goes first instead, so that nothing waits forever. A waiting request may be replaced any number of
times; it still costs one turn.

What Discord did not take, though it may later (`NotTaken.may_pass`), is tried again after growing pauses, unless
something newer is requested for the same key.
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from itertools import count
from typing import TypeAlias

from bot import logs
from bot.kept import Kept
from bot.scheduler import ScheduledCall, Scheduler
from bot.telemetry import Telemetry
from cogs.updates.channel_messages import NotTaken

_log = logging.getLogger(__name__)

SendEdit: TypeAlias = Callable[[], Awaitable[int]]
"""Sends the current state of a message. Returns how many requests that took, 0 if there was nothing to send. Raises
NotTaken."""

SPACING = 1.0
"""Seconds between two edits in a channel, and between two edits of one hand."""
OLDEST_EVERY = 8
"""Every turn with this number goes to the bucket that has waited longest, whatever its priority."""
TRIES = 7
"""How often an edit is tried before it waits for the next change. The tries span at least half a minute."""
FIRST_RETRY_DELAY = 2.0
"""Seconds before the second try, at most; each further wait may be twice as long as the one before."""
CATCHING_UP = 3
"""How many turns may be caught up on at once if the event loop was late."""


class Priority(IntEnum):
    """Edit priority, most urgent first."""

    PLAY = 0
    """A board on which somebody just moved."""
    NOTICE = 1
    """A mention. It is late by design."""
    REPAIR = 2
    """After a start: what the message shows is probably right as it is."""


@dataclass(slots=True)
class _Request:
    """What to send, how (as for `request_edit`), and when it was first requested: as a number that counts all requests
    (`order`), and by the scheduler's time in seconds (`since`). `failed` of its tries were not taken."""

    send: SendEdit
    priority: Priority
    spacing: float
    measured: bool
    insist: bool
    given_up: Callable[[], None] | None
    order: int = field(default=0, init=False)
    since: float = field(default=0.0, init=False)
    failed: int = field(default=0, init=False)


class _Turn:
    """An edit's turn. What the edit requests while it is `under_way` is accounted for. Timers and tasks that it leaves
    behind inherit its context, but its turn is over."""

    def __init__(self) -> None:
        self.under_way = True

    def end(self) -> None:
        """The edit is done."""
        self.under_way = False


_TURN: ContextVar[_Turn | None] = ContextVar("turn", default=None)
"""The turn of the edit that runs, or that left behind what runs."""


class EditQueue:
    """Requests by bucket: one edit every `spacing` seconds in each that has no spacing of its own, and at most
    `a_second` edits per second in all."""

    def __init__(self, spacing: float, a_second: float, scheduler: Scheduler, telemetry: Telemetry) -> None:
        self._scheduler = scheduler
        self._telemetry = telemetry
        self._spacing = spacing
        self._interval = 1 / a_second
        self._requests: Kept[Hashable, dict[Hashable, _Request]] = Kept("places with edits")
        self._working: dict[Hashable, asyncio.Task[None]] = {}
        self._cooling_down: set[Hashable] = set()
        self._own_bucket: set[Hashable] = set()
        self._queues: dict[Priority, deque[tuple[int, Hashable]]] = {priority: deque() for priority in Priority}
        self._retries: dict[tuple[Hashable, Hashable], ScheduledCall] = {}
        self._order = count()
        self._turn_numbers = count(1)
        self._next = -math.inf
        self._wake_up: ScheduledCall | None = None
        self._lowest = Priority.PLAY
        self._holds_repairs = False
        self._closed = False

    def request_edit(
        self,
        bucket: Hashable,
        key: Hashable,
        send: SendEdit,
        priority: Priority = Priority.PLAY,
        *,
        own_bucket: bool = False,
        spacing: float | None = None,
        measured: bool = True,
        insist: bool = False,
        given_up: Callable[[], None] | None = None,
    ) -> None:
        """Send an edit as soon as its bucket and its turn allow. It replaces an older request with the same key.

        A bucket that Discord counts separately (`own_bucket`) needs no turn. After the edit its bucket rests for
        `spacing` seconds, if that is given. How late an edit is sent counts as a board's lag if it is `measured` and
        somebody waits for it. One that Discord refused for good is tried again too if we `insist`. `given_up` is called
        if none of `TRIES` was taken.
        """
        spacing = self._spacing if spacing is None else spacing
        request = _Request(send, max(priority, self._lowest), spacing, measured, insist, given_up)
        self._add(bucket, key, request, own_bucket=own_bucket)

    def _add(self, bucket: Hashable, key: Hashable, request: _Request, *, own_bucket: bool) -> None:
        if self._closed:
            return
        retry = self._retries.pop((bucket, key), None)
        if retry is not None:
            retry.cancel()
        requests = self._requests.setdefault(bucket, {})
        pending = requests.get(key)
        if pending is not None and pending.priority < request.priority:  # what it sends shows this change too
            return
        request.order = next(self._order) if pending is None else pending.order
        request.since = self._scheduler.monotonic()
        requests[key] = request
        if pending is not None and pending.priority == request.priority:
            request.since = pending.since
            return
        if own_bucket:
            self._own_bucket.add(bucket)
        if bucket not in self._working:
            self._enqueue(bucket, request)

    @contextmanager
    def repairing(self) -> Iterator[None]:
        """Treat requests within the block as repairs, which come after what people at a table wait for."""
        self._lowest = Priority.REPAIR
        try:
            yield
        finally:
            self._lowest = Priority.PLAY

    def hold_repairs(self) -> None:
        """Send no repairs until `release_repairs`: a start has more important work."""
        self._holds_repairs = True

    def release_repairs(self) -> None:
        """Send repairs again."""
        self._holds_repairs = False
        if self._wake_up is None and not self._closed:
            self._grant_turns()

    def count_request(self) -> None:
        """Account for a request that Discord counts. One of nobody's turn, such as a challenge's look at a channel,
        takes the next turn, so that both together stay below the limit."""
        turn = _TURN.get()
        if turn is not None and turn.under_way:
            return
        earliest = self._scheduler.monotonic() - CATCHING_UP * self._interval
        self._next = max(self._next, earliest) + self._interval

    @property
    def is_repairing(self) -> bool:
        """Whether requests made now are repairs."""
        return self._lowest is Priority.REPAIR

    @property
    def idle(self) -> bool:
        """Whether no request waits and no edit is under way."""
        return not any(self._requests.values()) and self._working.keys() == self._cooling_down

    async def close(self, seconds: float) -> None:
        """Give edits under way this long to finish, then drop what is left: boards are repaired at the next start."""
        self._closed = True
        for call in (self._wake_up, *self._retries.values()):
            if call is not None:
                call.cancel()
        for requests in self._requests.values():
            requests.clear()
        for bucket in self._cooling_down:
            self._working[bucket].cancel()
        edits = tuple(self._working.values())
        if edits:
            _, late = await asyncio.wait(edits, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*edits, return_exceptions=True)
        self._working.clear()  # including edits that were cancelled before they began
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
        """Begin the edits whose turn it is, and run again when the next turn is due."""
        self._wake_up = None
        now = self._scheduler.monotonic()
        while self._next <= now and (bucket := self._next_bucket()) is not None:
            self._next = max(self._next, now - CATCHING_UP * self._interval) + self._interval
            self._begin(bucket)
        if self._waiting_queues():
            self._wake_up = self._scheduler.call_later(self._next - now, self._grant_turns)

    def _next_bucket(self) -> Hashable | None:
        """The bucket whose turn it is; None if none waits."""
        queues = self._waiting_queues()
        if next(self._turn_numbers) % OLDEST_EVERY == 0:
            queues.sort(key=lambda queue: queue[0][0])
        for queue in queues:
            while queue:
                _, bucket = queue.popleft()
                if bucket not in self._working and self._requests.get(
                    bucket
                ):  # otherwise it had its turn through another request
                    return bucket
        return None

    def _waiting_queues(self) -> list[deque[tuple[int, Hashable]]]:
        """The queues in which somebody waits for a turn, the most urgent first."""
        return [
            queue
            for priority, queue in self._queues.items()
            if queue and not (self._holds_repairs and priority is Priority.REPAIR)
        ]

    def _charge(self, bucket: Hashable, requests: int) -> None:
        """Account for a turn, which is one request. Further requests delay the next turn, and an unused turn is passed
        on."""
        if requests == 1 or bucket in self._own_bucket:
            return
        self._next += (requests - 1) * self._interval
        if self._wake_up is not None:
            self._wake_up.cancel()
            self._grant_turns()

    # ------------------------------------------------------------------------------------ edits

    def _begin(self, bucket: Hashable) -> None:
        self._working[bucket] = asyncio.get_running_loop().create_task(self._work(bucket))

    async def _work(self, bucket: Hashable) -> None:
        """Send one edit, then block the bucket for its spacing."""
        requests = self._requests[bucket]
        turn = _Turn()
        _TURN.set(None if bucket in self._own_bucket else turn)  # in this task's own context
        try:
            if self._closed:
                return
            key = min(requests, key=lambda key: _urgency(requests[key]))
            request = requests.pop(key)
            sent = await self._edit(bucket, key, request)
            turn.end()
            self._charge(bucket, sent)
            if sent and not self._closed:
                self._cooling_down.add(bucket)
                await self._scheduler.sleep(request.spacing)
        finally:
            self._cooling_down.discard(bucket)
            del self._working[bucket]
            if requests:
                self._enqueue(bucket, min(requests.values(), key=_urgency))
            else:
                self._requests.pop(bucket, None)
                self._own_bucket.discard(bucket)

    async def _edit(self, bucket: Hashable, key: Hashable, request: _Request) -> int:
        try:
            sent = await request.send()
        except NotTaken as error:
            _log.info("an edit in %s was not taken: %s (code %d)", bucket, error.reason, error.code)
            if (error.may_pass or request.insist) and key not in self._requests[bucket]:
                self._try_later(bucket, key, request)
            return 1
        except Exception as error:  # noqa: BLE001  one edit's failure must not stop its bucket
            logs.log_error(error, "painting", self._telemetry)
            return 1
        if sent and request.measured and request.priority is Priority.PLAY:
            self._telemetry.board_lag(self._scheduler.monotonic() - request.since)
        return sent

    def _try_later(self, bucket: Hashable, key: Hashable, request: _Request) -> None:
        request.failed += 1
        if self._closed:
            return
        if request.failed < TRIES:
            again = partial(self._add, bucket, key, request, own_bucket=bucket in self._own_bucket)
            self._retries[bucket, key] = self._scheduler.call_later(retry_delay(request.failed), again)
        elif request.given_up is not None:
            request.given_up()


def _urgency(request: _Request) -> tuple[Priority, int]:
    return request.priority, request.order


def retry_delay(failed: int) -> float:
    """Seconds to wait after this many failed tries: random, so that a thousand edits do not retry at once."""
    longest = FIRST_RETRY_DELAY * 2.0 ** (failed - 1)
    return random.uniform(longest / 2, longest)  # noqa: S311  no secret, only spread
