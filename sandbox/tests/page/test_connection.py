"""The socket is lost and comes back by itself."""

from __future__ import annotations

import re

from playwright.async_api import Route, expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import Tabs
from discord_sandbox.model.snowflake import shard_of
from tests.line import line

OFFLINE = re.compile(" is offline. Its commands and buttons work again as soon as it is back.")


async def test_a_lost_connection_comes_back_with_what_was_missed(tabs: Tabs, sandbox: Sandbox) -> None:
    tab = await tabs.open("Alice")
    await tab.enter("before")
    await expect(tab.messages).to_have_count(1)
    port = sandbox.port
    await sandbox.stop()
    await expect(tab.page.get_by_text("The connection is lost. Trying again…")).to_be_visible()
    await tab.enter("not lost, for it stays in the line")
    await expect(tab.line).to_have_value("not lost, for it stays in the line")
    bob = sandbox.user("Bob")
    bob.client.say(sandbox.channel("lobby").record, "meanwhile")
    await sandbox.start(port=port)
    await expect(tab.last).to_contain_text("meanwhile")
    await expect(tab.page.get_by_text("The connection is lost")).to_have_count(0)
    await tab.line.press("Enter")
    await expect(tab.last).to_contain_text("not lost")
    refused = [trouble for trouble in tab.troubles if "ERR_CONNECTION_REFUSED" in trouble]
    tab.troubles = [trouble for trouble in tab.troubles if trouble not in refused]


async def test_a_page_opened_too_early_waits_for_the_sandbox(tabs: Tabs) -> None:
    tab = await tabs.blank("Alice")
    tries: list[str] = []

    async def later(route: Route) -> None:
        tries.append(route.request.url)
        if len(tries) == 1:
            await route.abort("connectionrefused")
        else:
            await route.continue_()

    await tab.page.route("**/world", later)
    await tab.page.goto(f"{tabs.origin}/?person=Alice{tabs.key}")
    await expect(tab.page.get_by_text("The sandbox does not answer yet")).to_be_visible()
    await expect(tab.page.get_by_role("heading", name="Welcome to #lobby!")).to_be_visible()
    tab.troubles = [trouble for trouble in tab.troubles if "ERR_CONNECTION_REFUSED" not in trouble]


async def test_a_place_whose_shard_is_gone_says_so_and_no_other_does(tabs: Tabs, sandbox: Sandbox) -> None:
    shards = {shard_of(each.id, 2): each.name for each in sandbox.world.servers.values()}
    tab = await tabs.open("Alice")
    offline = tab.page.get_by_text(OFFLINE)
    async with line(sandbox) as one_process:
        await one_process.identify(sandbox, shard=[0, 2])
        for shard, count in ((1, 1), (0, 0), (1, 1)):
            await tab.page.get_by_role("button", name=shards[shard]).first.click()
            await expect(offline).to_have_count(count)
        await tab.page.get_by_role("button", name="Direct messages").first.click()
        await expect(offline).to_have_count(0)
        async with line(sandbox) as other_process:
            await other_process.identify(sandbox, shard=[1, 2])
            await tab.page.get_by_role("button", name=shards[1]).first.click()
            await expect(offline).to_have_count(0)
        await expect(offline).to_have_count(1)
