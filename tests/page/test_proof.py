"""The proof of a deal on the page, and the form that adds a salt to it."""

from __future__ import annotations

import hashlib
import re

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Locator, expect

from bot.ui.catalogue import translations
from discord_sandbox.browser import PHONE, Tab, Tabs
from tests.end_to_end.cardroom import Cardroom
from tests.page import table

say = translations("en")
SALT = "seventeen **green** umbrellas"
pytestmark = pytest.mark.usefixtures("room")


def form(tab: Tab) -> Locator:
    return tab.page.get_by_role("dialog", name=say("salt.title"))


async def breaks_no_rule(tab: Tab) -> None:
    results = await Axe().run(tab.page, options={"resultTypes": ["violations"]})
    assert results.violations_count == 0, results.generate_report()


async def test_a_salt_is_typed_into_a_form_and_reaches_no_other_tab_before_the_end(tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob", size=PHONE)
    await alice.enter("/haymaker challenge opponent:@Bob")
    await alice.button("More…").click()
    await alice.button("Proof").click()
    await expect(table.hand(alice)).to_contain_text("Only you can see this")
    await breaks_no_rule(alice)
    await alice.button("Add a salt").click()
    field = form(alice).get_by_role("textbox", name=say("salt.label"))
    await expect(field).to_be_focused()
    await expect(form(alice)).to_contain_text(say("salt.hint", most=64))
    await breaks_no_rule(alice)
    await field.fill(SALT)
    await field.press("Enter")
    await expect(form(alice)).to_have_count(0)
    await expect(table.hand(alice)).to_contain_text(say("salt.added"))
    await expect(table.hand(alice)).to_contain_text(SALT)
    await expect(alice.button("Add a salt")).to_have_count(0)
    digest = hashlib.sha256(SALT.encode()).hexdigest()
    for tab in (alice, bob):
        await expect(table.board(tab)).to_contain_text(say("deal.salt", player="Alice", hash=digest[:16]))
    await bob.button("Accept").click()
    await expect(table.is_on(bob)).to_have_count(1)
    await table.press_behind_more(bob, "Proof")
    await expect(table.hand(bob)).to_contain_text(digest)
    await expect(table.hand(bob).get_by_role("button", name="Add a salt")).to_have_count(0)
    assert "umbrellas" not in "".join(bob.frames)
    await table.press_behind_more(bob, "Resign")
    await table.hand(bob).get_by_role("button", name="Resign").click()
    await expect(table.board(bob)).to_contain_text("Alice wins")
    await table.board(bob).get_by_role("button", name="More…").click()
    await table.hand(bob).get_by_role("button", name="Proof").click()
    await expect(table.hand(bob)).to_contain_text(SALT)
    await expect(table.hand(bob)).to_contain_text("Seed: ")
    await breaks_no_rule(bob)


async def test_the_deal_is_in_small_type_on_the_challenge_alone(room: Cardroom, tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice", size=PHONE), await tabs.open("Bob")
    await alice.enter("/haymaker challenge opponent:@Bob")
    line = table.board(alice).locator(".subtext").last
    shown = await line.inner_text()
    await expect(line).to_have_css("font-size", re.compile(r"1[0-3](\.\d+)?px"))
    await bob.button("Accept").click()
    await table.is_on(alice).click()
    (match,) = room.app.matches.live()
    assert shown == say("deal.line", deal=match.deal_id, seal=match.short_seal)
    for message in (table.board(alice), table.hand(alice)):
        await expect(message).not_to_contain_text(match.short_seal)


async def test_a_match_is_verified_from_its_completion_and_exported(tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    await table.sit_down(alice, bob)
    await table.press_behind_more(bob, "Resign")
    await table.hand(bob).get_by_role("button", name="Resign").click()
    await expect(table.board(bob)).to_contain_text("Alice wins")
    await alice.type("/verify ")
    await expect(alice.offers.first).to_be_visible()
    await alice.enter("/verify")
    verdict = say("verify.all_fits").replace("**", "")
    await expect(table.hand(alice)).to_contain_text(verdict)
    await breaks_no_rule(alice)
    await alice.button("Export").click()
    await expect(alice.last).to_contain_text("cardroom-")
    await expect(alice.last).to_contain_text(".json")
