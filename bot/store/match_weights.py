"""How much a match weighs for each of its players: what it can tell about strength that is not known yet.

A win says little if the same person has been beaten again and again, or if nobody knows how strong they are. So two
factors are multiplied, and the change of a rating is that part of what the model makes of the match
(`bot.ratings.interpolated`). openskill's `weights` are no help: they are shares of a result inside a team, and a seat
is a team of one.

Each two people have a *lead*: how many matches one is ahead of the other. What a match weighs depends on the part of
the way that the lead moves, not on how many matches there were. So friends who beat each other in turn learn all about
their strength, and somebody who loses on purpose has soon nothing left to give. What a lead has won is lost again at
the same price when it shrinks.

At a larger table a match moves each lead by less: by one, divided by the square root of the number of others. Not by
the number itself. To the model a win over many is a greater surprise than one over a single person of their strength,
however far ahead the winner is, so it moves a rating further.

Nothing here depends on the calendar, because waiting is free. All of it follows from the counted results in their
order, their seats and their ranks.

docs/how-we-count.md explains the numbers, docs/decisions/0028-what-a-match-weighs.md what was tried instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

REMEMBERED: Final = 100
"""Each match of a player makes all their leads 1/100 shorter. So ratings of old friends still move."""

FADE: Final = 1 - 1 / REMEMBERED

MOST_OTHERS: Final = 12
"""In a server with fewer settled players than this beside oneself, a lead may grow further before it weighs less."""

PLAIN: Final = 0.3
"""Up to this lead a match weighs in full."""

LONGEST: Final = 4.0
"""A lead ends here: further wins weigh nothing. From `PLAIN` on, what they weigh falls evenly."""

SPARE: Final = 1.0
"""All that somebody's leads over others beyond `PLAIN` may weigh in full, taken together. Each further one halves what
is left. Strong people lead many by a little; who is let win leads all of them by as much as possible."""

KNOWN: Final = 20
"""Who has met this number of people weighs in full. In a smaller server as many as there are settled players are
enough."""

KNOWN_IN_SEASON: Final = 30
"""The same for a season, in which accounts made to lose would add up otherwise: they meet each other, but not most of
the people."""

UNKNOWN: Final = 0.2
"""What a match weighs with somebody who has met nobody."""

SEVERAL: Final = 3
"""A player whose rating isn't provisional is settled once they have met this number of people."""

YOUNG: Final = 4
"""In a server with fewer settled players than this, every match weighs in full."""

GROWN: Final = 20
"""A community is grown with this number of settled players, or with two thirds of those that the server's largest has.
Otherwise people who come from elsewhere in the server could be a game's whole community."""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """What is known of a player in one server and game before a match.

    `played` counts the matches behind the rating, and `opponents` the people met. `ahead` is what the player's leads
    over others beyond `PLAIN` add up to, and `behind` what those of others over the player do, both fading. `returned`
    is who came back after their data was deleted.
    """

    played: int = 0
    opponents: int = 0
    ahead: float = 0.0
    behind: float = 0.0
    returned: bool = False


@dataclass(frozen=True, slots=True)
class Lead:
    """By how many matches a player led another when they had played `at` matches. Below zero the other leads."""

    matches: float = 0.0
    at: int = 0

    def faded(self, played: int) -> float:
        """What is left of it when the player has played this number of matches."""
        return self.matches * FADE ** (played - self.at)


NO_LEAD: Final = Lead()
Leads: TypeAlias = Mapping[tuple[int, int], Lead]
"""By how much a seat leads another, by both seats, where they have met."""
SMALL: Final = 1e-6
"""A way shorter than this is too short to be divided by."""


@dataclass(frozen=True, slots=True)
class Community:
    """How many settled players of the game a server has. It needs to be known only up to `MOST_COUNTED`."""

    settled: int

    @property
    def young(self) -> bool:
        """Whether there are too few settled players to tell who is known."""
        return self.settled < YOUNG

    @property
    def room(self) -> float:
        """By how much leads may be longer than in a large server."""
        return MOST_OTHERS / max(1, min(MOST_OTHERS, self.settled - 1))

    def familiar(self, player: Acquaintance, known: int) -> float:
        """How well a player is known: from `UNKNOWN` to 1 once they have met `known` people, or as many as there are in
        a small server."""
        if self.young:
            return 1.0
        met = min(1.0, (player.opponents + 1) / max(1, min(known, self.settled - 1)))
        return met if player.returned else UNKNOWN + (1 - UNKNOWN) * met


MOST_COUNTED: Final = KNOWN_IN_SEASON + 1
"""Up to which number settled players must be counted: `GROWN` is at most two thirds of it."""


@dataclass(frozen=True, slots=True)
class MatchWeight:
    """What a match weighs for one player: two factors from 0 to 1.

    `repeated` is for leads that say it already, and `newcomers` for people who have met few others.
    """

    repeated: float = 1.0
    newcomers: float = 1.0

    @property
    def whole(self) -> float:
        """The weight, from 0 to 1."""
        return self.repeated * self.newcomers


FULL: Final = MatchWeight()


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a match weighs for a seat, and what is known of its player afterwards: `ahead` and `behind` as in
    `Acquaintance`, and the lead over each other seat. `familiar` says for a season how well the lesser known of the two
    is known."""

    weight: MatchWeight
    ahead: float
    behind: float
    leads: Mapping[int, float]
    familiar: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class _Meeting:
    """What a match is between a player and one of the others: how well the lesser known of the two is known, and the
    player's lead before it and after it, which may be beyond `LONGEST`."""

    familiar: float
    before: float
    after: float


def weigh(
    players: Sequence[Acquaintance],
    leads: Leads,
    community: Community,
    won: Mapping[tuple[int, int], float],
) -> list[Weighed]:
    """What a match weighs for each seat, and what it changes.

    `won` says by both seats who came before whom: 1 for the first of them, -1 for the second. Of a draw it is half of
    that in favour of the one to whom it is worth more, or 0.
    """
    seats = range(len(players))
    familiar = [community.familiar(player, KNOWN) for player in players]
    in_season = [community.familiar(player, KNOWN_IN_SEASON) for player in players]
    weighed = []
    for seat, player in enumerate(players):
        meetings = {}
        for other in (other for other in seats if other != seat):
            lesser = min(familiar[seat], familiar[other])
            before = leads.get((seat, other), NO_LEAD).faded(player.played)
            after = before + lesser * won[seat, other] / (community.room * math.sqrt(len(players) - 1))
            meetings[other] = _Meeting(lesser, before, after)
        known = {other: min(in_season[seat], in_season[other]) for other in meetings}
        weighed.append(_weigh(player, meetings, known, community))
    return weighed


def grown(settled: Mapping[str, int]) -> frozenset[str]:
    """The games of a server whose community is grown, by how many settled players each has. They need to be known only
    up to `MOST_COUNTED`."""
    needed = max(YOUNG, min(GROWN, math.ceil(2 * max(settled.values(), default=0) / 3)))
    return frozenset(game for game, count in settled.items() if count >= needed)


def settles(opponents: int) -> bool:
    """Whether a player whose uncertainty has become small has met enough people to be settled."""
    return opponents >= SEVERAL


def _weigh(
    player: Acquaintance, meetings: Mapping[int, _Meeting], familiar: Mapping[int, float], community: Community
) -> Weighed:
    leads = {other: max(-LONGEST, min(LONGEST, meeting.after)) for other, meeting in meetings.items()}
    gained = {True: 0.0, False: 0.0}
    for meeting in meetings.values():
        gained[_is_leading(meeting)] += _beyond(meeting.after) - _beyond(meeting.before)
    former = FADE * player.ahead, FADE * player.behind
    ahead, behind = max(0.0, former[0] + gained[True]), max(0.0, former[1] + gained[False])
    if community.young:
        return Weighed(FULL, ahead, behind, leads, familiar)
    spared = {True: _mean(_spared, former[0], ahead), False: _mean(_spared, former[1], behind)}
    known = sum([each.familiar for each in meetings.values()])
    weight = sum(
        each.familiar
        * (_mean(_plain, each.before, each.after) + spared[_is_leading(each)] * _mean(_beyond, each.before, each.after))
        for each in meetings.values()
    )
    return Weighed(MatchWeight(weight / known, known / len(meetings)), ahead, behind, leads, familiar)


def _is_leading(meeting: _Meeting) -> bool:
    return meeting.before + meeting.after > 0


def _mean(total: Callable[[float], float], before: float, after: float) -> float:
    """By how much a total grows in size for each unit of its way from one number to another."""
    if abs(after - before) < SMALL:
        after = before + SMALL
    return abs(total(after) - total(before)) / abs(after - before)


def _plain(lead: float) -> float:
    """What has been weighed of a lead in full."""
    return max(-PLAIN, min(PLAIN, lead))


def _beyond(lead: float) -> float:
    """What has been weighed of a lead beyond that, for either of the two."""
    far = min(LONGEST, max(PLAIN, abs(lead))) - PLAIN
    return far - far**2 / (2 * (LONGEST - PLAIN))


def _spared(total: float) -> float:
    """What has been weighed of all leads of a person beyond that."""
    return min(total, SPARE) + (1 - math.pow(0.5, max(0.0, total - SPARE))) / math.log(2)
