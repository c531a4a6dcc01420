"""A match of Haymaker in tabs: challenged, accepted and played by what the page shows."""

from __future__ import annotations

import random
import re

from playwright.async_api import Locator, expect

from tests.page.tabs import Tab

CARD = re.compile(r"^(✓ )?(10|[2-9AJQK])[♣♦♥♠]$")
MOST_PRESSES = 600
AT_REST = "() => !document.querySelector('.content.held')"


def board(tab: Tab) -> Locator:
    """The match's public message."""
    return tab.page.locator("li.message:not(.ephemeral)").last


def hand(tab: Tab) -> Locator:
    """The newest message that only this person sees."""
    return tab.page.locator("li.message.ephemeral").last


async def sit_down(host: Tab, guest: Tab, line: str = "/haymaker challenge opponent:@Bob") -> None:
    """Challenge, accept, and take up both hands."""
    await host.enter(line)
    await guest.button("Accept").click()
    for tab in (host, guest):
        await board(tab).get_by_role("button", name="My cards").click()
        await expect(hand(tab)).to_contain_text("your cards")


async def play(tabs: list[Tab], rng: random.Random, most: int = MOST_PRESSES) -> int:
    """Press what the hands offer until the board is no longer played on, or `most` presses; their number."""
    pressed = 0
    while pressed < most and await board(tabs[0]).get_by_role("button", name="My cards").count():
        for tab in tabs:
            pressed += await press_something(tab, rng)
    return pressed


async def press_something(tab: Tab, rng: random.Random) -> bool:
    """Press one button of the hand, a card or an act; whether there was one."""
    await tab.page.wait_for_function(AT_REST)
    offered = hand(tab).locator(".container .button:enabled")
    labels = [label.strip() for label in await offered.all_inner_texts()]
    cards = [place for place, label in enumerate(labels) if CARD.match(label) and not label.startswith("✓")]
    acts = [place for place, label in enumerate(labels) if not CARD.match(label)]
    if not cards and not acts:
        return False
    await offered.nth(rng.choice(acts or cards)).click()
    await tab.page.wait_for_function(AT_REST)
    return True


async def can_pick(tab: Tab, least: int) -> bool:
    """Whether the hand offers this many cards, and none is picked yet."""
    labels = await hand(tab).locator(".container .button:enabled").all_inner_texts()
    return sum(bool(CARD.match(label.strip())) for label in labels) >= least and "✓" not in "".join(labels)


async def pick_a_card(tab: Tab) -> None:
    """Press the first card that can be picked, so that the hand shows a selection."""
    cards = hand(tab).locator(".container .button:enabled").filter(has_text=CARD)
    await cards.first.click()
    await expect(hand(tab).locator(".container .button", has_text="✓")).to_have_count(1)
