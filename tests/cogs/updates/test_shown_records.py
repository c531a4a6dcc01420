"""Rows that are written some time after they changed."""

from __future__ import annotations

import asyncio

from bot.scheduler import LoopScheduler
from cogs.updates.shown_records import LateWrites


async def test_a_close_waits_for_what_is_being_written() -> None:
    may, written = asyncio.Event(), dict[str, int | None]()

    async def write(changed: dict[str, int | None]) -> None:
        await may.wait()
        written.update(changed)

    writes = LateWrites[str, int]("numbers", write, 1.0, LoopScheduler())
    writes.change("one", 1)
    await asyncio.sleep(2)
    closing = asyncio.create_task(writes.close())
    await asyncio.sleep(1)
    assert not closing.done()
    may.set()
    await closing
    assert written == {"one": 1}
