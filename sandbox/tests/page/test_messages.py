"""Messages as people read them: text, markdown, groups, times, and hostile ones."""

from __future__ import annotations

from playwright.async_api import expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import Tabs
from tests.page.conftest import HOSTILE
from tests.page.small_bot import SmallBot

MARKDOWN = """# One
**bold** *italic* __under__ ~~gone~~ `a < b` ||hidden|| snake_case_name \\*plain\\*
> quoted
- item
  - inner
1. first
```py
<b>**raw**</b>
```
-# small
[words](https://example.com/x) <https://example.com/y>"""


async def test_what_one_says_reaches_the_other_is_read_out_and_is_grouped(tabs: Tabs) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    aloud = bob.page.locator("[aria-live=polite]")
    await alice.enter("Good evening")
    await expect(bob.last.locator(".author")).to_have_text("Alice")
    await expect(bob.last.locator(".markup")).to_have_text("Good evening")
    await expect(aloud).to_have_text("Alice: Good evening")
    await alice.enter("a" * 199 + "🤖" + "b" * 20)
    await expect(aloud).to_have_text(f"Alice: {'a' * 199}🤖")  # it ends with a whole character
    await bob.enter("three")
    await expect(alice.messages).to_have_count(3)
    grouped = await alice.messages.evaluate_all("rows => rows.map(row => row.classList.contains('grouped'))")
    assert grouped == [False, True, False]
    await expect(alice.messages.nth(1).locator(".gutter .avatar")).to_be_hidden()


async def test_markdown_becomes_elements(tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter(MARKDOWN)
    said = tab.last.locator(".markup")
    await expect(said.get_by_role("heading", name="One")).to_be_visible()
    for tag, text in {"strong": "bold", "em": "italic", "u": "under", "s": "gone", "blockquote": "quoted"}.items():
        await expect(said.locator(tag)).to_have_text(text)
    await expect(said.locator("code").first).to_have_text("a < b")
    await expect(said.locator("pre")).to_have_text("<b>**raw**</b>")
    await expect(said.locator("ul ul li")).to_have_text("inner")
    await expect(said.locator("ol li")).to_have_text("first")
    await expect(said.locator("small")).to_have_text("small")
    await expect(said).to_contain_text("snake_case_name *plain*")
    await expect(said.locator("b, a, img")).to_have_count(0)


async def test_a_spoiler_opens_when_asked_and_an_address_is_not_visited(tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("it was ||the butler||")
    await expect(tab.page.get_by_text("the butler")).to_be_hidden()
    await tab.page.get_by_role("button", name="Spoiler").press("Enter")
    await expect(tab.page.get_by_text("the butler")).to_be_visible()

    await tab.enter("see https://example.com/page.")
    await tab.button("https://example.com/page").click()
    await expect(tab.page.locator(".notice")).to_contain_text("https://example.com/page leads off this machine")


async def test_mentions_are_names_and_stand_out_for_the_one_meant(tabs: Tabs, sandbox: Sandbox) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    await alice.type("hi @bob")
    await expect(alice.offers).to_have_count(2)
    await alice.line.press("Enter")
    await alice.line.press("Enter")
    await expect(bob.last.locator(".mention")).to_have_text("@Bob")
    await expect(bob.page.locator(".message.mentioned")).to_have_count(1)
    await expect(alice.page.locator(".message.mentioned")).to_have_count(0)
    assert sandbox.channel("lobby").last.content.startswith(f"hi <@{sandbox.user('Bob').id}>")


async def test_hostile_names_and_texts_stay_texts(bot: SmallBot, tabs: Tabs) -> None:
    mallory = await tabs.open("mallory")
    alice = await tabs.open("Alice")
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    await mallory.enter(hostile)
    await expect(alice.last.locator(".author")).to_have_text(HOSTILE)
    await expect(alice.last.locator(".markup")).to_have_text(hostile)
    await mallory.enter(f"/text words:{hostile} [x](javascript:alert(3)) <@{'9' * 300}> {'*' * 200}{'`' * 99}")
    await expect(alice.last).to_contain_text(hostile)
    await expect(alice.last).to_contain_text("[x](javascript:alert(3))")
    await mallory.enter("/table challenge opponent:@Bob")
    await expect(alice.last).to_contain_text("against @Bob")
    await expect(alice.page.locator("#app img, #app script, #app a[href^=javascript]")).to_have_count(0)
    direction = await alice.last.locator(".above .name").evaluate("node => getComputedStyle(node).unicodeBidi")
    assert direction == "isolate"


async def test_stamps_of_time_tick(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    now = int(await tab.page.evaluate("Date.now() / 1000"))
    await tab.enter(f"/text words:ends <t:{now + 30}:R> and <t:0:D>")
    stamp = tab.last.locator("time[data-relative]")
    before = await stamp.inner_text()
    assert before.startswith("in ")
    await expect(stamp).not_to_have_text(before)
    await expect(tab.last.locator("time", has_text="January 1, 1970")).to_be_visible()


async def test_new_messages_scroll_into_view_only_at_the_bottom(tabs: Tabs, sandbox: Sandbox) -> None:
    alice, bob = await tabs.open("Alice"), sandbox.user("Bob")
    lobby = sandbox.channel("lobby")
    for number in range(40):
        bob.client.say(lobby.record, f"line {number}")
    await expect(alice.messages).to_have_count(40)
    await expect(alice.last).to_be_in_viewport()
    await alice.page.locator(".scroller").evaluate("node => { node.scrollTop = 0; }")
    await expect(alice.messages.first).to_be_in_viewport()
    bob.client.say(lobby.record, "the newest")
    newer = alice.button("New messages ↓")
    await expect(newer).to_be_visible()
    await expect(alice.last).not_to_be_in_viewport()
    await newer.click()
    await expect(alice.last).to_be_in_viewport()
    await expect(newer).to_be_hidden()


async def test_other_channels_and_servers_show_what_is_unread(tabs: Tabs, sandbox: Sandbox) -> None:
    alice, bob = await tabs.open("Alice"), sandbox.user("Bob")
    bob.client.say(sandbox.channel("games").record, f"come here {sandbox.user('Alice').mention}")
    bob.client.say(sandbox.channel("general", "Elsewhere").record, "or here")
    unread = alice.page.get_by_role("button", name="games, unread")
    await expect(unread.locator(".badge")).to_have_text("1")
    await expect(alice.page.get_by_role("button", name="Elsewhere, unread")).to_be_visible()
    await unread.click()
    await expect(alice.last).to_contain_text("come here @Alice")
    await expect(alice.page.get_by_role("button", name="games, unread")).to_have_count(0)


async def test_embeds_and_pictures_are_shown(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("/embed")
    await expect(tab.last.locator(".embed")).to_contain_text("Standings")
    await expect(tab.last.locator(".embed-field")).to_contain_text("Wins")
    await tab.enter("/picture")
    image = tab.page.get_by_role("img", name="A red square")
    await expect(image).to_be_visible()
    await expect(image).to_have_js_property("naturalWidth", 8)
