"""Questions, luck and thinking time: what is the same for all computer players."""

from __future__ import annotations

import pickle
from dataclasses import replace
from statistics import mean

import pytest

from engines import GAMES
from engines.players import levels
from engines.players.answering import answer, fallback
from engines.players.levels import CHOOSERS, LEVELS, levels_for
from engines.players.question import LONGEST, SHORTEST, luck_of, thinking_seconds
from laws.players import positions
from tests.games.cases import case_of

CASE = case_of("haymaker")


def test_luck_differs_by_match_act_and_seat_and_never_changes() -> None:
    assert luck_of("m1", 7, 0) == 0x580CDD069651AF42
    assert len({luck_of("m1", 7, 0), luck_of("m2", 7, 0), luck_of("m1", 8, 0), luck_of("m1", 7, 1)}) == 4
    assert all(0 <= luck_of("m1", act, 0) < 2**64 for act in range(100))


def test_a_late_question_is_answered_by_rule_of_thumb() -> None:
    for position in positions(CASE, 20):
        question = position.question("easy")
        assert answer(question, lambda: True) == fallback(question)


def test_a_worker_that_gets_the_question_pickled_answers_the_same() -> None:
    for position in positions(CASE, 20):
        question = position.question("easy")
        assert answer(pickle.loads(pickle.dumps(question)), lambda: False) == answer(question, lambda: False)


def test_an_unknown_level_is_an_error() -> None:
    position = next(iter(positions(CASE, 1)))
    with pytest.raises(KeyError):
        answer(position.question("superhuman"), lambda: False)


def test_every_game_with_a_player_has_levels() -> None:
    assert CHOOSERS.keys() == LEVELS.keys()
    assert all("normal" in levels for levels in LEVELS.values())


def test_each_level_is_offered_where_it_says() -> None:
    for key, named in LEVELS.items():
        info = GAMES[key].info
        for options in info.presets.values():
            for seats in info.seats:
                expected = [name for name, level in named.items() if level.offered(options, seats)]
                assert list(levels_for(key, options, seats)) == expected
                assert "normal" in expected
    assert levels_for("patience", None, 2) == {}


def test_a_level_for_two_is_not_offered_for_three(monkeypatch: pytest.MonkeyPatch) -> None:
    hard = replace(LEVELS["haymaker"]["hard"], offered=lambda _, seats: seats == 2)
    monkeypatch.setattr(levels, "LEVELS", {"haymaker": {**LEVELS["haymaker"], "hard": hard}})
    assert list(levels_for("haymaker", None, 2)) == ["gentle", "easy", "normal", "hard"]
    assert list(levels_for("haymaker", None, 3)) == ["gentle", "easy", "normal"]


def test_a_computer_takes_from_0_8_to_2_5_seconds_and_longer_for_larger_choices() -> None:
    times = {size: [thinking_seconds(size, luck) for luck in range(300)] for size in (0, 1, 8, 64, 4096)}
    assert all(SHORTEST <= seconds <= LONGEST for each in times.values() for seconds in each)
    means = [mean(each) for each in times.values()]
    assert means == sorted(means)
    assert means[-1] - means[0] > 0.4
    assert len(set(times[8])) > 250
