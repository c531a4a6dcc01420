"""Replays that were opened lately, so that a step isn't worked out from the whole log."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeAlias

from bot.games import GAMES
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.refusals import NotInstalled, Refused
from bot.play.replays.replay import Replay
from bot.store.rows.replays import FinishedMatch
from bot.store.store import Store

REMEMBERED: Final = 16
"""How many replays are kept in memory."""

Opened: TypeAlias = tuple[Replay, LiveMatch]


class OpenReplays:
    """The replays that were opened last, by the match."""

    def __init__(self, store: Store, matches: MatchRegistry, closed_from: Callable[[], int]) -> None:
        """`closed_from` is the moment (ms UTC) from which on deals of the day are closed: when today began."""
        self._store = store
        self._matches = matches
        self._closed_from = closed_from
        self._open: OrderedDict[str, Opened] = OrderedDict()

    async def open(self, finished: FinishedMatch) -> Opened:
        """The replay of a match that somebody may see.

        Raises NotInstalled, and what `MatchRegistry.find` raises for a log that was altered or can't be read.
        """
        row = finished.row
        if row.game not in GAMES:
            raise NotInstalled(row.game)
        known = self._open.get(row.id)
        if known is None or known[0].row != row:
            known = self._open[row.id] = await self._read(finished)
            if len(self._open) > REMEMBERED:
                self._open.popitem(last=False)
        self._open.move_to_end(row.id)
        return known

    async def _read(self, finished: FinishedMatch) -> Opened:
        row = finished.row
        match = await self._matches.find(row.id)
        if match is None or not match.over:
            raise Refused("replay.unknown")
        records = await self._store.records(row.id)
        return Replay(row, records, finished.result, self._closed_from()), match
