"""Ratings: what a result teaches, and what players read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ratings import NEW, Rating, chances, interpolated, rate

beliefs = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 25 / 3))


def test_a_new_player_reads_1000_and_as_much_in_doubt() -> None:
    assert (NEW.shown, NEW.uncertainty) == (1000, 1000)
    assert NEW.ordinal == pytest.approx(0)


def test_a_first_win_by_the_published_update() -> None:
    """Weng and Lin 2011, algorithm 4, worked by hand for two new players.

    With sigma² = (25/3)² + (25/300)² (the model's tau), beta = 25/6 and c² = 2 (sigma² + beta²): the winner's mu rises
    by sigma²/c · 1/2, and sigma² shrinks by the factor 1 - (sigma/c)³ · 1/4 (gamma being sigma/c).
    """
    spread = (25 / 3) ** 2 + (25 / 300) ** 2
    c = (2 * (spread + (25 / 6) ** 2)) ** 0.5
    winner, loser = rate([NEW, NEW], (1, 2))
    assert winner.mu == pytest.approx(25 + spread / c / 2)
    assert loser.mu == pytest.approx(25 - spread / c / 2)
    assert winner.sigma == pytest.approx((spread * (1 - spread**0.5 / c * spread / c**2 / 4)) ** 0.5)
    assert loser.sigma == pytest.approx(winner.sigma)


@given(beliefs, beliefs)
def test_who_wins_rises_and_who_loses_falls(winner: Rating, loser: Rating) -> None:
    up, down = rate([winner, loser], (1, 2))
    assert up.mu >= winner.mu
    assert down.mu <= loser.mu


@given(beliefs, beliefs)
def test_the_order_of_the_seats_does_not_matter(first: Rating, second: Rating) -> None:
    one = rate([first, second], (1, 2))
    other = rate([second, first], (2, 1))
    for seat, same in zip(one, reversed(other), strict=True):
        assert seat.mu == pytest.approx(same.mu)
        assert seat.sigma == pytest.approx(same.sigma)


def test_a_draw_of_equals_moves_nobody_and_makes_both_surer() -> None:
    for after in rate([NEW, NEW], (1, 1)):
        assert after.mu == pytest.approx(NEW.mu)
        assert after.sigma < NEW.sigma


def test_a_draw_lifts_the_weaker() -> None:
    strong, weak = rate([Rating(30, 3), Rating(20, 3)], (1, 1))
    assert strong.mu < 30
    assert weak.mu > 20


def test_many_at_one_table_are_ordered_as_they_finished() -> None:
    after = rate([NEW] * 6, (4, 1, 6, 2, 5, 3))
    order = sorted(range(6), key=lambda seat: -after[seat].mu)
    assert order == [1, 3, 5, 0, 4, 2]


def test_the_order_of_a_leaderboard_can_be_followed_with_the_eye() -> None:
    steady, lucky = Rating(28, 1), Rating(30, 7)
    assert steady.ordinal > lucky.ordinal
    assert steady.shown - steady.uncertainty > lucky.shown - lucky.uncertainty


@pytest.mark.parametrize(("seats", "ranks"), [(2, (1,)), (2, (1, 2, 3)), (1, (1,)), (0, ()), (2, ())])
def test_ranks_fit_the_seats(seats: int, ranks: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="one rank for each"):
        rate([NEW] * seats, ranks)


@given(beliefs, beliefs, st.floats(0, 1))
def test_a_weight_takes_both_numbers_that_part_of_the_way(first: Rating, second: Rating, weight: float) -> None:
    between = interpolated(first, second, weight)
    assert between.mu - first.mu == pytest.approx(weight * (second.mu - first.mu))
    assert between.sigma - first.sigma == pytest.approx(weight * (second.sigma - first.sigma))


@given(st.lists(beliefs, min_size=2, max_size=6))
def test_chances_add_up_and_follow_strength(players: list[Rating]) -> None:
    found = chances(players)
    assert sum(found) == pytest.approx(1)
    strongest = max(range(len(players)), key=lambda place: players[place].mu)
    assert found[strongest] == pytest.approx(max(found))  # others may be weaker by less than shows


def test_two_equal_players_have_equal_chances() -> None:
    assert chances([NEW, NEW]) == [0.5, 0.5]
