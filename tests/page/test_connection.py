"""The socket is lost and comes back by itself."""

from __future__ import annotations

from playwright.async_api import Route, expect

from sandbox import Sandbox
from tests.page.tabs import Tabs


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
