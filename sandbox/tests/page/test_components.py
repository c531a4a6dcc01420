"""Buttons, selects, containers and forms, pressed as people press them."""

from __future__ import annotations

import pytest
import pytest_asyncio
from playwright.async_api import expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import Tab, Tabs
from tests.page.small_bot import SmallBot

pytestmark = pytest.mark.usefixtures("bot")


@pytest_asyncio.fixture(loop_scope="session")
async def alice(bot: SmallBot, tabs: Tabs) -> Tab:
    """Alice, before a board."""
    tab = await tabs.open("Alice")
    await tab.enter("/table challenge opponent:@Bob")
    await tab.button("Count").wait_for()
    return tab


async def test_a_container_has_its_parts_and_what_quotes_it_keeps_up_with_it(alice: Tab) -> None:
    box = alice.page.locator(".container")
    colour = await box.evaluate("node => getComputedStyle(node, '::before').backgroundColor")
    assert colour == "rgb(192, 57, 43)"
    await expect(box.get_by_role("heading", name="Alice against @Bob")).to_be_visible()
    await expect(box.get_by_role("separator")).to_have_count(1)
    await expect(box.locator(".section strong")).to_have_text("0")
    await expect(alice.button("Closed")).to_be_disabled()
    await expect(alice.page.get_by_role("button", name="🃏 My cards")).to_have_class("button primary")
    await alice.page.get_by_role("button", name="My cards").click()
    await expect(alice.last.locator(".excerpt")).to_contain_text("Pressed 0 times")
    await alice.button("Count").click()
    await expect(alice.last.locator(".excerpt")).to_contain_text("Pressed 1 times")


async def test_a_press_changes_its_message_and_keeps_the_keyboards_place(alice: Tab) -> None:
    count = alice.button("Count")
    for number in (1, 2, 3):
        await count.press("Enter")
        await expect(alice.page.locator(".section strong")).to_have_text(str(number))
        await expect(count).to_be_focused()
    await expect(alice.last).to_contain_text("(edited)")


async def test_a_message_that_changes_keeps_the_focus(alice: Tab, tabs: Tabs) -> None:
    bob = await tabs.open("Bob")
    await alice.page.get_by_role("region", name="Messages in #lobby").press("ArrowUp")
    await expect(alice.last).to_be_focused()
    await bob.button("Count").click()
    await expect(alice.last).to_contain_text("Pressed 1 times")
    await expect(alice.last).to_be_focused()


async def test_a_press_waits_visibly_for_its_answer(alice: Tab, bot: SmallBot) -> None:
    slow = alice.button("Slow")
    await slow.click()
    await expect(slow).to_have_attribute("aria-busy", "true")
    await expect(alice.button("Count")).to_have_attribute("aria-disabled", "true")
    bot.wake.set()
    await expect(slow).not_to_have_attribute("aria-busy", "true")
    await expect(alice.last).not_to_contain_text("failed")


async def test_an_unanswered_press_says_that_it_failed(alice: Tab, sandbox: Sandbox) -> None:
    sandbox.limits.first_response = 0.3
    await alice.button("Silent").click()
    await expect(alice.last.get_by_role("alert")).to_have_text("This interaction failed")
    await alice.button("Count").click()
    await expect(alice.page.locator(".section strong")).to_have_text("1")
    await expect(alice.last.get_by_role("alert")).to_have_count(0)


async def test_a_private_answer_says_so_and_can_be_dismissed(alice: Tab) -> None:
    await alice.page.get_by_role("button", name="My cards").click()
    await expect(alice.last).to_contain_text("The secret of alice is 7♠ 8♠")
    await expect(alice.last).to_contain_text("Only you can see this · Dismiss message")
    await expect(alice.last.locator(".above")).to_contain_text("Your Bot")
    await alice.button("Dismiss message").click()
    await expect(alice.messages).to_have_count(1)
    await alice.page.reload()
    await expect(alice.messages).to_have_count(1)


async def test_a_select_takes_a_value_by_keys_and_by_the_mouse(tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("/colours")
    menu = tab.page.get_by_role("combobox", name="Choose a colour")
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        await menu.press(key)
    await expect(tab.last).to_contain_text("You took green")
    await tab.enter("/colours")
    await expect(tab.last).to_contain_text("Which?")
    await menu.click()
    await tab.page.get_by_role("option", name="Green").click()
    await expect(tab.last).to_contain_text("You took green")


async def test_a_form_is_filled_in_and_sent_or_closed(tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("/ask")
    form = tab.page.get_by_role("dialog", name="A question")
    await expect(form.get_by_label("Salt")).to_be_focused()
    await expect(form).to_contain_text("Any words")
    await form.get_by_label("Salt").fill("pepper <b>")
    await form.get_by_label("Salt").press("Enter")
    await expect(form).to_have_count(0)
    await expect(tab.last).to_contain_text("Salted with pepper <b>")
    await tab.enter("/ask")
    await tab.page.get_by_role("dialog").wait_for()
    await tab.page.keyboard.press("Escape")
    await expect(tab.page.get_by_role("dialog")).to_have_count(0)


async def test_a_thinking_answer_thinks_until_it_speaks(tabs: Tabs, bot: SmallBot) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("/think")
    await expect(tab.last).to_contain_text("Your Bot is thinking…")
    bot.wake.set()
    await expect(tab.last).to_contain_text("Thought of it")
