"""A replay saved as a page: one file that needs no network, in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from discord_sandbox.browser import DESKTOP, PHONE, Theme
from tests.cogs.replays.test_replay_page import page_of

LOOKS: list[tuple[tuple[int, int], Theme]] = [(DESKTOP, "dark"), (DESKTOP, "light"), (PHONE, "dark"), (PHONE, "light")]


def written(file: Path, key: str) -> str:
    """The address of the page of a match between people with hostile names."""
    file.write_text(page_of(key), encoding="utf-8")
    return file.as_uri()


async def opened(
    browser: Browser, file: Path, look: tuple[tuple[int, int], Theme], troubles: list[str], key: str = "haymaker"
) -> Page:
    """The page of a match, without a network; `troubles` notes what goes wrong."""
    address = written(file, key)
    (width, height), theme = look
    context = await browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme, offline=True, locale="en-US"
    )
    page = await context.new_page()
    page.on("request", lambda request: None if request.url == address else troubles.append(request.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda told: troubles.append(told.text))
    page.on("dialog", lambda dialog: troubles.append(dialog.message))
    await page.goto(address)
    return page


async def test_one_goes_through_a_match_by_keys_and_by_buttons(browser: Browser, tmp_path: Path) -> None:
    troubles: list[str] = []
    page = await opened(browser, tmp_path / "match.html", (PHONE, "light"), troubles)
    step, hands = page.get_by_role("heading", level=2).first, page.locator("#hands section")
    await expect(step).to_have_text("Step 0")
    await expect(page.get_by_role("button", name="Back")).to_be_disabled()
    await page.keyboard.press("ArrowRight")
    await page.get_by_role("button", name="Next").click()
    await expect(step).to_have_text("Step 2")
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator("#news")).to_contain_text("throws a haymaker")
    await expect(page.locator("#news .card")).to_have_text(["2♣", "5♣"])
    await expect(hands).to_have_count(0)
    await page.get_by_label("Show").select_option("1")
    await expect(hands).to_have_count(1)
    await page.get_by_label("Show").select_option("a")
    await expect(hands).to_have_count(2)
    await expect(hands.first.locator(".card.red")).to_have_count(3)
    await page.keyboard.press("ArrowRight")  # the list has the focus, and arrows are its own
    await page.locator("h1").click()
    await expect(page.get_by_role("heading", name="The end")).to_be_hidden()
    await page.keyboard.press("End")
    await expect(step).to_have_text("Step 9")
    await expect(page.locator("#ending")).to_contain_text("wins.")
    await page.keyboard.press("Home")
    await expect(page.get_by_role("heading", name="The end")).to_be_hidden()
    await page.get_by_role("button", name="Last").press("Enter")
    await expect(page.get_by_role("button", name="Back")).to_be_focused()
    assert troubles == []
    await page.context.close()


@pytest.mark.nightly  # one of the sizes and themes
@pytest.mark.parametrize(("size", "theme"), LOOKS)
async def test_it_fits_and_breaks_no_rule(
    browser: Browser, tmp_path: Path, size: tuple[int, int], theme: Theme
) -> None:
    troubles: list[str] = []
    page = await opened(browser, tmp_path / "match.html", (size, theme), troubles, "champions")
    await expect(page.locator("#number")).to_have_text("Step 0")
    await page.get_by_label("Show").select_option("a")
    await page.get_by_role("button", name="Last").click()
    assert await page.evaluate("document.documentElement.scrollWidth") == size[0]
    buttons = [await button.bounding_box() for button in await page.get_by_role("button").all()]
    assert len({box["y"] for box in buttons if box is not None}) == 1  # they are in one row, also on a phone
    results = await Axe().run(page, options={"resultTypes": ["violations"]})
    assert results.violations_count == 0, results.generate_report()
    assert troubles == []
    await page.context.close()
