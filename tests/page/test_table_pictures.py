"""Pictures of tables on the page: they load, are described, and fit, on a phone too."""

from __future__ import annotations

import random

import pytest
from playwright.async_api import Locator, expect

from discord_sandbox.browser import PHONE, Tab, Tabs
from tests.page import table

LOADED = "image => image.decode().then(() => [image.naturalWidth, image.naturalHeight])"
pytestmark = pytest.mark.usefixtures("room")


def pictures(message: Locator) -> Locator:
    """The pictures in a message."""
    return message.locator(".gallery img")


async def fits(tab: Tab, picture: Locator) -> bool:
    """Whether a picture is wholly inside the tab's width."""
    box = await picture.bounding_box()
    size = tab.page.viewport_size
    assert box is not None
    assert size is not None
    return box["width"] > 200 and box["x"] >= 0 and box["x"] + box["width"] <= size["width"]


async def test_the_last_board_has_a_picture_that_loads_and_is_described(tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob", size=PHONE)
    await table.sit_down(alice, bob)
    await expect(pictures(table.board(alice))).to_have_count(1)
    await table.play([alice, bob], random.Random(7))
    for tab in (alice, bob):
        await expect(table.is_on(tab)).to_have_count(0)
        picture = pictures(table.board(tab))
        await expect(picture).to_have_count(1)
        assert await picture.evaluate(LOADED) in ([480, 206], [720, 309])
        described = await picture.get_attribute("alt") or ""
        assert [line.split(",")[0] for line in described.splitlines()[:2]] == ["1 Alice", "2 Bob"]
        assert "winner" in described
        assert await fits(tab, picture)


async def test_the_table_is_shown_to_the_person_who_asks_and_to_nobody_else(tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob", size=PHONE)
    await table.sit_down(alice, bob)
    alts = []
    for tab in (alice, bob):
        await table.press_behind_more(tab, "Show the table")
        picture = pictures(table.hand(tab))
        await expect(picture).to_have_count(1)
        assert await picture.evaluate(LOADED) in ([480, 206], [720, 309])
        assert await fits(tab, picture)
        alts.append(await picture.get_attribute("alt") or "")
        await expect(pictures(tab.page.locator("li.message"))).to_have_count(2)  # and the board's
    own, other = (alt.splitlines()[0] for alt in alts)
    assert own.startswith("1 Alice, 10 cards in hand: ")
    assert other == "1 Alice, 10 cards in hand"
