"""A match against the computer on a phone: begun by typing, a move, its answer, and a hint."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from bot.play.computers import seats
from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from discord_sandbox.browser import PHONE, Tabs
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.page import table

say = translations("en")


@pytest_asyncio.fixture(loop_scope="session")
async def room(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cardroom]:
    monkeypatch.setattr(seats, "thinking_seconds", lambda _size, _luck: 0.0)
    async with cardroom(sandbox, tmp_path) as running:
        yield running


async def test_one_plays_the_computer_on_a_phone_and_asks_for_a_hint(room: Cardroom, tabs: Tabs) -> None:
    alice = await tabs.open("Alice", size=PHONE)
    await alice.enter("/haymaker practice level:hard")
    await expect(table.hand(alice)).to_contain_text(re.compile("your", re.IGNORECASE))
    await expect(table.hand(alice)).to_contain_text("Computer (Hard)")
    await expect(table.hand(alice)).to_contain_text(say("practice.hand_ends"))
    (match,) = room.app.matches.live()

    async def answered() -> bool:
        await table.press_something(alice, rng)
        return any(record.actor == 1 for record in await room.store.records(match.id))

    rng = random.Random(3)
    await eventually(answered)
    await eventually(lambda: _is_asked(room))
    await table.hand(alice).get_by_role("button", name=say("button.hint")).click()
    await expect(alice.page.locator("li.message:not(.ephemeral)")).to_have_count(0)
    await expect(table.hand(alice)).to_contain_text("%")


async def _is_asked(room: Cardroom) -> bool:
    (match,) = room.app.matches.live()
    return 0 in match.awaited
