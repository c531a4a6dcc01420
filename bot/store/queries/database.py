"""What the store needs of a database."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

from bot.store.queries.connection import Connection
from bot.store.queries.paging import Page

T = TypeVar("T")
K = TypeVar("K")

Work: TypeAlias = Callable[[Connection], T]
"""A piece of work, which runs completely in a thread of the database. It neither opens nor ends a transaction. It may
be run again from its start when its transaction is lost, so it changes nothing but the database."""


class Database(Protocol):
    """Runs whole pieces of work. A read sees all writes that were asked for before it."""

    is_shared: bool = False
    """Whether other processes may have the data open."""
    guard: Callable[[Connection], None] | None = None
    """Where the data are shared, called at the start of each transaction that writes, in its thread. What it raises
    fails all writes in it: so a process that has lost what it holds writes no more."""

    def time(self, _db: Connection, /) -> int | None:
        """The time of the data (ms UTC), by which leases run out: that of the database server, which is the same for
        all processes. None where there is no server, and the time is the process's own."""
        return None

    async def read(self, work: Work[T], /) -> T:
        """Run a piece of work that only reads. It sees what is committed, all of one moment.

        Raises Busy, Damaged, NotSaved (the database could not be read), StoreError after `close`.
        """

    async def write(self, work: Work[T], /, *, counts: bool = True) -> T:
        """Run a piece of work in a transaction and wait until that is committed. `counts` is False for what may be
        lost.

        Raises what the work raised, then nothing of it was written; Busy, NotSaved and Damaged likewise; Unsettled if
        it may have been; StoreError after `close`. A caller that is cancelled stops waiting; the work is done all the
        same.
        """

    async def read_all(self, page: Callable[[Connection, K], Page[T, K]], start: K) -> list[T]:
        """Read a long list page by page, so that writes can be made between two pages. Raises what `read` raises.

        `page` reads what comes after a key, beginning with `start`. Each page is of one moment. What is written between
        two pages is in the list or not, depending on where it belongs.
        """
        found: list[T] = []
        after: K | None = start
        while after is not None:
            rows, after = await self.read(partial(_swapped, page, after))
            found += rows
        return found

    async def read_first(self, page: Callable[[Connection, K, int], Page[T, K]], start: K, most: int) -> list[T]:
        """Read the first `most` rows of a long list, as `read_all` does. `page` reads at most as many as are still
        wanted."""
        found: list[T] = []
        after: K | None = start
        while after is not None and len(found) < most:
            rows, after = await self.read(partial(_wanted, page, after, most - len(found)))
            found += rows
        return found

    async def write_all(self, work: Work[bool]) -> None:
        """Repeat a piece of work, each time in a transaction of its own, until it returns True: there was nothing left.

        Other writes are made in between. Raises what `write` raises; what was done before stays done.
        """
        while not await self.write(work):
            pass

    async def checkpoint_if_idle(self) -> None:
        """Do now, between two slices of a large change, what a database otherwise does with a later commit for pages
        that were changed. Raises what `write` raises."""

    async def close(self) -> None:
        """Finish waiting work, then close the connection and end the threads. Closing twice is harmless."""


def _swapped(page: Callable[[Connection, K], Page[T, K]], after: K, db: Connection) -> Page[T, K]:
    return page(db, after)


def _wanted(page: Callable[[Connection, K, int], Page[T, K]], after: K, wanted: int, db: Connection) -> Page[T, K]:
    return page(db, after, wanted)
