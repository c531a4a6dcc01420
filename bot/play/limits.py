"""Limits for open matches and invitations, with the message for each, and who gives place where there is no more room.

They are checked when an invitation is made and again when its match would begin. Both callers make sure that nothing
changes between the check and what follows.

A limit of a channel or a server is there to be shared. Somebody who has nothing there is let in all the same: then
a person who has most gives place. So no number of accounts closes a channel to others.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TypeVar

from bot.budgets import CHANNEL_SHARES, MOST_ASKED, MOST_RESERVED
from bot.kept import Kept
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.settings import Settings
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import people
from bot.ui.isolation import mention

T = TypeVar("T")

HOUR = 3_600_000
"""Milliseconds."""
_SWEEP = 1024
_MOST_PAIRS = 20_000
"""With more pairs than this, those without an unanswered challenge in the last hour are forgotten."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that the settings name. An invitation is a challenge or a table. A player's matches and invitations
    count per server."""

    settings: Settings

    # ------------------------------------------------------------------------------------ matches

    def check_player(self, playing: Collection[LiveMatch | MatchRow], user_id: int, asker: int) -> None:
        """Raise Refused if a user has reached the limit of matches in a server. The message is for `asker`."""
        if (
            sum(user_id in match.seats and not match.reserved for match in playing)
            < self.settings.max_matches_per_player
        ):
            return
        if user_id == asker:
            raise Refused("challenge.too_many_matches", limit=self.settings.max_matches_per_player)
        raise Refused("limit.player_matches", player=mention(user_id), limit=self.settings.max_matches_per_player)

    def check_alone(self, playing: Collection[LiveMatch | MatchRow], user_id: int) -> None:
        """Raise Refused if a user has as many matches against computers alone in a server as they may have."""
        if sum(people(match.seats) == (user_id,) for match in playing) >= self.settings.max_practice_per_player:
            raise Refused("limit.practice", limit=self.settings.max_practice_per_player)

    def check_room(self, playing: Collection[LiveMatch], channel_id: int | None, seated: Collection[int]) -> None:
        """Raise Refused if a match of the people seated has no room in its channel or its server. `playing` are the
        server's matches.

        Without a channel the match gets a thread of its own.
        """
        between = _between_people(playing)
        if channel_id is not None:
            here = _in_channel(between, channel_id)
            most = self.settings.max_matches_per_channel
            share = max(1, most // CHANNEL_SHARES)
            for user in seated:
                if _held_by(here, user) >= share:
                    raise Refused("limit.share", player=mention(user), limit=share)
            on_boards = here if len(seated) > 1 else _in_channel(playing, channel_id)
            if len(on_boards) >= most and not (len(seated) > 1 and _is_new(here, seated)):
                raise Refused("limit.channel_matches", limit=most)
        if len(between) >= self.settings.max_matches_per_server and not _is_new(between, seated):
            raise Refused("limit.server_matches", limit=self.settings.max_matches_per_server)

    def giving_place(self, playing: Collection[LiveMatch], begun: LiveMatch) -> Collection[LiveMatch]:
        """Which matches of a server give place to one that has begun beyond a limit: of the person who has most there,
        the one whose question has waited longest."""
        if len(people(begun.seats)) < 2 or begun.reserved:
            return ()
        between = _between_people(playing)
        found = []
        for among, most in (
            (_in_channel(between, begun.channel_id), self.settings.max_matches_per_channel),
            (between, self.settings.max_matches_per_server),
        ):
            others = [match for match in among if match is not begun and match not in found]
            if len(others) + 1 > most:
                found.append(_gives_place(others, lambda match: people(match.seats), lambda match: match.asked_at))
        return found

    @staticmethod
    def room_reserved(playing: Collection[LiveMatch | MatchRow]) -> int:
        """How many more matches may begin in a server that have room of their own. `playing` are those that are not
        over, whether on hold or not."""
        return max(0, MOST_RESERVED - sum(match.reserved for match in playing))

    def check_reserved(self, playing: Collection[LiveMatch | MatchRow]) -> None:
        """Raise Refused if no more of these may begin now."""
        if not self.room_reserved(playing):
            raise Refused("limit.reserved", limit=MOST_RESERVED)

    # ------------------------------------------------------------------------------------ invitations

    def check_invitation(self, open_here: Collection[Invitation], channel_id: int, host: int) -> list[Invitation]:
        """Raise Refused if the host, the channel or the server has reached its limit; `open_here` are the server's.

        Returns those that give place to this one, because their hosts have most.
        """
        of_host = [each for each in open_here if each.host_id == host]
        if len(of_host) >= self.settings.max_invitations_per_player:
            raise Refused("challenge.too_many", limit=self.settings.max_invitations_per_player)
        in_channel = [each for each in open_here if each.channel_id == channel_id]
        found: list[Invitation] = []
        for among, key, most in (
            (in_channel, "limit.channel_invitations", self.settings.max_invitations_per_channel),
            (open_here, "limit.server_invitations", self.settings.max_invitations_per_server),
        ):
            if len(among) < most:
                continue
            if any(each.host_id == host for each in among):
                raise Refused(key, limit=most)
            found = found or [_oldest_of_most(among)]
        return found

    def check_received(self, open_here: Collection[Invitation], guest: int, host: int) -> list[Invitation]:
        """Raise Refused if the limit of a server's invitations already waits for this guest's answer, one of this host
        among them.

        Returns the one that gives place to this host's, if there is none among them.
        """
        waiting = [each for each in open_here if guest in each.invited and guest not in each.seated]
        if len(waiting) < self.settings.max_invitations_received:
            return []
        if any(each.host_id == host for each in waiting):
            raise Refused("limit.received", player=mention(guest), limit=self.settings.max_invitations_received)
        return [_oldest_of_most(waiting)]

    def check_unanswered(self, times: int, guest: int) -> None:
        """Raise Refused if a host's challenges to one guest went unanswered too often; `times` counts the last hour."""
        if times >= self.settings.max_challenges_in_vain:
            raise Refused("limit.in_vain", player=mention(guest), limit=self.settings.max_challenges_in_vain)

    @staticmethod
    def check_asked(asked: Collection[int]) -> None:
        """Raise Refused for more people than may be invited to a table."""
        if len(asked) > MOST_ASKED:
            raise Refused("limit.asked", limit=MOST_ASKED)


def _between_people(playing: Iterable[LiveMatch]) -> list[LiveMatch]:
    """Those that take room from others. A match against computers alone does not, nor one on hold, nor one with room
    of its own."""
    return [
        match for match in playing if len(people(match.seats)) > 1 and match.suspended is None and not match.reserved
    ]


def _in_channel(playing: Iterable[LiveMatch], channel_id: int) -> list[LiveMatch]:
    """Those whose boards are often edited in a channel. A slow match is edited so seldom that it needs no room."""
    return [
        match
        for match in playing
        if match.channel_id == channel_id and not match.time_control.slow and not match.suspended
    ]


def _held_by(playing: Iterable[LiveMatch], user_id: int) -> int:
    return sum(user_id in match.seats for match in playing)


def _is_new(playing: Collection[LiveMatch], seated: Iterable[int]) -> bool:
    """Whether one of the people seated has no match among these."""
    return any(not _held_by(playing, user) for user in seated)


def _gives_place(among: Collection[T], holders: Callable[[T], Iterable[int]], since: Callable[[T], int]) -> T:
    """Which of these gives place: the one that waits for the longest time, of those whose holder has most of them."""
    held = Counter(holder for each in among for holder in holders(each))
    most = max(held.values())
    return min((each for each in among if any(held[holder] == most for holder in holders(each))), key=since)


def _oldest_of_most(among: Collection[Invitation]) -> Invitation:
    return _gives_place(among, lambda each: (each.host_id,), lambda each: each.created_at)


class ChallengeThrottle:
    """Records when challenges from one person to another went unanswered, by server.

    Each challenge mentions its guest, so only a few may go unanswered within an hour. A restart forgets them.
    """

    def __init__(self) -> None:
        self._times: Kept[tuple[int, int, int], deque[int]] = Kept("unanswered challenges", _MOST_PAIRS)

    def note(self, guild_id: int, host: int, guest: int, now: int) -> None:
        """Record that a challenge was closed unanswered at `now` (milliseconds)."""
        if len(self._times) > _SWEEP:
            self._times.keep_only(lambda times: now - times[-1] < HOUR)
        self._times.setdefault((guild_id, host, guest), deque()).append(now)

    def count(self, guild_id: int, host: int, guest: int, now: int) -> int:
        """How many went unanswered within the hour before `now`."""
        times = self._times.get((guild_id, host, guest), deque())
        while times and not 0 <= now - times[0] < HOUR:  # of the future if the clock was set back
            times.popleft()
        if not times:
            self._times.pop((guild_id, host, guest), None)
        return len(times)
