"""Computes what a counted result does to its players' standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import fmean
from typing import Final, TypeAlias

from bot.ratings import NEW, Rating, expected, interpolated, rate
from bot.store.match_weights import FULL, KNOWN, Acquaintance, Community, Lead, MatchWeight, Weighed, settles, weigh

MOST_GAINED: Final = 0.3
"""What one person can add to another's season in a month, in matches, at most; or take from it."""
UNMET: Final = 7.5
"""What who has met nobody is behind on leaderboards, on the scale of `mu`; nothing once they have met `KNOWN` people.
The best player knows the others, and accounts made to lose are few."""
Player: TypeAlias = tuple[int, str, int]
"""A server, a game and a user: the key of a standing."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a counted match did to a player's rating, and what it weighed for them. `matches` are the counted matches
    behind the rating now, with this one.

    `surplus` is what the match adds to a season, in matches: what was won beyond expectation, from each
    person at most `MOST_GAINED` a month, and by the square of how well the lesser known of the two is known. A rating
    recovers from wins over somebody made to lose, and a sum doesn't.
    """

    before: Rating
    after: Rating
    matches: int
    weight: MatchWeight = FULL
    surplus: float = 0.0

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain to say much."""
        return self.after.provisional


@dataclass(frozen=True, slots=True)
class Score:
    """A player's rating, how many counted matches they won, lost and drew, and how many people they have met in them.

    `ahead` and `behind` are as in `match_weights.Acquaintance`. `settled` says whether the rating counts as known
    (`match_weights.settles`). `returned` is who began with what was held of a deleted rating. `peak` is the highest
    that `mu` less one sigma has been. `month_peak` and `month_mu` are what it and `mu` were when the `month` of the
    last match began (months count since the year 0). `Score()` is a new player's.
    """

    rating: Rating = NEW
    wins: int = 0
    losses: int = 0
    draws: int = 0
    opponents: int = 0
    ahead: float = 0.0
    behind: float = 0.0
    peak: float = NEW.mu - NEW.sigma
    month_peak: float = NEW.mu - NEW.sigma
    month_mu: float = NEW.mu
    month: int = 0
    settled: bool = False
    returned: bool = False

    @property
    def matches(self) -> int:
        """The number of counted matches."""
        return self.wins + self.losses + self.draws

    @property
    def acquaintance(self) -> Acquaintance:
        """What weighing a match needs to know."""
        return Acquaintance(self.matches, self.opponents, self.ahead, self.behind, self.returned)

    @property
    def ordinal(self) -> float:
        """What leaderboards of all time rank by: rating less uncertainty, and less `UNMET` for the share of `KNOWN`
        people that the player hasn't met yet."""
        return self.rating.ordinal - UNMET * max(0.0, 1 - self.opponents / KNOWN)

    def in_month(self, month: int) -> Score:
        """The same when a match of a month begins."""
        return (
            self if month == self.month else replace(self, month_peak=self.peak, month_mu=self.rating.mu, month=month)
        )

    @property
    def own_strength(self) -> float:
        """The `mu` by which a season expects the player to win. It never falls: who loses on purpose, before the season
        or in it, is expected to win as often as before."""
        return max(NEW.mu, self.month_peak)

    @property
    def strength(self) -> float:
        """The `mu` by which a season expects others to win against the player."""
        return max(self.month_mu, self.month_peak)


@dataclass(frozen=True, slots=True)
class Encounter:
    """What a player has played with another: by how many matches the player led when they had played `at`
    (`match_weights.Lead`), and what they won from the other beyond expectation, in matches, in the `month`
    of their last match (`gained`)."""

    lead: float = 0.0
    at: int = 0
    month: int = 0
    gained: float = 0.0


Encounters: TypeAlias = Mapping[tuple[int, int], Encounter]
"""What seats have played with each other, by both seats."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """What is known before a match: each seat's score, what a seat has played with another (by both seats, where they
    have met), the server's players of the game, and the month of the match."""

    scores: tuple[Score, ...]
    encounters: Encounters
    community: Community
    month: int

    def gained(self, pair: tuple[int, int]) -> float:
        """What a seat has gained from another for the season, in the month of the match."""
        found = self.encounters.get(pair, Encounter())
        return found.gained if found.month == self.month else 0.0


@dataclass(frozen=True, slots=True)
class Rated:
    """What a match did: the scores and encounters after it, and how each rating changed."""

    scores: tuple[Score, ...]
    encounters: Encounters
    changes: tuple[RatingChange, ...]


def month_of(at: int) -> int:
    """The month of a moment (ms UTC), counted since the year 0."""
    date = datetime.fromtimestamp(at / 1000, UTC)
    return 12 * date.year + date.month - 1


def rate_match(before: Gathering, ranks: Sequence[int]) -> Rated:
    """What a match with these ranks does.

    Everybody ranked first has won; if everybody is, all have drawn. Raises ValueError unless there are at least two
    seats and a rank for each.
    """
    old = [score.in_month(before.month) for score in before.scores]
    full = rate([score.rating for score in old], ranks)
    pairs = [(seat, other) for seat in range(len(ranks)) for other in range(len(ranks)) if seat != other]
    won = {pair: _won(pair, ranks, old) for pair in pairs}
    leads = {pair: Lead(found.lead, found.at) for pair, found in before.encounters.items()}
    weighed = weigh([score.acquaintance for score in old], leads, before.community, won)
    met = {pair: _again(pair, ranks, before, old, weighed[pair[0]]) for pair in pairs}
    drawn = len(set(ranks)) == 1
    scores, changes = [], []
    for seat, (score, rating, rank, found) in enumerate(zip(old, full, ranks, weighed, strict=True)):
        after = interpolated(score.rating, rating, found.weight.whole)
        opponents = score.opponents + sum((seat, other) not in before.encounters for other in found.leads)
        new = replace(
            score,
            rating=after,
            wins=score.wins + (not drawn and rank == 1),
            losses=score.losses + (not drawn and rank != 1),
            draws=score.draws + drawn,
            opponents=opponents,
            ahead=found.ahead,
            behind=found.behind,
            peak=max(score.peak, after.mu - after.sigma),
            settled=score.settled or (not after.provisional and settles(opponents)),
        )
        surplus = fmean(
            familiar**2 * (met[seat, other].gained - before.gained((seat, other)))
            for other, familiar in found.familiar.items()
        )
        scores.append(new)
        changes.append(RatingChange(score.rating, after, new.matches, found.weight, surplus))
    return Rated(tuple(scores), met, tuple(changes))


def _again(
    pair: tuple[int, int], ranks: Sequence[int], before: Gathering, scores: Sequence[Score], weighed: Weighed
) -> Encounter:
    """What a player has played with another, with one more match. What they gain from one person is limited."""
    seat, other = pair
    surplus = _result(ranks[seat], ranks[other]) - expected(scores[seat].own_strength, scores[other].strength)
    gained = max(-MOST_GAINED, min(MOST_GAINED, before.gained(pair) + surplus))
    return Encounter(weighed.leads[other], scores[seat].matches + 1, before.month, gained)


def _result(rank: int, other: int) -> float:
    """1 for a win, a half for a draw, 0 for a loss."""
    return (1 + (rank < other) - (rank > other)) / 2


def _won(pair: tuple[int, int], ranks: Sequence[int], scores: Sequence[Score]) -> float:
    """Who came before whom, as `match_weights.weigh` reads it. A draw is worth more to who is rated lower."""
    seat, other = pair
    if ranks[seat] != ranks[other]:
        return 1.0 if ranks[seat] < ranks[other] else -1.0
    mine, theirs = scores[seat].rating.mu, scores[other].rating.mu
    return ((mine < theirs) - (mine > theirs)) / 2


class Ledger:
    """All scores and encounters, in memory, to work everything out again.

    `starts` has the scores of those who began with one.
    """

    def __init__(self, starts: Mapping[Player, Score] | None = None) -> None:
        self.scores: dict[Player, Score] = {}
        self.encounters: dict[Player, dict[int, Encounter]] = {}
        self._starts = starts or {}
        self._settled: Counter[tuple[int, str]] = Counter()

    def apply(
        self, guild_id: int, game: str, users: Sequence[int], ranks: Sequence[int], ended_at: int
    ) -> tuple[RatingChange, ...]:
        """Enter a counted result that ended at a moment (ms UTC). Returns what it did to the ratings, by seat.

        Raises ValueError unless there are at least two seats and a rank for each.
        """
        players = [(guild_id, game, user_id) for user_id in users]
        before = self._gathering(players, ended_at)
        rated = rate_match(before, ranks)
        self.scores.update(zip(players, rated.scores, strict=True))
        for (seat, other), found in rated.encounters.items():
            self.encounters.setdefault(players[seat], {})[users[other]] = found
        self._settled[guild_id, game] += sum(
            new.settled > old.settled for old, new in zip(before.scores, rated.scores, strict=True)
        )
        return rated.changes

    def _gathering(self, players: Sequence[Player], ended_at: int) -> Gathering:
        guild_id, game, _ = players[0]
        encounters = {
            (seat, other): self.encounters[player][user_id]
            for seat, player in enumerate(players)
            for other, (_, _, user_id) in enumerate(players)
            if user_id in self.encounters.get(player, ())
        }
        scores = tuple(self.scores.get(player) or self._starts.get(player, Score()) for player in players)
        return Gathering(scores, encounters, Community(self._settled[guild_id, game]), month_of(ended_at))
