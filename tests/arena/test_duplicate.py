"""Pairs over the same deal, and their table."""

from __future__ import annotations

import pytest

from tests.arena.duplicate import DUELS, HEAD, PAGE, Duel, measured, row, with_rows

LINES = {each.name: row(each, [(0, 0), (2, 0), (2, 1), (0, 0)]) for each in DUELS}


def test_two_teams_play_a_deal_twice_in_a_tournament_and_the_weaker_wins_few() -> None:
    beginners = Duel("haymaker", "default", "hard", "gentle")
    pairs = measured(beginners, 8, 60)
    assert len(pairs) == 8  # of four tournaments
    assert {points for pair in pairs for points in pair} <= {0, 1, 2}
    assert sum(sum(pair) > 2 for pair in pairs) == 0
    assert measured(beginners, 8, 60) == pairs


def test_a_row_says_how_many_pairs_were_tied_and_won_by_the_weaker() -> None:
    assert LINES[DUELS[0].name] == (
        "| Haymaker | default | *hard* and *normal* | 0.312 | 4 | 0.250 | 0.250 (0.05 to 0.70) |"
    )


def test_the_page_has_a_row_for_each_and_those_not_measured_again_stay() -> None:
    page = f"before\n\n{HEAD}\nafter\n"
    first, *others = LINES.items()
    page = with_rows(page, dict(others))
    assert with_rows(page, dict([first])) == "\n".join(["before\n", HEAD + "\n".join(LINES.values()), "\nafter\n"])
    with pytest.raises(ValueError, match="no table"):
        with_rows("a page", {})
    page = PAGE.read_text(encoding="utf-8")
    assert with_rows(page, {}) == page
    assert all(duel.name in page for duel in DUELS)
