"""Runs the methods of a `MemoryStore`: in a queue, each completely, even if its caller is cancelled."""

from __future__ import annotations

import asyncio
import functools
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

from bot.shard_range import EVERYTHING, ShardRange
from bot.store.errors import StoreError
from bot.store.memory.data import Data

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="Transactions")


@dataclass(slots=True)
class _Pending:
    """A call that waits for its turn."""

    run: Callable[[], Any]
    caller: asyncio.Future[Any]

    def resolve(self) -> None:
        """Run it and answer its caller, unless the caller was cancelled. The work is done in any case."""
        try:
            value = self.run()
        except Exception as error:  # noqa: BLE001  whatever it is, the caller gets it
            if not self.caller.done():
                self.caller.set_exception(error)
        else:
            if not self.caller.done():
                self.caller.set_result(value)


class Transactions:
    """Data, and the queue of calls that wait for them.

    A call does not run at once but in the loop's next round. So its caller may be cancelled before, and other tasks run
    meanwhile, as they do while a database works.
    """

    def __init__(self, data: Data, now: Callable[[], int]) -> None:
        self.data = data
        self._now = now
        self._pending: deque[_Pending] = deque()
        self._next_failures: deque[Exception] = deque()
        self._closed = False
        self.serves: ShardRange = EVERYTHING
        """The servers that this store serves (`bot.store.protocols.clusters`)."""
        self.is_shared = False
        """Whether other stores may have the same data open at once."""
        self.guard: Callable[[Data], None] | None = None
        """Called before each write, with what is there; it raises Fenced if this store may write no more."""

    def fail_next_write(self, error: Exception) -> None:
        """Make the next write raise this error and write nothing. Several errors are raised by as many writes."""
        self._next_failures.append(error)

    async def close(self) -> None:
        """Run the waiting calls, and refuse new ones. Closing twice is harmless."""
        self._closed = True
        self._run_pending()

    async def _call(self, run: Callable[[], T]) -> T:
        if self._closed:
            raise StoreError("the store is closed")
        loop = asyncio.get_running_loop()
        pending = _Pending(run, loop.create_future())
        self._pending.append(pending)
        loop.call_soon(self._run_pending)
        return await pending.caller  # type: ignore[no-any-return]  # the future holds what this call returned

    def _run_pending(self) -> None:
        while self._pending:
            self._pending.popleft().resolve()

    def _commit(self, change: Callable[[Data], T]) -> T:
        """Change a copy of the data, which replaces them only if nothing is raised."""
        if self._next_failures:
            raise self._next_failures.popleft()
        if self.guard is not None:
            self.guard(self.data)
        changed = self.data.copied()
        value = change(changed)
        self.data.replace_by(changed)
        return value


def reads(method: Callable[Concatenate[S, Data, P], T]) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Make a method of a store from a function that only reads the data."""

    @functools.wraps(method)
    async def call(store: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store._call(lambda: method(store, store.data, *args, **kwargs))

    return call


def writes(method: Callable[Concatenate[S, Data, P], T]) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Make a method of a store from a function that changes the data: all its changes are written, or none."""

    @functools.wraps(method)
    async def call(store: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store._call(lambda: store._commit(lambda data: method(store, data, *args, **kwargs)))

    return call
