"""Matches where the bot is not: in direct messages of two, and a race in a group of three."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import expect

from bot.ui.catalogue import translations
from cogs.updates import edit_queue
from discord_sandbox import Sandbox
from discord_sandbox.browser import PHONE, Tab, Tabs
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.page import table
from tests.page.test_games import hurried

say = translations("en")
NAMES = ("Alice", "Bob", "Carol")
GROUP = "The three of us"


@pytest.fixture
def world() -> dict[str, Any]:
    people = [{"name": name, "has_installed": name == "Alice"} for name in NAMES]
    chats = [{"members": NAMES[:2]}, {"name": GROUP, "members": NAMES}]
    return {"people": people, "servers": [{"name": "Elsewhere", "channels": [{"name": "lobby"}]}], "chats": chats}


@pytest_asyncio.fixture(loop_scope="session")
async def room(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cardroom]:
    monkeypatch.setattr(edit_queue, "SPACING", 0.02)
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL="on") as running:
        yield running


async def opened(tabs: Tabs, name: str, chat: str) -> Tab:
    """Somebody's tab at a chat, as they find it below *Direct messages*. Bob has a phone."""
    tab = await tabs.open(name, more="&server=Direct+messages", size=PHONE if name == "Bob" else (1280, 860))
    if name == "Bob":
        await tab.page.get_by_role("button", name="Servers and channels").click()
    await tab.page.get_by_role("button", name=chat, exact=True).first.click()
    return tab


async def resign(tab: Tab) -> None:
    await table.board(tab).get_by_role("button", name="More…").click()
    await table.hand(tab).get_by_role("button", name="Resign", exact=True).click()
    await expect(table.hand(tab)).to_contain_text(say("resign.title"))
    await table.hand(tab).get_by_role("button", name="Resign", exact=True).click()


async def test_two_play_a_match_of_turns_in_their_direct_messages(room: Cardroom, tabs: Tabs) -> None:
    alice, bob = await opened(tabs, "Alice", "Bob"), await opened(tabs, "Bob", "Alice")
    await table.sit_down(alice, bob)
    (match,) = room.app.matches.live()
    tab_of, rng = dict(zip(match.seats, (alice, bob), strict=True)), random.Random(7)
    while match.position.acts < 4:
        tab = tab_of[match.seats[min(match.awaited)]]
        if not await table.press_something(tab, rng):
            await table.is_on(tab).click()  # the hand came before anything on it was pressed
    assert not match.rated
    await resign(bob)
    for tab in (alice, bob):
        await expect(table.board(tab)).to_contain_text("Alice wins.")


async def test_three_race_in_their_group(room: Cardroom, tabs: Tabs) -> None:
    people = [await opened(tabs, name, GROUP) for name in NAMES]
    await people[0].enter("/tivmiv open phases:1")
    for guest in people[1:]:
        await guest.button("Join").click()
        await expect(table.board(people[0])).to_contain_text(guest.person)
    await people[0].button("Start").click()
    for tab in people:
        await table.is_on(tab).click()
        await expect(table.hand(tab)).to_contain_text("Press Ready.")
    async with hurried(room):
        await table.play(people, random.Random(7), table.race, most=12)
    for leaver in people[1:]:
        await resign(leaver)
    for tab in people:
        await expect(table.board(tab)).to_contain_text("Alice wins.")
