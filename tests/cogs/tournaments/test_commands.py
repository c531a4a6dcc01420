"""Which of several tournaments a command shows."""

from __future__ import annotations

from dataclasses import replace

from cogs.tournaments.commands import urgency
from cogs.tournaments.rows import State
from tests.cogs.tournaments.made import joined, played, tournament


def test_a_tournament_with_a_match_to_play_comes_first_and_then_one_that_waits_for_confirmations() -> None:
    of = tournament()
    due, over = (played(4, of, 1, over=over) for over in (False, True))
    user = next(each for each in due.in_round if each.how is None).people[0]
    checking = joined(4, replace(of, state=State.CHECKING, due_at=2_000_000))
    assert [urgency(whole, user) for whole in (due, checking, over, joined(4, of))] == [3, 2, 1, 0]
