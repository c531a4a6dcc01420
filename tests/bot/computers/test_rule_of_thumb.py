"""Answers by rules of thumb, without a process."""

from __future__ import annotations

import asyncio
import logging
from itertools import pairwise

import pytest

from bot.computers.thinker import RuleOfThumb, Thinker
from engines.players.answering import fallback
from tests.bot.computers.contract import SOON, ThinkerContract
from tests.bot.computers.questions import broken, some_questions


class TestRuleOfThumb(ThinkerContract):
    @pytest.fixture
    async def thinker(self) -> Thinker:
        return RuleOfThumb()


async def test_it_answers_by_the_rule_of_thumb_whatever_the_level() -> None:
    for question in some_questions("haymaker", "hard", 5):
        assert await RuleOfThumb().answer(question, deadline_seconds=SOON) == fallback(question)


async def test_the_loop_has_a_turn_between_two_answers() -> None:
    thinker, turns = RuleOfThumb(), 0
    asking = [
        asyncio.create_task(thinker.answer(question, deadline_seconds=None))
        for question in some_questions("haymaker", "normal", 20)
    ]
    answered = []
    while not all(task.done() for task in asking):
        await asyncio.sleep(0)
        turns += 1
        answered.append(sum(task.done() for task in asking))
    assert max(after - before for before, after in pairwise(answered)) == 1


async def test_an_error_is_logged_by_its_type_and_place_and_never_by_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    (question,) = some_questions("haymaker", "normal", 1)
    with caplog.at_level(logging.ERROR):
        await RuleOfThumb().answer(broken(question), deadline_seconds=None)
    (line,) = caplog.messages
    assert "while a computer player of haymaker (normal): AttributeError at " in line
    assert "NoneType" not in line
