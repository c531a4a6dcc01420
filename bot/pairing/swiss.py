"""Everybody plays in every round, against somebody with as many points whom they haven't met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bot.pairing.matching import cheapest
from bot.pairing.model import Apart, Entrant, Pairing, Played, Scoring, leans, seated
from bot.pairing.scores import points


def rounds(count: int) -> int:
    """How many rounds leave one person without a loss, if nobody draws."""
    return max(1, (count - 1).bit_length())


def pair(
    entrants: Sequence[Entrant], played: Sequence[Played], number: int, apart: Apart, scoring: Scoring
) -> tuple[Pairing, ...]:
    """The pairings of round `number`, the leaders first. Empty if fewer than two people are there.

    Of all ways to pair everybody it is the one with, in this order: no second bye for anybody, the fewest rematches,
    the fewest pairs who are apart, and of rematches those that were played least; nobody first or second three times
    more often; the bye for who stands lowest; equal points; seats in balance; the upper half of those with equal
    points against the lower half.
    """
    before = [each for each in played if each.round < number]
    standing = points(before, scoring)
    order = in_order(entrants, standing, number)
    if len(order) < 2:
        return ()
    rank = {user_id: index for index, user_id in enumerate(order)}
    alike = Counter(standing.get(user_id, 0) for user_id in order)
    met = Counter(each.pairing.people for each in before if each.is_match)
    byes = unplayed(before)
    lean = leans(before)

    def cost(one: int | None, other: int | None) -> tuple[int, ...]:
        if one is None or other is None:
            user_id = one if other is None else other
            return (byes[user_id], 0, 0, 0, 0, len(order) - rank[user_id], 0, 0, 0) if user_id is not None else (0,) * 9
        people = frozenset((one, other))
        mine, theirs = standing.get(one, 0), standing.get(other, 0)
        distance = abs(rank[one] - rank[other])
        lopsided = _lopsided(lean[one], lean[other])
        return (
            0,
            min(met[people], 1),
            int(people in apart),
            met[people] ** 2,
            max(0, lopsided - 2),
            0,
            round(8 * abs(mine - theirs)) ** 2,
            max(0, lopsided - 1),
            (distance - alike[mine] // 2) ** 2 if mine == theirs else distance**2,
        )

    people: list[int | None] = [*order, None] if len(order) % 2 else [*order]
    matches: list[Pairing] = []
    bye: list[Pairing] = []
    for one, other in cheapest(people, cost):
        if one is None or other is None:
            bye = [Pairing(each) for each in (one, other) if each is not None]
        else:
            matches.append(seated(one, other, lean, swap=len(matches) % 2 == 1))
    return (*matches, *bye)


def in_order(entrants: Sequence[Entrant], standing: Mapping[int, float], number: int) -> list[int]:
    """Who is there in a round, by points, and by seed among those who have as many."""
    there = [each for each in entrants if each.plays_in(number)]
    there.sort(key=lambda each: (-standing.get(each.user_id, 0), each.seed))
    return [each.user_id for each in there]


def unplayed(played: Sequence[Played]) -> Counter[int]:
    """How many points everybody got without a match."""
    return Counter(
        user_id
        for each in played
        if not each.is_match
        for user_id, got in zip(each.pairing.seats, each.points(), strict=True)
        if got > 0
    )


def _lopsided(lean: int, other_lean: int) -> int:
    """How much more often one of both will have been first than second, or the other way round, if who was first less
    often is first now."""
    low, high = sorted((lean, other_lean))
    return max(abs(low + 1), abs(high - 1))
