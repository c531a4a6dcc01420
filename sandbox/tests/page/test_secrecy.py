"""What is for one person alone never comes over another person's socket."""

from __future__ import annotations

import json
import re

import pytest
from playwright.async_api import expect

from discord_sandbox.browser import Tab, Tabs
from tests.page.small_bot import SmallBot

pytestmark = pytest.mark.usefixtures("bot")


async def test_a_private_answer_never_reaches_another_tab(bot: SmallBot, tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    again = await tabs.open("Alice")
    await alice.enter("/table challenge opponent:@Bob")
    for tab in (alice, bob):
        await tab.page.get_by_role("button", name="My cards").click()
        await expect(tab.last).to_contain_text(f"The secret of {tab.person.lower()}")
    await expect(again.last).to_contain_text("The secret of alice")
    await bob.page.reload()
    await expect(bob.last).to_contain_text("The secret of bob")
    await _settle(alice, bob)
    assert _holds(alice, "secret of alice")
    assert _holds(again, "secret of alice")
    assert _holds(bob, "secret of bob")
    assert not _holds(bob, "secret of alice")
    assert not _holds(alice, "secret of bob")
    assert not _holds(again, "secret of bob")


async def test_a_private_command_leaves_no_trace_in_another_tab(bot: SmallBot, tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    await _settle(alice, bob)
    before = len(bob.frames)
    await alice.enter("/find game:Haymaker")
    found = re.compile("Found haymaker", re.IGNORECASE)  # as it was typed, or as the suggestion that came meanwhile
    await expect(alice.last).to_contain_text(found)
    await alice.button("Dismiss message").click()
    await expect(alice.messages.filter(has_text=found)).to_have_count(0)
    await _settle(alice, bob)
    kinds = [json.loads(frame)["t"] for frame in bob.frames[before:]]
    assert kinds == ["typing", "message"]  # both of the words that were said in the open


async def _settle(speaker: Tab, *others: Tab) -> None:
    """Say something and see it everywhere: whatever was sent before has arrived by then."""
    word = f"settled {len(speaker.sent)}"
    await speaker.enter(word)
    for tab in (speaker, *others):
        await expect(tab.last).to_contain_text(word)


def _holds(tab: Tab, words: str) -> bool:
    return any(words in frame for frame in tab.frames)
