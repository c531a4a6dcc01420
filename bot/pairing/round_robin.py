"""Everybody meets everybody once, in an order of rounds that is fixed by the seeds."""

from __future__ import annotations

from collections.abc import Sequence

from bot.pairing.model import Entrant, Pairing, Played, by_seed, leans, seated


def rounds(count: int) -> int:
    """How many rounds it takes until all of `count` people have met."""
    return count - 1 if count % 2 == 0 else count


def meeting(one: int, other: int, count: int) -> int:
    """The round, from 1, in which the indexes `one` and `other`, from 0, meet among `count`."""
    circle = rounds(count)
    if circle in (one, other):  # who stands still meets whom the round is turned to
        return (one + other - circle) % circle + 1
    return (one + other) * (circle + 1) // 2 % circle + 1


def pair(entrants: Sequence[Entrant], played: Sequence[Played], number: int) -> tuple[Pairing, ...]:
    """The pairings of round `number`, from 1: none after the last. Who should meet somebody that isn't there has a bye.

    With each round the circle turns by one. So everybody is first and second in turn. Where that isn't so, who
    was first less often is first.
    """
    order = by_seed(entrants)
    circle = rounds(len(order))
    lean = leans(each for each in played if each.round < number)
    if number > circle:
        return ()
    turned = number - 1
    indexes = [(turned, circle)]
    for step in range(1, (circle + 1) // 2):
        both = (turned + step) % circle, (turned - step) % circle
        indexes.append(both if step % 2 else both[::-1])
    found = []
    for both in indexes:
        there = [order[index].user_id for index in both if index < len(order) and order[index].plays_in(number)]
        if there:
            found.append(seated(there[0], there[1], lean) if len(there) == 2 else Pairing(there[0]))
    return tuple(sorted(found, key=lambda each: each.second is None))
