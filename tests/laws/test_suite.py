"""Which matches the laws play: others with another word in `LAWS_SEED`, and the same ones again with the same."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from laws import suite
from laws.play import Deal, MatchLog, random_match
from laws.suite import GameLaws
from tests import conftest
from tests.games.cases import case_of


@pytest.fixture
def deals_by(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What is dealt in two laws with a word: one with a generator for each match, and one with the same for all."""

    def deals(word: str) -> list[bytes]:
        dealt: list[bytes] = []

        def noted(deal: Deal, *others: Any) -> MatchLog:
            dealt.append(deal.seed)
            return random_match(deal, *others)

        monkeypatch.setattr(suite, "SEED", word)
        monkeypatch.setattr(suite, "SHARE", 0.1)
        monkeypatch.setattr(suite, "random_match", noted)
        laws = type("Laws", (GameLaws,), {"case": case_of("haymaker")})()
        laws.test_logs_round_trip_as_json("default", 2)
        laws.test_c_12_places_follow_from_who_left_and_who_was_knocked_out("default", 2)
        return dealt

    return deals


def test_one_word_plays_the_same_matches_again_and_another_word_others(deals_by: Any) -> None:
    first, again, other = deals_by("one"), deals_by("one"), deals_by("two")
    assert first == again
    assert not set(first) & set(other)


def test_an_error_says_in_which_match_and_by_which_word(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> MatchLog:
        raise AssertionError("broken")

    monkeypatch.setattr(suite, "SEED", "apple")
    monkeypatch.setattr(suite, "random_match", broken)
    with pytest.raises(AssertionError) as caught:
        type("Laws", (GameLaws,), {"case": case_of("haymaker")})().test_offers_are_accepted("default", 2)
    (note,) = caught.value.__notes__
    assert re.fullmatch(r"match 0 of \S*test_offers_are_accepted\S* default 2 with LAWS_SEED=apple", note)


def test_a_run_says_its_word_which_is_the_commit_unless_somebody_chose(tmp_path: Path) -> None:
    assert re.fullmatch(r"[0-9a-f]{8,}|", conftest.commit())
    assert conftest.commit(tmp_path) == ""
    assert f"LAWS_SEED={os.environ['LAWS_SEED']}" in conftest.pytest_report_header()


@pytest.mark.parametrize("recommended", [{2: "tiny"}, {7: "default"}])
def test_a_recommended_preset_that_the_game_does_not_have_is_found(
    monkeypatch: pytest.MonkeyPatch, recommended: dict[int, str]
) -> None:
    case = case_of("haymaker")
    monkeypatch.setattr(case.game, "info", replace(case.game.info, recommended=recommended))
    with pytest.raises(AssertionError):
        type("Laws", (GameLaws,), {"case": case})().test_c_11_a_preset_is_recommended_for_every_number_of_players()
