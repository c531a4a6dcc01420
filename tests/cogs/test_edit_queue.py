"""Painting: the last wish is always painted, bursts cost one stroke, lanes do not wait for one another."""

from __future__ import annotations

import asyncio
from functools import partial

from bot.telemetry import NO_TELEMETRY
from cogs.updates.edit_queue import CATCHING_UP, OLDEST_EVERY, EditQueue, Priority

QUICK = 10_000
"""Strokes a second that hold no test up."""


async def until_idle(easel: EditQueue) -> None:
    for _ in range(500):
        if easel.idle:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the easel never came to rest")


async def test_a_burst_of_wishes_paints_the_first_and_the_last() -> None:
    painted: list[int] = []

    async def paint(number: int) -> bool:
        painted.append(number)
        return True

    easel = EditQueue(0.05, QUICK, NO_TELEMETRY)
    for number in range(20):
        easel.request_edit("channel", "board", partial(paint, number))
        await asyncio.sleep(0)
    await until_idle(easel)
    assert painted == [0, 19]


async def test_a_picture_that_fails_does_not_stop_its_lane() -> None:
    painted: list[str] = []

    async def fail() -> bool:
        raise RuntimeError("on purpose")

    async def paint() -> bool:
        painted.append("second")
        return True

    easel = EditQueue(0.01, QUICK, NO_TELEMETRY)
    easel.request_edit("channel", "first", fail)
    easel.request_edit("channel", "second", paint)
    await until_idle(easel)
    assert painted == ["second"]


async def test_a_slow_lane_does_not_hold_another_up() -> None:
    release = asyncio.Event()
    painted: list[str] = []

    async def slow() -> bool:
        await release.wait()
        painted.append("slow")
        return True

    async def quick() -> bool:
        painted.append("quick")
        release.set()
        return True

    easel = EditQueue(0.01, QUICK, NO_TELEMETRY)
    easel.request_edit("one", "board", slow)
    easel.request_edit("two", "board", quick)
    await until_idle(easel)
    assert painted == ["quick", "slow"]


async def test_closing_drops_what_does_not_finish() -> None:
    easel = EditQueue(0.01, QUICK, NO_TELEMETRY)
    easel.request_edit("channel", "board", asyncio.Event().wait)
    await easel.close(0.05)
    assert easel.idle


async def test_a_stroke_that_sent_nothing_costs_no_rest() -> None:
    painted: list[str] = []

    async def nothing() -> bool:
        painted.append("nothing")
        return False

    easel = EditQueue(60, QUICK, NO_TELEMETRY)
    easel.request_edit("channel", "first", nothing)
    easel.request_edit("channel", "second", nothing)
    await until_idle(easel)
    assert painted == ["nothing", "nothing"]


async def paint_into(painted: list[object], name: object, sent: int = 1) -> int:
    painted.append(name)
    return sent


async def test_all_lanes_together_keep_to_so_many_strokes_a_second() -> None:
    times: list[float] = []

    async def paint() -> bool:
        times.append(asyncio.get_running_loop().time())
        return True

    easel = EditQueue(0.0, 100, NO_TELEMETRY)
    for lane in range(40):
        easel.request_edit(lane, "board", paint)
    await until_idle(easel)
    assert len(times) == 40
    assert times[-1] - times[0] >= (40 - 1 - CATCHING_UP) / 100


async def test_who_waits_for_a_turn_is_painted_once_and_as_it_is_by_then() -> None:
    painted: list[object] = []
    easel = EditQueue(0.0, 50, NO_TELEMETRY)
    easel.request_edit("first", "board", partial(paint_into, painted, "first"))
    for number in range(20):
        easel.request_edit("second", "board", partial(paint_into, painted, number))
    await until_idle(easel)
    assert painted == ["first", 19]


async def test_what_people_wait_for_comes_before_repairs_and_no_repair_waits_for_ever() -> None:
    painted: list[object] = []
    easel = EditQueue(0.0, 500, NO_TELEMETRY)
    with easel.repairing():
        for number in range(3):
            easel.request_edit(("repair", number), "board", partial(paint_into, painted, "repair"))
    for number in range(3 * OLDEST_EVERY):
        easel.request_edit(("notice", number), "mention", partial(paint_into, painted, "notice"), Priority.NOTICE)
        easel.request_edit(("play", number), "board", partial(paint_into, painted, "play"))
    await until_idle(easel)
    assert len(painted) == 3 + 2 * 3 * OLDEST_EVERY
    at_play = painted[1 : 3 * OLDEST_EVERY]
    assert at_play.count("play") > at_play.count("repair") + at_play.count("notice")
    assert "repair" in at_play, "every few turns one goes to whoever has waited longest"
    assert painted.index("notice") < len(painted) - 1 - painted[::-1].index("play")
    assert painted[-1] == "notice"


async def test_a_move_puts_a_board_that_was_to_be_repaired_in_front() -> None:
    painted: list[object] = []
    easel = EditQueue(0.0, 500, NO_TELEMETRY)
    with easel.repairing():
        for number in range(5 * OLDEST_EVERY):
            easel.request_edit(number, "board", partial(paint_into, painted, number))
    last = 5 * OLDEST_EVERY - 1
    easel.request_edit(last, "board", partial(paint_into, painted, "moved"))
    await until_idle(easel)
    assert painted.index("moved") <= CATCHING_UP + 2
    assert last not in painted


async def test_a_stroke_of_two_requests_costs_two_turns_and_one_that_sent_nothing_none() -> None:
    easel = EditQueue(0.0, 20, NO_TELEMETRY)
    begun = asyncio.get_running_loop().time()
    painted: list[object] = []
    for lane in range(50):
        easel.request_edit(lane, "board", partial(paint_into, painted, lane, 0))
    await until_idle(easel)
    assert asyncio.get_running_loop().time() - begun < 50 / 20
    begun = asyncio.get_running_loop().time()
    for lane in range(CATCHING_UP + 2):  # all but the last begin at once
        easel.request_edit(lane, "board", partial(paint_into, painted, lane, 2))
    await until_idle(easel)
    assert asyncio.get_running_loop().time() - begun >= (2 * (CATCHING_UP + 1) - CATCHING_UP) / 20


async def test_what_is_counted_apart_takes_no_turn() -> None:
    painted: list[object] = []
    easel = EditQueue(0.0, 0.001, NO_TELEMETRY)
    for number in range(CATCHING_UP + 2):
        easel.request_edit(("channel", number), "board", partial(paint_into, painted, "board"))
    for number in range(5):
        easel.request_edit(("hand", number), "hand", partial(paint_into, painted, number), own_bucket=True)
    for _ in range(100):
        await asyncio.sleep(0)
    assert painted == [*["board"] * (CATCHING_UP + 1), 0, 1, 2, 3, 4]
    await easel.close(0.1)
    assert easel.idle
