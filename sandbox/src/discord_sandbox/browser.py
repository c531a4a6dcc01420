"""Tabs of a real browser on the sandbox's page, and what came over their sockets. Needs playwright, and Chromium."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from urllib.parse import quote, urlsplit

from playwright.async_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Error,
    Locator,
    Page,
    Request,
    WebSocket,
    async_playwright,
)

from discord_sandbox.model.wire import JsonObject
from discord_sandbox.run.server import Sandbox

PATIENCE = 30_000.0  # milliseconds; a browser on a busy machine of two cores is slow, not wrong
DESKTOP = (1280, 860)
PHONE = (390, 844)
Theme: TypeAlias = Literal["dark", "light"]

_DRAW = """async ({messages, hello}) => {
    const main = document.querySelector("script").src, module = path => import(new URL(path, main).href);
    const { requestWorld } = await module("shell/page-key.js");
    const { drawMessage } = await module("messages/message.js");
    const { ServerCache } = await module("model/server-cache.js");
    const person = hello.person;
    const world = await (await requestWorld()).json();
    const cache = new ServerCache(world, person);
    cache.greet(hello);
    const server = cache.servers[0];
    const byId = new Map(messages.map(message => [message.id, message]));
    const nothing = () => {};
    const around = {
        user: id => cache.user(id), role: id => cache.role(id), server: () => server, place: id => cache.placeOf(id),
        jump: nothing, leave: nothing,
    };
    const room = {
        around, person, known: user => cache.known(user, server), find: id => byId.get(id) ?? null,
        press: nothing, select: nothing, dismiss: nothing,
    };
    const atRest = { pending: null, failure: null, sending: null, chosen: {} };
    const now = Date.now;
    try {
        return messages.map(message => {
            Date.now = () => Date.parse(message.timestamp);  // how long until a deadline is said from then on
            return drawMessage(message, atRest, room).outerHTML;
        });
    } finally {
        Date.now = now;
    }
}"""
"""Draws messages with the page's own modules."""


def chromium() -> str:
    """Debian's browser, or the one `CHROMIUM` names; FileNotFoundError without one."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        raise FileNotFoundError("there is no chromium (apt install chromium), and CHROMIUM names none")
    return path


@asynccontextmanager
async def browser(*arguments: str) -> AsyncIterator[Browser]:
    """A browser without a window, closed at the end. It guards itself against no page, so root can run it."""
    async with async_playwright() as driver:
        running = await driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox", *arguments])
        try:
            yield running
        finally:
            await running.close()


@asynccontextmanager
async def sandbox_at(port: list[int], plan: JsonObject | None = None) -> AsyncIterator[Sandbox]:
    """A sandbox at the port of the one before, if that is still free; `port` notes where it is.

    A spare page (`Tabs`) has the page's files of that address already, and asks for none of them again.
    """
    sandbox = Sandbox(plan)
    try:
        await sandbox.start(port=port[-1] if port else 0)
    except OSError:
        await sandbox.start()
    port[:] = [sandbox.port]
    try:
        yield sandbox
    finally:
        await sandbox.stop()


@dataclass
class Tab:
    """One person's tab. `frames` are the texts its socket received, `troubles` what went wrong in it."""

    page: Page
    person: str
    frames: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    @property
    def line(self) -> Locator:
        """The composer's input."""
        return self.page.locator(".composer-input")

    @property
    def offers(self) -> Locator:
        """The rows of the list over the composer."""
        return self.page.get_by_role("listbox", name="Suggestions").get_by_role("option")

    @property
    def messages(self) -> Locator:
        """The rows of the channel."""
        return self.page.locator("li.message")

    @property
    def last(self) -> Locator:
        """The newest message."""
        return self.messages.last

    def button(self, label: str) -> Locator:
        """The newest button with exactly this label."""
        return self.page.get_by_role("button", name=label, exact=True).last

    async def type(self, text: str) -> None:
        """Type into the composer, key by key."""
        await self.line.press_sequentially(text)

    async def enter(self, text: str) -> None:
        """Put a whole line into the composer, and send it."""
        await self.line.fill(text)
        await self.line.press("Enter")

    async def draw(self, messages: Sequence[JsonObject]) -> list[str]:
        """Messages, as Discord's API has them, as HTML: as the page draws them for this person."""
        hello = next(frame for frame in map(json.loads, self.frames) if frame["t"] == "hello")
        drawn: list[str] = await self.page.evaluate(_DRAW, {"messages": [*messages], "hello": hello})
        return drawn

    def watch(self, origin: str) -> Callable[[], None]:
        """Note every frame, every error, and every request that leaves the sandbox. Returns what ends that."""

        def on_socket(socket: WebSocket) -> None:
            socket.on("framereceived", lambda payload: self.frames.append(str(payload)))
            socket.on("framesent", lambda payload: self.sent.append(str(payload)))

        def on_request(request: Request) -> None:
            parts = urlsplit(request.url)
            if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != urlsplit(origin).netloc:
                self.troubles.append(f"a request to {request.url}")

        def on_error(error: Error) -> None:
            self.troubles.append(str(error))

        async def on_dialog(dialog: Dialog) -> None:
            self.troubles.append(f"a dialog: {dialog.message}")
            await dialog.dismiss()

        def on_console(told: ConsoleMessage) -> None:
            if told.type in ("error", "warning"):
                self.troubles.append(told.text)

        heard: dict[Any, Callable[[Any], Any]] = {
            "websocket": on_socket,
            "request": on_request,
            "pageerror": on_error,
            "dialog": on_dialog,
            "console": on_console,
        }
        for event, listener in heard.items():
            self.page.on(event, listener)

        def end() -> None:
            for event, listener in heard.items():
                self.page.remove_listener(event, listener)

        return end


class Tabs:
    """Opens tabs on one sandbox; each person has a profile of their own.

    `spare` are blank pages that earlier tabs left, and these leave theirs there: to take one costs less than a new one.
    Nothing of an earlier page is in it but for what its browser keeps of files (`sandbox_at`). None: every tab is new.
    """

    def __init__(self, running: Browser, sandbox: Sandbox, spare: list[Page] | None = None) -> None:
        self._browser = running
        self._spare = spare
        self._ends: list[Callable[[], None]] = []
        self.origin = sandbox.origin
        self.key = f"#key={sandbox.page_key}"
        """What every address ends with."""
        self.opened: list[Tab] = []

    async def close(self) -> None:
        """Close every tab, or leave its page to later ones."""
        for end in self._ends:
            end()
        for tab in self.opened:
            context = tab.page.context
            left = tab.page.is_closed() or not tab.page.url.startswith(self.origin)
            if self._spare is None or left:
                await context.close()
                continue
            for page in context.pages:
                if page != tab.page:
                    await page.close()
            await tab.page.evaluate("sessionStorage.clear()")  # where the page keeps its key
            await tab.page.goto("about:blank")
            self._spare.append(tab.page)

    async def blank(self, person: str, *, size: tuple[int, int] = DESKTOP, theme: Theme = "dark") -> Tab:
        """A tab that has gone nowhere yet."""
        page = self._spare.pop() if self._spare else await self._new_page()
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        await page.emulate_media(color_scheme=theme)
        tab = Tab(page, person)
        self._ends.append(tab.watch(self.origin))
        self.opened.append(tab)
        return tab

    async def _new_page(self) -> Page:
        context = await self._browser.new_context(reduced_motion="reduce", locale="en-US")
        page = await context.new_page()
        page.set_default_timeout(PATIENCE)
        return page

    async def open(self, person: str, *, more: str = "", size: tuple[int, int] = DESKTOP, theme: Theme = "dark") -> Tab:
        """A tab at the page as `person`, connected. `more` is added to the address."""
        tab = await self.blank(person, size=size, theme=theme)
        await tab.page.goto(f"{self.origin}/?person={quote(person)}{more}{self.key}")
        await tab.page.locator(".intro h2").wait_for()
        return tab


@asynccontextmanager
async def tabs_on(running: Browser, sandbox: Sandbox, spare: list[Page] | None = None) -> AsyncIterator[Tabs]:
    """Tabs on one sandbox, closed at the end, or left as `spare` pages (`Tabs`). Raises AssertionError if one met an
    error or left this machine."""
    tabs = Tabs(running, sandbox, spare)
    yield tabs
    await tabs.close()
    troubles = [trouble for tab in tabs.opened for trouble in tab.troubles]
    if troubles:
        raise AssertionError(troubles)
