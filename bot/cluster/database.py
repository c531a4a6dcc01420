"""A PostgreSQL database: one connection that writes, one that reads and one that renews a lease, each in a thread of
its own.

As in `bot.store.sqlite.database` only whole pieces of work reach a connection, and writes that wait share a commit.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, Final, TypeAlias, TypeVar

import psycopg

from bot.cluster.errors import is_lost, store_error
from bot.cluster.groups import Write, Writer
from bot.cluster.link import BEGIN_READING, READING, RENEWING, Link, PostgresConnection
from bot.store.errors import Fenced, NotSaved, StoreError, Unsettled
from bot.store.queries import database as sql
from bot.store.queries.database import Connection, Work
from bot.store.store import Renewing
from bot.telemetry import Telemetry

T = TypeVar("T")

LIMIT: Final = 20.0
"""Seconds that a piece of work may take. A group of writes is one."""
_LOOK_EVERY: Final = 0.5
"""Seconds between two looks, while anything is under way."""

_log = logging.getLogger(__name__)


class _Pending(Write):
    """A write and a future that is done once it is made or has failed, whether or not its caller still waits."""

    __slots__ = ("done",)

    def __init__(self, work: Work[Any], done: asyncio.Future[None], *, counts: bool) -> None:
        super().__init__(work, counts)
        self.done = done


class Database(sql.Database):
    """`bot.store.queries.database.Database` on a PostgreSQL server.

    A connection that was lost is made again by the next piece of work that needs it. Until the server is back, each
    fails at once.
    """

    is_shared = True

    def __init__(self, address: str, version: int, telemetry: Telemetry) -> None:
        """`version` is the number of the last migration. Raises StoreError for an address that can't be read."""
        self._loop = asyncio.get_running_loop()
        self._telemetry = telemetry
        self._writer = Writer(address, version)
        self._reading = Link(address, f"{self._writer.name} reads", READING)
        self._renewals = _Renewals(address)
        self._watch = _Watch(self._writer.link, self._reading)
        self._writing_thread = ThreadPoolExecutor(1, "postgresql-write")
        self._reading_thread = ThreadPoolExecutor(1, "postgresql-read")
        self._pending: deque[Write] = deque()
        self._scheduled = False
        self._last: asyncio.Future[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    @property
    def guard(self) -> Callable[[Connection], None] | None:
        """`bot.store.queries.database.Database.guard`."""
        return self._writer.guard

    @guard.setter
    def guard(self, guard: Callable[[Connection], None] | None) -> None:
        self._writer.guard = guard

    def time(self, db: Connection, /) -> int:
        """The server's time."""
        (milliseconds,) = db.execute("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint").fetchone()
        return int(milliseconds)

    def has_ended(self, db: Connection, owner: str, /) -> bool:
        """Whether the connection that renews the lease of a process is gone, and that is known: this one's is seen."""
        (gone,) = db.execute(
            "SELECT bool_or(pid = pg_backend_pid() AND application_name = ?)"
            " AND NOT bool_or(strpos(application_name, ?) = 1) FROM pg_stat_activity",
            (self._writer.name, name_of(owner)),
        ).fetchone()
        return bool(gone)

    async def keep_renewing(
        self, work: Callable[[Connection], None], owner: str, process: Renewing, every: float
    ) -> None:
        """Run `work`, which renews a lease, in a thread and on a connection of its own until cancelled. `every` is in
        seconds, from the end of one renewal to the next."""
        with self._renewals.running(work, owner, process, every, self._watch.over):
            await self._loop.create_future()

    @property
    def limit(self) -> float:
        """How long a piece of work may take, in seconds: then its connection is given up."""
        return self._watch.limit

    @limit.setter
    def limit(self, seconds: float) -> None:
        self._watch.limit = seconds

    async def begin(self, prepare: Callable[[Link], None]) -> None:
        """Connect. `prepare` gets the connection that writes, before anything is written. Raises StoreError."""

        def begin_to_write() -> None:
            try:
                prepare(self._writer.link)
                self._writer.begin()
            except psycopg.Error as error:
                raise self._writer.link.refusal(error) from None

        def begin_to_read() -> None:
            try:
                self._reading.connection()
            except psycopg.Error as error:
                raise self._reading.refusal(error) from None

        await self._loop.run_in_executor(self._writing_thread, begin_to_write)
        # Before the first write, which fails if a pooler gives both connections the same session (`SESSION`).
        await self._loop.run_in_executor(self._reading_thread, begin_to_read)

    async def read(self, work: Work[T], /) -> T:
        """As `bot.store.queries.database.Database.read`. It sees all that was written before it was asked for."""
        self._refuse_when_closed()
        if self._last is not None and not self._last.done():
            await asyncio.wait([self._last])
        return await self._loop.run_in_executor(self._reading_thread, self._read, work)

    async def write(self, work: Work[T], /, *, counts: bool = True) -> T:
        self._refuse_when_closed()
        self._last = self._loop.create_future()
        item = _Pending(work, self._last, counts=counts)
        self._pending.append(item)
        if not self._scheduled:
            self._scheduled = True
            self._loop.run_in_executor(self._writing_thread, self._run_groups)
        await asyncio.shield(item.done)
        if item.error is not None:
            raise item.error
        return item.value  # type: ignore[no-any-return]  # what this work returned

    async def checkpoint_if_idle(self) -> None:
        """Nothing: the server does it by itself."""

    async def close(self) -> None:
        if self._closing is None:
            self._closing = self._loop.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        if self._last is not None and not self._last.done():
            await asyncio.wait([self._last])
        await self._loop.run_in_executor(self._writing_thread, self._writer.end)
        await self._loop.run_in_executor(self._reading_thread, self._reading.drop)
        await self._loop.run_in_executor(self._reading_thread, self._renewals.join)
        self._watch.close()
        self._writing_thread.shutdown()
        self._reading_thread.shutdown()

    def _refuse_when_closed(self) -> None:
        if self._closing is not None:
            raise StoreError("the store is closed")

    # ----------------------------------------------------------------------------- in the thread that reads

    def _read(self, work: Work[T]) -> T:
        with self._watch.over(self._reading):
            try:
                try:
                    return self._read_once(work)
                except psycopg.Error as error:
                    asked = self._reading.current
                    if asked is None or not (is_lost(error) or asked.raw.closed):
                        raise
                self._reading.drop()  # it was lost since it was last used, and a read can always be repeated
                return self._read_once(work)
            except psycopg.Error as error:
                raise self._translated(error) from error

    def _read_once(self, work: Work[T]) -> T:
        asked = self._reading.connection()
        asked.raw.execute(BEGIN_READING, prepare=False)
        try:
            return work(asked)
        finally:
            _end(asked)

    # ---------------------------------------------------------------------------- in the thread that writes

    def _run_groups(self) -> None:
        self._scheduled = False  # before the queue is emptied: a later write schedules the next round
        while self._pending:
            group: list[Write] = []
            try:
                with self._watch.over(self._writer.link):
                    self._writer.run(self._pending, group)
            except BaseException as error:  # noqa: BLE001  whatever it was, every caller must get it
                for item in group:  # each an exception of its own: one raised by two tasks would mix their tracebacks
                    item.error = self._lost_error(error)
            self._loop.call_soon_threadsafe(_resolve, group)

    def _lost_error(self, error: BaseException) -> BaseException:
        """Why a write of a lost transaction was not made."""
        if isinstance(error, psycopg.Error):
            meaning = self._translated(error)
            return meaning if isinstance(meaning, StoreError) else _caused(NotSaved("the transaction was lost"), error)
        if isinstance(error, StoreError):
            if isinstance(error, NotSaved | Unsettled):
                self._report(error)
            return _caused(_alike(error), error)
        return _caused(NotSaved("the transaction was lost"), error)

    def _translated(self, error: psycopg.Error) -> BaseException:
        """The store's error for one of PostgreSQL's, logged and reported; the error itself where it is a bug."""
        meaning = store_error(error)
        if meaning is None:
            return error
        self._report(meaning)
        return _caused(meaning, error)

    def _report(self, meaning: StoreError) -> None:
        _log.warning("the store failed: %s", meaning)
        self._telemetry.store_failed()


class _Watch:
    """Cuts connections whose pieces of work take too long: the server may be gone without a word.

    It has a thread of its own, which sleeps while they have nothing to do.
    """

    def __init__(self, *links: Link) -> None:
        self._since: dict[Link, float | None] = dict.fromkeys(links)
        self.limit = LIMIT
        """Seconds that a piece of work may take."""
        self._busy = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._look, name="postgresql-watch", daemon=True)
        self._thread.start()

    @contextlib.contextmanager
    def over(self, link: Link) -> Iterator[None]:
        """While a piece of work uses a connection."""
        self._since[link] = time.monotonic()
        self._busy.set()
        try:
            yield
        finally:
            self._since[link] = None

    def close(self) -> None:
        """Look no more."""
        self._closed = True
        self._busy.set()

    def _look(self) -> None:
        while self._busy.wait() and not self._closed:
            self._busy.clear()
            time.sleep(_LOOK_EVERY)
            now = time.monotonic()
            for link, since in tuple(self._since.items()):
                if since is None:
                    continue
                self._busy.set()
                if now - since > self.limit:
                    link.cut()


Over: TypeAlias = Callable[[Link], AbstractContextManager[None]]
"""What watches a connection while it is used, and cuts it when that takes too long."""
ENDS_WITHIN: Final = 5.0
"""Seconds that the thread gets to end."""


def name_of(owner: str) -> str:
    """What the server calls the connection that renews the lease of a process: by the last word of its name."""
    return f"cardroom {owner.rpartition(' ')[2]} holds"


class _Renewals:
    """Renews a lease in a thread and on a connection of its own.

    So nothing that the process does or waits for is in its way: neither its event loop, nor a commit, nor a long read.
    And the server sees by this connection that the process is there (`name_of`). It ends with the process, however that
    ends.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._thread: threading.Thread | None = None

    @contextlib.contextmanager
    def running(
        self, work: Callable[[Connection], None], owner: str, process: Renewing, every: float, over: Over
    ) -> Iterator[None]:
        """Renew at once, and then again and again until the end of the block, with a pause of `every` seconds. `work`
        renews once; it raises Fenced where that is no longer possible, and then it is not tried again."""
        link, stop = Link(self._address, name_of(owner), RENEWING), threading.Event()

        def renew() -> None:
            with contextlib.suppress(RuntimeError):  # the process ends: its event loop is closed, and nobody listens
                while not stop.is_set() and self._renew(link, work, process, over):
                    stop.wait(every)
            link.drop()

        self._thread = threading.Thread(target=renew, name="postgresql-renew", daemon=True)
        self._thread.start()
        try:
            yield
        finally:
            stop.set()

    def join(self) -> None:
        """Wait until the thread has ended. It is called in another one."""
        if self._thread is not None:
            self._thread.join(ENDS_WITHIN)

    @staticmethod
    def _renew(link: Link, work: Callable[[Connection], None], process: Renewing, over: Over) -> bool:
        """Renew once, unless the process stands still: then it counts as one that has ended. Returns whether to go
        on."""
        begun = process.begin_renewal()
        if begun is None:
            link.drop()
            return True
        try:
            with over(link):
                _once_or_again(link, work)
        except Exception as error:  # noqa: BLE001  whatever it is, the next try may succeed
            meaning = store_error(error) if isinstance(error, psycopg.Error) else None
            process.not_renewed(meaning or error)
            return not isinstance(error, Fenced)
        process.renewed(begun)
        return True


def _once_or_again(link: Link, work: Callable[[Connection], None]) -> None:
    """Renew, also over a connection that was lost since it was last used."""
    asked = link.connection(patient=True)
    try:
        work(asked)
    except psycopg.Error as error:
        if not (is_lost(error) or asked.raw.closed):
            raise
        link.drop()
        work(link.connection(patient=True))


def _end(asked: PostgresConnection) -> None:
    """End a transaction that has only read. If the connection is lost, the next piece of work finds out."""
    if not asked.raw.closed:
        try:
            asked.raw.execute("ROLLBACK", prepare=False)
        except psycopg.Error:
            asked.raw.close()


def _alike(error: StoreError) -> StoreError:
    """Another exception that says the same."""
    other = type(error).__new__(type(error), *error.args)
    other.args = error.args
    other.__dict__.update(error.__dict__)
    return other


def _caused(error: StoreError, cause: BaseException) -> StoreError:
    error.__cause__ = cause
    return error


def _resolve(group: list[Write]) -> None:
    for item in group:
        if isinstance(item, _Pending) and not item.done.done():
            item.done.set_result(None)
