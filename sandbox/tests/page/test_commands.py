"""Slash commands: typed in one go, completed by keys and by mouse, refused in words."""

from __future__ import annotations

from typing import Any

from playwright.async_api import expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import Tabs
from discord_sandbox.discord_py import connected
from tests.page.small_bot import SmallBot


async def test_a_line_typed_whole_is_sent_by_one_enter(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.type("/table challenge opponent:@Bob clock:blitz")
    await tab.line.press("Enter")
    await expect(tab.last).to_contain_text("Alice used /table challenge")
    await expect(tab.last).to_contain_text("Alice against @Bob")
    await expect(tab.line).to_have_value("")
    assert bot.heard == [{"opponent": "bob", "clock": "blitz", "rounds": 3}]


async def test_keys_complete_command_options_members_and_choices(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.type("/")
    await expect(tab.offers).to_have_count(11)
    await tab.type("tab")
    await expect(tab.offers).to_have_count(3)
    await tab.line.press("Tab")
    await expect(tab.line).to_have_value("/table challenge opponent:")
    await tab.type("@bob")
    await expect(tab.offers).to_have_count(2)
    await tab.line.press("ArrowDown")
    await tab.line.press("Enter")
    await expect(tab.line).to_have_value("/table challenge opponent:@Bobby Tables ")
    await tab.type("cl")
    await tab.line.press("Tab")
    await expect(tab.offers).to_have_text(["Blitz", "Normal", "Daily"])
    await tab.type("dai")
    await tab.line.press("Enter")
    await expect(tab.line).to_have_value("/table challenge opponent:@Bobby Tables clock:Daily ")
    await tab.line.press("Enter")
    await expect(tab.last).to_contain_text("Alice against @Bobby Tables")
    assert bot.heard == [{"opponent": "bobby", "clock": "daily", "rounds": 3}]


async def test_the_mouse_completes_as_well(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.page.get_by_role("button", name="Commands").click()
    await tab.offers.filter(has_text="/table challenge").click()
    await tab.offers.filter(has_text="mallory").click()
    await tab.offers.filter(has_text="rounds").click()
    await tab.type("5")
    await tab.line.press("Enter")
    await expect(tab.last).to_contain_text("used /table challenge")
    assert bot.heard == [{"opponent": "mallory", "clock": "normal", "rounds": 5}]


async def test_commands_are_in_the_language_of_who_types_them_and_have_their_own_names_too(
    sandbox: Sandbox, bot: SmallBot, tabs: Tabs
) -> None:
    """What is sent has the bot's own names, whichever were typed."""
    payload: list[Any] = [command.to_dict(bot.tree) for command in bot.tree.get_commands()]
    (table,) = [each for each in payload if each["name"] == "table"]
    (challenge,) = [each for each in table["options"] if each["name"] == "challenge"]
    table["name_localizations"] = challenge["name_localizations"] = {"de": "tisch"}
    challenge["description_localizations"] = {"de": "Jemanden herausfordern"}
    for option in challenge["options"]:
        option["name_localizations"] = {"de": {"opponent": "gegner", "clock": "uhr"}.get(option["name"], "zahl")}
        for choice in option.get("choices", ()):
            choice["name_localizations"] = {"de": choice["name"] + " auf Deutsch"}
    await bot.http.bulk_upsert_global_commands(bot.application_id or 0, payload)
    tab = await tabs.open("Bob")
    await tab.page.get_by_role("button", name="Open a tab as another person").click()
    await tab.page.get_by_label("Language").select_option("de")
    await tab.page.keyboard.press("Escape")
    await tab.type("/tisch tisch")
    await expect(tab.offers).to_have_count(1)
    await expect(tab.offers).to_contain_text("Jemanden herausfordern")
    await tab.line.press("Tab")
    await expect(tab.line).to_have_value("/tisch tisch gegner:")
    await tab.type("@Alice uhr:")
    await expect(tab.offers).to_have_text(["Blitz auf Deutsch", "Normal auf Deutsch", "Daily auf Deutsch"])
    await tab.line.fill("")
    lines = ("/tisch tisch gegner:@Alice uhr:Blitz auf Deutsch", "/table challenge opponent:@Alice clock:blitz")
    for answers, line in enumerate(lines, start=1):
        await tab.enter(line)
        await expect(tab.line).to_have_value("")
        await expect(tab.messages.filter(has_text="Bob against @Alice")).to_have_count(answers)
    assert bot.heard == [{"opponent": "alice", "clock": "blitz", "rounds": 3}] * 2
    other = await tabs.open("Alice")
    await other.type("/tisch")
    await expect(other.page.get_by_text("No command of that name")).to_be_visible()


async def test_filled_options_stand_on_chips(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.type("/table challenge opponent:@Nobody clock:blitz ")
    await expect(tab.page.locator(".chip-command")).to_have_text("/table challenge")
    await expect(tab.page.locator(".chip")).to_have_text(["opponent:@Nobody", "clock:blitz"])
    await expect(tab.page.locator(".chip.wrong")).to_have_text(["opponent:@Nobody"])


async def test_autocompletion_asks_the_bot_sends_the_value_and_takes_any_text(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.type("/find game:cham")
    await expect(tab.offers).to_have_text(["Champions of Chance"])
    await tab.line.press("Enter")
    await expect(tab.line).to_have_value("/find game:Champions of Chance ")
    await tab.line.press("Enter")
    await expect(tab.last).to_contain_text("Found champions")
    assert bot.heard == [{"game": "champions"}]
    await tab.enter("/find game:something else: entirely")
    await expect(tab.last).to_contain_text("Found something else: entirely")


REFUSED = {
    "/table challenge": "opponent: This option is required.",
    "/table challenge opponent:@Nobody": "opponent: There is nobody of that name here.",
    "/table challenge opponent:@Bob clock:fast": "clock: That is not one of the choices.",
    "/table challenge opponent:@Bob rounds:many": "rounds: This needs a whole number.",
    "/table challenge opponent:@Bob rounds:10": "rounds: At most 9.",
    "/table challenge hello opponent:@Bob": "“hello” belongs to no option of /table challenge.",
    "/nothing": "There is no command of that name here.",
}


async def test_what_cannot_be_sent_is_refused_in_words(bot: SmallBot, tabs: Tabs, sandbox: Sandbox) -> None:
    tab = await tabs.open("Alice")
    for line, reason in REFUSED.items():
        await tab.line.fill(line)
        await tab.line.press("Escape")
        await tab.line.press("Enter")
        await expect(tab.page.get_by_role("alert")).to_have_text(reason)
        await expect(tab.line).to_have_value(line)
    assert sandbox.channel("lobby").messages == []


async def test_the_list_tells_screen_readers_and_escape_closes_it_and_keeps_the_line(bot: SmallBot, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.type("/ta")
    await expect(tab.offers).to_have_count(3)
    await tab.line.press("ArrowDown")
    active = await tab.line.get_attribute("aria-activedescendant")
    await expect(tab.page.locator(f"#{active}")).to_contain_text("/table open")
    await expect(tab.page.locator(f"#{active}")).to_have_attribute("aria-selected", "true")
    await tab.line.press("Escape")
    await expect(tab.offers).to_have_count(0)
    await expect(tab.line).to_have_value("/ta")


async def test_commands_that_come_later_are_offered(sandbox: Sandbox, tabs: Tabs) -> None:
    tab = await tabs.open("Alice")
    await tab.type("/")
    await expect(tab.offers).to_have_count(0)
    async with connected(SmallBot(), sandbox):
        await expect(tab.button("/table challenge opponent:@Bob")).to_be_visible()
        await tab.type("f")
        await expect(tab.offers.filter(has_text="/find")).to_have_count(1)


async def test_a_command_that_is_not_answered_says_so_to_its_sender(
    bot: SmallBot, tabs: Tabs, sandbox: Sandbox
) -> None:
    sandbox.limits.first_response = 0.6
    tab = await tabs.open("Alice")
    await tab.enter("/silent")
    await expect(tab.last).to_contain_text("Sending command…")
    await expect(tab.last).to_contain_text("The application did not respond")
    await expect(tab.last).to_contain_text("Only you can see this")
    await tab.button("Dismiss message").click()
    await expect(tab.messages).to_have_count(0)
