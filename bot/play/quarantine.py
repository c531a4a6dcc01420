"""Matches whose log cannot be taken up: each rests alone under an error's number, and is tried again at every start.

Nothing that belongs to such a match is touched: it may be the program that errs, and the next one that can read it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot import error_numbers
from bot.play.refusals import MatchFailed, Unreadable
from bot.store.protocols.servers import ServerStore
from bot.store.rows import MatchRow
from bot.telemetry import Telemetry
from engines import GAMES

_KEY: Final = "resting"
"""The key of the metadata: the live matches that could not be taken up at the last start, as a JSON array."""


@dataclass(frozen=True, slots=True)
class QuarantinedMatch:
    """A match at rest: its row, and the number of the error by which it is found in the log."""

    row: MatchRow
    number: int
    over: bool

    @property
    def title(self) -> str:
        """The game's title, or its key where it is the game itself that is not known."""
        return GAMES[self.row.game].info.title if self.row.game in GAMES else self.row.game


class Quarantine:
    """All matches that rest because their logs cannot be taken up."""

    def __init__(self, store: ServerStore, telemetry: Telemetry) -> None:
        self._store = store
        self._telemetry = telemetry
        self._matches: dict[str, QuarantinedMatch] = {}

    def add(self, row: MatchRow, error: Exception, *, over: bool) -> None:
        """Let a match rest under the number of an error."""
        number = error_numbers.log_error(error, "replaying the log", self._telemetry, match_id=row.id)
        self._telemetry.replay_failed()
        self._matches[row.id] = QuarantinedMatch(row, number, over)

    def check(self, match_id: str) -> None:
        """Raise Paused for a match that rests, Unreadable for one that is over and cannot be looked at."""
        match = self._matches.get(match_id)
        if match is not None:
            raise Unreadable(match.number) if match.over else MatchFailed(match.number)

    def live(self) -> Iterable[QuarantinedMatch]:
        """Those that are not over."""
        return [match for match in self._matches.values() if not match.over]

    def forget_server(self, guild_id: int) -> None:
        """Let go of those of a server."""
        for match_id in [match.row.id for match in self._matches.values() if match.row.guild_id == guild_id]:
            del self._matches[match_id]

    async def previous(self) -> frozenset[str]:
        """The matches that rested until this start: those that can be taken up now have stood still since."""
        try:
            return frozenset(json.loads(await self._store.metadata(_KEY) or "[]"))
        except (TypeError, ValueError):  # damaged: no match's clock is worth the start of all
            return frozenset()

    async def remember(self, before: frozenset[str]) -> None:
        """Note for the next start which live matches rest; `before` are those noted so far."""
        quarantined = sorted(match.row.id for match in self.live())
        if before != frozenset(quarantined):
            await self._store.set_metadata(_KEY, json.dumps(quarantined))
