"""Limits for open matches and invitations, with the message for each.

They are checked when an invitation is made and again when its match would begin. Both callers make sure that nothing
changes between the check and what follows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass

from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.settings import Settings
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow
from bot.ui.isolation import mention

MOST_ASKED = 25
"""How many people may be invited to one private table. Its message names them all."""
HOUR = 3_600_000
"""Milliseconds."""
_SWEEP = 1024
"""With more pairs than this, those without an unanswered challenge in the last hour are forgotten."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that the settings name. An invitation is a challenge or a table. A player's matches and invitations
    count per server."""

    settings: Settings

    # ------------------------------------------------------------------------------------ matches

    def check_player(self, playing: Collection[LiveMatch | MatchRow], user_id: int, asker: int) -> None:
        """Raise Refused if a user has reached the limit of matches in a server. The message is for `asker`."""
        if sum(user_id in match.seats for match in playing) < self.settings.max_matches_per_player:
            return
        if user_id == asker:
            raise Refused("challenge.too_many_matches", limit=self.settings.max_matches_per_player)
        raise Refused("limit.player_matches", player=mention(user_id), limit=self.settings.max_matches_per_player)

    def check_place(self, playing: Collection[LiveMatch | MatchRow], channel_id: int | None) -> None:
        """Raise Refused if a channel or its server has reached its limit; `playing` are the server's matches.

        Without a channel the match gets a thread of its own.
        """
        if len(playing) >= self.settings.max_matches_per_server:
            raise Refused("limit.server_matches", limit=self.settings.max_matches_per_server)
        if channel_id is not None:
            self.check_channel(playing, channel_id)

    def check_channel(self, playing: Collection[LiveMatch | MatchRow], channel_id: int) -> None:
        """Raise Refused if a channel has reached its limit; `playing` are its server's matches."""
        if sum(match.channel_id == channel_id for match in playing) >= self.settings.max_matches_per_channel:
            raise Refused("limit.channel_matches", limit=self.settings.max_matches_per_channel)

    # ------------------------------------------------------------------------------------ invitations

    def check_invitation(self, open_here: Collection[Invitation], channel_id: int, host: int) -> None:
        """Raise Refused if the host, the channel or the server has reached its limit; `open_here` are the server's."""
        if sum(each.host_id == host for each in open_here) >= self.settings.max_invitations_per_player:
            raise Refused("challenge.too_many", limit=self.settings.max_invitations_per_player)
        if len(open_here) >= self.settings.max_invitations_per_server:
            raise Refused("limit.server_invitations", limit=self.settings.max_invitations_per_server)
        if sum(each.channel_id == channel_id for each in open_here) >= self.settings.max_invitations_per_channel:
            raise Refused("limit.channel_invitations", limit=self.settings.max_invitations_per_channel)

    def check_received(self, open_here: Collection[Invitation], guest: int) -> None:
        """Raise Refused if the limit of a server's invitations already waits for this guest's answer."""
        if (
            sum(guest in each.invited and guest not in each.seated for each in open_here)
            >= self.settings.max_invitations_received
        ):
            raise Refused("limit.received", player=mention(guest), limit=self.settings.max_invitations_received)

    def check_unanswered(self, times: int, guest: int) -> None:
        """Raise Refused if a host's challenges to one guest went unanswered too often; `times` counts the last hour."""
        if times >= self.settings.max_challenges_in_vain:
            raise Refused("limit.in_vain", player=mention(guest), limit=self.settings.max_challenges_in_vain)

    @staticmethod
    def check_asked(asked: Collection[int]) -> None:
        """Raise Refused for more people than may be invited to a table."""
        if len(asked) > MOST_ASKED:
            raise Refused("limit.asked", limit=MOST_ASKED)


class ChallengeThrottle:
    """Records when challenges from one person to another went unanswered, by server.

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
        while times and not 0 <= now - times[0] < HOUR:  # of the future if the clock was set back
            times.popleft()
        if not times:
            self._times.pop((guild_id, host, guest), None)
        return len(times)
