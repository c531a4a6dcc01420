"""Selects and options of people, roles and channels; files; forms of every field; emojis with pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import Tab, Tabs
from tests.page.conftest import RICH_WORLD
from tests.page.fuller_bot import FullerBot
from tests.page.small_bot import red_square

MENUS = {"Which role?": ("Dealers", "Dealers"), "Whom to tell?": ("Bob bob", "bob"), "Where?": ("#games", "games")}
"""An option of each menu, and what the bot hears of it."""


@pytest.fixture
def world() -> dict[str, Any]:
    return RICH_WORLD


async def test_people_are_searched_for_and_one_of_each_kind_is_chosen_by_the_mouse(
    fuller_bot: FullerBot, tabs: Tabs
) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("/entities")
    await tab.page.get_by_role("combobox", name="Who may sit down?", exact=True).click()
    search = tab.page.get_by_role("combobox", name="Search: Who may sit down?")
    await expect(search).to_be_focused()
    await search.press_sequentially("bob")
    await expect(tab.page.get_by_role("option")).to_have_count(2)
    for key in ("Enter", "ArrowDown", "Enter"):
        await search.press(key)
    await search.fill("nobody at all")
    await expect(tab.page.get_by_text("Nothing matches")).to_be_visible()
    await search.press("Escape")
    await expect(tab.page.get_by_role("combobox", name="Who may sit down?")).to_have_text("Bob, Bobby Tables")
    heard: list[object] = [["bob", "bobby"]]
    await _heard(fuller_bot, tab, *heard)
    for menu, (option, name) in MENUS.items():
        await tab.page.get_by_role("combobox", name=menu).click()
        await tab.page.get_by_role("option", name=option).last.click()
        heard.append([name])
        await _heard(fuller_bot, tab, *heard)


async def test_a_line_names_a_file_a_role_somebody_and_a_channel(
    fuller_bot: FullerBot, tabs: Tabs, tmp_path: Path
) -> None:
    tab = await tabs.open("Alice")
    (tmp_path / "my deal.txt").write_bytes(b"the deal \xff")
    await tab.type("/take file:")
    await expect(tab.offers).to_have_text(["Choose a file…"])
    async with tab.page.expect_file_chooser() as chooser:
        await tab.line.press("Enter")
    await (await chooser.value).set_files(tmp_path / "my deal.txt")
    await expect(tab.line).to_have_value("/take file:my_deal.txt ")
    await tab.type("role:deal")
    await expect(tab.offers).to_have_text(["Dealers"])
    await tab.line.press("Tab")
    await tab.type("whom:@Bob place:#games")
    await tab.line.press("Enter")
    await expect(tab.last).to_contain_text("Taken")
    assert fuller_bot.heard == [(b"the deal \xff", "Dealers", "bob", "games")]


async def test_a_form_of_every_field_is_filled_in(fuller_bot: FullerBot, tabs: Tabs, tmp_path: Path) -> None:
    tab = await tabs.open("Alice")
    (tmp_path / "red.png").write_bytes(red_square())
    await tab.enter("/form")
    form = tab.page.get_by_role("dialog", name="Everything")
    await form.get_by_role("radiogroup", name="Clock").get_by_label("Daily").check()
    await form.get_by_role("group", name="Extras").get_by_label("Rated").check()
    await form.get_by_label("I am sure").check()
    await form.get_by_role("combobox", name="Opponent").click()
    await form.get_by_role("option", name="Bob bob").click()
    await form.get_by_label("A picture").set_input_files(tmp_path / "red.png")
    await form.get_by_role("button", name="Submit").click()
    await expect(tab.last).to_contain_text("Everything was heard.")
    await expect(form).to_have_count(0)
    assert fuller_bot.heard == [("daily", ["rated"], True, ["bob"], [("red.png", len(red_square()))])]


async def test_emojis_are_pictures_and_one_that_is_gone_is_its_name(fuller_bot: FullerBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("/emoji")
    for place in (tab.last.locator(".markup"), tab.last.locator(".button")):
        await expect(place.get_by_alt_text(":spade:")).to_have_js_property("naturalWidth", 8)
    await expect(tab.last.locator(".markup").first).to_contain_text(":gone: is gone")
    await tab.button(":spade: Dig").click()
    quote = tab.last.locator(".excerpt")
    await expect(quote).to_contain_text(":gone: is gone for good")
    await expect(quote.get_by_alt_text(":spade:")).to_have_js_property("naturalWidth", 8)
    tab.troubles = [trouble for trouble in tab.troubles if "404" not in trouble]


async def test_a_spoiler_covers_a_picture_and_a_file_can_be_had(fuller_bot: FullerBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("/files")
    await expect(tab.page.get_by_role("img", name="A red square")).to_have_count(0)
    await tab.button("Spoiler").click()
    await expect(tab.page.get_by_role("img", name="A red square")).to_be_visible()
    async with tab.page.expect_download() as download:
        await tab.page.get_by_role("link", name="deal.txt").click()
    path = await (await download.value).path()
    assert path.read_bytes() == b"the deal"


async def _heard(bot: FullerBot, tab: Tab, *expected: object) -> None:
    """The bot heard this, and the press is over."""
    await tab.page.wait_for_function("() => !document.querySelector('.content.held')")
    assert bot.heard == list(expected)


async def test_a_role_is_mentioned_by_name(fuller_bot: FullerBot, tabs: Tabs, sandbox: Sandbox) -> None:
    tab = await tabs.open("Alice")
    dealers = next(role for role in sandbox.server().roles.values() if role.name == "Dealers")
    sandbox.user("Bob").client.say(sandbox.channel("lobby").record, f"any <@&{dealers.id}> here? <@&12345678901234567>")
    await expect(tab.last.locator(".mention")).to_have_text(["@Dealers", "@unknown-role"])
