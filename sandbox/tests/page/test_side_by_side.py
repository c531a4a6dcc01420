"""Several people in one window of the browser: each has a socket, and sees what they alone would see."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.async_api import Locator, WebSocket, expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import PHONE, Tab, Tabs
from tests.page.conftest import WORLD

pytestmark = pytest.mark.usefixtures("bot")


@pytest.fixture
def world() -> dict[str, Any]:
    return {**WORLD, "people": [*WORLD["people"], {"name": "Carol"}, {"name": "Dave"}]}


def _window(tab: Tab, person: str) -> Locator:
    return tab.page.get_by_role("region", name=person, exact=True)


async def _open(tabs: Tabs, address: str) -> Tab:
    tab = await tabs.blank("several")
    await tab.page.goto(f"{tabs.origin}/{address}{tabs.key}")
    await tab.page.locator(".intro h2").first.wait_for()
    return tab


async def test_two_play_in_one_window_and_each_has_a_socket_that_carries_nothing_of_the_other(tabs: Tabs) -> None:
    tab = await tabs.blank("several")
    received: dict[str, list[str]] = {}

    def on_socket(socket: WebSocket) -> None:
        frames = received.setdefault(str(len(received)), [])
        socket.on("framereceived", lambda payload: frames.append(str(payload)))

    tab.page.on("websocket", on_socket)
    await tab.page.goto(f"{tabs.origin}/?people=Alice,Bob{tabs.key}")
    alice, bob = _window(tab, "Alice"), _window(tab, "Bob")
    await expect(alice.get_by_text("answer in Bob’s window")).to_be_visible()
    await alice.get_by_role("button", name="/table challenge opponent:@Bob").click()
    await alice.get_by_role("textbox").press("Enter")
    for window, name in ((alice, "alice"), (bob, "bob")):
        await window.get_by_role("button", name="My cards").click()
        await expect(window.locator("li.message").last).to_contain_text(f"The secret of {name}")
        await expect(window.locator("li.message.ephemeral")).to_have_count(1)
    await expect(alice.get_by_text("The secret of bob")).to_have_count(0)
    await expect(bob.get_by_text("The secret of alice")).to_have_count(0)
    whose = {json.loads(frames[0])["person"]["username"]: "".join(frames) for frames in received.values()}
    assert whose.keys() == {"alice", "bob"}
    assert "secret of alice" in whose["alice"]
    assert "secret of bob" in whose["bob"]
    assert "secret of bob" not in whose["alice"]
    assert "secret of alice" not in whose["bob"]
    tab.page.remove_listener("websocket", on_socket)


async def test_three_are_offered_a_table_though_its_description_says_not_for_how_many(tabs: Tabs) -> None:
    tab = await _open(tabs, "?people=Alice,Bob,Carol")
    await expect(_window(tab, "Carol").get_by_role("button", name="/table open")).to_be_visible()
    await expect(tab.page.get_by_role("button", name="/table challenge")).to_have_count(0)


async def test_the_address_keeps_each_ones_place(tabs: Tabs) -> None:
    tab = await _open(tabs, "?people=Alice,Bob")
    await expect(tab.page).to_have_url(re.compile(r"\?people=Alice,Bob&server=Card\+Table&channel=lobby$"))
    alice = _window(tab, "Alice")
    await alice.get_by_role("button", name="Servers and channels").click()
    await alice.get_by_role("button", name="games").click()
    await expect(tab.page).to_have_url(re.compile(r"channel=games&server=Card\+Table&channel=lobby$"))
    await tab.page.reload()
    await expect(_window(tab, "Alice").get_by_role("heading", name="Welcome to #games!")).to_be_visible()
    await expect(_window(tab, "Bob").get_by_role("heading", name="Welcome to #lobby!")).to_be_visible()


async def test_another_person_comes_beside_and_goes_again(tabs: Tabs) -> None:
    tab = await tabs.open("Alice", more="&channel=games")
    await tab.page.get_by_role("button", name="Open a tab as another person").click()
    await tab.page.get_by_role("link", name="Bob, side by side", exact=True).click()
    await expect(_window(tab, "Bob").get_by_role("heading", name="Welcome to #games!")).to_be_visible()
    await tab.page.get_by_role("link", name="Close this window (Alice)").click()
    await expect(tab.page.locator(".self-words .name")).to_have_text("Bob")
    await expect(tab.page.get_by_role("heading", name="Welcome to #games!")).to_be_visible()


async def test_a_form_covers_its_own_window_alone(tabs: Tabs) -> None:
    tab = await _open(tabs, "?people=Alice,Bob")
    alice, bob = _window(tab, "Alice"), _window(tab, "Bob")
    await alice.get_by_role("textbox").fill("/ask")
    await alice.get_by_role("textbox").press("Enter")
    form = alice.get_by_role("dialog", name="A question")
    await expect(form).to_be_visible()
    await bob.get_by_role("textbox").fill("meanwhile")
    await bob.get_by_role("textbox").press("Enter")
    await form.get_by_label("Salt").fill("pepper")
    await form.get_by_role("button", name="Submit").click()
    await expect(alice.locator("li.message").last).to_contain_text("Salted with pepper")
    await expect(bob.locator("li.message")).to_have_count(1)


@pytest.mark.parametrize("count", [2, 3, 4, 6])
async def test_up_to_six_have_room_to_read(tabs: Tabs, sandbox: Sandbox, count: int) -> None:
    names = ",".join(str(person.id) for person in sandbox.people[:count])
    tab = await _open(tabs, f"?people={names}")
    windows = tab.page.locator(".pane")
    await expect(windows).to_have_count(count)
    await expect(tab.page.locator(".intro h2")).to_have_count(count)
    for width, height in ((1600, 1000), PHONE):
        await tab.page.set_viewport_size({"width": width, "height": height})
        boxes = await windows.evaluate_all("panes => panes.map(pane => [pane.clientWidth, pane.clientHeight])")
        assert all(wide >= 340 and tall >= 380 for wide, tall in boxes), boxes
        assert await tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
