"""What is told of how a match went, each detector on courses that were made for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.play.live_match import LiveMatch
from cogs.reviews.course import (
    DETECTORS,
    Course,
    Fact,
    Kind,
    ahead_to_the_end,
    comeback,
    course_of,
    facts_of,
    lead_changes,
    least_chance,
    mostly_behind,
    never_behind,
)
from cogs.screens.presenter import Lead
from engines.players.review import Measure, Point, Review
from laws.bodies import match_after, records_of
from tests.cogs.reviews.test_screens import played
from tests.games.cases import case_of


def course(*numbers: Sequence[int], winner: int | None = 0, moves: Sequence[int] | None = None) -> Course:
    """A course with these numbers after the deal and after each record, all of them moves unless some are named; the
    highest are best."""
    leads = [Lead(dict(enumerate(each)), fewest=False, far=3.0, counted="points") for each in numbers]
    return Course(tuple(leads), tuple(range(1, len(numbers)) if moves is None else moves), winner)


def reviewed(*chances: float) -> Review:
    """A review in which the first of two players had these chances."""
    points = tuple([Point(after, (chance, 1 - chance)) for after, chance in enumerate(chances)])
    return Review(Measure.CHANCE, len(chances) - 1, points)


def test_only_who_was_far_behind_and_won_alone_came_back() -> None:
    assert comeback(course((5, 5), (1, 5), (0, 6), (4, 4), (5, 0))) == Fact(Kind.COMEBACK, 0, 0, 6)
    assert comeback(course((5, 5), (3, 5), (5, 0))) is None
    assert comeback(course((5, 5), (6, 0), (4, 4), (5, 0))) is None
    assert comeback(course((5, 5), (0, 6), (5, 0), winner=None)) is None


def test_where_fewest_are_best_who_has_more_is_behind() -> None:
    fewest = [Lead(dict(enumerate(each)), fewest=True, far=3.0, counted="cards") for each in ((5, 5), (9, 1), (0, 3))]
    assert comeback(Course(tuple(fewest), (1, 2), 0)) == Fact(Kind.COMEBACK, 0, 9, 1)
    assert never_behind(Course(tuple(fewest), (1, 2), 1)) is None


def test_who_was_never_behind_is_told_only_if_others_were() -> None:
    assert never_behind(course((5, 5), (5, 4), (5, 4))) == Fact(Kind.NEVER_BEHIND, 0)
    assert never_behind(course((5, 5), (5, 5), (5, 4))) is None
    assert never_behind(course((5, 5), (5, 6), (7, 4), (8, 0))) is None


def test_behind_is_counted_after_moves_alone() -> None:
    stood = ((5, 5), (4, 5), (4, 5), (4, 5), (6, 5))
    assert mostly_behind(course(*stood)) == Fact(Kind.BEHIND, 0, 3, 4)
    assert mostly_behind(course(*stood, moves=(1, 3, 4))) == Fact(Kind.BEHIND, 0, 2, 3)
    assert mostly_behind(course((5, 5), (4, 5), (6, 5), (6, 5))) is None


def test_a_lead_changes_when_another_player_is_alone_ahead() -> None:
    assert lead_changes(course((5, 5), (6, 5), (5, 5), (5, 6), (6, 5), (5, 6))) == Fact(Kind.CHANGES, None, 3)
    assert lead_changes(course((5, 5), (6, 5), (5, 5), (6, 5), (5, 6))) is None


def test_the_last_moves_after_which_the_winner_was_alone_ahead_are_counted_from_the_end() -> None:
    assert ahead_to_the_end(course((5, 5), (6, 5), (5, 5), (6, 5), (7, 5))) == Fact(Kind.AHEAD, 0, 2)
    assert ahead_to_the_end(course((5, 5), (6, 5), (5, 5))) is None
    assert ahead_to_the_end(course((5, 5), (5, 5), (6, 5))) is None


def test_where_a_lead_does_not_say_how_the_winner_stood_nothing_is_told_of_them() -> None:
    out = Lead({1: 3}, fewest=False, far=3.0, counted="points")
    made = course((5, 5), (0, 6), (0, 7), (6, 5))
    broken = Course((*made.leads, out), (1, 2, 3, 4), 0)
    assert [detect(broken) for detect in DETECTORS if detect is not lead_changes] == [None] * 4


def test_where_nobody_won_alone_nothing_is_told_of_a_winner() -> None:
    draw = course((5, 5), (0, 6), (0, 7), (6, 6), winner=None)
    assert [detect(draw) for detect in DETECTORS] == [None] * 5
    assert least_chance(draw, reviewed(0.5, 0.1, 0.5)) is None


def test_a_low_chance_is_told_where_chances_were_measured() -> None:
    won = course((5, 5), (6, 5))
    assert least_chance(won, reviewed(0.5, 0.12, 1.0)) == Fact(Kind.CHANCE, 0, 12)
    assert least_chance(won, reviewed(0.5, 0.4, 1.0)) is None
    assert least_chance(won, Review(Measure.CARDS, 1, (Point(0, (0.0, 9.0)),))) is None


def test_a_story_tells_one_thing_of_how_it_stood_and_one_of_its_chances() -> None:
    made = course((5, 5), (0, 6), (6, 5), (5, 6), (6, 5))
    assert [fact.kind for fact in facts_of(made, reviewed(0.5, 0.1, 1.0))] == [Kind.COMEBACK, Kind.CHANCE]


def test_of_a_match_that_is_secret_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    log, presenter = played("haymaker"), case_of("haymaker").presenter
    running = match_after(log, len(log.moves) - 1)
    with pytest.raises(RuntimeError):
        course_of(running, records_of(log, len(log.moves) - 1), presenter)
    over = match_after(log, len(log.moves))
    assert course_of(over, records_of(log, len(log.moves)), presenter).leads
    monkeypatch.setattr(LiveMatch, "secret", property(lambda _: True))  # as while its deal of the day is tried
    with pytest.raises(RuntimeError):
        course_of(over, records_of(log, len(log.moves)), presenter)
