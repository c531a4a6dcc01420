"""The kernel: whose turn it is, when time passes, and what is left of a process that was killed."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Awaitable, Callable

import pytest

from tests.simulation.kernel import EPOCH, Kernel, SimulatedLoop


def steps_of(seed: int) -> list[str]:
    """In which order two processes with five callbacks each take their turns."""
    kernel, order = Kernel(seed), list[str]()
    for name in ("a", "b"):
        loop = kernel.loop(name)
        for number in range(5):
            loop.call_soon(order.append, f"{name}{number}")
    kernel.run(1.0)
    return order


def finish(kernel: Kernel, loop: SimulatedLoop, work: Callable[[], Awaitable[None]], until: float = 100.0) -> None:
    """Run a coroutine in a process to its end."""

    async def run() -> None:
        await work()

    task = loop.create_task(run())
    kernel.run(until)
    assert task.done()
    task.result()


def test_a_seed_fixes_whose_turn_it_is() -> None:
    orders = {tuple(steps_of(seed)) for seed in range(20)}
    assert len(orders) > 10
    assert steps_of(3) == steps_of(3)


def test_a_process_keeps_the_order_of_its_own_callbacks() -> None:
    for seed in range(20):
        order = steps_of(seed)
        assert [each for each in order if each[0] == "a"] == ["a0", "a1", "a2", "a3", "a4"]


def test_time_jumps_to_the_earliest_timer_of_any_process() -> None:
    kernel = Kernel(1)
    one, other, seen = kernel.loop("one"), kernel.loop("other"), list[tuple[str, int]]()
    one.call_later(3600.0, lambda: seen.append(("one", round(kernel.now))))
    other.call_later(60.0, lambda: seen.append(("other", round(kernel.now))))
    kernel.run(7200.0)
    assert seen == [("other", 60), ("one", 3600)]
    assert kernel.now == 7200.0


def test_timers_come_a_little_late_and_never_early() -> None:
    kernel = Kernel(1)
    loop, late = kernel.loop("one"), list[float]()
    for number in range(100):
        loop.call_later(number, lambda due=number: late.append(kernel.now - due))
    kernel.run(100.0)
    assert len(set(late)) > 50
    assert all(0 <= each < 0.001 for each in late)


def test_a_cancelled_timer_is_never_called() -> None:
    kernel = Kernel(1)
    loop, seen = kernel.loop("one"), list[int]()
    handles = [loop.call_later(1.0, seen.append, number) for number in range(1000)]
    for handle in handles[1:]:
        handle.cancel()
    kernel.run(2.0)
    assert seen == [0]


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


def test_steps_can_take_time() -> None:
    kernel = Kernel(1)
    loop, seen = kernel.loop("one"), list[float]()
    loop.step_cost = lambda: 0.25
    for _ in range(4):
        loop.call_soon(lambda: seen.append(kernel.now))
    kernel.run(10.0)
    assert seen == [0.0, 0.25, 0.5, 0.75]


def test_what_one_thread_tells_stays_in_its_order() -> None:
    kernel = Kernel(1)
    loop, seen = kernel.loop("one"), list[int]()
    for number in range(50):
        loop.call_soon_threadsafe(seen.append, number)
    kernel.run(1.0)
    assert seen == list(range(50))


def test_a_call_in_an_executor_gives_its_result_or_its_error_later() -> None:
    kernel = Kernel(1)
    loop = kernel.loop("one")

    async def work() -> None:
        before = kernel.now
        assert await asyncio.to_thread(lambda: 7) == 7
        assert kernel.now > before
        try:
            await loop.run_in_executor(None, int, "seven")
        except ValueError:
            return
        raise AssertionError("the error was lost")

    finish(kernel, loop, work)


def test_each_process_has_clocks_of_its_own() -> None:
    kernel = Kernel(1)
    one, other = kernel.loop("one"), kernel.loop("other")
    other.skew = 3600.0
    kernel.run(10.0)
    assert one.time_of_day() == EPOCH + 10.0
    assert other.time_of_day() == EPOCH + 3610.0
    assert one.time() != other.time()


def test_a_signal_reaches_a_process_that_listens_for_it() -> None:
    kernel = Kernel(1)
    loop, seen = kernel.loop("one"), list[str]()
    assert not loop.send_signal(signal.SIGTERM)
    loop.add_signal_handler(signal.SIGTERM, seen.append, "told")
    assert loop.send_signal(signal.SIGTERM)
    kernel.run(1.0)
    assert seen == ["told"]


def test_a_wait_without_an_end_ends_the_run_all_the_same() -> None:
    kernel = Kernel(1)
    loop = kernel.loop("one")
    task = loop.create_task(asyncio.Event().wait())
    kernel.run(1000.0)
    assert kernel.now == 1000.0
    assert not task.done()
    kernel.kill(loop)
