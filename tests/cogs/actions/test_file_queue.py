"""Files and verdicts: one wish a person, a bounded line, and the same file made once."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from bot.budgets import FILES_WAITING
from bot.play.refusals import Refused
from cogs.actions import file_queue
from cogs.actions.file_queue import KEPT, FileQueue


def by(user: int) -> Any:
    return SimpleNamespace(user=SimpleNamespace(id=user))


class Maker:
    """Makes things one after the other, each once it may."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.made = 0

    def __call__(self) -> int:
        assert self.may.wait(10)
        self.made += 1
        return self.made


async def key_of(wish: Any) -> str:
    with pytest.raises(Refused) as refused:
        await wish
    return refused.value.key


async def test_whoever_waits_gets_one_thing_and_only_so_many_wait() -> None:
    queue, make = FileQueue(), Maker()
    waiting = [asyncio.ensure_future(queue.made(by(user), make)) for user in range(3)]
    await asyncio.sleep(0)
    assert await key_of(queue.made(by(1), make)) == "files.one"
    make.may.set()
    assert await asyncio.gather(*waiting) == [1, 2, 3]
    assert await queue.made(by(1), make) == 4
    queue, make = FileQueue(), Maker()
    waiting = [asyncio.ensure_future(queue.made(by(user), make)) for user in range(FILES_WAITING)]
    await asyncio.sleep(0)
    assert await key_of(queue.made(by(99), make)) == "files.many"
    make.may.set()
    await asyncio.gather(*waiting)
    assert await queue.made(by(99), make) == FILES_WAITING + 1


async def test_the_same_file_is_made_once_and_a_verdict_each_time() -> None:
    queue, make = FileQueue(), Maker()
    make.may.set()
    assert await asyncio.gather(*(queue.made(by(user), make, "page") for user in range(5))) == [1] * 5
    assert await queue.made(by(1), make, "picture") == 2
    assert [await queue.made(by(1), make) for _ in range(2)] == [3, 4]
    for each in range(KEPT):
        await queue.made(by(1), make, each)
    assert await queue.made(by(1), make, "page") > KEPT, "only the latest are kept"


async def test_one_that_fails_holds_nobody_up_and_what_would_come_too_late_is_not_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queue = FileQueue()

    def fails() -> None:
        raise RuntimeError("no such font")

    with pytest.raises(RuntimeError):
        await queue.made(by(1), fails, "page")
    assert await queue.made(by(1), lambda: 5, "page") == 5
    monkeypatch.setattr(file_queue, "DEAD_AFTER", -1.0)
    assert await key_of(FileQueue().made(by(1), Maker())) == "files.many"
