"""Until the time is up, people who wait are paired with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from bot.pairing.matching import cheapest
from bot.pairing.model import Apart, Entrant, Pairing, Played, Scoring, leans, seated
from bot.pairing.scores import points


def pair(
    waiting: Sequence[Entrant], played: Sequence[Played], apart: Apart, busy: Collection[int]
) -> tuple[Pairing, ...]:
    """Pairs of people who wait, those who wait longest first; `pair_waiting` of the package says the rest.

    Of an odd number the one who came last waits on. The others are paired so that, in this order, the fewest are apart,
    the fewest have just met, points are equal, those meet who met least, and seats are in balance.
    """
    order = [each.user_id for each in waiting]
    rank = {user_id: k for k, user_id in enumerate(order)}
    standing = points(played, Scoring.WINS)
    met = Counter(each.pairing.people for each in played if each.is_match)
    last = {user_id: each.pairing.people for each in played if each.is_match for user_id in each.pairing.people}
    lean = leans(played)

    def barred(people: frozenset[int]) -> bool:
        return people in apart or any(last.get(user_id) == people for user_id in people)

    def cost(one: int | None, other: int | None) -> tuple[int, ...]:
        if one is None or other is None:
            user_id = one if other is None else other
            return (0, 0, 0 if user_id is None else len(order) - rank[user_id], 0, 0, 0)
        people = frozenset((one, other))
        return (
            int(people in apart),
            int(barred(people)),
            0,
            round(2 * abs(standing.get(one, 0) - standing.get(other, 0))) ** 2,
            met[people] ** 2,
            abs(lean[one] + lean[other]),
        )

    people: list[int | None] = [*order, None] if len(order) % 2 else [*order]
    return tuple(
        seated(one, other, lean)
        for one, other in cheapest(people, cost)
        if one is not None and other is not None and not (busy and barred(frozenset((one, other))))
    )
