"""A channel of a thousand messages stays quick, and its reader keeps their place."""

from __future__ import annotations

from playwright.async_api import expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import Tab, Tabs
from tests.page.small_bot import SmallBot

MANY = 1000
TALL = 100
"""Messages that are several screens high."""
SLOWEST = 400.0
"""Milliseconds from a press to its picture; undisturbed it takes one frame of 17."""

PRESS = """async () => {
    const begun = performance.now();
    const button = [...document.querySelectorAll('.button')].findLast(node => node.textContent === 'Count');
    button.click();
    while (document.querySelector('.section strong').textContent !== '1' && performance.now() - begun < 5000)
        await new Promise(requestAnimationFrame);
    return performance.now() - begun;
}"""
SCROLL_WHILE_IT_GROWS = """() => new Promise(done => {
    const scroller = document.querySelector('.scroller'), tall = document.createElement('div');
    tall.style.height = '4000px';
    new ResizeObserver((_, observer) => {
        observer.disconnect();
        scroller.scrollTop -= 1500;
        done();
    }).observe(scroller.firstChild);
    scroller.firstChild.append(tall);
})"""
"""The page follows the growth to the new end, and is scrolled up before it has heard of its own scrolling."""
FROM_BOTTOM = "node => node.scrollHeight - node.scrollTop - node.clientHeight"


async def test_a_thousand_messages_are_quick_and_end_at_the_newest(bot: SmallBot, tabs: Tabs, sandbox: Sandbox) -> None:
    tab = await _crowded(tabs, sandbox, MANY)
    scroller = tab.page.locator(".scroller")
    assert await scroller.evaluate(FROM_BOTTOM) < 2
    await tab.line.fill("/table challenge opponent:@Bob")
    await tab.line.press("Enter")
    await tab.page.locator(".section strong").wait_for()
    assert await tab.page.evaluate(PRESS) < SLOWEST
    assert await scroller.evaluate(FROM_BOTTOM) < 2


async def test_whoever_reads_old_messages_is_left_where_they_are(bot: SmallBot, tabs: Tabs, sandbox: Sandbox) -> None:
    tab = await _crowded(tabs, sandbox, TALL)
    scroller = tab.page.locator(".scroller")
    await scroller.hover()
    await tab.page.mouse.wheel(0, -4000)
    await tab.page.wait_for_function(f"() => ({FROM_BOTTOM})(document.querySelector('.scroller')) > 1000")
    read = tab.page.locator("li.message", has_text=await _first_in_sight(tab))
    for number in range(5):
        sandbox.user("Bob").client.say(sandbox.channel("lobby").record, f"later {number}")
    await expect(tab.button("New messages ↓")).to_be_visible()
    await expect(read).to_be_in_viewport()


async def test_who_scrolls_up_while_the_channel_grows_is_left_where_they_are(
    bot: SmallBot, tabs: Tabs, sandbox: Sandbox
) -> None:
    tab = await tabs.open("Alice")
    await tab.page.evaluate(SCROLL_WHILE_IT_GROWS)
    sandbox.user("Bob").client.say(sandbox.channel("lobby").record, "later")
    await expect(tab.button("New messages ↓")).to_be_visible()
    assert await tab.page.locator(".scroller").evaluate(FROM_BOTTOM) > 1000


async def _crowded(tabs: Tabs, sandbox: Sandbox, count: int) -> Tab:
    bob, lobby = sandbox.user("Bob").client, sandbox.channel("lobby").record
    for number in range(count):
        bob.say(lobby, f"line {number} of **many** `words`\n- and an item")
    tab = await tabs.open("Alice")
    await expect(tab.messages).to_have_count(count)
    return tab


async def _first_in_sight(tab: Tab) -> str:
    """The first line of the message that stands in the middle of the window."""
    words: str = await tab.page.evaluate(
        "() => document.elementFromPoint(600, 400).closest('li.message').querySelector('.markup').innerText"
    )
    return words.split("\n", maxsplit=1)[0]
