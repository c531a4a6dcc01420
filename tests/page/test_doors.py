"""The first page of `make run`: three buttons that let a newcomer learn, play alone, and play somebody."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from bot.launcher import DOORS
from discord_sandbox.browser import PHONE, Tabs
from tests.page.screenshots import WORLD


@pytest.fixture
def world() -> dict[str, Any]:
    return {**WORLD, "application": {"name": "Cardroom", "examples": DOORS}}


@pytest.mark.usefixtures("room")
async def test_each_door_of_the_first_page_opens_with_two_presses(tabs: Tabs) -> None:
    alice = await tabs.open("Alice", size=PHONE)
    opened = {"Learn Haymaker": "What do you do?", "Play the computer": "More…", "Challenge Bob": "Accept"}
    await expect(alice.page.locator(".example")).to_have_text([*opened])
    for door, shown in opened.items():
        await alice.page.locator(".example", has_text=door).first.click()
        await alice.line.press("Enter")
        await expect(alice.page.locator("ol.messages")).to_contain_text(shown)
