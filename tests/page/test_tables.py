"""Tables with the whole bot: offered where several have a window, joined by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Locator, expect

from discord_sandbox.browser import Tab, Tabs

pytestmark = pytest.mark.usefixtures("room")
PEOPLE = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")


@pytest.fixture
def world() -> dict[str, Any]:
    """Six people, two servers: in the second there is no Carol."""
    return {
        "people": [{"name": name} for name in PEOPLE],
        "servers": [
            {"name": "Card Table", "channels": [{"name": "lobby"}]},
            {"name": "Without Carol", "members": ["Alice", "Bob"], "channels": [{"name": "general"}]},
        ],
    }


def _window(tab: Tab, person: str) -> Locator:
    return tab.page.get_by_role("region", name=person, exact=True)


async def _side_by_side(tabs: Tabs, *people: str, more: str = "") -> Tab:
    tab = await tabs.blank("several")
    await tab.page.goto(f"{tabs.origin}/?people={','.join(people)}{more}{tabs.key}")
    await expect(tab.page.locator(".intro h2")).to_have_count(len(people))
    return tab


@pytest.mark.parametrize(
    ("people", "offered"),
    [
        (
            2,
            ["champions challenge", "ciq challenge", "haymaker challenge", "tivmiv challenge", "unbreakable challenge"],
        ),
        (3, ["champions open", "ciq open", "tivmiv open"]),
        (6, ["ciq open", "tivmiv open"]),
    ],
)
async def test_three_or_more_windows_are_offered_a_table_with_room_for_all(
    tabs: Tabs, people: int, offered: list[str]
) -> None:
    tab = await _side_by_side(tabs, *PEOPLE[:people])
    for person in PEOPLE[:people]:
        lines = await _window(tab, person).locator(".example").all_inner_texts()
        assert sorted(line[1:].partition(" opponent:")[0] for line in lines) == offered


async def test_three_windows_fill_and_start_a_table_as_they_are_told(tabs: Tabs) -> None:
    tab = await _side_by_side(tabs, "Alice", "Bob", "Carol")
    alice = _window(tab, "Alice")
    await expect(alice.get_by_text("open a table, then join it in the other windows")).to_be_visible()
    await alice.get_by_role("button", name="/ciq open").click()
    await alice.get_by_role("textbox").press("Enter")
    for person in ("Bob", "Carol"):
        await _window(tab, person).get_by_role("button", name="Join").click()
    await expect(alice.get_by_text("3 seated; 2 to 6 can play.")).to_be_visible()
    await alice.get_by_role("button", name="Start").click()
    await expect(alice.get_by_role("button", name="My cards")).to_be_visible()


async def test_where_only_two_of_three_windows_are_members_they_are_offered_a_duel(tabs: Tabs) -> None:
    tab = await _side_by_side(tabs, "Alice", "Bob", "Carol")
    alice = _window(tab, "Alice")
    await alice.get_by_role("button", name="Servers and channels").click()
    await alice.get_by_role("button", name="Without Carol").click()
    await expect(alice.get_by_role("button", name="/ciq challenge opponent:@Bob")).to_be_visible()


async def test_the_focus_stays_on_the_message_when_a_press_disables_its_own_button(tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    await alice.enter("/haymaker open")
    join = bob.button("Join")
    await join.press("Enter")
    await expect(join).to_be_disabled()
    await expect(bob.last).to_be_focused()
    await bob.page.keyboard.press("Enter")
    await expect(bob.last).to_contain_text("2 of 2 seated.")
    await bob.page.keyboard.press("Tab")
    assert await bob.last.evaluate("row => row.contains(document.activeElement)")
