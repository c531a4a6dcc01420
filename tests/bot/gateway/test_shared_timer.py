"""One timer for many limits: each ends on time, and none that was kept is felt."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.gateway.shared_timer import SharedTimer, TimeLimit


async def test_calls_come_in_time_whatever_the_order_in_which_they_were_started() -> None:
    timer, made = SharedTimer(), list[str]()
    loop = asyncio.get_running_loop()
    begun, at = loop.time(), list[float]()

    def call(name: str) -> Callable[[], None]:
        def note() -> None:
            made.append(name)
            at.append(loop.time() - begun)

        return note

    for name, seconds in (("second", 0.06), ("third", 0.12), ("first", 0.02), ("at once", 0.0)):
        timer.start(seconds, call(name))
    await asyncio.sleep(0.2)
    assert made == ["at once", "first", "second", "third"]
    assert all(late >= due - 0.001 for late, due in zip(at, (0.0, 0.02, 0.06, 0.12), strict=True))
    assert len(timer) == 0


async def test_what_was_stopped_is_not_called_even_by_a_call_at_the_same_moment() -> None:
    timer, made = SharedTimer(), list[str]()

    def other() -> None:
        made.append("other")

    def one() -> None:
        made.append("one")
        timer.stop(other)

    def stopped() -> None:
        made.append("stopped")

    for call in (one, other, stopped):
        timer.start(0.01, call)
    timer.stop(stopped)
    await asyncio.sleep(0.05)
    assert made == ["one"]


async def test_an_error_in_one_call_keeps_no_other_from_being_made() -> None:
    timer, made, told = SharedTimer(), list[str](), list[Any]()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: told.append(context["exception"]))

    def fail() -> None:
        raise ValueError("one")

    timer.start(0.01, fail)
    timer.start(0.01, lambda: made.append("other"))
    await asyncio.sleep(0.05)
    assert made == ["other"]
    assert [type(error) for error in told] == [ValueError]


async def test_a_call_may_start_another() -> None:
    timer, made = SharedTimer(), list[str]()
    timer.start(0.01, lambda: timer.start(0.01, lambda: made.append("again")))
    await asyncio.sleep(0.06)
    assert made == ["again"]


class _Own:
    """A limit as `asyncio.timeout`, entered as ours is: what both do must be the same."""

    def __init__(self, seconds: float) -> None:
        self._limit = asyncio.timeout(seconds)

    async def run(self, work: Awaitable[object]) -> object:
        async with self._limit:
            return await work


class _Shared:
    """The limit that is tested."""

    def __init__(self, seconds: float) -> None:
        self._limit = TimeLimit(seconds, SharedTimer())

    async def run(self, work: Awaitable[object]) -> object:
        with self._limit:
            return await work


async def _outcome(way: type[_Own] | type[_Shared], case: str) -> object:
    """What comes of a piece of work under a limit, and what the task is told of cancellations."""

    async def work() -> str:
        try:
            await asyncio.sleep(0.0 if case == "in time" else 0.1)
        except asyncio.CancelledError:
            if case == "another error":
                raise ValueError("while it ended") from None
            if case == "work goes on":
                return "done"
            raise
        if case == "fails":
            raise ValueError("by itself")
        return "done"

    async def limited() -> object:
        task = asyncio.current_task()
        assert task is not None
        if case == "cancelled before":
            task.cancel()
        if case == "cancelled by others":
            asyncio.get_running_loop().call_later(0.005, task.cancel)
        seconds = 0.2 if case in ("fails", "in time") else 0.02
        try:
            return await way(seconds).run(work())
        except TimeoutError as over:
            return "over", type(over.__cause__ or over.__context__), task.cancelling()
        except ValueError as error:
            return str(error), task.cancelling()

    running = asyncio.ensure_future(limited())
    await asyncio.wait({running})
    return "cancelled" if running.cancelled() else running.result()


CASES = ("in time", "fails", "over", "another error", "work goes on", "cancelled before", "cancelled by others")


@pytest.mark.parametrize("case", CASES)
async def test_a_limit_ends_work_as_the_one_of_asyncio_does(case: str) -> None:
    assert await _outcome(_Shared, case) == await _outcome(_Own, case)


async def test_a_limit_that_is_over_raises_timeout_error() -> None:
    assert await _outcome(_Shared, "over") == ("over", asyncio.CancelledError, 0)


async def test_a_limit_outside_a_task_is_refused() -> None:
    refused = asyncio.get_running_loop().create_future()

    def enter() -> None:
        try:
            with TimeLimit(1, SharedTimer()):
                refused.set_result(None)
        except RuntimeError as error:
            refused.set_exception(error)

    asyncio.get_running_loop().call_soon(enter)
    with pytest.raises(RuntimeError):
        await refused
