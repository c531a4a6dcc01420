"""The rules in a browser: opened from a match at what is asked, turned by buttons and by the list of pages."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, expect

from bot.ui.catalogue import translations
from cogs.screens.rules_pages import rules_pages
from discord_sandbox.browser import DESKTOP, PHONE, Tab, Tabs
from engines import GAMES
from tests.end_to_end.cardroom import Cardroom
from tests.page import table

say = translations("en")
OVER_THE_SIDE = """() => [document.documentElement, ...document.querySelectorAll('.scroller, .container, .markup')]
    .filter(node => node.scrollWidth > node.clientWidth + 1).map(node => node.className)"""


def title_of(game: str, index: int) -> str:
    """The title of a page of a game's rules."""
    return say("rules.title", game=GAMES[game].info.title, section=rules_pages(game, "en")[index].heading)


async def shows(tab: Tab, game: str, index: int) -> None:
    """Wait until the newest message is a page of a game's rules."""
    await expect(tab.last.get_by_role("heading", name=title_of(game, index), exact=True)).to_be_visible()


def list_of(tab: Tab) -> Locator:
    """The list of pages in the newest message."""
    return tab.last.get_by_role("combobox", name=say("rules.go_to"))


@pytest.mark.nightly  # one of two sizes
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_rules_open_at_what_is_asked_and_are_turned_by_the_list(
    room: Cardroom, tabs: Tabs, size: tuple[int, int]
) -> None:
    alice, bob = await tabs.open("Alice", size=size), await tabs.open("Bob", size=size)
    await table.sit_down(alice, bob)
    await table.board(alice).get_by_role("button", name="Rules").click()
    await shows(alice, "haymaker", 1)
    messages = await alice.messages.count()
    for index in (3, 0, 2, 2):
        await list_of(alice).click()
        heading = rules_pages("haymaker", "en")[index].heading
        await alice.page.get_by_role("option", name=f"{index + 1}. {heading}", exact=True).click()
        await shows(alice, "haymaker", index)
        await expect(list_of(alice)).to_have_text(say("rules.go_to"))
    await alice.last.get_by_role("button", name="Next", exact=True).click()
    await shows(alice, "haymaker", 3)
    assert await alice.messages.count() == messages


async def test_the_list_is_used_by_keys_alone(room: Cardroom, tabs: Tabs) -> None:
    alice = await tabs.open("Alice")
    await alice.enter("/ciq rules")
    await shows(alice, "ciq", 0)
    await list_of(alice).focus()
    for key in ("Enter", "ArrowDown", "ArrowDown", "Enter"):
        await alice.page.keyboard.press(key)
    await shows(alice, "ciq", 2)


@pytest.mark.nightly  # one of the games
@pytest.mark.parametrize("game", GAMES)
async def test_no_page_runs_over_the_side_of_a_phone(room: Cardroom, tabs: Tabs, game: str) -> None:
    alice = await tabs.open("Alice", size=PHONE)
    await alice.enter(f"/{game} rules")
    for index in range(len(rules_pages(game, "en"))):
        if index:
            await alice.last.get_by_role("button", name="Next", exact=True).click()
        await shows(alice, game, index)
        assert await alice.page.evaluate(OVER_THE_SIDE) == []
