"""Who meets whom in each format, where it can be told by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from bot.pairing import pair, pair_waiting, round_robin, rounds, seeded
from bot.pairing.elimination import Side, bracket
from bot.pairing.model import Apart, Entrant, Format, Outcome, Pairing, Played, leans
from bot.pairing.standings import ranked

WON, DRAWN, LOST = Outcome(1, 0), Outcome(0.5, 0.5), Outcome(0, 1)


def people(count: int) -> tuple[Entrant, ...]:
    """Entrants whose id is their seed."""
    return tuple(Entrant(seed, seed) for seed in range(1, count + 1))


def stronger_wins(pairing: Pairing) -> Outcome:
    """The better seed wins."""
    return WON if pairing.second is None or pairing.first < pairing.second else LOST


def played(
    form: Format,
    entrants: Sequence[Entrant],
    wins: Callable[[Pairing], Outcome] = stronger_wins,
    apart: Apart = frozenset(),
) -> Iterator[tuple[Played, ...]]:
    """All that is played up to each round of a tournament."""
    done: tuple[Played, ...] = ()
    for number in range(1, (rounds(form, len(entrants)) or 0) + 1):
        found = pair(form, entrants, done, number, apart=apart)
        done += tuple(Played(number, each, () if each.second is None else (wins(each),)) for each in found)
        yield done


def whole(
    form: Format, entrants: Sequence[Entrant], wins: Callable[[Pairing], Outcome] = stronger_wins
) -> tuple[Played, ...]:
    """All that is played in a tournament."""
    return list(played(form, entrants, wins))[-1]


def met(of: Sequence[Pairing]) -> list[set[int]]:
    return [set(each.people) for each in of]


def test_a_first_round_of_a_swiss_pairs_the_upper_half_with_the_lower() -> None:
    found = pair(Format.SWISS, people(8), (), 1)
    assert found == (Pairing(1, 5), Pairing(6, 2), Pairing(3, 7), Pairing(8, 4))


def test_in_a_swiss_seats_count_before_who_is_stronger_and_three_of_a_kind_before_equal_points() -> None:
    drawn = [Played(1, Pairing(1, 3), (DRAWN,)), Played(1, Pairing(2, 4), (DRAWN,)), Played(1, Pairing(5, 6), (DRAWN,))]
    assert all(len({1, 2, 5} & each) == 1 for each in met(pair(Format.SWISS, people(6), drawn, 2)))
    twice = [Played(1, Pairing(1, 3), (WON,)), Played(1, Pairing(2, 4), (WON,)), Played(1, Pairing(5, 6), (WON,))]
    twice += [Played(2, Pairing(1, 5), (WON,)), Played(2, Pairing(2, 6), (WON,)), Played(2, Pairing(3, 4), (WON,))]
    assert {1, 2} not in met(pair(Format.SWISS, people(6), twice, 3))


def test_two_matches_with_seats_exchanged_are_in_balance() -> None:
    assert leans([Played(1, Pairing(1, 2), (WON, LOST)), Played(2, Pairing(1, 3), (WON,))]) == {1: 1, 3: -1}


def test_in_a_swiss_that_is_too_long_nobody_meets_anybody_a_third_time_before_all_have_met_twice() -> None:
    done: tuple[Played, ...] = ()
    for number in range(1, 7):
        done += tuple(
            Played(number, each, (stronger_wins(each),)) for each in pair(Format.SWISS, people(4), done, number)
        )
    assert set(Counter(each.pairing.people for each in done).values()) == {2}


def test_a_bye_is_for_who_stands_lowest_and_stands_last() -> None:
    first = pair(Format.SWISS, people(5), (), 1)
    assert first[-1] == Pairing(5)
    done = [Played(1, each, (stronger_wins(each),) if each.second else ()) for each in first]
    assert pair(Format.SWISS, people(5), done, 2)[-1] == Pairing(4)


def test_a_pair_whose_walkover_nobody_played_may_still_meet() -> None:
    done = [Played(1, Pairing(1, 2), (WON,), walkover=True)]
    assert met(pair(Format.SWISS, people(2), done, 2)) == [{1, 2}]


@pytest.mark.parametrize("form", [Format.SWISS, Format.ROUND_ROBIN, Format.SINGLE, Format.DOUBLE])
def test_a_round_is_paired_the_same_again_when_a_part_of_it_was_played(form: Format) -> None:
    done = next(played(form, people(8)))
    second = pair(form, people(8), done, 2)
    assert pair(form, people(8), (*done, Played(2, second[0], (WON,))), 2) == second


@pytest.mark.parametrize("count", [2, 3, 4, 7, 8, 33, 64])
def test_in_a_round_robin_everybody_meets_everybody_once_and_has_seats_in_turn(count: int) -> None:
    seen: Counter[frozenset[int]] = Counter()
    for done in played(Format.ROUND_ROBIN, people(count)):
        assert all(abs(lean) <= 1 for lean in leans(done).values())
    for each in done:
        if each.pairing.second is not None:
            seen[each.pairing.people] += 1
            one, other = sorted(each.pairing.people)
            assert round_robin.meeting(one - 1, other - 1, count) == each.round
    assert len(seen) == count * (count - 1) // 2
    assert set(seen.values()) == {1}
    assert pair(Format.ROUND_ROBIN, people(count), done, 64) == ()


def test_in_a_round_robin_who_should_meet_somebody_that_left_has_a_bye() -> None:
    entrants = [replace(each, left_after=0) if each.seed == 4 else each for each in people(4)]
    found = pair(Format.ROUND_ROBIN, entrants, (), 1)
    assert len(found) == 2
    assert found[1].second is None


@pytest.mark.parametrize("count", [4, 5, 11, 32])
def test_in_a_single_elimination_the_stronger_half_goes_on(count: int) -> None:
    done = whole(Format.SINGLE, people(count))
    assert len(done) == count - 1
    assert {each for each in done if each.round == rounds(Format.SINGLE, count)} == {done[-1]}
    assert done[-1].pairing.people == {1, 2}
    places = {row.user_id: row.place for row in ranked(Format.SINGLE, people(count), done)}
    assert [places[1], places[2], places[3], places[4]] == [1, 2, 3, 3]


@pytest.mark.parametrize("count", [2, 4, 5, 11, 32])
def test_in_a_double_elimination_all_but_one_lose_twice(count: int) -> None:
    done = whole(Format.DOUBLE, people(count))
    lost = Counter(max(each.pairing.people) for each in done)
    assert lost == dict.fromkeys(range(2, count + 1), 2)
    places = {row.user_id: row.place for row in ranked(Format.DOUBLE, people(count), done)}
    assert [places[seed] for seed in range(1, count + 1)][:2] == [1, 2]


@pytest.mark.parametrize(("count", "half"), [(8, 3), (16, 4), (32, 5)])
def test_in_a_double_elimination_nobody_meets_again_before_the_last_half(count: int, half: int) -> None:
    rng = random.Random(count)
    for _ in range(10):
        done = whole(Format.DOUBLE, people(count), lambda _: rng.choice([WON, LOST]))
        early = [each.pairing.people for each in done if each.round <= half]
        assert len(early) == len(set(early))


def test_a_final_lost_by_who_came_without_a_loss_is_played_again() -> None:
    finals = 0

    def wins(pairing: Pairing) -> Outcome:
        nonlocal finals
        if pairing.people == {1, 2}:
            finals += 1
            winner = 2 if finals == 2 else 1  # 1 wins among the winners, loses the final, and wins it when repeated
            return WON if pairing.first == winner else LOST
        return stronger_wins(pairing)

    done = whole(Format.DOUBLE, people(4), wins)
    assert [each.round for each in done if each.pairing.people == {1, 2}] == [2, 4, 5]
    assert ranked(Format.DOUBLE, people(4), done)[0].user_id == 1
    assert finals == 3


def test_after_a_draw_in_an_elimination_the_stronger_seed_goes_on() -> None:
    done = whole(Format.SINGLE, people(4), lambda _pairing: DRAWN)
    assert ranked(Format.SINGLE, people(4), done)[0].user_id == 1
    assert bracket(people(2), [Played(1, Pairing(2, 1), (DRAWN,))], 2, double=False)[0].winner == 1


def test_in_an_elimination_who_is_not_there_has_lost() -> None:
    entrants = [replace(each, left_after=0) if each.seed in {1, 2, 3} else each for each in people(4)]
    assert pair(Format.SINGLE, entrants, (), 1) == ()
    nodes = bracket(entrants, (), 1, double=False)
    assert [each.winner for each in nodes] == [4, None, 4]
    assert ranked(Format.SINGLE, entrants, ())[0].user_id == 4


def test_a_bracket_says_what_is_played_now_and_what_was() -> None:
    (done, *_) = played(Format.DOUBLE, people(4))
    nodes = bracket(people(4), done, 2, double=True)
    assert [(each.side, each.people, each.round, each.winner) for each in nodes] == [
        (Side.WINNERS, (1, 4), 1, 1),
        (Side.WINNERS, (2, 3), 1, 2),
        (Side.WINNERS, (1, 2), 2, None),
        (Side.LOSERS, (4, 3), 2, None),
        (Side.LOSERS, (None, None), None, None),
        (Side.FINAL, (None, None), None, None),
        (Side.FINAL, (None, None), None, None),
    ]


def test_people_who_are_apart_are_seeded_to_meet_late() -> None:
    apart = frozenset({frozenset({105, 112}), frozenset({101, 116})})
    user_ids = range(101, 117)
    for form in (Format.SINGLE, Format.DOUBLE):
        entrants = seeded(form, user_ids, apart)
        done = played(form, entrants)
        assert all(not apart & {each.pairing.people for each in next(done)} for _round in range(2))
        assert [each.user_id for each in entrants[:2]] == [101, 102]
    entrants = seeded(Format.ROUND_ROBIN, user_ids, apart)
    together = [each.round for each in whole(Format.ROUND_ROBIN, entrants) if each.pairing.people in apart]
    assert together == [15, 15]


def test_an_arena_pairs_those_who_wait_longest_with_equal_points() -> None:
    done = [Played(1, Pairing(1, 2), (WON,)), Played(1, Pairing(3, 4), (WON,))]
    waiting = [people(5)[k] for k in (2, 1, 3, 0, 4)]
    assert met(pair_waiting(waiting, done)) == [{3, 1}, {2, 4}]


def test_an_arena_pairs_nobody_again_at_once_while_others_play() -> None:
    done = [Played(1, Pairing(1, 2), (WON,))]
    assert pair_waiting(people(2), done, busy={3, 4}) == ()
    assert pair_waiting(people(2), done) == (Pairing(2, 1),)


def test_an_arena_pairs_who_is_apart_only_if_nobody_else_is_there() -> None:
    apart = frozenset({frozenset({1, 2})})
    assert pair_waiting(people(2), (), apart, busy={3}) == ()
    assert met(pair_waiting(people(2), (), apart)) == [{1, 2}]
    done = [Played(1, Pairing(1, 3), (DRAWN,)), Played(1, Pairing(2, 4), (DRAWN,))]
    assert met(pair_waiting(people(4), done, apart)) == [{1, 4}, {2, 3}]
    assert met(pair_waiting(people(4), done, apart | {frozenset({1, 4})})) == [{1, 3}, {2, 4}]


def test_an_arena_pairs_those_who_met_least_and_not_just_now() -> None:
    long_ago = [Played(1, Pairing(1, 2), (DRAWN,)), Played(1, Pairing(3, 4), (DRAWN,))]
    since = [Played(2, Pairing(1, 3), (DRAWN,)), Played(2, Pairing(2, 4), (DRAWN,))]
    assert met(pair_waiting(people(4), [*long_ago, *since])) == [{1, 4}, {2, 3}]
    lately = [Played(3, Pairing(1, 4), (WON,)), Played(3, Pairing(2, 3), (LOST,))]
    assert {1, 4} not in met(pair_waiting(people(4), [*long_ago, *since, *lately]))
    other_way = [Played(1, Pairing(1, 4), (DRAWN,)), Played(1, Pairing(2, 3), (DRAWN,))]
    assert met(pair_waiting(people(4), [*other_way, *since])) == [{1, 2}, {3, 4}]
    assert {1, 2} not in met(pair_waiting(people(4), long_ago[:1]))
