"""Who stands where, and by what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations
from typing import Final

from bot.pairing import elimination
from bot.pairing.model import Entrant, Format, Played, Scoring, by_seed
from bot.pairing.scores import added, shares


class TieBreak(StrEnum):
    """What decides between equal points."""

    BUCHHOLZ = "buchholz"
    """The points of all opponents together; of those at a larger table the average. A round that an opponent missed
    counts ½ for them; a bye or a walkover counts as an opponent with one's own points."""
    SONNEBORN_BERGER = "sonneborn_berger"
    """The points of opponents, each by what was won against them; at a larger table their average."""
    DIRECT_ENCOUNTER = "direct_encounter"
    """The points against those who are still equal, if all of these have met."""
    WINS = "wins"
    """How many matches were won."""


TIE_BREAKS: Final = {
    Format.SWISS: (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.DIRECT_ENCOUNTER),
    Format.ROUND_ROBIN: (TieBreak.DIRECT_ENCOUNTER, TieBreak.SONNEBORN_BERGER, TieBreak.WINS),
    Format.SINGLE: (),
    Format.DOUBLE: (),
    Format.ARENA: (TieBreak.DIRECT_ENCOUNTER, TieBreak.SONNEBORN_BERGER),
}
"""In order of their weight. An elimination has none: how far one came decides, and those who came equally far share."""

TABLE_BREAKS: Final = frozenset({TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER})
"""Those that are averages at tables of more than two."""


@dataclass(frozen=True, slots=True)
class Row:
    """Where somebody stands. People who are equal in all share a place."""

    user_id: int
    place: int
    """From 1."""
    points: float
    tie_breaks: tuple[float, ...]
    """As `TIE_BREAKS` names them."""
    won: int
    drawn: int
    lost: int
    """Matches; at a larger table, people who did worse, alike, and better. Byes and walkovers are in none of the
    three."""
    byes: int
    """With walkovers that gave a point."""


def ranked(
    form: Format, entrants: Sequence[Entrant], played: Sequence[Played], scoring: Scoring = Scoring.WINS
) -> tuple[Row, ...]:
    """The standings, the best first, and equal ones by seed. Who left stays in it with what they have."""
    recount = _Recount(entrants, played, scoring, by_rounds=form is not Format.ARENA)
    if form in {Format.SINGLE, Format.DOUBLE}:
        reached = elimination.reached(entrants, played, form is Format.DOUBLE)
        keys: dict[int, tuple[float, ...]] = {user_id: (far,) for user_id, far in reached.items()}
    else:
        keys = {each.user_id: (recount.points[each.user_id],) for each in entrants}
    for tie_break in TIE_BREAKS[form]:
        values = recount.tie_break(tie_break, keys)
        keys = {user_id: (*key, values[user_id]) for user_id, key in keys.items()}
    ordered = sorted(by_seed(entrants), key=lambda each: keys[each.user_id], reverse=True)
    all_keys = sorted(keys.values(), reverse=True)
    return tuple(
        Row(
            each.user_id,
            all_keys.index(keys[each.user_id]) + 1,
            recount.points[each.user_id],
            keys[each.user_id][1:],
            *recount.record(each.user_id),
        )
        for each in ordered
    )


class _Recount:
    """Everything that is counted from what was played."""

    def __init__(
        self, entrants: Sequence[Entrant], played: Sequence[Played], scoring: Scoring, *, by_rounds: bool
    ) -> None:
        self._by_person: dict[int, list[_Half]] = {each.user_id: [] for each in entrants}
        got = shares(played, scoring)
        rounds: Counter[int] = Counter()
        for each, its in zip(played, got, strict=True):
            rounds.update(each.pairing.seats)
            for user_id, half in _halves(each, its, scoring):
                self._by_person[user_id].append(half)
        total = added(played, got)
        self.points = {each.user_id: total.get(each.user_id, 0) for each in entrants}
        last = max((each.round for each in played), default=0)
        self._worth = {
            user_id: self.points[user_id] + by_rounds * (last - rounds[user_id]) / 2 for user_id in self._by_person
        }
        """What somebody's points are worth to their opponents: each round that they missed counts as a draw. An arena
        has no rounds to miss."""

    def record(self, user_id: int) -> tuple[int, int, int, int]:
        """Matches won, drawn and lost, and points without a match."""
        halves = self._by_person[user_id]
        matches = Counter(half.points for half in halves if half.opponent is not None)
        return matches[1], matches[0.5], matches[0], sum(half.opponent is None and half.points > 0 for half in halves)

    def tie_break(self, which: TieBreak, keys: Mapping[int, tuple[float, ...]]) -> dict[int, float]:
        """The numbers of one tie-break. `keys` are what was decided by before it: who has equal ones is tied."""
        if which is TieBreak.DIRECT_ENCOUNTER:
            return {
                user_id: self._direct(user_id, {each for each in keys if keys[each] == keys[user_id]})
                for user_id in keys
            }
        return {user_id: round(self._alone(which, user_id), 6) for user_id in keys}

    def _alone(self, which: TieBreak, user_id: int) -> float:
        """A number for which it doesn't matter who is tied."""
        if which is TieBreak.WINS:
            return self.record(user_id)[0]
        by_share = which is TieBreak.SONNEBORN_BERGER
        return sum(worth * (share if by_share else 1) for share, worth in self._opponents(user_id))

    def _opponents(self, user_id: int) -> list[tuple[float, float]]:
        """Of each opponent: what was got, and what their points are worth, divided by those at the table. Who got a
        point without an opponent counts as one with their own points."""
        return [
            (half.share, (self.points[user_id] if half.opponent is None else self._worth[half.opponent]) / half.of)
            for half in self._by_person[user_id]
            if half.opponent is not None or half.points > 0
        ]

    def _direct(self, user_id: int, tied: Collection[int]) -> float:
        if len(tied) == 1:
            return 0
        met = {each: {half.opponent for half in self._by_person[each]} for each in tied}
        if any(one not in met[other] for one, other in permutations(tied, 2)):
            return 0
        return round(sum(half.share for half in self._by_person[user_id] if half.opponent in tied), 6)


@dataclass(frozen=True, slots=True)
class _Half:
    """What somebody got in a round against an opponent."""

    opponent: int | None
    """None if nothing was played."""
    share: float
    """By difference, the same against all at a table."""
    points: float
    """As `Scoring.WINS` counts between two."""
    of: int = 1
    """How many opponents were at the table."""


def _halves(played: Played, got: tuple[float, ...], scoring: Scoring) -> Iterator[tuple[int, _Half]]:
    """What a round gave to whom."""
    all_ = [*zip(played.pairing.seats, got, played.points(), strict=True)]
    for user_id, share, points in all_:
        if not played.is_match:
            yield user_id, _Half(None, share, points)
            continue
        for opponent, _, theirs in all_:
            if opponent != user_id:
                duel = 0.5 if points == theirs else float(points > theirs)
                by_wins = scoring is Scoring.WINS
                yield user_id, _Half(opponent, duel if by_wins else share, duel, len(all_) - 1)
