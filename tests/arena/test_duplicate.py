"""Pairs over the same deal, and their figures."""

from __future__ import annotations

import pytest

from tests.arena.duplicate import DATA, DUELS, Duel, measured, row, with_row


@pytest.mark.nightly  # a second of matches
def test_two_teams_play_a_deal_twice_in_a_tournament_and_the_weaker_wins_few() -> None:
    beginners = Duel("haymaker", "default", "hard", "gentle")
    pairs = measured(beginners, 8, 60)
    assert len(pairs) == 8  # of four tournaments
    assert {points for pair in pairs for points in pair} <= {0, 1, 2}
    assert sum(sum(pair) > 2 for pair in pairs) == 0
    assert measured(beginners, 8, 60) == pairs


def test_a_row_says_how_many_pairs_were_tied_and_won_by_the_weaker() -> None:
    told = row(DUELS[0], [(0, 0), (2, 0), (2, 1), (0, 0)])
    assert told == ("haymaker", "default", "hard", "normal", "0.312", "4", "0.250", "0.250 (0.05 to 0.70)")


def test_the_file_has_a_row_for_each_and_those_not_measured_again_stay() -> None:
    text = DATA.read_text(encoding="utf-8")
    head, *lines = text.splitlines()
    assert [tuple(line.split(",")[:4]) for line in lines] == [duel.key for duel in DUELS]
    again = with_row(text, row(DUELS[0], [(0, 0)]))
    assert again.splitlines()[0] == head
    assert again.splitlines()[2:] == lines[1:]
    assert again.splitlines()[1].startswith("haymaker,default,hard,normal,0.000,1,")
