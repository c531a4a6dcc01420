"""A hostile page in the browser of somebody who runs the sandbox: it reads nothing and does nothing.

It has another origin: another port, another name of this machine, or a name that was made to mean this machine.
"""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from playwright.async_api import Browser, expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import PATIENCE, Tabs
from tests.page.conftest import EVIL
from tests.page.small_bot import SmallBot

ATTACK = """
async ({origin, token, hook, attachment, person, key}) => {
  const got = {};
  const attempt = async (name, act) => {
    try { got[name] = await act(); } catch (error) { got[name] = null; }
  };
  const read = (path, options = {}) =>
    attempt([path, ...Object.values(options).map((each) => JSON.stringify(each))].join(" "), async () => {
      const answer = await fetch(origin + path, options);
      return answer.type === "opaque" ? "an opaque answer" : answer.status;
    });
  for (const mode of ["cors", "no-cors"]) {
    await read("/world", {mode});
    await read("/api/v10/gateway", {mode});
    await read("/control/transcript", {mode});
    await read(hook + "/messages/@original", {mode});
    await read(attachment, {mode});
    const plain = {mode, method: "POST", headers: {"Content-Type": "text/plain"}};
    await read(hook, {...plain, body: '{"content": "from elsewhere"}'});
    await read("/control/acts", {...plain, body: '{"act": "drop_gateway"}'});
  }
  await read("/world", {headers: {"X-Page-Key": key}});
  await read("/api/v10/users/@me", {headers: {Authorization: "Bot " + token}});
  const line = (path) => attempt(path.split("?")[0], () => new Promise((resolve) => {
    const socket = new WebSocket(origin.replace("http", "ws") + path);
    socket.onmessage = (event) => resolve(event.data.length || "a message");
    socket.onclose = () => resolve(null);
  }));
  await line("/gateway?v=10&encoding=json");
  await line(`/socket?person=${person}&key=${key}`);
  const loaded = (name, tag, attribute, path) => attempt(name, () => new Promise((resolve) => {
    const element = document.createElement(tag);
    element.onload = () => resolve(tag === "iframe" && readable(element) === null ? null : "loaded");
    element.onerror = () => resolve(null);
    element[attribute] = origin + path;
    document.body.append(element);
    setTimeout(() => resolve(null), 1500);
  }));
  const readable = (frame) => {
    try { return frame.contentDocument?.body.textContent ?? null; } catch { return null; }
  };
  await loaded("script", "script", "src", "/static/main.js");
  await loaded("picture", "img", "src", attachment);
  await loaded("frame", "iframe", "src", "/");
  return got;
}
"""
"""What a hostile page may try, though it knows more than it ever could. Each result is null if nothing came back."""


@asynccontextmanager
async def hostile_page() -> AsyncIterator[int]:
    """A page of another origin; its port."""
    app = web.Application()

    async def page(_request: web.Request) -> web.Response:
        text = "<!doctype html><html lang=en><title>Free cards</title><body>"
        return web.Response(text=text, content_type="text/html")

    app.router.add_get("/", page)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def known(sandbox: Sandbox, hook: str, attachment: str) -> dict[str, Any]:
    """What the hostile page is told so that its failure means something."""
    return {
        "origin": sandbox.origin,
        "token": sandbox.token,
        "hook": hook,
        "attachment": attachment,
        "person": str(sandbox.user("Alice").id),
        "key": sandbox.page_key,
    }


async def what_there_is(sandbox: Sandbox) -> dict[str, Any]:
    """An open private message of Alice's and a picture, and their addresses."""
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    table = await alice.slash(lobby, "table challenge", opponent=sandbox.user("Bob"))
    await alice.press(table.message, label="My cards")
    token = [each.data["token"] for each in sandbox.transcript.events if "token" in each.data][-1]
    hook = f"/api/v10/webhooks/{sandbox.world.application.id}/{token}"
    await alice.slash(lobby, "picture")
    url = next(each.raw["attachments"][0]["url"] for each in lobby.messages if each.raw.get("attachments"))
    return known(sandbox, hook, url.removeprefix(sandbox.origin))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", EVIL])
async def test_F_43_a_hostile_page_gets_nothing(sandbox: Sandbox, bot: SmallBot, browser: Browser, host: str) -> None:
    targets = await what_there_is(sandbox)
    lobby, alice = sandbox.channel("lobby"), sandbox.user("Alice")
    before = [each.id for each in lobby.seen_by(alice)]
    async with hostile_page() as port:
        page = await browser.new_page()
        await page.goto(f"http://{host}:{port}/")
        got = await page.evaluate(ATTACK, targets)
        await page.close()
    assert len(got) == 21, got
    assert {name: what for name, what in got.items() if what is not None} == {}
    assert [each.id for each in lobby.seen_by(alice)] == before
    assert sandbox.gateway.connected == 1


@pytest.mark.parametrize("key", ["", "#key=wrong"])
async def test_without_its_key_the_page_says_what_to_do(tabs: Tabs, sandbox: Sandbox, key: str) -> None:
    tab = await tabs.blank("Alice")
    await tab.page.goto(f"{tabs.origin}/?person=Alice{key}")
    await expect(tab.page.get_by_role("heading")).to_have_text("Open the address that was printed")
    await tab.page.goto(f"{tabs.origin}/?person=Alice{tabs.key}")
    await tab.page.locator(".intro h2").wait_for(timeout=PATIENCE)
    assert sandbox.page_key not in tab.page.url
    tab.troubles.clear()  # the browser notes each 403


async def test_a_tab_that_the_page_opens_has_the_key_too(tabs: Tabs) -> None:
    alice = await tabs.open("Alice")
    async with alice.page.context.expect_page() as opening:
        await alice.page.evaluate("void window.open(location.href)")
    other = await opening.value
    await other.locator(".intro h2").wait_for(timeout=PATIENCE)


async def test_a_sandbox_that_was_started_anew_asks_for_its_new_address(
    tabs: Tabs, sandbox: Sandbox, world: dict[str, Any]
) -> None:
    alice = await tabs.open("Alice")
    port = sandbox.port
    await sandbox.stop()
    async with Sandbox.running(world, port=port):
        await expect(alice.page.get_by_role("heading", name="Open the address that was printed")).to_be_visible()
    alice.troubles.clear()  # the browser notes each refused connection
