"""Matches whose log cannot be replayed. Each is quarantined under an error number and tried again at every start.

Nothing of such a match is changed: the fault may be in the program, and a later version may read the log. A match whose
game is not installed is kept in the same way, but nothing is at fault there: it has no error number.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot import error_numbers
from bot.games import game_title
from bot.play.refusals import MatchFailed, NotInstalled, Unreadable
from bot.store.protocols.servers import ServerStore
from bot.store.rows import MatchRow
from bot.telemetry import Telemetry

_log = logging.getLogger(__name__)

_KEY: Final = "resting"
"""The key of the metadata: the live matches that could not be replayed at the last start, as a JSON array."""


@dataclass(frozen=True, slots=True)
class QuarantinedMatch:
    """A quarantined match: its row, the error's number by which the log names it, and whether the match is over.

    The number is None where only the game is missing.
    """

    row: MatchRow
    number: int | None
    over: bool

    @property
    def title(self) -> str:
        """What its game is called."""
        return game_title(self.row.game)


class Quarantine:
    """All quarantined matches."""

    def __init__(self, store: ServerStore, telemetry: Telemetry) -> None:
        self._store = store
        self._telemetry = telemetry
        self._matches: dict[str, QuarantinedMatch] = {}

    def add(self, row: MatchRow, error: Exception, *, over: bool) -> None:
        """Quarantine a match under a new error number; `over` says whether it has a result."""
        number = error_numbers.log_error(error, "replaying the log", self._telemetry, match_id=row.id)
        self._telemetry.replay_failed()
        self._matches[row.id] = QuarantinedMatch(row, number, over)

    def add_without_game(self, row: MatchRow) -> None:
        """Keep a live match until its game is installed again."""
        self._matches[row.id] = QuarantinedMatch(row, None, over=False)

    def check(self, match_id: str) -> None:
        """Raise MatchFailed or NotInstalled for a live match in quarantine, Unreadable for one that is over."""
        match = self._matches.get(match_id)
        if match is None:
            return
        if match.number is None:
            raise NotInstalled(match.row.game, "match.not_installed")
        raise Unreadable(match.number) if match.over else MatchFailed(match.number)

    def log_missing_games(self) -> None:
        """Log once for each game that is not installed how many matches wait for it."""
        for game, matches in sorted(Counter(each.row.game for each in self.without_game()).items()):
            _log.warning("game %s is not installed; matches that wait for it: %d", game, matches)

    def without_game(self) -> list[QuarantinedMatch]:
        """Those whose game is not installed."""
        return [match for match in self._matches.values() if match.number is None]

    def remove(self, match_id: str) -> None:
        """Forget a match that has been ended; harmless where it is not here."""
        self._matches.pop(match_id, None)

    def live(self) -> Iterable[QuarantinedMatch]:
        """The quarantined matches that are not over."""
        return [match for match in self._matches.values() if not match.over]

    def forget_server(self, guild_id: int) -> None:
        """Forget the quarantined matches of a server."""
        for match_id in [match.row.id for match in self._matches.values() if match.row.guild_id == guild_id]:
            del self._matches[match_id]

    async def previous(self) -> frozenset[str]:
        """The ids of the live matches that were quarantined before this start. Their deadlines must start again."""
        try:
            return frozenset(json.loads(await self._store.metadata(_KEY) or "[]"))
        except (TypeError, ValueError):  # damaged, but the start matters more than the clocks of a few matches
            return frozenset()

    async def remember(self, before: frozenset[str]) -> None:
        """Record for the next start which live matches are quarantined; `before` are those recorded so far."""
        quarantined = sorted(match.row.id for match in self.live())
        if before != frozenset(quarantined):
            await self._store.set_metadata(_KEY, json.dumps(quarantined))
