"""The laws that every computer player keeps, under pytest. The test file of a game's player has a class for them::

class TestLaws(PlayerLaws):
    case = CASE
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import pytest

from engines.game import Seat
from engines.players.levels import LEVELS
from engines.players.question import Answer, Question
from laws.case import GameCase
from laws.players import (
    Answering,
    Position,
    a_question_holds_no_state,
    answers_are_legal,
    candidates_are_legal,
    it_does_not_peek,
    positions,
)
from laws.suite import share_of

ROLLOUTS = 1
"""The fewest: a law is about which act is chosen, not about a good one."""


class PlayerLaws(ABC):
    """The laws. A class under this one names a game's case, and how many positions of it the laws look at."""

    case: ClassVar[GameCase]
    looks: ClassVar[int] = 40
    fewer_looks: ClassVar[Mapping[str, int]] = {}
    """At how many positions a level is asked that takes its time."""

    @abstractmethod
    def hidden(self, state: Any, seat: Seat) -> Sequence[Any]:
        """Cards that the seat may not see."""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "level" in metafunc.fixturenames:
            metafunc.parametrize("level", list(LEVELS[self.case.key]))

    @classmethod
    @cache
    def _some(cls, seed: int, looks: int = 0) -> tuple[Position, ...]:
        return tuple(positions(cls.case, share_of(looks or cls.looks), seed))

    def test_it_does_not_peek(self, level: str) -> None:
        rng = random.Random(1)
        for position in self._some(0, self.fewer_looks.get(level, 0)):
            it_does_not_peek(position, level, rng, ROLLOUTS)

    def test_a_player_that_peeks_is_caught(self) -> None:
        def peeking_in(state: Any) -> Answering:
            def peeking(question: Question) -> Answer:
                return Answer(" ".join([card.code for card in self.hidden(state, question.seat)]))

            return peeking

        def hold() -> None:
            for position in positions(self.case, 50):
                it_does_not_peek(position, "normal", random.Random(1), answering_in=peeking_in)

        with pytest.raises(AssertionError, match="plays by what its seat may not know"):
            hold()

    def test_a_question_holds_neither_a_state_nor_a_timer(self) -> None:
        for position in self._some(2):
            a_question_holds_no_state(position.question("normal"), position)

    def test_candidates_are_legal(self) -> None:
        for position in self._some(3):
            candidates_are_legal(position)

    def test_answers_are_legal(self) -> None:
        for position in self._some(4, min(self.fewer_looks.values(), default=0)):
            answers_are_legal(position, ROLLOUTS)
