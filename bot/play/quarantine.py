"""Matches whose log cannot be replayed. Each is quarantined under an error number and tried again at every start.

Nothing of such a match is changed: the fault may be in the program, and a later version may read the log. Two kinds of
matches are kept in the same way, but the program is not at fault there, so they have no error number: those whose log
or deal was altered in the database, and those whose game is not installed.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot import logs
from bot.games import game_title
from bot.play.refusals import MatchAltered, MatchFailed, NotInstalled, Refused, Unreadable
from bot.store.queries.matches import MatchRow
from bot.store.store import Store
from bot.store.verification import Altered, AlteredPart
from bot.telemetry import Telemetry

_log = logging.getLogger(__name__)

_KEY: Final = "resting"
"""The key of the metadata: the live matches that were quarantined at the last start, as a JSON array."""


@dataclass(frozen=True, slots=True)
class QuarantinedMatch:
    """A quarantined match: its row, whether the match is over, and why it is here.

    `number` is the error's, by which the log names it; `altered` is the part that was altered. Where only the game is
    missing, both are None.
    """

    row: MatchRow
    over: bool
    number: int | None = None
    altered: AlteredPart | None = None

    @property
    def title(self) -> str:
        """What its game is called."""
        return game_title(self.row.game)

    @property
    def lacks_game(self) -> bool:
        """Whether it only waits for its game."""
        return self.number is None and self.altered is None

    def refusal(self) -> Refused:
        """The answer to everybody who presses one of its buttons."""
        if self.altered is not None:
            return MatchAltered(self.altered, over=self.over)
        if self.number is None:
            return NotInstalled(self.row.game, "match.not_installed")
        return Unreadable(self.number) if self.over else MatchFailed(self.number)


class Quarantine:
    """All quarantined matches."""

    def __init__(self, store: Store, telemetry: Telemetry) -> None:
        self._store = store
        self._telemetry = telemetry
        self._matches: dict[str, QuarantinedMatch] = {}

    def add(self, row: MatchRow, error: Exception, *, over: bool) -> None:
        """Quarantine a match under a new error number; `over` says whether it has a result."""
        number = logs.log_error(error, "replaying the log", self._telemetry, match_id=row.id)
        self._telemetry.replay_failed()
        self._matches[row.id] = QuarantinedMatch(row, over, number=number)

    def add_altered(self, row: MatchRow, found: Altered, *, over: bool) -> None:
        """Quarantine a match whose log or deal was altered; `over` says whether it has a result."""
        _log.error("match %s %s: %s", row.id, "can't be shown" if over else "is on hold", found)
        self._telemetry.replay_failed()
        self._matches[row.id] = QuarantinedMatch(row, over, altered=found.part)

    def add_without_game(self, row: MatchRow) -> None:
        """Keep a live match until its game is installed again."""
        self._matches[row.id] = QuarantinedMatch(row, over=False)

    def check(self, match_id: str) -> None:
        """Raise the refusal of a match in quarantine: MatchFailed, MatchAltered, NotInstalled or Unreadable."""
        match = self._matches.get(match_id)
        if match is not None:
            raise match.refusal()

    def log_missing_games(self) -> None:
        """Log once for each game that is not installed how many matches wait for it."""
        for game, matches in sorted(Counter(each.row.game for each in self.without_game()).items()):
            _log.warning("game %s is not installed; matches that wait for it: %d", game, matches)

    def without_game(self) -> list[QuarantinedMatch]:
        """Those whose game is not installed."""
        return [match for match in self._matches.values() if match.lacks_game]

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
            return frozenset(json.loads(await self._store.metadata(self._key) or "[]"))
        except (TypeError, ValueError):  # damaged, but the start matters more than the clocks of a few matches
            return frozenset()

    async def remember(self, quarantined: frozenset[str]) -> None:
        """Record for the next start which live matches are quarantined. Raises StoreError."""
        await self._store.set_metadata(self._key, json.dumps(sorted(quarantined)))

    @property
    def _key(self) -> str:
        """The key of the metadata: each process of several has its own."""
        serves = self._store.serves
        return _KEY if serves.total == 1 else f"{_KEY}:{serves}"
