"""Renews a lease in a thread and on a connection of its own.

So nothing that the process does or waits for is in its way: neither its event loop, nor a commit, nor a long read. And
the server sees by this connection that the process is there (`name_of`). It ends with the process, however that ends.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Final, TypeAlias

import psycopg

from bot.cluster.errors import is_lost, store_error
from bot.cluster.link import RENEWING, Link
from bot.store.errors import Fenced
from bot.store.queries.database import Connection
from bot.store.store import Renewing

Over: TypeAlias = Callable[[Link], AbstractContextManager[None]]
"""What watches a connection while it is used, and cuts it when that takes too long."""
ENDS_WITHIN: Final = 5.0
"""Seconds that the thread gets to end."""


def name_of(owner: str) -> str:
    """What the server calls the connection that renews the lease of a process: by the last word of its name."""
    return f"cardroom {owner.rpartition(' ')[2]} holds"


class Renewals:
    """The thread and its connection."""

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
