"""Rounds at tables of more than two: small ones against all ways to sit, and whole tournaments by chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from bot.pairing import pair, rounds
from bot.pairing.model import Apart, Entrant, Format, Outcome, Pairing, Played, Scoring
from bot.pairing.scores import points, shares
from bot.pairing.standings import ranked
from bot.pairing.tables import APART, split
from tests.bot.pairing.random_cups import Cup

CUPS = 2_000
SHARES = 201
FOURS = range(2, 5)


def people(count: int) -> list[Entrant]:
    return [Entrant(number, number) for number in range(1, 1 + count)]


def ended(pairing: Pairing, *order: int, number: int = 1, deal: int = 1) -> Played:
    """A table at which these came in in this order."""
    return Played(number, pairing, (Outcome(*[-order.index(each) for each in pairing.seats], deal=deal),))


@pytest.mark.parametrize(
    ("count", "size", "expected"),
    [
        (7, 4, (4, 3)),
        (7, 3, (3, 2, 2)),
        (5, 4, (3, 2)),
        (9, 4, (3, 3, 3)),
        (4, 3, (2, 2)),
        (3, 6, (3,)),
        (2, 6, (2,)),
        (1, 6, ()),
        (13, 6, (5, 4, 4)),
    ],
)
def test_nobody_is_left_over_and_tables_are_about_equally_large(count: int, size: int, expected: tuple[int]) -> None:
    assert split(count, range(2, 1 + size)) == expected


def test_who_cannot_sit_where_a_game_needs_three_has_a_bye_the_lowest_first() -> None:
    assert split(5, range(3, 5)) == (4,)
    first = pair(Format.SWISS, people(5), [], 1, sizes=range(3, 5))
    assert first[-1] == Pairing(5)
    done = [ended(first[0], 1, 2, 3, 4), Played(1, Pairing(5))]
    assert pair(Format.SWISS, people(5), done, 2, sizes=range(3, 5))[-1] == Pairing(4)


def test_the_strong_are_spread_at_first_and_neighbours_meet_then() -> None:
    first = pair(Format.SWISS, people(16), [], 1, sizes=FOURS)
    assert [each.people for each in first] == [{n, n + 4, n + 8, n + 12} for n in (1, 2, 3, 4)]
    done = [ended(each, *sorted(each.seats)) for each in first]
    second = pair(Format.SWISS, people(16), done, 2, sizes=FOURS)
    assert [each.people for each in second] == [{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}]


def test_who_blocked_each_other_sit_together_after_all_others_have() -> None:
    apart: Apart = frozenset({frozenset({1, 2})})
    played: list[Played] = []
    together = 0
    for number in range(1, 8):
        found = pair(Format.SWISS, people(6), played, number, apart=apart, sizes=range(2, 4))
        if any({1, 2} <= each.people for each in found):
            together = together or number
            met = Counter(each for one in played for each in one.pairing.pairs)
            assert min(met[frozenset({1, other})] for other in (3, 4, 5, 6)) >= 1
        played += [ended(each, *sorted(each.seats), number=number) for each in found]
    assert together > 3


def test_places_give_equal_steps_and_who_ties_shares() -> None:
    four = Pairing(1, 2, 3, 4)
    assert Played(1, four, (Outcome(9, 5, 5, 1),)).points() == (1, 0.5, 0.5, 0)
    assert Played(1, four, (Outcome(4, 3, 2, 1),)).points() == pytest.approx((1, 2 / 3, 1 / 3, 0))
    assert Played(1, Pairing(1, 2, 3), (Outcome(0, 1, 0),), walkover=True).points() == (0, 1, 0)


def test_a_seat_is_compared_with_the_same_seat_at_tables_as_large() -> None:
    # Seat 0 is so good that it wins wherever nobody fails: who is second there did better than all others on that seat.
    played = [
        ended(Pairing(1, 2, 3), 1, 2, 3),
        ended(Pairing(4, 5, 6), 4, 6, 5),
        ended(Pairing(7, 8, 9), 8, 7, 9),
        ended(Pairing(10, 11), 11, 10),
    ]
    got = dict(zip(range(1, 12), [share for its in shares(played, Scoring.DIFFERENCE) for share in its], strict=True))
    assert [got[each] for each in (1, 4, 7)] == [0.75, 0.75, 0]
    assert [got[each] for each in (2, 5, 8)] == [0.5, 0, 1]
    assert [got[each] for each in (3, 6, 9)] == [0.25, 1, 0.25]
    assert [got[10], got[11]] == [0, 1], "no other table is as large, so places count"


def test_seats_move_on_with_each_match_of_a_table() -> None:
    # The second match is played by who moved on by one seat, and each seat is compared with itself.
    two = [
        Played(1, Pairing(*seats), (Outcome(3, 2, 1, deal=1), Outcome(1, 3, 2, deal=2)))
        for seats in ((1, 2, 3), (4, 5, 6))
    ]
    assert shares(two, Scoring.DIFFERENCE) == [(0.5, 0.5, 0.5)] * 2


def test_tie_breaks_are_averages_of_a_table_and_sums_of_rounds() -> None:
    played = [ended(Pairing(1, 2, 3), 1, 2, 3), ended(Pairing(4, 5), 4, 5)]
    played += [ended(Pairing(1, 4), 4, 1, number=2), ended(Pairing(2, 3, 5), 2, 3, 5, number=2)]
    rows = {row.user_id: row for row in ranked(Format.SWISS, people(5), played)}
    assert {each: row.points for each, row in rows.items()} == {4: 2, 2: 1.5, 1: 1, 3: 0.5, 5: 0}
    buchholz, sonneborn_berger, _ = rows[2].tie_breaks
    assert buchholz == (1 + 0.5) / 2 + (0.5 + 0) / 2
    assert sonneborn_berger == 0.5 / 2 + (0.5 + 0) / 2
    assert (rows[2].won, rows[2].drawn, rows[2].lost) == (3, 0, 1)


def test_a_tournament_at_tables_has_one_round_more_than_leave_one_who_was_always_first() -> None:
    assert [rounds(Format.SWISS, count, 4) for count in (3, 4, 5, 16, 17, 64)] == [2, 2, 3, 3, 4, 4]


# ---------------------------------------------------------------------------------------------- by chance


class TableCup(Cup):
    """A tournament at tables, whose size the seed fixes too."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.size = self.rng.choice([3, 4, 5, 6])
        self.last = (rounds(Format.SWISS, len(self.entrants), self.size) or 0) + self.rng.randint(0, 3)

    def pair(self) -> tuple[Pairing, ...]:
        return pair(self.form, self.entrants, self.played, self.number, apart=self.apart, sizes=range(2, 1 + self.size))

    def _play(self, pairing: Pairing) -> Played:
        if self.rng.random() < 0.03:
            there = self.rng.choice(pairing.seats)
            return Played(
                self.number, pairing, (Outcome(*[float(each == there) for each in pairing.seats]),), walkover=True
            )
        return Played(self.number, pairing, (Outcome(*[self.rng.gauss(-each / 30) for each in pairing.seats]),))


def play(seed: int, most: int = 64) -> None:
    """Play a tournament and hold it to all laws."""
    cup = TableCup(Format.SWISS, random.Random(seed), most)
    for tables in cup:
        there, seated = cup.there(), [user_id for each in tables for user_id in each.seats]
        assert sorted(seated) == sorted(there), "everybody sits, once"
        counts = [len(each.seats) for each in tables]
        assert sorted(counts, reverse=True) == [*split(len(there), range(2, 1 + cup.size))]
        assert min(counts) >= 2
        assert max(counts) - min(counts) <= 1
        assert len(counts) == -(-len(there) // cup.size)
        assert tables == cup.pair(), "it is the same again"
        met = meetings(cup)
        for one, other in combinations(tables, 2):
            for mine in one.seats:
                for theirs in other.seats:
                    swapped = [*(one.people - {mine} | {theirs},), other.people - {theirs} | {mine}]
                    now = price(one.people, met) + price(other.people, met)
                    assert now <= sum(price(each, met) for each in swapped), "no exchange makes meetings rarer"
    sat = Counter((each, seat) for one in cup.played if one.is_match for seat, each in enumerate(one.pairing.seats))
    matches = Counter(each for one in cup.played if one.is_match for each in one.pairing.seats)
    for user_id, count in matches.items():
        assert sat[user_id, 0] <= 1 + count / 2, "nobody is always first"
    hold_standings(cup)


def meetings(cup: Cup) -> Counter[frozenset[int]]:
    met = Counter(each for one in cup.played if one.is_match for each in one.pairing.pairs)
    met.update(dict.fromkeys(cup.apart, APART))
    return met


def price(table_of: frozenset[int], met: Counter[frozenset[int]]) -> int:
    return sum(met[frozenset(both)] ** 2 for both in combinations(table_of, 2))


def hold_standings(cup: Cup) -> None:
    """The standings are what was played, counted again."""
    rows = ranked(Format.SWISS, cup.entrants, cup.played)
    standing = points(cup.played, Scoring.WINS)
    assert {row.user_id: row.points for row in rows} == {
        each.user_id: standing.get(each.user_id, 0) for each in cup.entrants
    }
    met = Counter(one for each in cup.played if each.is_match for both in each.pairing.pairs for one in both)
    assert all(row.won + row.drawn + row.lost == met[row.user_id] for row in rows)
    for each in cup.played:
        if each.is_match:
            assert sum(each.points()) == pytest.approx(len(each.pairing.seats) / 2)


@pytest.mark.parametrize("seed", range(30))
def test_small_tournaments_keep_the_laws(seed: int) -> None:
    play(seed, 20)


@pytest.mark.slow  # plays ten tournaments of any size
@pytest.mark.nightly
@pytest.mark.parametrize("share", range(SHARES))
def test_tournaments_keep_the_laws(share: int) -> None:
    for seed in range(share, CUPS, SHARES):
        play(seed)


def test_of_few_people_nearly_always_those_meet_who_met_least_in_all() -> None:
    worse = rounds_played = 0
    for seed in range(40):
        cup = TableCup(Format.SWISS, random.Random(seed), 9)
        for tables in cup:
            met = meetings(cup)
            best = min(
                sum(price(each, met) for each in way) for way in ways(cup.there(), [len(t.seats) for t in tables])
            )
            worse += sum(price(each.people, met) for each in tables) > best
            rounds_played += 1
    assert worse <= rounds_played / 50


def ways(left: Sequence[int], counts: Sequence[int]) -> Iterator[list[frozenset[int]]]:
    """All ways to divide people among tables."""
    if not counts:
        yield []
    for at, count in enumerate(counts):
        if count in counts[:at]:
            continue
        for others in combinations(left[1:], count - 1):
            rest = [each for each in left[1:] if each not in others]
            for further in ways(rest, [*counts[:at], *counts[at + 1 :]]):
                yield [frozenset({left[0], *others}), *further]
