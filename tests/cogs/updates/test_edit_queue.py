"""The edit queue: the last request is always sent, a burst costs one edit, buckets do not wait for one another."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from bot.scheduler import LoopScheduler
from bot.telemetry import NO_TELEMETRY
from cogs.updates.edit_queue import CATCHING_UP, OLDEST_EVERY, EditQueue, Priority

QUICK = 10_000
"""So many edits a second that no test waits for its turn."""


async def until_idle(queue: EditQueue) -> None:
    for _ in range(500):
        if queue.idle:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the queue never became idle")


def made(spacing: float = 0.0, rate: float = QUICK) -> EditQueue:
    return EditQueue(spacing, rate, LoopScheduler(), NO_TELEMETRY)


async def send_into(sent: list[object], name: object, requests: int = 1) -> int:
    sent.append(name)
    return requests


async def test_a_burst_of_requests_sends_the_first_and_the_last() -> None:
    queue, sent = made(0.05), list[object]()
    for number in range(20):
        queue.request_edit("channel", "board", partial(send_into, sent, number))
        await asyncio.sleep(0)
    await until_idle(queue)
    assert sent == [0, 19]


async def test_an_edit_that_fails_does_not_stop_its_bucket_nor_a_slow_bucket_another() -> None:
    release, sent = asyncio.Event(), list[object]()

    async def fail() -> bool:
        raise RuntimeError("on purpose")

    async def slow() -> int:
        await release.wait()
        return await send_into(sent, "slow")

    queue = made(0.01)
    queue.request_edit("one", "first", fail)
    queue.request_edit("one", "second", slow)
    queue.request_edit("two", "board", partial(send_into, sent, "quick"))
    await asyncio.sleep(0.1)
    assert sent == ["quick"]
    release.set()
    await until_idle(queue)
    assert sent == ["quick", "slow"]


async def test_closing_drops_what_does_not_finish() -> None:
    queue = made(0.01)
    queue.request_edit("channel", "board", asyncio.Event().wait)
    await queue.close(0.05)
    assert queue.idle


async def test_an_edit_that_sent_nothing_is_followed_by_no_pause() -> None:
    queue, sent = made(60), list[object]()
    for name in ("first", "second"):
        queue.request_edit("channel", name, partial(send_into, sent, name, 0))
    await until_idle(queue)
    assert sent == ["first", "second"]


async def test_all_buckets_together_keep_the_rate_limit() -> None:
    times: list[float] = []

    async def send() -> bool:
        times.append(asyncio.get_running_loop().time())
        return True

    queue = made(rate=100)
    begun = asyncio.get_running_loop().time()  # the first turn is given now, though its edit may be sent later
    for bucket in range(40):
        queue.request_edit(bucket, "board", send)
    await until_idle(queue)
    assert len(times) == 40
    assert times[-1] - begun >= (40 - 1 - CATCHING_UP) / 100


@pytest.mark.parametrize("others", [0, 20])
async def test_requests_of_nobodys_turn_take_the_next_turns_and_those_of_an_edit_do_not(others: int) -> None:
    """Discord counts them together."""
    times: list[float] = []

    async def send() -> bool:
        queue.count_request()
        times.append(asyncio.get_running_loop().time())
        return True

    queue = made(rate=100)
    begun = asyncio.get_running_loop().time()
    for _ in range(others):
        queue.count_request()
    for bucket in range(20):
        queue.request_edit(bucket, "board", send)
    await until_idle(queue)
    turns = others + 20 - 1
    assert (turns - CATCHING_UP) / 100 <= times[-1] - begun <= (turns + 1) / 100


async def test_a_timer_that_an_edit_set_has_no_part_in_its_turn() -> None:
    """Its own requests take turns, also while the bucket still waits out its spacing."""
    scheduler, fired = LoopScheduler(), asyncio.Event()
    sent: list[float] = []

    def on_timer() -> None:
        for _ in range(20):
            queue.count_request()
        fired.set()

    async def set_timer() -> bool:
        queue.count_request()
        scheduler.call_later(0.01, on_timer)
        return True

    async def send() -> bool:
        sent.append(asyncio.get_running_loop().time())
        return True

    queue = EditQueue(0.05, 100, scheduler, NO_TELEMETRY)
    queue.request_edit("first", "board", set_timer)
    await fired.wait()
    begun = asyncio.get_running_loop().time()
    queue.request_edit("second", "board", send)
    await until_idle(queue)
    assert sent[0] - begun >= (20 - CATCHING_UP - 1) / 100


async def test_what_people_wait_for_comes_before_repairs_and_no_repair_waits_for_ever() -> None:
    sent: list[object] = []
    queue = made(rate=500)
    with queue.repairing():
        for number in range(3):
            queue.request_edit(("repair", number), "board", partial(send_into, sent, "repair"))
    for number in range(3 * OLDEST_EVERY):
        queue.request_edit(("notice", number), "mention", partial(send_into, sent, "notice"), Priority.NOTICE)
        queue.request_edit(("play", number), "board", partial(send_into, sent, "play"))
    await until_idle(queue)
    assert len(sent) == 3 + 2 * 3 * OLDEST_EVERY
    at_play = sent[1 : 3 * OLDEST_EVERY]
    assert at_play.count("play") > at_play.count("repair") + at_play.count("notice")
    assert "repair" in at_play, "every few turns one goes to the bucket that has waited longest"
    assert sent.index("notice") < len(sent) - 1 - sent[::-1].index("play")
    assert sent[-1] == "notice"


async def test_held_repairs_are_sent_once_they_are_released_and_nothing_else_waits_for_that() -> None:
    sent: list[object] = []
    queue = made(rate=500)
    queue.hold_repairs()
    with queue.repairing():
        for number in range(3):
            queue.request_edit(number, "board", partial(send_into, sent, "repair"))
    queue.request_edit(1, "mention", partial(send_into, sent, "notice"), Priority.NOTICE)
    queue.request_edit(2, "board", partial(send_into, sent, "moved"))
    await asyncio.sleep(0.1)
    assert sorted(map(str, sent)) == ["moved", "notice"]
    queue.release_repairs()
    await until_idle(queue)
    assert sent[2:] == ["repair", "repair"]


async def test_a_move_moves_a_board_that_waits_for_a_repair_to_the_front() -> None:
    sent: list[object] = []
    queue = made(rate=500)
    with queue.repairing():
        for number in range(5 * OLDEST_EVERY):
            queue.request_edit(number, "board", partial(send_into, sent, number))
    last = 5 * OLDEST_EVERY - 1
    queue.request_edit(last, "board", partial(send_into, sent, "moved"))
    await until_idle(queue)
    assert sent.index("moved") <= CATCHING_UP + 2
    assert last not in sent


async def test_an_edit_of_two_requests_costs_two_turns_and_one_that_sent_nothing_none() -> None:
    queue = made(rate=20)
    begun = asyncio.get_running_loop().time()
    sent: list[object] = []
    for bucket in range(50):
        queue.request_edit(bucket, "board", partial(send_into, sent, bucket, 0))
    await until_idle(queue)
    assert asyncio.get_running_loop().time() - begun < 50 / 20
    begun = asyncio.get_running_loop().time()
    for bucket in range(CATCHING_UP + 2):  # all but the last begin at once
        queue.request_edit(bucket, "board", partial(send_into, sent, bucket, 2))
    await until_idle(queue)
    assert asyncio.get_running_loop().time() - begun >= (2 * (CATCHING_UP + 1) - CATCHING_UP) / 20


async def test_what_is_counted_apart_takes_no_turn() -> None:
    sent: list[object] = []
    queue = made(rate=0.001)
    for number in range(CATCHING_UP + 2):
        queue.request_edit(("channel", number), "board", partial(send_into, sent, "board"))
    for number in range(5):
        queue.request_edit(("hand", number), "hand", partial(send_into, sent, number), own_bucket=True)
    for _ in range(100):
        await asyncio.sleep(0)
    assert sent == [*["board"] * (CATCHING_UP + 1), 0, 1, 2, 3, 4]
    await queue.close(0.1)
    assert queue.idle
