"""The seeds of a tournament that begins, where they say who meets when."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.pairing import elimination, round_robin
from bot.pairing.model import Apart, Format

TRIES = 3
"""How often all exchanges are gone through. After that what is left stays."""


def late(form: Format, user_ids: Sequence[int], apart: Apart) -> list[int]:
    """People in the order of their seeds, in which those who are apart meet as late as exchanges of two people can make
    it. In an elimination only those change places who have equally good ones."""
    order = list(user_ids)
    foes = _foes(order, apart)
    meeting, equal = _meetings(form, len(order))

    def price(index: int) -> int:
        """An earlier round costs twice as much as the next."""
        return sum(2 ** (len(order) - meeting(index, order.index(foe))) for foe in foes.get(order[index], ()))

    def exchange(one: int, other: int) -> None:
        order[one], order[other] = order[other], order[one]

    for _ in range(TRIES):
        better = False
        for index in range(len(order)):
            for other in range(len(order)):
                if index == other or not equal(index, other) or order[index] not in foes:
                    continue
                before = price(index) + price(other)
                exchange(index, other)
                if price(index) + price(other) < before:
                    better = True
                else:
                    exchange(index, other)
        if not better:
            break
    return order


def _foes(people: Sequence[int], apart: Apart) -> dict[int, list[int]]:
    foes: dict[int, list[int]] = {}
    for pair in sorted(map(sorted, apart)):
        if len(pair) == 2 and set(pair) <= set(people):
            foes.setdefault(pair[0], []).append(pair[1])
            foes.setdefault(pair[1], []).append(pair[0])
    return foes


def _meetings(form: Format, count: int) -> tuple[Callable[[int, int], int], Callable[[int, int], bool]]:
    """In which round two indexes, from 0, meet at the earliest, and whether they are equally good."""
    if form is Format.ROUND_ROBIN:
        return lambda one, other: round_robin.meeting(one, other, count), lambda _one, _other: True
    position = {seed - 1: index for index, seed in enumerate(elimination.order(count))}
    return (
        lambda one, other: (position[one] ^ position[other]).bit_length(),
        lambda one, other: one.bit_length() == other.bit_length(),
    )
