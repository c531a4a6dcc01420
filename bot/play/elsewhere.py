"""What somebody plays in servers that other processes of the bot serve.

A process has only the matches of its own servers in memory. A list of everything that somebody plays reads the others
from the data that all processes share. Here they can only be looked at: a press in their server reaches the process
that plays them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from bot import logs
from bot.games import GAMES
from bot.kept import Kept
from bot.play.live_match import LiveMatch
from bot.play.quarantine import QuarantinedMatch
from bot.play.restoring import AT_A_TIME
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow, SavedMatch
from bot.store.store import Store
from bot.store.verification import Altered, verify
from bot.telemetry import Telemetry


@dataclass(frozen=True, slots=True)
class PlayedElsewhere:
    """What somebody plays there at one moment: matches, those that would be in quarantine, and open invitations."""

    matches: list[LiveMatch] = field(default_factory=list)
    quarantined: list[QuarantinedMatch] = field(default_factory=list)
    invitations: list[Invitation] = field(default_factory=list)


class Elsewhere:
    """The servers of other processes."""

    def __init__(self, store: Store, now: Callable[[], int], telemetry: Telemetry) -> None:
        """`now` is the time of day in ms UTC."""
        self._store = store
        self._now = now
        self._telemetry = telemetry
        self._numbers: Kept[str, int] = Kept("errors of matches elsewhere", 1000)

    def has(self, guild_id: int) -> bool:
        """Whether another process serves a server. With a file of its own a process knows nothing of the others': what
        that has of their servers is as old as the file."""
        return self._store.is_shared and not self._store.serves.includes(guild_id)

    async def count(self, user_id: int) -> int:
        """How many matches and open invitations somebody has there. Raises StoreError."""
        return len(await self._rows(user_id)) + len(await self._invitations(user_id))

    async def of_player(self, user_id: int) -> PlayedElsewhere:
        """What somebody plays there, as it was saved. Raises StoreError."""
        found = PlayedElsewhere(invitations=await self._invitations(user_id))
        rows = await self._rows(user_id)
        for first in range(0, len(rows), AT_A_TIME):
            some = rows[first : first + AT_A_TIME]
            saved = await self._store.saved_matches([row.id for row in some])
            for row in some:
                match self._read(row, saved[row.id]):
                    case LiveMatch() as match if match.position.outcome is None:  # otherwise it ended since it was read
                        found.matches.append(match)
                    case QuarantinedMatch() as quarantined:
                        found.quarantined.append(quarantined)
                await asyncio.sleep(0)  # a long log takes some ms, and others wait for answers
        return found

    async def _rows(self, user_id: int) -> list[MatchRow]:
        if not self._are_any:
            return []
        return [row for row in await self._store.live_matches_of(user_id) if self.has(row.guild_id)]

    async def _invitations(self, user_id: int) -> list[Invitation]:
        if not self._are_any:
            return []
        return [each for each in await self._store.open_invitations_of(user_id) if self.has(each.guild_id)]

    @property
    def _are_any(self) -> bool:
        return self._store.is_shared and not self._store.serves.is_everything

    def _read(self, row: MatchRow, saved: SavedMatch) -> LiveMatch | QuarantinedMatch | None:
        """A match as its process would restore it; None if it was deleted since its row was read."""
        if row.game not in GAMES:
            return QuarantinedMatch(row, over=False)
        if not saved.records:
            return None
        try:
            verify(row, saved.records, None)
            match = LiveMatch(row, self._store, self._now, self._telemetry)
            match.replay(saved.records, saved.timers)
        except Altered as found:
            return QuarantinedMatch(row, over=False, altered=found.part)
        except Exception as error:  # noqa: BLE001  its log may be damaged in any way
            return QuarantinedMatch(row, over=False, number=self._number(row, error))
        return match

    def _number(self, row: MatchRow, error: Exception) -> int:
        """The number of an error, which is logged once."""
        if row.id not in self._numbers:
            self._numbers[row.id] = logs.log_error(error, "replaying the log", self._telemetry, match_id=row.id)
        return self._numbers[row.id]
