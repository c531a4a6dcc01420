"""The questions that wait, and how long each may be thought about."""

from __future__ import annotations

import asyncio

import pytest

from bot.computers.pool import SHORTEST, Line, PendingQuestion, time_to_think
from tests.bot.computers.questions import some_questions


def asked(due: float) -> PendingQuestion:
    """A question that waits."""
    (question,) = some_questions("haymaker", "normal", 1)
    return PendingQuestion(question, due, asyncio.get_running_loop().create_future())


def test_a_question_alone_has_all_the_time_until_it_is_due() -> None:
    assert time_to_think([12.0], now=10.0, workers=1) == 2.0


@pytest.mark.parametrize(("workers", "seconds"), [(1, 0.2), (2, 0.4), (10, 2.0), (50, 2.0)])
def test_questions_that_wait_together_share_the_time_of_all_workers(workers: int, seconds: float) -> None:
    assert time_to_think([12.0] * 10, now=10.0, workers=workers) == pytest.approx(seconds)


def test_none_gets_so_much_that_an_older_one_is_late() -> None:
    assert time_to_think([10.5, 10.6, 12.0], now=10.0, workers=1) == pytest.approx(0.3)


@pytest.mark.parametrize("due", [[9.0], [10.0], [10.0 + SHORTEST / 2], [20.0, 9.0]])
def test_with_no_time_left_nothing_is_thought_about(due: list[float]) -> None:
    assert time_to_think(due, now=10.0, workers=1) == 0.0


async def test_questions_are_taken_in_their_order_and_one_put_back_comes_first() -> None:
    line, (first, second) = Line(), (asked(12.0), asked(12.0))
    line.add(first)
    line.add(second)
    taken = line.take(10.0, 1)
    assert taken == (first, 1.0)
    line.put_back(first)
    assert line.take(10.0, 1) == (first, 1.0)
    assert line.take(10.0, 1) == (second, 2.0)
    assert line.take(10.0, 1) is None


async def test_a_question_that_nobody_waits_for_is_not_taken() -> None:
    line, question = Line(), asked(12.0)
    line.add(question)
    line.remove(question)
    line.remove(question)
    assert (len(line), line.take(10.0, 1)) == (0, None)


async def test_those_who_wait_for_a_question_wake_up_for_each() -> None:
    line = Line()
    for _ in range(2):
        waiting = [asyncio.create_task(line.wait()) for _ in range(2)]
        await asyncio.sleep(1)
        assert not any(task.done() for task in waiting)
        line.add(asked(12.0))
        await asyncio.gather(*waiting)
        line.take(10.0, 1)
