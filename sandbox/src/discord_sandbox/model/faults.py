"""Faults on demand: what goes wrong with which request, event or gateway connection, and when.

A fault watches the requests (or events) that match it and strikes the n-th of them. If several match one request, all
of them count it, and the oldest that is due strikes.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal, TypeAlias, TypeVar

from discord_sandbox.model.rate_limits import Scope
from discord_sandbox.model.wire import JsonObject

Drop: TypeAlias = Literal["before", "after"]
"""A connection cut without an answer: before the request has had its effect, or after."""

HELD_AT_MOST = 2.0
"""Seconds a reordered request or event waits for another to overtake it."""

_DROPS = (None, "before", "after")
_SCOPES = ("user", "global", "shared")


@dataclass(eq=False)
class Fault:
    """The common fields of faults: `nth` is the first match to strike, `times` how many from there on (None: all).

    `seen` counts the matches, `struck` those of them that were struck.
    """

    number: int
    _: KW_ONLY
    nth: int = 1
    times: int | None = 1
    delay: float = 0.0
    reorder: bool = False
    seen: int = field(default=0, init=False)
    struck: int = field(default=0, init=False)
    _overtaken: set[asyncio.Event] = field(default_factory=set, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.nth < 1 or (self.times is not None and self.times < 1):
            raise ValueError("a fault's nth and times count from 1")
        if self.delay < 0:
            raise ValueError("a fault's delay is not negative")

    def strikes(self) -> bool:
        """Count a match. Returns whether to strike it."""
        self.seen += 1
        hit = self.seen >= self.nth and (self.times is None or self.seen < self.nth + self.times)
        self.struck += hit
        return hit

    def hold(self) -> asyncio.Event:
        """Hold what was struck. The event is set once a later match has passed."""
        overtaken = asyncio.Event()
        self._overtaken.add(overtaken)
        return overtaken

    async def wait(self, overtaken: asyncio.Event) -> None:
        """Wait until the held request or event was overtaken, or HELD_AT_MOST seconds."""
        with contextlib.suppress(TimeoutError):  # nothing else arrived
            await asyncio.wait_for(overtaken.wait(), HELD_AT_MOST)
        self._overtaken.discard(overtaken)

    def let_go(self) -> None:
        """Release the held request or event, because another match has overtaken it."""
        for each in self._overtaken:
            each.set()

    def describe(self) -> JsonObject:
        """The fault and its counts, as the control API lists them."""
        return {
            "number": self.number,
            "nth": self.nth,
            "times": self.times,
            "delay": self.delay,
            "reorder": self.reorder,
            "seen": self.seen,
            "struck": self.struck,
        }


@dataclass(eq=False)
class RequestFault(Fault):
    """A fault of requests that have `method` and `path`; see `FaultsOnDemand.on` for the fields."""

    method: str
    path: str
    answer_delay: float = 0.0
    drop: Drop | None = None
    status: int | None = None
    code: int = 0
    message: str | None = None
    effect: bool = False
    retry_after: float = 1.0
    scope: Scope = "user"
    before: Callable[[], object] | None = field(default=None, repr=False)
    after: Callable[[], object] | None = field(default=None, repr=False)
    _pattern: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.drop not in _DROPS:
            raise ValueError("a request is dropped 'before' or 'after' its effect")
        if self.status is not None and not 400 <= self.status <= 599:
            raise ValueError("a fault's status is 400 to 599")
        if self.scope not in _SCOPES:
            raise ValueError(f"a limit's scope is one of {_SCOPES}")
        if self.answer_delay < 0:
            raise ValueError("a fault's delay is not negative")
        self._pattern = _pattern(self.path)

    def matches(self, method: str, path: str) -> bool:
        """Whether a request to `path` (from behind the API's version) is one of those watched."""
        return self.method in ("*", method) and self._pattern.fullmatch(path) is not None

    def describe(self) -> JsonObject:
        """The fault and its counts, as the control API lists them."""
        names = ("method", "path", "answer_delay", "drop", "status", "code", "message", "effect", "retry_after")
        return {**super().describe(), **{name: getattr(self, name) for name in names}, "scope": self.scope}


@dataclass(eq=False)
class EventFault(Fault):
    """A fault of the gateway's events called `event` ("*": all); see `FaultsOnDemand.on_event`."""

    event: str
    drop: bool = False
    twice: bool = False

    def describe(self) -> JsonObject:
        """The fault and its counts, as the control API lists them."""
        return {**super().describe(), "event": self.event, "drop": self.drop, "twice": self.twice}


class FaultsOnDemand:
    """The faults that are set."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._of_requests: list[RequestFault] = []
        self._of_events: list[EventFault] = []

    def __iter__(self) -> Iterator[Fault]:
        return iter(sorted((*self._of_requests, *self._of_events), key=lambda each: each.number))

    def __len__(self) -> int:
        return len(self._of_requests) + len(self._of_events)

    def on(
        self,
        method: str,
        path: str,
        *,
        nth: int = 1,
        times: int | None = 1,
        delay: float = 0.0,
        answer_delay: float = 0.0,
        reorder: bool = False,
        drop: Drop | None = None,
        status: int | None = None,
        code: int = 0,
        message: str | None = None,
        effect: bool = False,
        retry_after: float = 1.0,
        scope: Scope = "user",
        before: Callable[[], object] | None = None,
        after: Callable[[], object] | None = None,
    ) -> RequestFault:
        """Let requests go wrong, e.g. on("POST", "/interactions/*/*/callback", drop="after").

        `path` begins behind the API's version; `*` is one segment of it, `**` any number. The method
        "CONNECT" with the path "/gateway" stands for opening a gateway connection.

        From the `nth` match on, `times` requests (None: all further ones) are struck:
        `delay` and `answer_delay` are seconds of the sandbox's time before the effect and before the
        answer; `reorder` lets the next matching request go first; `before` and `after` are called
        around the effect; `drop` cuts the line without an answer; `status` answers with an error
        (`code` and `message` in Discord's JSON; 429 with `retry_after` and `scope`), without the
        request's effect unless `effect` is true. Raises ValueError for a contradiction.
        """
        fault = RequestFault(
            next(self._numbers),
            method.upper(),
            path,
            answer_delay,
            drop,
            status,
            code,
            message,
            effect,
            retry_after,
            scope,
            before,
            after,
            nth=nth,
            times=times,
            delay=delay,
            reorder=reorder,
        )
        self._of_requests.append(fault)
        return fault

    def on_event(
        self,
        event: str,
        *,
        nth: int = 1,
        times: int | None = 1,
        delay: float = 0.0,
        reorder: bool = False,
        drop: bool = False,
        twice: bool = False,
    ) -> EventFault:
        """Let the gateway's events of a name ("*": all) go wrong: late, after the next one, never, twice.

        They get their sequence numbers when they are sent, so that a resumption replays the same.
        """
        fault = EventFault(next(self._numbers), event, drop, twice, nth=nth, times=times, delay=delay, reorder=reorder)
        self._of_events.append(fault)
        return fault

    def remove(self, fault: Fault | int) -> None:
        """Take a fault away, by itself or its number; raises LookupError."""
        number = fault if isinstance(fault, int) else fault.number
        found = next((each for each in self if each.number == number), None)
        if found is None:
            raise LookupError(f"there is no fault {number}")
        found.let_go()
        self._of_requests = [each for each in self._of_requests if each is not found]
        self._of_events = [each for each in self._of_events if each is not found]

    def clear(self) -> None:
        """Take all faults away."""
        for each in self:
            each.let_go()
        self._of_requests, self._of_events = [], []

    @property
    def watch_requests(self) -> bool:
        """Whether any fault concerns requests."""
        return bool(self._of_requests)

    @property
    def watch_events(self) -> bool:
        """Whether any fault concerns events."""
        return bool(self._of_events)

    def strike(self, method: str, path: str) -> RequestFault | None:
        """The fault that strikes this request, if one does."""
        return _oldest([each for each in self._of_requests if each.matches(method, path)])

    def answered(self, method: str, path: str) -> None:
        """Record that a request was answered, and release what waited to be overtaken."""
        for each in self._of_requests:
            if each.matches(method, path):
                each.let_go()

    def strike_event(self, name: str) -> EventFault | None:
        """The fault that strikes this event, if one does."""
        return _oldest([each for each in self._of_events if each.event in ("*", name)])

    def sent(self, name: str) -> None:
        """Record that an event was sent, and release what waited to be overtaken."""
        for each in self._of_events:
            if each.event in ("*", name):
                each.let_go()


_AnyFault = TypeVar("_AnyFault", bound=Fault)


def _oldest(watching: list[_AnyFault]) -> _AnyFault | None:
    striking = [each for each in watching if each.strikes()]  # all of them count, whichever strikes
    for beaten in striking[1:]:
        beaten.struck -= 1
    return striking[0] if striking else None


def _pattern(path: str) -> re.Pattern[str]:
    """`*` stands for one segment of a path, `**` for any number of them."""
    parts = re.split(r"(\*\*|\*)", path)
    wild = {"*": "[^/]+", "**": ".*"}
    return re.compile("".join(wild.get(each, re.escape(each)) for each in parts))
