"""Who one is: the first visit, the address, and a tab as another person."""

from __future__ import annotations

import re

from playwright.async_api import expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import Tabs
from tests.page.conftest import HOSTILE
from tests.page.small_bot import SmallBot


async def test_the_first_visit_explains_itself_and_offers_everybody(tabs: Tabs) -> None:
    tab = await tabs.blank("nobody yet")
    await tab.page.goto(f"{tabs.origin}/{tabs.key}")
    await expect(tab.page.get_by_text("You are on a Discord of your own")).to_be_visible()
    await expect(tab.page.get_by_role("listitem").get_by_role("link")).to_have_count(4)
    for link, name in {"Bobby Tables": "Bobby Tables", "<img": HOSTILE}.items():
        await tab.page.get_by_role("link", name=link).click()
        await expect(tab.page.locator(".self-words .name")).to_have_text(name)
        await expect(tab.page.get_by_role("heading", name="Welcome to #lobby!")).to_be_visible()
        await tab.page.go_back()


async def test_an_unknown_person_is_said_to_be_unknown(tabs: Tabs) -> None:
    tab = await tabs.blank("nobody")
    await tab.page.goto(f"{tabs.origin}/?person=<b>Zoe</b>{tabs.key}")
    await expect(tab.page.get_by_role("alert")).to_have_text("There is nobody called “<b>Zoe</b>” here.")


async def test_the_address_carries_person_server_and_channel(tabs: Tabs) -> None:
    tab = await tabs.open("alice", more="&server=card%20table&channel=GAMES")
    await expect(tab.page.get_by_role("heading", name="Welcome to #games!")).to_be_visible()
    await expect(tab.page).to_have_url(re.compile(r"\?person=Alice&server=Card\+Table&channel=games$"))
    await tab.page.get_by_role("button", name="Elsewhere").click()
    await expect(tab.page.get_by_role("heading", name="Welcome to #general!")).to_be_visible()
    await tab.page.reload()
    await expect(tab.page.get_by_role("heading", name="Welcome to #general!")).to_be_visible()
    await expect(tab.page).to_have_title("#general · Elsewhere · Alice")


async def test_the_switcher_opens_the_same_channel_as_another_person(tabs: Tabs) -> None:
    tab = await tabs.open("Alice", more="&channel=games")
    await tab.page.get_by_role("button", name="Open a tab as another person").click()
    async with tab.page.context.expect_page() as opening:
        await tab.page.get_by_role("link", name="Bob", exact=True).click()
    other = await opening.value
    await expect(other.locator(".self-words .name")).to_have_text("Bob")
    await expect(other.get_by_role("heading", name="Welcome to #games!")).to_be_visible()


async def test_a_ready_command_is_offered_where_the_channel_begins(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.button("/table challenge opponent:@Bob").click()
    await tab.line.press("Enter")
    await expect(tab.last).to_contain_text("Alice against @Bob")
    assert bot.heard == [{"opponent": "bob", "clock": "normal", "rounds": 3}]


async def test_what_the_world_names_is_offered_instead_but_not_about_oneself(
    sandbox: Sandbox, bot: SmallBot, tabs: Tabs
) -> None:
    sandbox.backend.world.application.examples.update({"Read the rules": "/table rules", "Ask Bob": "/ask who:@Bob"})
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    await expect(alice.page.locator(".example")).to_have_text(["Read the rules", "Ask Bob"])
    await expect(bob.page.locator(".example")).to_have_text(["Read the rules"])
    await bob.button("Read the rules").click()
    await expect(bob.line).to_have_value("/table rules")


async def test_the_bots_direct_messages_are_a_place_of_their_own(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.page.get_by_role("button", name="Direct messages").click()
    await expect(tab.page.get_by_text("your direct messages with @Your Bot")).to_be_visible()
    await tab.enter("/table rules")
    await expect(tab.last).to_contain_text("Have fun.")


async def test_direct_messages_of_two_are_named_after_the_other_and_have_these_two_alone(
    sandbox: Sandbox, bot: SmallBot, tabs: Tabs
) -> None:
    alice, bob, bobby = (sandbox.user(name) for name in ("Alice", "Bob", "Bobby Tables"))
    sandbox.chat(alice, bob)
    bob.say(sandbox.chat(alice, bob, bobby, name="The three of us"), "Who plays?")
    tab = await tabs.open("Alice")
    await tab.page.get_by_role("button", name="Direct messages").click()
    members = tab.page.locator(".members .member .name")
    await expect(members).to_have_text(["Alice", "Your Bot"])
    await tab.page.get_by_role("button", name="Bob", exact=True).first.click()
    await expect(tab.page.get_by_text("your direct messages with @Bob")).to_be_visible()
    await expect(members).to_have_text(["Alice", "Bob"])
    await tab.page.get_by_role("button", name="The three of us").click()
    await expect(tab.last).to_contain_text("Who plays?")
    await expect(tab.last).to_contain_text("Bob")
    await expect(tab.page.get_by_text("the start of the group The three of us")).to_be_visible()
    await expect(members).to_have_text(["Alice", "Bob", "Bobby Tables"])
