"""Menus of people and of messages: by right click, by a press on a name, by keys and by a long press."""

from __future__ import annotations

from playwright.async_api import Locator, expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import PHONE, Tab, Tabs
from tests.page.fuller_bot import FullerBot


def _member(tab: Tab, name: str) -> Locator:
    return tab.page.get_by_role("complementary", name="Members").get_by_role("button", name=name, exact=True)


async def test_a_right_click_on_a_member_challenges_them(fuller_bot: FullerBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await _member(tab, "B Bob").or_(_member(tab, "Bob")).click(button="right")
    await expect(tab.page.get_by_role("menu", name="Bob")).to_be_visible()
    await tab.page.get_by_role("menuitem", name="Apps").hover()
    await tab.page.get_by_role("menuitem", name="Challenge…").click()
    await expect(tab.last).to_contain_text("You challenge Bob")
    await expect(tab.last.locator(".above")).to_have_text("AAlice used Challenge…")
    await expect(tab.page.get_by_role("menu")).to_have_count(0)
    assert fuller_bot.heard == ["bob"]


async def test_keys_walk_through_the_menu_of_an_author(fuller_bot: FullerBot, tabs: Tabs, sandbox: Sandbox) -> None:
    tab = await tabs.open("Alice")
    sandbox.user("Bob").client.say(sandbox.channel("lobby").record, "here I am")
    author = tab.last.get_by_role("button", name="Bob", exact=True)
    await author.press("Enter")
    keys = tab.page.keyboard
    await expect(tab.page.get_by_role("menuitem", name="Mention")).to_be_focused()
    await keys.press("ArrowDown")
    await expect(tab.page.get_by_role("menuitem", name="Apps")).to_be_focused()
    await keys.press("ArrowRight")
    await expect(tab.page.get_by_role("menuitem", name="Challenge…")).to_be_focused()
    await keys.press("ArrowLeft")
    await keys.press("Escape")
    await expect(tab.page.get_by_role("menu")).to_have_count(0)
    await expect(author).to_be_focused()
    await author.press("Enter")
    await keys.press("Enter")
    await expect(tab.line).to_have_value("@Bob ")
    await expect(tab.line).to_be_focused()


async def test_the_menu_key_opens_the_menu_of_a_message(fuller_bot: FullerBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("one two three")
    await expect(tab.messages).to_have_count(1)
    await tab.page.get_by_role("region", name="Messages in #lobby").focus()
    await tab.page.keyboard.press("ArrowUp")
    await expect(tab.last).to_be_focused()
    await tab.page.keyboard.press("Shift+F10")
    await expect(tab.page.get_by_role("menu", name="Message")).to_be_visible()
    await tab.page.get_by_role("menuitem", name="Apps").press("Enter")
    await tab.page.get_by_role("menuitem", name="Count the words").press("Enter")
    await expect(tab.last).to_contain_text("3 words")


async def test_a_long_press_opens_the_menu_within_the_screen(fuller_bot: FullerBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice", size=PHONE)
    await tab.enter("a few words")
    box = await tab.last.locator(".avatar").bounding_box()
    assert box is not None
    at = {"clientX": box["x"] + 5, "clientY": box["y"] + 5, "pointerType": "touch", "bubbles": True}
    await tab.last.locator(".avatar").dispatch_event("pointerdown", at)
    menu = tab.page.get_by_role("menu", name="Alice")
    await expect(menu).to_be_visible()
    await tab.page.get_by_role("menuitem", name="Apps").click()
    challenge = tab.page.get_by_role("menuitem", name="Challenge…")
    await expect(challenge).to_be_in_viewport(ratio=1)
    await challenge.click()
    await expect(tab.last).to_contain_text("You challenge Alice")


async def test_a_press_elsewhere_closes_the_menu(fuller_bot: FullerBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("words")
    await tab.last.hover()
    await tab.last.get_by_role("button", name="More").click()
    await expect(tab.page.get_by_role("menuitem", name="Copy Text")).to_be_visible()
    await tab.line.click()
    await expect(tab.page.get_by_role("menu")).to_have_count(0)
    await expect(tab.line).to_be_focused()
