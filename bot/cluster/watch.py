"""Cuts connections whose pieces of work take too long: the server may be gone without a word."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Final

from bot.cluster.link import Link

LIMIT: Final = 20.0
"""Seconds that a piece of work may take. A group of writes is one."""
_LOOK_EVERY: Final = 0.5
"""Seconds between two looks, while anything is under way."""


class Watch:
    """Looks after some connections, in a thread of its own that sleeps while they have nothing to do."""

    def __init__(self, links: Sequence[Link], limit: float = LIMIT) -> None:
        self._since: dict[Link, float | None] = dict.fromkeys(links)
        self.limit = limit
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
            for link, since in self._since.items():
                if since is None:
                    continue
                self._busy.set()
                if now - since > self.limit:
                    link.cut()
