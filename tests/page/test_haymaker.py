"""Haymaker with the whole bot: two people in two tabs, from the challenge to the leaderboard."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from playwright.async_api import expect

from discord_sandbox.browser import PHONE, Tab, Tabs
from tests.page import table

CARDS = re.compile(r"Your \d+ cards?: [^\"]+")
EPHEMERAL = 1 << 6
pytestmark = pytest.mark.usefixtures("room")


async def test_a_match_from_a_typed_challenge_to_the_leaderboard_tells_a_hand_to_its_owner_alone(tabs: Tabs) -> None:
    alice, bob, mallory = await tabs.open("Alice"), await tabs.open("Bob", size=PHONE), await tabs.open("mallory")
    await _challenge_by_completion(alice)
    await expect(bob.last).to_contain_text("Alice challenges \u2068@Bob\u2069")
    await expect(bob.page.locator(".message.mentioned")).to_have_count(1)
    await bob.button("Accept").click()
    for tab in (alice, bob):
        await table.board(tab).get_by_role("button", name="My cards").click()
        await expect(table.hand(tab)).to_contain_text("your cards")
        await expect(table.hand(tab)).to_contain_text("Only you can see this")
    pressed = await table.play([alice, bob], random.Random(7))
    assert pressed > 10
    await expect(table.board(alice).get_by_role("button", name="My cards")).to_have_count(0)
    await expect(table.board(bob)).to_contain_text(re.compile(r"(Alice|Bob) wins\.|A draw\."))
    await alice.enter("/haymaker leaderboard")
    await expect(alice.last).to_contain_text("Bob")
    await mallory.enter("that is all")
    for tab in (alice, bob, mallory):
        await expect(tab.last).to_contain_text("that is all")
    _nothing_of_the_other(alice, bob)
    assert _hands(mallory) == set()
    assert not [told for told in _messages(mallory) if told["flags"] & EPHEMERAL]
    assert [told for told in _messages(alice) if told["flags"] & EPHEMERAL]


async def _challenge_by_completion(tab: Tab) -> None:
    """Type a challenge as people do: the beginnings of names, and Tab."""
    await tab.type("/hay")
    await expect(tab.offers.first).to_contain_text("/haymaker challenge")
    await tab.line.press("Tab")
    await expect(tab.line).to_have_value("/haymaker challenge opponent:")
    await tab.type("@Bob")
    await expect(tab.offers.first).to_contain_text("Bob")
    await tab.line.press("Tab")
    await tab.type("cl")
    await expect(tab.offers).to_have_count(1)
    await tab.line.press("Tab")
    await tab.type("daily")
    await tab.line.press("Tab")
    await tab.line.press("Enter")
    await expect(tab.last).to_contain_text("Alice used /haymaker challenge")


def _messages(tab: Tab) -> list[dict[str, Any]]:
    """Every message that came over the tab's socket."""
    frames = [json.loads(frame) for frame in tab.frames]
    return [told for frame in frames for told in (*frame.get("messages", ()), frame.get("message")) if told]


def _hands(tab: Tab) -> set[str]:
    """Every hand that came over the tab's socket."""
    return {found for frame in tab.frames for found in CARDS.findall(frame)}


def _nothing_of_the_other(*tabs: Tab) -> None:
    """No two tabs ever received the same hand, and each received one."""
    hands = [_hands(tab) for tab in tabs]
    assert all(hands)
    assert not set.intersection(*hands)
