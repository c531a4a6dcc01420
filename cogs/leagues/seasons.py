"""The rules of a season, as pure functions: divisions, who meets whom in which week, standings, promotion, and what a
week gives to those who have not played."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from bot.pairing import round_robin
from bot.pairing.model import Entrant, Format, Outcome, Pairing, Played
from bot.pairing.standings import Row, ranked
from bot.scheduler import DAY
from bot.store.queries.invitations import InvitationState
from cogs.leagues.queries import How, PairingRow, Place, Whole

LEAST: Final = 4
"""How many people a season needs."""
LARGEST: Final = 8
"""How many people a division has at most."""
MOST: Final = 8 * LARGEST
"""How many people a league has at most."""
SMALL: Final = 5
"""In a division of up to this many, one goes up and one goes down, else two."""
LAST_CHALLENGE: Final = DAY
"""Milliseconds before a week's end after which a challenge gives no walkover any more."""
_UNANSWERED: Final = frozenset({None, InvitationState.EXPIRED, InvitationState.DECLINED})
"""What became of a challenge that a match did not come of, through nobody's fault but the other's."""


def sizes(count: int) -> list[int]:
    """How many people each division has: as few divisions as there can be, as equal as they can be."""
    divisions = -(-count // LARGEST)
    return [count // divisions + (each < count % divisions) for each in range(divisions)]


def placed(order: Sequence[int]) -> tuple[Place, ...]:
    """The places of a season, given everybody in it from the strongest."""
    divisions = [1 + division for division, size in enumerate(sizes(len(order))) for _ in range(size)]
    return tuple([Place(number, divisions[number - 1], user) for number, user in enumerate(order, 1)])


def paired(places: Sequence[Place]) -> tuple[PairingRow, ...]:
    """Who meets whom in a season: everybody in a division meets everybody else in it once."""
    found: list[tuple[int, int, Pairing]] = []
    for division in sorted({each.division for each in places}):
        entrants = _entrants([each for each in places if each.division == division])
        played: list[Played] = []
        for week in range(1, 1 + round_robin.rounds(len(entrants))):
            these = [each for each in round_robin.pair(entrants, played, week) if each.second is not None]
            found += [(week, division, each) for each in these]
            played += [Played(week, each, (Outcome(0, 0),)) for each in these]
    found.sort(key=lambda each: each[:2])
    return tuple(
        [
            PairingRow(number, week, division, pairing.first, pairing.second or 0)
            for number, (week, division, pairing) in enumerate(found, 1)
        ]
    )


def standings(whole: Whole, division: int) -> tuple[Row, ...]:
    """The standings of a division, the best first. The `user_id` of a row is the number of a place."""
    ended = [each for each in whole.pairings if each.division == division and each.got is not None]
    entrants = _entrants([each for each in whole.places if each.division == division])
    return ranked(Format.ROUND_ROBIN, entrants, [_played(each) for each in ended])


def _entrants(places: Sequence[Place]) -> tuple[Entrant, ...]:
    return tuple([Entrant(each.number, seed) for seed, each in enumerate(places, 1)])


def _played(row: PairingRow) -> Played:
    first, second = row.got or (0, 0)
    walkover = row.how in {How.WALKOVER, How.MISSED}
    return Played(row.week, Pairing(*row.places), (Outcome(first / 2, second / 2),), walkover)


def moving(whole: Whole) -> Mapping[int, int]:
    """Who changes the division after the season, by the tables as they are: places by their numbers, with -1 for up and
    1 for down."""
    divisions = [standings(whole, each) for each in range(1, 1 + whole.divisions)]
    moves: dict[int, int] = {}
    for upper, lower in pairwise(divisions):
        count = 1 if min(len(upper), len(lower)) <= SMALL else 2
        moves |= {row.user_id: 1 for row in upper[-count:]} | {row.user_id: -1 for row in lower[:count]}
    return moves


def next_order(whole: Whole) -> list[int]:
    """Who is in the next season, the strongest first: after promotion and relegation, without those who left, and with
    the substitutes behind them."""
    moves = moving(whole)
    rows = [(division, row) for division in range(1, 1 + whole.divisions) for row in standings(whole, division)]
    rows.sort(key=lambda each: each[0] + moves.get(each[1].user_id, 0))
    stays = [whole.place(row.user_id) for _, row in rows]
    waiting = [each.user_id for each in whole.substitutes]
    return [*dict.fromkeys([each.user_id for each in stays if not whole.is_vacant(each)]), *waiting]


# ---------------------------------------------------------------------------------------------- a week


def results(whole: Whole) -> list[PairingRow]:
    """The pairings of which a match has ended since they were looked at: the first one counts."""
    found = []
    for pairing in [each for each in whole.pairings if each.how is None]:
        ended = [each for each in whole.offers_of(pairing) if len(each.ranks) == len(pairing.places)]
        if ended:
            host, guest = ended[0].ranks
            got = (1, 1) if host == guest else (2, 0) if host < guest else (0, 2)
            hosted = ended[0].by_place == pairing.first
            found.append(replace(pairing, how=How.PLAYED, got=got if hosted else got[::-1]))
    return found


def settled(whole: Whole, blocking: Container[int] = ()) -> list[PairingRow]:
    """How the pairings end that were not played until the end of their week. Matches in play are waited for. Who has
    one of the `blocking` places has blocked whom they met, and gets no point for having challenged them."""
    waiting = [each for each in whole.pairings if each.how is None and each.week <= whole.league.week]
    return [_unplayed(whole, each, blocking) for each in waiting if whole.in_play(each) is None]


def _unplayed(whole: Whole, pairing: PairingRow, blocking: Container[int]) -> PairingRow:
    first, second = (_earns_walkover(whole, pairing, number) for number in pairing.places)
    winner, other = pairing.places if first else pairing.places[::-1]
    if first == second or (winner in blocking and not whole.is_vacant(whole.place(other))):
        return replace(pairing, how=How.MISSED, got=(0, 0))
    return replace(pairing, how=How.WALKOVER, got=(2, 0) if first else (0, 2))


def _earns_walkover(whole: Whole, pairing: PairingRow, number: int) -> bool:
    """Whether a place gets the point if the other one doesn't earn it too."""
    if whole.is_vacant(whole.place(number)):
        return False
    other = next(each for each in pairing.places if each != number)
    until = (whole.league.due_at or 0) - LAST_CHALLENGE
    challenged = any(
        each.by_place == number and each.state in _UNANSWERED and each.at <= until for each in whole.offers_of(pairing)
    )
    return challenged or whole.is_vacant(whole.place(other))


def unplayed(whole: Whole) -> list[tuple[int, int]]:
    """The people who could play each other in this week and have not begun to."""
    open_now = [each for each in whole.pairings if each.week == whole.league.week and whole.is_open(each)]
    waiting = [each.places for each in open_now if whole.in_play(each) is None]
    return [(whole.place(first).user_id, whole.place(second).user_id) for first, second in waiting]


def drawn(whole: Whole) -> list[PairingRow]:
    """How the pairings end whose matches were in play for too long."""
    return [replace(each, how=How.LATE, got=(1, 1)) for each in whole.pairings if each.how is None]
