"""Settings, threads and the board's button in a browser, as moderators and players use them."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from discord_sandbox.browser import DESKTOP, PHONE, Tab, Tabs
from tests.end_to_end.cardroom import Cardroom
from tests.page import table

say = translations("en")
LATER = 61


async def choose(tab: Tab, menu: str, option: str) -> None:
    """Choose a line from the list of the last message that shows this."""
    await tab.last.get_by_role("combobox", name=menu).or_(tab.last.get_by_text(menu)).first.click()
    await tab.page.get_by_role("option", name=option).last.click()


@pytest.mark.nightly  # one of two sizes
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_a_moderator_sets_threads_and_a_match_is_played_in_one(
    sandbox: Sandbox, room: Cardroom, tabs: Tabs, size: tuple[int, int]
) -> None:
    alice, bob = await tabs.open("Alice", size=size), await tabs.open("Bob", size=size)
    await alice.enter("/settings")
    await expect(alice.last).to_contain_text(say("check.whole"))
    await choose(alice, "Matches: in the channel", "Matches: each in its own thread")
    await expect(alice.last).to_contain_text(say("settings.saved"))
    await choose(alice, say("settings.channels"), "#lobby")
    await alice.page.keyboard.press("Escape")
    await expect(alice.last).to_contain_text("Games are allowed only in")
    await alice.enter("/haymaker challenge opponent:@Bob")
    await expect(bob.last).to_contain_text(say("challenge.in_thread"))
    await bob.button("Accept").click()
    await bob.page.get_by_text("See thread").last.click()
    await expect(bob.page.get_by_role("heading", name="Haymaker: Alice vs Bob", level=2).first).to_be_visible()
    await bob.button("My cards").click()
    await expect(bob.last).to_contain_text("Only you can see this")


async def test_a_board_that_has_sunk_is_brought_down(sandbox: Sandbox, room: Cardroom, tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    await alice.enter("/haymaker challenge opponent:@Bob")
    await bob.button("Accept").click()
    await table.is_on(bob).wait_for()
    for nth in range(3):
        sandbox.user("Alice").say(sandbox.channel("lobby"), f"message {nth}")
    await expect(bob.last).to_contain_text("message 2")
    room.pass_time(LATER)
    await bob.button("More…").click()
    await table.hand(bob).get_by_role("button", name=say("button.bring_down")).click()
    boards = bob.page.locator("li.message:not(.ephemeral)")
    await expect(boards.filter(has_text="attacks next").last.get_by_role("button", name="More…")).to_be_visible()
    await expect(boards.get_by_role("button", name="More…")).to_have_count(1)
