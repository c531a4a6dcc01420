"""How much a match weighs for each of its players: what it can tell about strength that is not known yet.

A win says little if the same two have played again and again, if nobody knows how strong the other is, or if the table
is a group of people who mostly meet each other. So that a second account gains nothing, three factors are multiplied,
and the change of a rating is that part of what the model makes of the match (`bot.ratings.interpolated`). openskill's
`weights` are no help: they are shares of a result inside a team, and a seat is a team of one.

Nothing here depends on the calendar. What two people have played fades as they play others, not as days pass, because
waiting is free. All of it follows from the counted results in their order, their seats and their ranks.

docs/how-we-count.md explains the numbers, docs/decisions/0028-what-a-match-weighs.md what was tried instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

REMEMBERED: Final = 50
"""Each match of a player makes the former ones count 1/50 less in what they have played lately."""

FADE: Final = 1 - 1 / REMEMBERED

MOST_OTHERS: Final = 12
"""A fair share of matches is worked out as if a server had no more settled players than this beside oneself."""

SLACK: Final = 2.0
"""How many times the fair share of their matches two people may play with each other before they weigh less."""

EARLY: Final = 5.0
"""This number is added to the matches that a player has played, before the fair share is taken of them. Otherwise a
first evening with one friend would weigh little. Who has met few of the settled players gets fewer."""

SEVERAL: Final = 3
"""A new account weighs in full once it has met this number of settled players, or is settled itself."""

NEWCOMER: Final = (0.03, 0.03, 0.3, 1.0)
"""What a match with a new account weighs, by how many settled players it has met. One is not enough: it may be the one
who made the account."""

MANY: Final = 12
"""A player with this number of opponents weighs in full, settled ones or not. A group in which everybody has them is
a community of its own."""

YOUNG: Final = 4
"""In a server with fewer settled players than this, nobody counts as new."""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """What is known of a player in one server and game before a match.

    `played` counts the matches behind the rating, `opponents` the people met, `settled_opponents` those of them who are
    settled by now. `returned` is who came back after their data was deleted.
    """

    played: int = 0
    opponents: int = 0
    settled_opponents: int = 0
    settled: bool = False
    returned: bool = False


@dataclass(frozen=True, slots=True)
class Encounter:
    """What a player has played lately with another: `matches`, faded, when the player had played `at` matches."""

    matches: float = 0.0
    at: int = 0

    def faded(self, played: int) -> float:
        """How many matches that is when the player has played this number in all."""
        return self.matches * FADE ** (played - self.at)

    def again(self, played: int) -> Encounter:
        """With one more match, the last of `played`."""
        return Encounter(self.faded(played) + 1, played)


NEVER_MET: Final = Encounter()


@dataclass(frozen=True, slots=True)
class Community:
    """How many players of the game a server has, those of the match included, and how many of them are settled.

    Neither needs to be known beyond `most_counted`.
    """

    players: int
    settled: int

    @property
    def young(self) -> bool:
        """Whether there are too few settled players to tell who is new."""
        return self.settled < YOUNG


def most_counted(seats: int) -> int:
    """Up to which number players and settled players must be counted for a match with this number of seats."""
    return MOST_OTHERS * (seats - 1) + 1


@dataclass(frozen=True, slots=True)
class MatchWeight:
    """What a match weighs for one player: three factors from 0 to 1, and how often the player has met the opponent
    whom they have met most, lately and before this match.

    `repeated` is for those whom they meet again and again, `newcomers` for new accounts, and `circle` for opponents
    who mostly meet each other.
    """

    repeated: float = 1.0
    newcomers: float = 1.0
    circle: float = 1.0
    met: int = 0

    @property
    def whole(self) -> float:
        """The weight, from 0 to 1."""
        return self.repeated * self.newcomers * self.circle


FULL: Final = MatchWeight()


def weights(
    players: Sequence[Acquaintance], encounters: Mapping[tuple[int, int], Encounter], community: Community
) -> list[MatchWeight]:
    """What a match weighs for each seat. `encounters` has what a seat has played with another, by both seats."""
    seats = range(len(players))
    lately = {
        (seat, other): encounters.get((seat, other), NEVER_MET).faded(players[seat].played)
        for seat in seats
        for other in seats
        if seat != other
    }
    excess = {pair: _excess(players[pair[0]], lately[pair], len(players), community) for pair in lately}
    return [_weight(seat, players, lately, excess, community) for seat in seats]


def settles(player: Acquaintance, community: Community) -> bool:
    """Whether a player whose uncertainty has become small has met enough people to be settled.

    `community` is as it was before the match. In a young server anybody counts whom they have met.
    """
    met = player.opponents if community.young else player.settled_opponents
    return met >= SEVERAL or player.opponents >= MANY


def _weight(
    seat: int,
    players: Sequence[Acquaintance],
    lately: Mapping[tuple[int, int], float],
    excess: Mapping[tuple[int, int], float],
    community: Community,
) -> MatchWeight:
    others = [other for other in range(len(players)) if other != seat]
    repeated = [0.5 ** max(excess[seat, other], excess[other, seat]) for other in others]
    own = _known(players[seat], community) if players[seat].returned else 1.0
    known = [own * _known(players[other], community) for other in others]
    both = sum(each * factor for each, factor in zip(repeated, known, strict=True))
    return MatchWeight(
        repeated=sum(repeated) / len(others),
        newcomers=both / sum(repeated),
        circle=_independent(others, excess) / len(others),
        met=round(max(lately[seat, other] for other in others)),
    )


def _excess(player: Acquaintance, lately: float, seats: int, community: Community) -> float:
    """By how many matches a player has played more with another than is fair, lately.

    The fair share is what each would have if the player met all others equally often.
    """
    others = min((community.players if community.young else community.settled) - 1, MOST_OTHERS * (seats - 1))
    fair = min(1.0, (seats - 1) / max(1, others))
    all_lately = REMEMBERED * (1 - FADE**player.played)
    early = EARLY if community.young else EARLY * min(1.0, player.settled_opponents / max(1, others))
    return max(0.0, lately - SLACK * fair * (all_lately + early))


def _known(player: Acquaintance, community: Community) -> float:
    """How much a match with a player weighs, by how well known they are."""
    if community.young or player.settled or player.opponents >= MANY:
        return 1.0
    return NEWCOMER[min(SEVERAL, player.settled_opponents)]


def _independent(others: Sequence[int], excess: Mapping[tuple[int, int], float]) -> int:
    """How many opponents there are, if those who meet each other more than is fair count as one."""
    groups: list[set[int]] = []
    for other in others:
        linked = [group for group in groups if any(excess[other, one] and excess[one, other] for one in group)]
        groups = [group for group in groups if group not in linked]
        groups.append({other}.union(*linked))
    return len(groups)
