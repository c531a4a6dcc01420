"""Computes what a counted result does to its players' standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.ratings import NEW, Rating, interpolated, rate
from bot.store.match_weights import FULL, Acquaintance, Community, Encounter, MatchWeight, settles, weights

Player: TypeAlias = tuple[int, str, int]
"""A server, a game and a user: the key of a standing."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a counted match did to a player's rating, and what it weighed for them. `matches` are the counted matches
    behind the rating now, with this one."""

    before: Rating
    after: Rating
    matches: int
    weight: MatchWeight = FULL

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain to say much."""
        return self.after.provisional


@dataclass(frozen=True, slots=True)
class Score:
    """A player's rating, how many counted matches they won, lost and drew, and how many people they have met in them.

    `settled` says whether the rating counts as known (`match_weights.settles`), and `settled_opponents` of how many
    whom they met it does by now. `returned` is who began with what was held of a deleted rating. `Score()` is a new
    player's.
    """

    rating: Rating = NEW
    wins: int = 0
    losses: int = 0
    draws: int = 0
    opponents: int = 0
    settled_opponents: int = 0
    settled: bool = False
    returned: bool = False

    @property
    def matches(self) -> int:
        """The number of counted matches."""
        return self.wins + self.losses + self.draws

    @property
    def acquaintance(self) -> Acquaintance:
        """What weighing a match needs to know."""
        return Acquaintance(self.matches, self.opponents, self.settled_opponents, self.settled, self.returned)


@dataclass(frozen=True, slots=True)
class Gathering:
    """What is known before a match: each seat's score, what a seat has played with another lately (by both seats, where
    they have met), and the server's players of the game."""

    scores: tuple[Score, ...]
    encounters: Mapping[tuple[int, int], Encounter]
    community: Community


@dataclass(frozen=True, slots=True)
class Rated:
    """What a match did: the scores and encounters after it, how each rating changed, and which seats it settled.

    The caller adds each settled seat to the settled opponents of all who have met it.
    """

    scores: tuple[Score, ...]
    encounters: Mapping[tuple[int, int], Encounter]
    changes: tuple[RatingChange, ...]
    settled: tuple[int, ...]


def rate_match(before: Gathering, ranks: Sequence[int]) -> Rated:
    """What a match with these ranks does.

    Everybody ranked first has won; if everybody is, all have drawn. Raises ValueError unless there are at least two
    seats and a rank for each.
    """
    full = rate([score.rating for score in before.scores], ranks)
    weighed = weights([score.acquaintance for score in before.scores], before.encounters, before.community)
    drawn = len(set(ranks)) == 1
    scores = []
    for seat, (score, rating, rank, weight) in enumerate(zip(before.scores, full, ranks, weighed, strict=True)):
        new = [other for other in range(len(ranks)) if other != seat and (seat, other) not in before.encounters]
        after = replace(
            score,
            rating=interpolated(score.rating, rating, weight.whole),
            wins=score.wins + (not drawn and rank == 1),
            losses=score.losses + (not drawn and rank != 1),
            draws=score.draws + drawn,
            opponents=score.opponents + len(new),
            settled_opponents=score.settled_opponents + sum(before.scores[other].settled for other in new),
        )
        known = score.settled or (not after.rating.provisional and settles(after.acquaintance, before.community))
        scores.append(replace(after, settled=known))
    seats = range(len(ranks))
    met = {
        (seat, other): before.encounters.get((seat, other), Encounter()).again(scores[seat].matches)
        for seat in seats
        for other in seats
        if seat != other
    }
    settled = tuple(seat for seat in seats if scores[seat].settled and not before.scores[seat].settled)
    return Rated(tuple(scores), met, _changes(before.scores, scores, weighed), settled)


def _changes(
    before: Sequence[Score], after: Sequence[Score], weighed: Sequence[MatchWeight]
) -> tuple[RatingChange, ...]:
    return tuple(
        RatingChange(old.rating, new.rating, new.matches, weight)
        for old, new, weight in zip(before, after, weighed, strict=True)
    )


class Ledger:
    """All scores and encounters, in memory, to work everything out again.

    `starts` has the scores of those who began with one.
    """

    def __init__(self, starts: Mapping[Player, Score] | None = None) -> None:
        self.scores: dict[Player, Score] = {}
        self.encounters: dict[Player, dict[int, Encounter]] = {}
        self._starts = starts or {}
        self._players: Counter[tuple[int, str]] = Counter()
        self._settled: Counter[tuple[int, str]] = Counter()

    def apply(self, guild_id: int, game: str, users: Sequence[int], ranks: Sequence[int]) -> tuple[RatingChange, ...]:
        """Enter a counted result. Returns what it did to the ratings, by seat.

        Raises ValueError unless there are at least two seats and a rank for each.
        """
        players = [(guild_id, game, user_id) for user_id in users]
        rated = rate_match(self._gathering(players), ranks)
        self._players[guild_id, game] += sum(player not in self.scores for player in players)
        self.scores.update(zip(players, rated.scores, strict=True))
        for seat, player in enumerate(players):
            met = {users[other]: found for (one, other), found in rated.encounters.items() if one == seat}
            self.encounters.setdefault(player, {}).update(met)
        for seat in rated.settled:
            self._settled[guild_id, game] += 1
            for opponent in self.encounters[players[seat]]:
                score = self.scores[guild_id, game, opponent]
                self.scores[guild_id, game, opponent] = replace(score, settled_opponents=score.settled_opponents + 1)
        return rated.changes

    def _gathering(self, players: Sequence[Player]) -> Gathering:
        guild_id, game, _ = players[0]
        new = sum(player not in self.scores for player in players)
        community = Community(self._players[guild_id, game] + new, self._settled[guild_id, game])
        encounters = {
            (seat, other): self.encounters[player][users]
            for seat, player in enumerate(players)
            for other, (_, _, users) in enumerate(players)
            if users in self.encounters.get(player, ())
        }
        scores = tuple(self.scores.get(player) or self._starts.get(player, Score()) for player in players)
        return Gathering(scores, encounters, community)
