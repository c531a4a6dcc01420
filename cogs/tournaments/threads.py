"""Where the matches of a tournament are played: each in a thread of its own where the server has matches in threads."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Final

from bot.play.live_match import LiveMatch
from bot.store.queries.invitations import Invitation
from cogs.actions.own_threads import OwnThreads
from cogs.tournaments.queries import Tournament
from cogs.updates.channel_messages import NotTaken

_log = logging.getLogger(__name__)

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

    async def place(self, tournament: Tournament, asked: Invitation) -> int:
        """Where the match of an invitation is played."""
        if not self.own_threads.wanted(tournament.guild_id) or self.lacks(tournament):
            return tournament.channel_id
        try:
            return await self.own_threads.begin_alone(asked)
        except NotTaken as error:
            _log.info("the thread of match %s could not be begun (code %d)", asked.id, error.code)
            if error.code != NO_THREADS_HERE:  # nobody has asked for one here
                self._refused[tournament.id] = tournament.round
            return tournament.channel_id

    def opened(self, tournament: Tournament, match: LiveMatch) -> None:
        """A match has begun: its players are added to its thread, if it has one."""
        if match.channel_id != tournament.channel_id:
            self.own_threads.add_players(match)

    def lacks(self, tournament: Tournament) -> bool:
        """Whether matches of this round are in the channel because a thread could not be begun."""
        return self._refused.get(tournament.id) == tournament.round

    def forget(self, tournament: Tournament) -> None:
        """A round is over: threads are tried again."""
        self._refused.pop(tournament.id, None)
