"""Lists with the whole bot: pages are turned, games and levels are picked, and the controls keep their place."""

from __future__ import annotations

from playwright.async_api import Locator, expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import Tab, Tabs
from tests.bot.store.contract_boards import ended
from tests.end_to_end.cardroom import Cardroom


def answer(tab: Tab) -> Locator:
    """The newest message that only this person sees."""
    return tab.page.locator("li.message.ephemeral").last


async def place(button: Locator) -> tuple[float, float]:
    """Where a button is: how far from the left, and above the foot of its message."""
    box = await button.bounding_box()
    whole = await button.locator("xpath=ancestor::*[contains(@class, 'container')][1]").bounding_box()
    assert box is not None
    assert whole is not None
    return round(box["x"]), round(whole["y"] + whole["height"] - box["y"])


async def test_a_leaderboards_game_is_picked_from_a_list(tabs: Tabs, sandbox: Sandbox, room: Cardroom) -> None:
    server = sandbox.channel("lobby").server_id or 0
    today = room.app.days.today()
    for number in range(11):
        await ended(room.store, f"m{number}", (100 + number, 200 + number), (1, 2), day=today, guild=server)
    await ended(room.store, "own", (sandbox.user("Alice").id, 300), (2, 1), day=today, guild=server)
    tab = await tabs.open("Alice")
    await tab.enter("/leaderboard")
    await expect(answer(tab)).to_contain_text("24 players")
    await answer(tab).get_by_role("button", name="?").click()
    await answer(tab).get_by_role("button", name="My rank").click()
    await expect(answer(tab)).to_contain_text("➤")
    await answer(tab).locator(".select-button").first.click()
    await tab.page.get_by_role("option", name="CIQ").click()
    await expect(answer(tab)).to_contain_text("CIQ: leaderboard")
