"""Painting: the last wish is always painted, bursts cost one stroke, lanes do not wait for one another."""

from __future__ import annotations

import asyncio
from functools import partial

from cogs.easel import Easel


async def until_idle(easel: Easel) -> None:
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

    easel = Easel(0.05)
    for number in range(20):
        easel.wish("channel", "board", partial(paint, number))
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

    easel = Easel(0.01)
    easel.wish("channel", "first", fail)
    easel.wish("channel", "second", paint)
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

    easel = Easel(0.01)
    easel.wish("one", "board", slow)
    easel.wish("two", "board", quick)
    await until_idle(easel)
    assert painted == ["quick", "slow"]


async def test_closing_drops_what_does_not_finish() -> None:
    easel = Easel(0.01)
    easel.wish("channel", "board", asyncio.Event().wait)
    await easel.close(0.05)
    assert easel.idle


async def test_a_stroke_that_sent_nothing_costs_no_rest() -> None:
    painted: list[str] = []

    async def nothing() -> bool:
        painted.append("nothing")
        return False

    easel = Easel(60)
    easel.wish("channel", "first", nothing)
    easel.wish("channel", "second", nothing)
    await until_idle(easel)
    assert painted == ["nothing", "nothing"]
