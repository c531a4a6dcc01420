"""A sandbox, the bot on it in this process, or as a process of its own that may be killed."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.faults.bot_process import Mortal, Nursery


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running() as running:
        yield running


@pytest.fixture
async def room(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Cardroom]:
    async with cardroom(sandbox, tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    nursery = Nursery()
    try:
        yield nursery
    finally:
        nursery.close()


@pytest.fixture
async def mortal(nursery: Nursery, sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Mortal]:
    bot = Mortal(nursery, sandbox, tmp_path)
    try:
        yield bot
    finally:
        if bot.alive:
            await bot.stop(signal.SIGKILL)
