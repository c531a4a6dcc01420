"""A question comes out of a worker's pipe as it went in."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace

import pytest

from bot.workers.serving import packed, unpacked
from engines.players.levels import LEVELS
from tests.bot.computers.questions import some_questions

pytestmark = pytest.mark.slow  # packs the questions of whole matches


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Its constructor takes no values by place."""

    size: int


@pytest.mark.parametrize("game", LEVELS)
def test_a_question_is_the_same_once_unpacked(game: str) -> None:
    for question in some_questions(game, "normal", 40):
        again = unpacked(packed(question))
        assert again == question
        assert repr(again) == repr(question)


def test_a_packed_question_is_smaller_than_pickled() -> None:
    for question in some_questions("ciq", "normal", 10):
        assert len(packed(question)) < len(pickle.dumps(question))


@pytest.mark.parametrize("options", [Named(size=3), None, (1, "two"), frozenset({4})])
def test_other_values_go_pickles_own_way(options: object) -> None:
    (question,) = some_questions("haymaker", "normal", 1)
    question = replace(question, options=options)
    assert unpacked(packed(question)) == question
