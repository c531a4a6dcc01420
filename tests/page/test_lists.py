"""Lists with the whole bot: pages are turned, games and levels are picked, and the controls keep their place."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, expect

from cogs.actions.match_list import PAGE
from discord_sandbox import Sandbox
from discord_sandbox.browser import DESKTOP, PHONE, Tab, Tabs
from tests.bot.store.contract_boards import ended
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge


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


@pytest.mark.nightly  # one of two sizes
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_the_pages_of_ones_matches_are_turned_and_lead_to_the_boards(
    tabs: Tabs, sandbox: Sandbox, room: Cardroom, size: tuple[int, int]
) -> None:
    lobby = sandbox.channel("lobby")
    for _ in range(PAGE + 2):
        await challenge(sandbox.user("Alice"), sandbox.user("Bob"), lobby, clock="daily")
    tab = await tabs.open("Alice", size=size)
    await tab.enter("/games")
    listed = answer(tab)
    await expect(listed).to_contain_text("Page 1 of 2")
    await expect(listed.locator(".markup li")).to_have_count(PAGE)
    following = listed.get_by_role("button", name="Next")
    before = await place(following)
    await following.click()
    await expect(listed).to_contain_text("Page 2 of 2")
    await expect(listed.locator(".markup li")).to_have_count(2)
    await expect(following).to_be_disabled()
    assert await place(following) == before
    await listed.get_by_role("button", name="Back").click()
    await expect(listed).to_contain_text("Page 1 of 2")
    width = size[0]
    assert await tab.page.evaluate("document.documentElement.scrollWidth") <= width
    await listed.locator(".markup li").first.locator(".channel-mention").click()
    user = sandbox.user("Alice").id
    first = min(
        room.app.matches.live(),
        key=lambda match: (match.seat_of(user) not in match.awaited, match.position.timers[0].deadline),
    )
    await expect(tab.page.locator(f'[data-message-id="{first.board_id}"]')).to_be_in_viewport()


async def test_the_levels_of_notifications_keep_their_places_as_they_are_picked(tabs: Tabs, room: Cardroom) -> None:
    tab = await tabs.open("Alice", size=PHONE)
    await tab.enter("/notify")
    await expect(answer(tab)).to_contain_text("mention you in the channel")
    names = ("Off", "Quiet message", "Mention", "Direct message")
    buttons = [answer(tab).get_by_role("button", name=name) for name in names]
    before = [await place(button) for button in buttons]
    for button, name in zip(buttons, names, strict=True):
        await button.click()
        await expect(answer(tab).get_by_role("button", name=f"● {name}")).to_be_visible()
        assert [await place(each) for each in buttons] == before


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
