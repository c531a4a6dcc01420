"""How much may be open at once in a server: one place for the numbers, and for what is said when one is reached.

They are compared with what is open, when an invitation is made and again when its match would begin. Both callers make
sure that nothing changes between the check and what follows from it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass

from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.settings import Settings
from bot.store.rows import Invitation

MOST_ASKED = 25
"""How many people may be asked to one private table; its message names them all."""
HOUR = 3_600_000
"""Milliseconds."""
_SWEEP = 1024
"""From this many pairs on, those without an unanswered challenge in the last hour are forgotten."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many there may be. An invitation is a challenge or a table; a player's are counted server by server."""

    matches_per_player: int
    matches_per_channel: int
    matches_per_server: int
    invitations_per_player: int
    invitations_per_channel: int
    invitations_per_server: int
    invitations_received: int
    unanswered_challenges: int

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """The limits that the settings name."""
        return cls(
            matches_per_player=settings.max_matches_per_player,
            matches_per_channel=settings.max_matches_per_channel,
            matches_per_server=settings.max_matches_per_server,
            invitations_per_player=settings.max_invitations_per_player,
            invitations_per_channel=settings.max_invitations_per_channel,
            invitations_per_server=settings.max_invitations_per_server,
            invitations_received=settings.max_invitations_received,
            unanswered_challenges=settings.max_challenges_in_vain,
        )

    # ------------------------------------------------------------------------------------ matches

    def check_player(self, playing: Collection[LiveMatch], user_id: int, asker: int) -> None:
        """Raise Refused, in words for the asker, for a user who has as many of a server's matches as one may."""
        if sum(user_id in match.seats for match in playing) < self.matches_per_player:
            return
        if user_id == asker:
            raise Refused("challenge.too_many_matches", limit=self.matches_per_player)
        raise Refused("limit.player_matches", player=f"<@{user_id}>", limit=self.matches_per_player)

    def check_place(self, playing: Collection[LiveMatch], channel_id: int) -> None:
        """Raise Refused where a channel, or the server whose matches these are, has room for no further match."""
        if len(playing) >= self.matches_per_server:
            raise Refused("limit.server_matches", limit=self.matches_per_server)
        self.check_channel(playing, channel_id)

    def check_channel(self, playing: Collection[LiveMatch], channel_id: int) -> None:
        """Raise Refused where a channel of the server whose matches these are has room for no further one."""
        if sum(match.channel_id == channel_id for match in playing) >= self.matches_per_channel:
            raise Refused("limit.channel_matches", limit=self.matches_per_channel)

    # ------------------------------------------------------------------------------------ invitations

    def check_invitation(self, open_here: Collection[Invitation], channel_id: int, host: int) -> None:
        """Raise Refused where host, channel, or the server whose invitations these are has too many for one more."""
        if sum(each.host_id == host for each in open_here) >= self.invitations_per_player:
            raise Refused("challenge.too_many", limit=self.invitations_per_player)
        if len(open_here) >= self.invitations_per_server:
            raise Refused("limit.server_invitations", limit=self.invitations_per_server)
        if sum(each.channel_id == channel_id for each in open_here) >= self.invitations_per_channel:
            raise Refused("limit.channel_invitations", limit=self.invitations_per_channel)

    def check_received(self, open_here: Collection[Invitation], guest: int) -> None:
        """Raise Refused for a guest whose answer is awaited by as many of a server's invitations as may be."""
        if sum(guest in each.invited and guest not in each.seated for each in open_here) >= self.invitations_received:
            raise Refused("limit.received", player=f"<@{guest}>", limit=self.invitations_received)

    def check_unanswered(self, times: int, guest: int) -> None:
        """Raise Refused where this host's challenges to a guest went unanswered this many `times` within the hour."""
        if times >= self.unanswered_challenges:
            raise Refused("limit.in_vain", player=f"<@{guest}>", limit=self.unanswered_challenges)

    @staticmethod
    def check_asked(asked: Collection[int]) -> None:
        """Raise Refused for more people than may be asked to a table."""
        if len(asked) > MOST_ASKED:
            raise Refused("limit.asked", limit=MOST_ASKED)


class ChallengeThrottle:
    """When challenges of one person to another went unanswered, server by server.

    Each challenge mentions its guest, so only a few may go unanswered within an hour. A restart forgets them.
    """

    def __init__(self) -> None:
        self._times: dict[tuple[int, int, int], deque[int]] = {}

    def note(self, guild_id: int, host: int, guest: int, now: int) -> None:
        """Record that a challenge was closed unanswered at `now` (milliseconds)."""
        if len(self._times) > _SWEEP:
            for pair in [pair for pair, times in self._times.items() if now - times[-1] >= HOUR]:
                del self._times[pair]
        self._times.setdefault((guild_id, host, guest), deque()).append(now)

    def count(self, guild_id: int, host: int, guest: int, now: int) -> int:
        """How many went unanswered within the hour before `now`."""
        times = self._times.get((guild_id, host, guest), deque())
        while times and now - times[0] >= HOUR:
            times.popleft()
        if not times:
            self._times.pop((guild_id, host, guest), None)
        return len(times)
