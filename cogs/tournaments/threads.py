"""Where the matches of a tournament are played: each in a thread of its own where the server has matches in threads."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from bot.play.live_match import LiveMatch
from cogs.actions.own_threads import OwnThreads
from cogs.tournaments.rows import Tournament
from cogs.updates.channel_messages import NotTaken

_log = logging.getLogger(__name__)

Seats: TypeAlias = tuple[int, ...]

NO_THREADS_HERE: Final = 50024
"""Discord's error code where a channel is of a kind without threads
(https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""


@dataclass(slots=True, eq=False)
class MatchThreads:
    """Begins threads for matches. What doesn't work once isn't tried again in a round: its matches begin at once in the
    tournament's channel."""

    own_threads: OwnThreads
    _refused: dict[str, int] = field(default_factory=dict, init=False)
    """The latest round in which a thread could not be begun, by tournament."""

    _prepared: dict[tuple[str, int, Seats], int] = field(default_factory=dict, init=False)
    """Where matches will be played that begin soon, by tournament, its channel and seats."""

    async def prepare(self, tournament: Tournament, matches: Sequence[Seats]) -> None:
        """Begin the threads of matches that begin together: the first alone, because what fails there fails for all,
        and then all others at once. Raises StoreError."""
        here = tournament.id, tournament.channel_id
        waiting = [each for each in matches if (*here, each) not in self._prepared]
        for some in (waiting[:1], waiting[1:]):
            found = await asyncio.gather(*[self._begin(tournament, each) for each in some], return_exceptions=True)
            failed = [venue for venue in found if isinstance(venue, BaseException)]
            for each, venue in zip(some, found, strict=True):
                if not isinstance(venue, BaseException):
                    self._prepared[*here, each] = venue
            if failed:  # those that were begun are kept, and not begun again with the others
                raise failed[0]

    async def venue(self, tournament: Tournament, seats: Seats) -> int:
        """Where a match is played: in the same venue until it has `opened`. Raises StoreError."""
        await self.prepare(tournament, [seats])
        return self._prepared[tournament.id, tournament.channel_id, seats]

    async def _begin(self, tournament: Tournament, seats: Seats) -> int:
        guild_id, channel_id = tournament.guild_id, tournament.channel_id
        if not self.own_threads.wanted(guild_id) or self.lacks(tournament):
            return channel_id
        try:
            return await self.own_threads.begin_alone(guild_id, channel_id, tournament.game, tournament.clock, seats)
        except NotTaken as error:
            _log.info("a thread of tournament %s could not be begun (code %d)", tournament.id, error.code)
            if error.code != NO_THREADS_HERE:  # nobody has asked for one here
                self._refused[tournament.id] = tournament.round
            return channel_id

    def opened(self, tournament: Tournament, match: LiveMatch) -> None:
        """A match has begun: its players are added to its thread, if it has one."""
        self._prepared.pop((tournament.id, tournament.channel_id, match.seats), None)
        if match.channel_id != tournament.channel_id:
            self.own_threads.add_players(match)

    def lacks(self, tournament: Tournament) -> bool:
        """Whether matches of this round are in the channel because a thread could not be begun."""
        return self._refused.get(tournament.id) == tournament.round

    def forget(self, tournament: Tournament) -> None:
        """A round is over: threads are tried again."""
        self._refused.pop(tournament.id, None)
        for key in [key for key in self._prepared if key[0] == tournament.id]:
            del self._prepared[key]
