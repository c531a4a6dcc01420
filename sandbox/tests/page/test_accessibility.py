"""The page held against axe-core's rules (WCAG 2.2 AA and its best practices), in both themes and at both widths."""

from __future__ import annotations

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import DESKTOP, PHONE, Tab, Tabs, Theme
from tests.page.conftest import RICH_WORLD
from tests.page.fuller_bot import FullerBot

LOOKS: list[tuple[tuple[int, int], Theme]] = [(DESKTOP, "dark"), (DESKTOP, "light"), (PHONE, "dark"), (PHONE, "light")]


@pytest.fixture
def world() -> dict[str, object]:
    return RICH_WORLD


BY_ARROWS = {"scrollable-region-focusable": {"enabled": False}}
"""The composer's list scrolls by the arrows pressed in the line, which axe-core knows of one-line fields alone."""


async def _check(tab: Tab, **rules: object) -> None:
    results = await Axe().run(tab.page, options={"resultTypes": ["violations"], "rules": rules})
    assert results.violations_count == 0, results.generate_report()


async def test_a_channel_in_use_breaks_no_rule(fuller_bot: FullerBot, tabs: Tabs, sandbox: Sandbox) -> None:
    tab = await tabs.open("Alice")
    bob, lobby = sandbox.user("Bob").client, sandbox.channel("lobby").record
    bob.say(lobby, f"# Head\n**bold** `code` ||hidden|| {sandbox.user('Alice').mention} <t:0:R>\n> quote\n- item")
    await tab.enter("/thread name:Evening match")
    await expect(tab.messages.filter(has_text="started a thread")).to_have_count(1)
    for line, words in {"/entities": "Where?", "/files": "deal.txt"}.items():
        await tab.enter(line)
        await expect(tab.last).to_contain_text(words)
    for (width, height), theme in LOOKS:
        await tab.page.set_viewport_size({"width": width, "height": height})
        await tab.page.emulate_media(color_scheme=theme)
        bob.type(lobby)
        await expect(tab.page.get_by_text("Bob is typing…")).to_be_visible()
        await _check(tab)
        await tab.page.get_by_role("combobox", name="Who may sit down?", exact=True).click()
        await _check(tab)
        await tab.page.keyboard.press("Escape")
        await tab.type("/")
        await tab.offers.first.wait_for()
        await _check(tab, **BY_ARROWS)
        await tab.line.fill("")


async def test_menus_and_forms_break_no_rule(fuller_bot: FullerBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("words")
    await tab.last.get_by_role("button", name="Alice").click()
    await tab.page.get_by_role("menuitem", name="Apps").hover()
    await expect(tab.page.get_by_role("menuitem", name="Challenge…")).to_be_visible()
    await _check(tab)
    await tab.page.keyboard.press("Escape")
    await tab.enter("/form")
    await tab.page.get_by_role("dialog", name="Everything").wait_for()
    await _check(tab)


async def test_the_first_visit_and_several_windows_break_no_rule(fuller_bot: FullerBot, tabs: Tabs) -> None:
    tab = await tabs.blank("nobody yet")
    await tab.page.goto(f"{tabs.origin}/?person=Zoe{tabs.key}")
    await tab.page.get_by_role("alert").wait_for()
    await _check(tab)
    await tab.page.get_by_role("link", name="Play both sides: Alice and Bob").click()
    await expect(tab.page.get_by_role("heading", name="Welcome to #lobby!")).to_have_count(2)
    await _check(tab)
