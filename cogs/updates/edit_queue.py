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
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from itertools import count
from typing import TypeAlias

from bot import logs
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
    """What to send, its priority, and when it was first requested: as a number that counts all requests (`order`), and
    by the scheduler's time in seconds (`since`). `measured`, `insist`, `failed` and `given_up` are as for
    `request_edit`."""

    send: SendEdit
    order: int
    priority: Priority
    since: float
    measured: bool
    insist: bool
    failed: int
    given_up: Callable[[], None] | None


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
    """Requests by bucket: one edit every `spacing` seconds in each, and at most `a_second` edits per second in all."""

    def __init__(self, spacing: float, a_second: float, scheduler: Scheduler, telemetry: Telemetry) -> None:
        self._scheduler = scheduler
        self._telemetry = telemetry
        self._spacing = spacing
        self._interval = 1 / a_second
        self._requests: dict[Hashable, dict[Hashable, _Request]] = {}
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
        measured: bool = True,
        insist: bool = False,
        failed: int = 0,
        given_up: Callable[[], None] | None = None,
    ) -> None:
        """Send an edit as soon as its bucket and its turn allow. It replaces an older request with the same key.

        A bucket that Discord counts separately (`own_bucket`) needs no turn. How late an edit is sent counts as a
        board's lag if it is `measured` and somebody waits for it. One that Discord refused for good is tried again too
        if we `insist`. `failed` of its tries were not taken, and `given_up` is called if none of `TRIES` was.
        """
        if self._closed:
            return
        retry = self._retries.pop((bucket, key), None)
        if retry is not None:
            retry.cancel()
        priority = max(priority, self._lowest)
        requests = self._requests.setdefault(bucket, {})
        pending = requests.get(key)
        if pending is not None:
            if pending.priority < priority:  # what it sends shows this change too
                return
            pending.send, pending.failed, pending.given_up = send, failed, given_up
            if pending.priority == priority:
                return
            pending.priority, pending.since = priority, self._scheduler.monotonic()
        else:
            since = self._scheduler.monotonic()
            order = next(self._order)
            requests[key] = _Request(send, order, priority, since, measured, insist, failed, given_up)
        if own_bucket:
            self._own_bucket.add(bucket)
        if bucket not in self._working:
            self._enqueue(bucket, requests[key])

    def request_later(self, bucket: Hashable, key: Hashable, send: SendEdit) -> None:
        """Send an edit after the pause that follows a try which was not taken, in place of that one."""
        if self._closed:
            return
        again = partial(self.request_edit, bucket, key, send, insist=True, failed=1)
        self._retries[bucket, key] = self._scheduler.call_later(retry_delay(1), again)

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
        return not self._requests and not self._working

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
            sent = await self._edit(bucket, requests)
            turn.end()
            self._charge(bucket, sent)
            if sent and not self._closed:
                self._cooling_down.add(bucket)
                await self._scheduler.sleep(self._spacing)
        finally:
            self._cooling_down.discard(bucket)
            del self._working[bucket]
            if requests:
                self._enqueue(bucket, min(requests.values(), key=_urgency))
            else:
                self._requests.pop(bucket, None)
                self._own_bucket.discard(bucket)

    async def _edit(self, bucket: Hashable, requests: dict[Hashable, _Request]) -> int:
        if not requests:  # closed before it began
            return 0
        key = min(requests, key=lambda key: _urgency(requests[key]))
        request = requests.pop(key)
        try:
            sent = await request.send()
        except NotTaken as error:
            _log.info("an edit in %s was not taken: %s (code %d)", bucket, error.reason, error.code)
            if (error.may_pass or request.insist) and key not in requests:
                self._try_later(bucket, key, request)
            return 1
        except Exception as error:  # noqa: BLE001  one edit's failure must not stop its bucket
            logs.log_error(error, "painting", self._telemetry)
            return 1
        if sent and request.measured and request.priority is Priority.PLAY:
            self._telemetry.board_lag(self._scheduler.monotonic() - request.since)
        return sent

    def _try_later(self, bucket: Hashable, key: Hashable, request: _Request) -> None:
        failed = request.failed + 1
        again = partial(
            self.request_edit,
            bucket,
            key,
            request.send,
            request.priority,
            own_bucket=bucket in self._own_bucket,
            measured=request.measured,
            insist=request.insist,
            failed=failed,
            given_up=request.given_up,
        )
        if self._closed:
            return
        if failed < TRIES:
            self._retries[bucket, key] = self._scheduler.call_later(retry_delay(failed), again)
        elif request.given_up is not None:
            request.given_up()


def _urgency(request: _Request) -> tuple[Priority, int]:
    return request.priority, request.order


def retry_delay(failed: int) -> float:
    """Seconds to wait after this many failed tries: random, so that a thousand edits do not retry at once."""
    longest = FIRST_RETRY_DELAY * 2.0 ** (failed - 1)
    return random.uniform(longest / 2, longest)  # noqa: S311  no secret, only spread
