"""Finds matches in play by id, player and venue, and reads finished ones when asked.

It also knows the unfinished matches that a start has not restored yet, and who waits for which of them.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, MutableMapping, Sequence
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar

from bot.games import GAMES
from bot.kept import Kept
from bot.play.facts.replayed_log import BrokenLog
from bot.play.live_match import LiveMatch
from bot.play.own_acts import OwnActs
from bot.play.quarantine import Quarantine, QuarantinedMatch
from bot.play.refusals import NotInstalled
from bot.store.errors import Busy
from bot.store.queries.matches import MatchRow, Record, Result, TimerRow
from bot.store.store import Store
from bot.store.verification import Altered, verify
from bot.telemetry import Telemetry

_log = logging.getLogger(__name__)

_REMEMBERED = 1000
"""Of how many matches that ended it is remembered which acts are unconfirmed. Their last presses come soon after."""


class MatchRegistry:
    """All matches in play. A match that was altered, or whose log cannot be replayed, is in quarantine instead."""

    def __init__(self, store: Store, quarantine: Quarantine, now: Callable[[], int], telemetry: Telemetry) -> None:
        self._store = store
        self._quarantine = quarantine
        self._now = now
        self._telemetry = telemetry
        self._live: ServerIndex[LiveMatch] = ServerIndex("matches")
        self.waiting = WaitingMatches()
        """The unfinished matches that a start has not restored yet."""
        self._acts_of_ended: Kept[str, OwnActs] = Kept("acts of ended matches", _REMEMBERED)

    def __len__(self) -> int:
        return len(self._live) + len(self.waiting)

    # ------------------------------------------------------------------------------------ finding

    def live(self) -> Iterable[LiveMatch]:
        """All matches in play."""
        return tuple(self._live.values())

    def in_server(self, guild_id: int) -> list[LiveMatch]:
        """All matches in play in a server, including suspended ones."""
        return list(self._live.in_server(guild_id))

    def with_boards(self, guild_id: int) -> list[LiveMatch]:
        """The matches in play in a server that have a venue there, including suspended ones: all but those without
        a board."""
        return [match for match in self._live.in_server(guild_id) if match.has_board]

    def unfinished_in(self, guild_id: int) -> list[LiveMatch | MatchRow]:
        """The matches of a server but attempts at a deal of the day, also those that still wait to be restored."""
        found: list[LiveMatch | MatchRow] = [*self._live.in_server(guild_id), *self.waiting.in_server(guild_id)]
        return [match for match in found if match.day is None]

    def in_channel(self, guild_id: int, channel_id: int) -> list[LiveMatch]:
        """The matches in play that have their venue in a channel of a server, including suspended ones."""
        return [match for match in self.with_boards(guild_id) if match.channel_id == channel_id]

    def of_player(self, user_id: int, guild_id: int | None) -> list[LiveMatch]:
        """The user's matches in play in a server (None: in all servers), oldest first."""
        among = self._live.values() if guild_id is None else self._live.in_server(guild_id)
        return [match for match in among if user_id in match.seats]

    def quarantined(self, user_id: int | None = None, guild_id: int | None = None) -> list[QuarantinedMatch]:
        """The quarantined matches that are not over: a user's (None: everybody's), in a server (None: in all)."""
        return [
            each
            for each in self._quarantine.live()
            if guild_id in (None, each.row.guild_id) and (user_id is None or user_id in each.row.seats)
        ]

    async def bring_in(self, user_id: int, match_id: str = "") -> None:
        """Have a match, and all matches of somebody, restored before all others if they still wait for that.

        Raises Busy if a log could not be read.
        """
        if self.waiting:
            await self.waiting.restored((match_id, *self.waiting.of_player(user_id)))

    async def bring_in_server(self, guild_id: int) -> None:
        """Have the matches of a server restored before all others, as `bring_in` does."""
        await self.waiting.restored([row.id for row in self.waiting.in_server(guild_id)])

    async def bring_in_channel(self, channel_id: int) -> None:
        """Have the matches of a channel restored before all others, as `bring_in` does."""
        await self.waiting.restored([row.id for row in self.waiting.rows() if row.channel_id == channel_id])

    def playing(self, match_id: str) -> LiveMatch | None:
        """A match in play, or None."""
        return self._live.get(match_id)

    def unfinished(self, match_id: str) -> LiveMatch | MatchRow | None:
        """A match in play, or the row of one that still waits to be restored; None for any other."""
        return self._live.get(match_id) or self.waiting.row(match_id)

    async def find(self, match_id: str) -> LiveMatch | None:
        """A match in play or finished, or None.

        Raises MatchFailed or Unreadable for one whose log cannot be replayed, MatchAltered, and NotInstalled.
        """
        if self.waiting:
            await self.waiting.restored((match_id,))
        live = self.playing(match_id)
        if live is not None:
            return live
        self._quarantine.check(match_id)
        row = await self._store.match(match_id)
        if row is not None and row.game not in GAMES:
            raise NotInstalled(row.game)
        match = await self.read(row) if row else None
        self._quarantine.check(match_id)
        return match

    def made(self, row: MatchRow) -> LiveMatch:
        """A match that is not dealt yet, and not in play until it is added."""
        return LiveMatch(row, self._store, self._now, self._telemetry)

    async def read(self, row: MatchRow) -> LiveMatch | None:
        """A finished match, verified and replayed from its log; None if it cannot be."""
        if row.game not in GAMES:
            return None
        return self._replayed(row, await self._store.records(row.id), (), await self._store.result(row.id))

    def _replayed(
        self, row: MatchRow, records: Sequence[Record], running: Sequence[TimerRow], result: Result | None
    ) -> LiveMatch | None:
        """A match, verified and replayed from its log; None if it had to be quarantined."""
        try:
            verify(row, records, result)
            match = self.made(row)
            match.replay(records, running, result, self._acts_of_ended.get(row.id))
            if result is None:
                _check_goes_on(match)
        except Altered as found:
            self._quarantine.add_altered(row, found, over=result is not None)
            return None
        except Exception as error:  # noqa: BLE001  its log may be damaged in any way, and others must not wait for it
            self._quarantine.add(row, error, over=result is not None)
            return None
        return match

    # ------------------------------------------------------------------------------------ coming and going

    def add(self, match: LiveMatch) -> None:
        """Put a match in play."""
        self._live[match.id] = match

    def remove(self, match: LiveMatch) -> None:
        """Take a match out of play, if it is in play."""
        self._live.pop(match.id, None)
        if match.over:
            self._acts_of_ended[match.id] = match.own_acts

    async def restore(
        self, row: MatchRow, records: Sequence[Record], running: Sequence[TimerRow], *, was_stopped: bool
    ) -> LiveMatch | None:
        """Put an unfinished match in play, verified and replayed from its log; None if it had to be quarantined.

        A match that `was_stopped`, by a failed rule or in quarantine, gets new deadlines. If a rule failed, the match
        failed is tried again, because a restart may bring a corrected rule. One whose game is not installed waits for
        it in quarantine. Raises StoreError.
        """
        if row.game not in GAMES:
            self._quarantine.add_without_game(row)
            return None
        match = self._replayed(row, records, () if was_stopped else running, None)
        if match is None:
            return None
        if match.suspended is None:  # a suspended match has no deadlines
            await self._repair_timers(match, running, was_stopped=was_stopped)
        if match.failed is not None:
            await match.try_again()
        self.add(match)
        return match

    async def _repair_timers(self, match: LiveMatch, running: Sequence[TimerRow], *, was_stopped: bool) -> None:
        """Make the stored deadlines those of the open question.

        Unless the match was stopped, they differ only if the rules or the database have changed.
        """
        timers = match.position.timers
        missing, surplus = set(timers) - set(running), set(running) - set(timers)
        if not missing and not surplus:
            return
        if not was_stopped:
            _log.warning("match %s: %d deadlines were missing and %d surplus", match.id, len(missing), len(surplus))
            self._telemetry.deadlines_repaired()
        await self._store.set_timers(match.id, timers)


def _check_goes_on(match: LiveMatch) -> None:
    if match.position.outcome is not None:
        raise BrokenLog("the log ends the match, but no result is stored")


class InServer(Protocol):
    """Something that belongs to one server for good."""

    @property
    def guild_id(self) -> int:
        """The server's id."""


T = TypeVar("T", bound=InServer)


class ServerIndex(MutableMapping[str, T]):
    """A mapping by id, in the order of first insertion, that also knows what belongs to each server."""

    def __init__(self, name: str) -> None:
        """`name` is what they are counted as."""
        self._all: Kept[str, T] = Kept(name)
        self._by_server: dict[int, dict[str, T]] = {}

    def __getitem__(self, key: str) -> T:
        return self._all[key]

    def __setitem__(self, key: str, value: T) -> None:
        self._all[key] = value
        self._by_server.setdefault(value.guild_id, {})[key] = value

    def __delitem__(self, key: str) -> None:
        guild_id = self._all.pop(key).guild_id
        there = self._by_server[guild_id]
        del there[key]
        if not there:
            del self._by_server[guild_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def in_server(self, guild_id: int) -> Collection[T]:
        """The things of a server, oldest first. Read it before anything changes."""
        return self._by_server.get(guild_id, {}).values()


class WaitingMatches:
    """The waiting matches. Those that somebody asked for are restored first, then the others in their order."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        """Held while matches are put in play."""
        self.changes = 0
        """How often the stored deadlines of all matches were changed: what was read before the last time is read again,
        so that no match is put in play with deadlines from before a change."""
        self._rows: ServerIndex[MatchRow] = ServerIndex("matches that wait")
        self._of_player: dict[int, list[str]] = {}
        self._order: deque[str] = deque()
        self._wanted: dict[str, asyncio.Future[None]] = {}
        self._closed = False

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self) -> Collection[MatchRow]:
        """All of them."""
        return self._rows.values()

    def row(self, match_id: str) -> MatchRow | None:
        """One of them; None if it is none."""
        return self._rows.get(match_id)

    def in_server(self, guild_id: int) -> Collection[MatchRow]:
        """Those of a server."""
        return self._rows.in_server(guild_id)

    def of_player(self, user_id: int) -> list[str]:
        """The ids of those that somebody plays in, in all servers."""
        return [match_id for match_id in self._of_player.get(user_id, ()) if match_id in self._rows]

    async def restored(self, match_ids: Iterable[str]) -> None:
        """Have these matches restored before all others, and wait for that. Ids of other matches are passed over.

        Raises Busy if one could not be read. It is tried again, unless they are closed.
        """
        asked = {match_id: self._want(match_id) for match_id in match_ids if match_id in self._rows}
        if asked and not self._closed:
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

    def close(self) -> None:
        """Restore nothing more, and have nobody wait for it."""
        self._closed = True
        self.fail()

    def _wake(self, match_id: str) -> None:
        future = self._wanted.pop(match_id, None)
        if future is not None and not future.done():
            future.set_result(None)
