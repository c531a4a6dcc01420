"""Desktop and phone, dark and light, and the page's names for those who do not see it."""

from __future__ import annotations

from playwright.async_api import expect

from discord_sandbox.browser import DESKTOP, PHONE, Tabs, Theme
from tests.page.small_bot import SmallBot

OVER_THE_SIDE = """() => [document.documentElement, ...document.querySelectorAll('.scroller, .container, .markup')]
    .filter(node => node.scrollWidth > node.clientWidth + 1).map(node => node.className)"""
NAMELESS = """() => [...document.querySelectorAll('button, a, input, textarea, [role=listbox], dialog')]
    .filter(node => !(node.getAttribute('aria-label') || node.labels?.length || node.textContent.trim()
        || node.getAttribute('aria-labelledby')))
    .map(node => node.outerHTML)"""


async def test_nothing_runs_over_the_side(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("/table challenge opponent:@Bob")
    await tab.button("Count").wait_for()
    await tab.enter("w" * 400)
    await tab.enter(f"/text words:`{'x' * 300}`")
    await expect(tab.messages).to_have_count(3)
    for width, height in (DESKTOP, PHONE):
        await tab.page.set_viewport_size({"width": width, "height": height})
        assert await tab.page.evaluate(OVER_THE_SIDE) == []


async def test_digits_and_spaces_are_text_and_not_wide_emojis(tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    width = await tab.page.evaluate(
        """() => {
            const sample = document.createElement('span');
            sample.textContent = '1 2 3 4 5';
            document.body.append(sample);
            return sample.getBoundingClientRect().width / parseFloat(getComputedStyle(sample).fontSize);
        }"""
    )
    assert 3 < width < 6  # in ems; the emoji font draws each of the nine characters about one em wide


async def test_on_a_phone_the_channels_are_in_a_drawer_and_a_button_sends(tabs: Tabs) -> None:
    tab = await tabs.open("Alice", size=PHONE)
    games = tab.page.get_by_role("button", name="games")
    menu = tab.page.get_by_role("button", name="Servers and channels")
    await expect(games).to_be_hidden()
    await menu.click()
    await expect(menu).to_have_attribute("aria-expanded", "true")
    await games.click()
    await expect(games).to_be_hidden()
    await expect(tab.page.get_by_role("heading", name="Welcome to #games!")).to_be_visible()

    await tab.line.fill("by thumb")
    await tab.page.get_by_role("button", name="Send").click()
    await expect(tab.last).to_contain_text("by thumb")


async def test_the_members_can_be_put_away(tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    members = tab.page.get_by_role("complementary", name="Members")
    await expect(members.locator(".member")).to_have_count(5)
    await tab.page.get_by_role("button", name="Show members").click()
    await expect(members).to_be_hidden()


async def test_the_theme_follows_the_reader(tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    themes: dict[Theme, bool] = {"dark": False, "light": True}
    for theme, light in themes.items():
        await tab.page.emulate_media(color_scheme=theme)
        ground = await tab.page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        assert (sum(ground) > 3 * 128) is light


async def test_everything_that_can_be_used_has_a_name_and_is_outlined_in_focus(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("/table challenge opponent:@Bob")
    await tab.button("Count").wait_for()
    await tab.line.press("Shift+Tab")
    await tab.page.keyboard.press("Shift+Tab")
    width = await tab.page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert (await tab.page.evaluate("document.activeElement.textContent"), width) == ("Slow", "2px")
    await tab.page.get_by_role("button", name="My cards").click()
    await tab.enter("/colours")
    await tab.page.get_by_role("combobox").wait_for()
    await tab.enter("/ask")
    await tab.page.get_by_role("dialog").wait_for()
    assert await tab.page.evaluate(NAMELESS) == []
    await expect(tab.page.locator("main, aside, nav")).to_have_count(4)
