"""A match against the computer on a phone: begun by typing, a move, its answer on the board, and a hint."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import PHONE, Tabs
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.page import table
from tests.page.practice import begin, hint, quick_computers


@pytest_asyncio.fixture(loop_scope="session")
async def room(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Cardroom]:
    with quick_computers():
        async with cardroom(sandbox, tmp_path) as running:
            yield running


async def test_one_plays_the_computer_on_a_phone_and_asks_for_a_hint(room: Cardroom, tabs: Tabs) -> None:
    alice = await tabs.open("Alice", size=PHONE)
    await begin(alice, "/haymaker practice level:hard")
    await expect(table.board(alice)).to_contain_text("Computer (Hard)")
    (match,) = room.app.matches.live()

    async def answered() -> bool:
        await table.press_something(alice, rng)
        return any(record.actor == 1 for record in await room.store.records(match.id))

    rng = random.Random(3)
    await eventually(answered)
    await expect(table.board(alice)).to_contain_text(re.compile(r"Computer \(Hard\) (?!vs)"))
    await eventually(lambda: _is_asked(room))
    await hint(alice)


async def _is_asked(room: Cardroom) -> bool:
    (match,) = room.app.matches.live()
    return 0 in match.awaited
