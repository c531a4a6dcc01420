"""Whole tournaments by chance. All 10,000 are played every night, a share of them with each commit."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import cache
from itertools import zip_longest

import pytest

from bot.pairing.elimination import bracket
from bot.pairing.model import Format, Pairing, Played, leans
from bot.pairing.standings import ranked
from tests.bot.pairing.random_cups import Cup

CUPS = 10_000
SHARES = 499
"""A prime: so each share has tournaments of all forms."""
FORMS = (Format.SWISS, Format.SWISS, Format.SWISS, Format.ROUND_ROBIN, Format.SINGLE, Format.DOUBLE)

Price = tuple[int, ...]
"""Second byes, rematches, pairs who are apart, and differences of points."""


def play(seed: int, most: int = 64) -> None:
    """Play a tournament and hold it to all laws."""
    form = FORMS[seed % len(FORMS)]
    cup = Cup(form, random.Random(seed), most)
    for pairings in cup:
        people = [user_id for each in pairings for user_id in each.people]
        assert len(people) == len(set(people))
        assert set(people) <= set(cup.there())
        lean = leans(cup.played)
        assert all(each.second is None or lean[each.first] <= lean[each.second] for each in pairings)
        if form is Format.SWISS:
            hold_swiss(cup, pairings)
        elif form is Format.ROUND_ROBIN:
            hold_round_robin(cup, pairings)
        else:
            hold_elimination(cup, pairings)
    hold_standings(cup)
    if form is Format.SWISS:
        assert all(abs(lean) <= 2 for lean in leans(cup.played).values())
    if form in {Format.SINGLE, Format.DOUBLE}:
        cup.number += bool(cup.pair())
        assert bracket(cup.entrants, cup.played, cup.number, form is Format.DOUBLE)[-1].decided


@pytest.mark.parametrize("seed", range(30))
def test_small_tournaments_keep_the_laws(seed: int) -> None:
    play(seed, 20)


@pytest.mark.slow  # plays 20 tournaments of any size
@pytest.mark.nightly
@pytest.mark.parametrize("share", range(SHARES))
def test_tournaments_keep_the_laws(share: int) -> None:
    for seed in range(share, CUPS, SHARES):
        play(seed)


def hold_swiss(cup: Cup, pairings: tuple[Pairing, ...]) -> None:
    """Everybody is paired, and nothing is unfair that could have been avoided."""
    there = cup.there()
    byes = [each.first for each in pairings if each.second is None]
    assert {user_id for each in pairings for user_id in each.people} == set(there)
    assert len(byes) == len(there) % 2
    assert pairings[0].second is not None

    unplayed = without_a_match(cup.played)
    standing = naive_points(cup.played)
    met = {each.pairing.people for each in cup.played if each.is_match}

    def price(one: int, other: int | None) -> Price:
        if other is None:
            return (unplayed[one], 0, 0, 0)
        people = frozenset((one, other))
        return (0, int(people in met), int(people in cup.apart), round(2 * abs(standing[one] - standing[other])) ** 2)

    whole = total(price(each.first, each.second) for each in pairings)
    unfair = whole[:3]
    if any(unfair):
        assert unfair == least(there, lambda one, other: price(one, other)[:3])
    if len(there) <= 8 and not unfair[1] and all(abs(lean) <= 1 for lean in leans(cup.played).values()):
        # Nothing else comes before equal points, but for who has the bye.
        assert whole[1:] == least([each for each in there if each not in byes], price)[1:]
    if byes and not unfair[1]:  # where all have met, who met most has the bye
        place = {each.user_id: (standing[each.user_id], -each.seed) for each in cup.entrants}
        for lower in (each for each in there if place[each] < place[byes[0]]):
            rest = [each for each in there if each != lower]
            dearer = unplayed[lower] > unplayed[byes[0]]
            assert dearer or least(rest, lambda one, other: price(one, other)[1:3]) > unfair[1:]


def hold_round_robin(cup: Cup, pairings: tuple[Pairing, ...]) -> None:
    """Everybody is in it, and nobody meets anybody again."""
    assert {user_id for each in pairings for user_id in each.people} == set(cup.there())
    before = {each.pairing.people for each in cup.played if each.pairing.second is not None}
    assert not before & {each.people for each in pairings}


def hold_elimination(cup: Cup, pairings: tuple[Pairing, ...]) -> None:
    """Nobody plays who has lost too often, and nobody plays nobody."""
    lost: Counter[int] = Counter()
    for each in cup.played:
        first, second = each.points()
        if first != second and each.pairing.second is not None:
            lost[each.pairing.second if first > second else each.pairing.first] += 1
    for pairing in pairings:
        assert pairing.second is not None
        assert all(lost[user_id] <= (cup.form is Format.DOUBLE) for user_id in pairing.people)


def hold_standings(cup: Cup) -> None:
    """The standings are what was played, counted again."""
    rows = ranked(cup.form, cup.entrants, cup.played)
    standing = naive_points(cup.played)
    assert {each.user_id: each.points for each in rows} == {
        each.user_id: standing[each.user_id] for each in cup.entrants
    }
    assert [each.place for each in rows] == sorted(each.place for each in rows)
    assert rows[0].place == 1
    matches = Counter(user_id for each in cup.played if each.is_match for user_id in each.pairing.people)
    assert all(each.won + each.drawn + each.lost == matches[each.user_id] for each in rows)


def naive_points(played: Collection[Played]) -> Counter[int]:
    """Points as they are told to players."""
    points: Counter[int] = Counter()
    for each in played:
        for user_id, got in zip(each.pairing.seats, each.points(), strict=True):
            points[user_id] += got  # type: ignore[assignment]
    return points


def without_a_match(played: Collection[Played]) -> Counter[int]:
    """How often everybody had a bye, or won by a walkover."""
    counts: Counter[int] = Counter()
    for each in played:
        if not each.is_match:
            for user_id, got in zip(each.pairing.seats, each.points(), strict=True):
                counts[user_id] += got > 0
    return counts


def least(people: list[int], price: Callable[[int, int | None], Price]) -> Price:
    """The least price of all ways to pair people, found by trying them all."""
    assert len(people) <= 16, "among so many nothing unfair is needed"

    @cache
    def of(left: frozenset[int]) -> Price:
        if len(left) % 2:
            return min(total((price(one, None), of(left - {one}))) for one in left)
        if not left:
            return ()
        one = min(left)
        return min(total((price(one, other), of(left - {one, other}))) for other in left - {one})

    return of(frozenset(people))


def total(prices: Iterable[Price]) -> Price:
    return tuple(map(sum, zip_longest(*prices, fillvalue=0)))
