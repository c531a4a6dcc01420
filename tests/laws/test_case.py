"""A case in which something is missing or cannot be right says what, of which game, where and what for."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engines import GAMES, haymaker
from laws.case import PURPOSES, CaseError, GameCase, Search, load_case
from laws.suite import GameLaws
from tests.games import cases
from tests.games.cases import case_of

TOLD: Mapping[str, Any] = {name: getattr(case_of("haymaker"), name) for name in PURPOSES}
"""What every case of Haymaker needs."""


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_its_case_and_its_laws(key: str) -> None:
    module = importlib.import_module(f"tests.games.test_{key}")
    assert issubclass(module.TestLaws, GameLaws)
    assert module.TestLaws.case is case_of(key)


def test_a_game_without_a_case_is_told_what_to_write() -> None:
    with pytest.raises(
        CaseError, match=r"told nothing of whist: write tests/games/test_whist\.py .*GameCase\(\.\.\.\)"
    ):
        case_of("whist")


def test_a_case_under_another_games_name_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "load_case", lambda _: case_of("ciq"))
    with pytest.raises(CaseError, match=r"test_whist\.py is of the game ciq, not of whist"):
        case_of("whist")


@pytest.mark.parametrize("name", PURPOSES)
def test_what_is_missing_is_said_with_its_game_its_place_and_its_purpose(name: str) -> None:
    told = {each: value for each, value in TOLD.items() if each != name}
    with pytest.raises(CaseError) as caught:
        GameCase(**told)
    said = str(caught.value)
    assert f"add `{name}=`: {PURPOSES[name]}" in said
    assert __file__ in said
    assert said.startswith("a game:" if name == "game" else "haymaker:")


def test_six_fields_are_enough() -> None:
    case = GameCase(**TOLD)
    assert case.setups == (("default", 2),)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"presenters": 1}, "has presenters, but the laws ask for no such thing"),
    ({"game": haymaker.Haymaker}, "is an instance, not the class Haymaker"),
    ({"game": 5}, "`game` of a GameCase is a game, not 5"),
    ({"endings": "time"}, "`endings` is missing"),
    ({"endings": ()}, "`endings` is missing"),
    ({"rare": {"flood"}}, "`rare` names flood, which `endings` does not"),
    ({"golden_searches": {"time": Search("blitz")}}, "looks for 'time' at 'blitz', which is no setting"),
    ({"variants": {"default": haymaker.Options()}}, "default in `variants` is the name of a preset"),
    ({"variants": {"more": 5}}, "`variants` has 'more', which is no Options of the game"),
]


@pytest.mark.parametrize(("wrong", "said"), WRONG, ids=[next(iter(wrong)) for wrong, _ in WRONG])
def test_what_cannot_be_right_is_said(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(CaseError, match=re.escape(said)):
        GameCase(**{**TOLD, **wrong})


def test_a_game_for_more_than_two_must_say_whom_time_takes_out() -> None:
    with pytest.raises(CaseError, match=r"ciq: its GameCase: add `timed_out=`"):
        replace(case_of("ciq"), timed_out=None)


def test_laws_without_a_case_say_so() -> None:
    with pytest.raises(CaseError, match=r"Uncased in tests\.laws\.test_case has no case: write `case = CASE`"):
        type("Uncased", (GameLaws,), {"__module__": __name__})


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("tests.games.test_whist", "there is no module tests.games.test_whist"),
        ("tests.laws.test_case", "tests.laws.test_case has no case called CASE: write `CASE = GameCase(...)`"),
        ("tests.laws.test_case:TOLD", "has no case called TOLD"),
    ],
)
def test_a_place_without_a_case_says_so(place: str, said: str) -> None:
    with pytest.raises(CaseError, match=re.escape(said)):
        load_case(place)


def test_a_closed_verb_without_an_act_is_asked_for() -> None:
    case = replace(case_of("haymaker"), closed={})
    with pytest.raises(CaseError, match=r"haymaker: its GameCase: add to `closed=` the act .* 'pass' stands for"):
        type("Laws", (GameLaws,), {"case": case})().test_offers_are_accepted("default", 2)
