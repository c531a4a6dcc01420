"""Threads, categories, who is typing, and what a person does not see."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import Tabs
from discord_sandbox.model.state import ScheduledEvent
from tests.page.conftest import RICH_WORLD
from tests.page.fuller_bot import FullerBot


@pytest.fixture
def world() -> dict[str, Any]:
    return RICH_WORLD


async def test_a_thread_stands_under_its_channel_and_is_read_there(fuller_bot: FullerBot, tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    await alice.enter("/thread name:Evening match")
    begun = bob.messages.filter(has_text="started a thread: Evening match")
    await begun.get_by_role("button", name="Evening match").click()
    await expect(bob.page.get_by_role("heading", name="Evening match", level=2).first).to_be_visible()
    await expect(bob.last).to_contain_text("First words in here")
    await bob.enter("I have come")
    await expect(bob.last).to_contain_text("I have come")
    entry = alice.page.get_by_role("navigation", name="Channels").get_by_role("button", name="Evening match")
    await expect(entry).to_have_accessible_name("Evening match, unread")
    await entry.click()
    await expect(alice.last).to_contain_text("I have come")
    await alice.page.reload()
    await expect(alice.last).to_contain_text("I have come")


async def test_a_thread_that_goes_takes_its_reader_back(fuller_bot: FullerBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("/thread name:Short")
    await tab.page.get_by_role("navigation", name="Channels").get_by_role("button", name="Short").click()
    await expect(tab.last).to_contain_text("First words")
    thread = fuller_bot.heard[0]
    await thread.delete()  # type: ignore[attr-defined]  # the bot notes a discord.Thread for this command
    await expect(tab.page.get_by_role("heading", name="Welcome to #lobby!")).to_be_visible()
    await expect(tab.page.locator(".notice")).to_contain_text("is not here any more")


async def test_somebody_who_writes_is_named_until_they_have_said_it(fuller_bot: FullerBot, tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    await alice.type("well")
    await expect(bob.page.get_by_text("Alice is typing…")).to_be_visible()
    await bob.enter("/write")
    await expect(alice.page.get_by_text("Your Bot is typing…")).to_be_visible()
    await expect(bob.page.get_by_text("Alice and Your Bot are typing…")).to_be_visible()
    await alice.line.press("Enter")
    await expect(bob.page.get_by_text("Your Bot is typing…", exact=True)).to_be_visible()


async def test_a_category_heads_its_channels_a_role_its_members_and_closed_channels_are_not_told_of(
    sandbox: Sandbox, tabs: Tabs
) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    for tab, names in ((alice, ["lobby", "games", "Back room", "dealers-only"]), (bob, ["lobby", "games"])):
        await expect(tab.page.get_by_role("navigation", name="Channels").locator(".channel, .category")).to_have_text(
            names
        )
    headings = bob.page.get_by_role("complementary", name="Members").get_by_role("heading")
    await expect(headings).to_have_text(["Dealers — 1", "Members — 3", "Apps — 1"])
    sandbox.user("Alice").client.say(sandbox.channel("lobby").record, "hello")
    name = bob.last.locator(".author")
    await expect(name).to_have_css("color", "rgb(46, 204, 113)")
    await bob.enter("anything closed here?")
    await expect(bob.last).to_contain_text("anything closed")
    assert "dealers-only" in "".join(alice.frames)
    assert "dealers-only" not in "".join(bob.frames)


async def test_events_stand_above_the_channels_until_they_are_over(sandbox: Sandbox, tabs: Tabs) -> None:
    tab, server, now = await tabs.open("Alice"), sandbox.server(), sandbox.clock.now()
    channels = tab.page.get_by_role("navigation", name="Channels")
    event = ScheduledEvent(1, "Card night", None, sandbox.world.application.bot, now + 3600, now + 7200, "#lobby")
    sandbox.backend.scheduled_events.add(server, event)
    await expect(channels.get_by_role("listitem").first).to_have_text("Card night · #lobby")
    sandbox.backend.scheduled_events.delete(server, event)
    await expect(channels.get_by_text("Card night")).to_have_count(0)
