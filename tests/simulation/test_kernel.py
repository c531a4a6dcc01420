"""The kernel: whose turn it is, when time passes, and what is left of a process that was killed."""

from __future__ import annotations

import asyncio
import gc

import pytest

from tests.simulation.kernel import Kernel


def steps_of(seed: int) -> list[str]:
    """In which order two processes with five callbacks each take their turns."""
    kernel, order = Kernel(seed), list[str]()
    for name in ("a", "b"):
        loop = kernel.loop(name)
        for number in range(5):
            loop.call_soon(order.append, f"{name}{number}")
    kernel.run(1.0)
    return order


def test_a_seed_fixes_whose_turn_it_is() -> None:
    orders = {tuple(steps_of(seed)) for seed in range(20)}
    assert len(orders) > 10
    assert steps_of(3) == steps_of(3)


def test_timers_come_a_little_late_and_never_early() -> None:
    kernel = Kernel(1)
    loop, late = kernel.loop("one"), list[float]()
    for number in range(100):
        loop.call_later(number, lambda due=number: late.append(kernel.now - due))
    kernel.run(100.0)
    assert len(set(late)) > 50
    assert all(0 <= each < 0.001 for each in late)


def test_nothing_of_a_killed_process_runs_any_more() -> None:
    kernel = Kernel(1)
    loop, seen = kernel.loop("one"), list[str]()
    loop.set_exception_handler(lambda *_: None)  # asyncio complains when the task is collected, pending for ever

    async def work() -> None:
        try:
            await asyncio.sleep(10.0)
        finally:
            seen.append("closed")

    task = loop.create_task(work())
    kernel.run(5.0)
    kernel.kill(loop)
    assert loop.call_soon(seen.append, "soon").cancelled()
    assert loop.call_later(1.0, seen.append, "later").cancelled()
    kernel.run(50.0)
    gc.collect()
    assert not seen
    assert not task.done()


@pytest.mark.parametrize("steps", range(1, 10))
def test_a_process_is_killed_between_any_two_of_its_steps(steps: int) -> None:
    kernel = Kernel(1)
    loop, seen = kernel.loop("one"), list[int]()
    for number in range(10):
        loop.call_soon(seen.append, number)
    loop.after_steps(steps, lambda: kernel.kill(loop))
    kernel.run(1.0)
    assert seen == list(range(steps))


def test_a_process_that_stands_still_goes_on_where_it_was() -> None:
    kernel = Kernel(1)
    loop, other, seen = kernel.loop("one"), kernel.loop("other"), list[tuple[str, int]]()
    loop.call_later(1.0, lambda: seen.append(("one", round(kernel.now))))
    other.call_later(2.0, lambda: seen.append(("other", round(kernel.now))))
    loop.stand_still(30.0)
    kernel.run(60.0)
    assert seen == [("other", 2), ("one", 30)]
