"""Unfinished matches that a start has not restored yet: their rows, and who waits for which of them."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import asynccontextmanager

from bot.server_index import ServerIndex
from bot.store.errors import Busy
from bot.store.rows.matches import MatchRow


class WaitingMatches:
    """The waiting matches. Those that somebody asked for are restored first, then the others in their order."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        """Held while matches are put in play."""
        self.changes = 0
        """How often the stored deadlines of all matches were changed: what was read before the last time is read again,
        so that no match is put in play with deadlines from before a change."""
        self._rows: ServerIndex[MatchRow] = ServerIndex()
        self._of_player: dict[int, list[str]] = {}
        self._order: deque[str] = deque()
        self._wanted: dict[str, asyncio.Future[None]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self) -> Collection[MatchRow]:
        """All of them."""
        return self._rows.values()

    def in_server(self, guild_id: int) -> Collection[MatchRow]:
        """Those of a server."""
        return self._rows.in_server(guild_id)

    def of_player(self, user_id: int) -> list[str]:
        """The ids of those that somebody plays in, in all servers."""
        return [match_id for match_id in self._of_player.get(user_id, ()) if match_id in self._rows]

    async def restored(self, match_ids: Iterable[str]) -> None:
        """Have these matches restored before all others, and wait for that. Ids of other matches are passed over.

        Raises Busy if one could not be read. It is tried again.
        """
        asked = {match_id: self._want(match_id) for match_id in match_ids if match_id in self._rows}
        if asked:
            await asyncio.wait(asked.values())  # they are shared: if this caller is cancelled, the others still wait
        if any(match_id in self._rows for match_id in asked):
            raise Busy("the log of a match could not be read")

    def _want(self, match_id: str) -> asyncio.Future[None]:
        if match_id not in self._wanted:
            self._wanted[match_id] = asyncio.get_running_loop().create_future()
        return self._wanted[match_id]

    # ------------------------------------------------------------------------------------ restoring

    def add(self, rows: Iterable[MatchRow]) -> None:
        """Add matches, in the order in which they are restored."""
        for row in rows:
            self._rows[row.id] = row
            self._order.append(row.id)
            for user_id in row.seats:
                self._of_player.setdefault(user_id, []).append(row.id)

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[None]:
        """Keep matches waiting within the block, which changes the stored deadlines of all matches."""
        async with self.lock:
            try:
                yield
            finally:
                self.changes += 1  # only now: what was read meanwhile may be half of it

    def next(self, most: int, but: Collection[str] = ()) -> list[MatchRow]:
        """At most this many that come next, without those whose ids are in `but`. They wait until they are removed."""
        while self._order and self._order[0] not in self._rows:
            self._order.popleft()
        coming = itertools.islice(self._order, most + len(but))
        order = dict.fromkeys(itertools.chain(self._wanted, coming))
        found = (self._rows[match_id] for match_id in order if match_id in self._rows and match_id not in but)
        return list(itertools.islice(found, most))

    def remove(self, match_id: str) -> None:
        """Remove a match, which is in play or in quarantine now, and wake those who wait for it."""
        if self._rows.pop(match_id, None) is not None:
            self._wake(match_id)
        if not self._rows:
            self._order.clear()
            self._of_player.clear()

    def fail(self) -> None:
        """Wake everybody who waits, because nothing can be read now."""
        for match_id in tuple(self._wanted):
            self._wake(match_id)

    def _wake(self, match_id: str) -> None:
        future = self._wanted.pop(match_id, None)
        if future is not None and not future.done():
            future.set_result(None)
