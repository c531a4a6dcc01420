"""Which of several leagues a command shows."""

from __future__ import annotations

from dataclasses import replace

from cogs.leagues.commands import urgency
from cogs.leagues.queries import How
from tests.cogs.leagues.made import FIRST, joined, playing


def test_a_league_with_a_match_to_play_comes_before_one_in_play_and_that_before_one_to_begin() -> None:
    due = playing(4)
    played = replace(due, pairings=tuple([replace(each, how=How.PLAYED, got=(2, 0)) for each in due.pairings]))
    assert [urgency(whole, FIRST) for whole in (due, played, joined(4), joined(0))] == [3, 2, 1, 0]
