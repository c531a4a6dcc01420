"""`cardroom run` for real, looked at in the page while its bot is killed and comes back."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

from playwright.async_api import Browser, Page, expect

from discord_sandbox import browser as tabs

ROOT = Path(__file__).parents[2]
OFFLINE = "Cardroom is offline. Its commands and buttons work again as soon as it is back."
BACK_WITHIN = 30_000  # milliseconds


@contextlib.asynccontextmanager
async def _cardroom(folder: Path) -> AsyncIterator[tuple[Process, str]]:
    """`cardroom run`, and the address that it prints for Alice; ended as by Ctrl-C."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "CARDROOM_"))}
    launcher = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot.launcher", "run"),
        cwd=folder,
        env={**inherited, "PYTHONPATH": str(ROOT), "CARDROOM_PORT": "0"},
        stdout=PIPE,
        stderr=DEVNULL,
    )
    try:
        assert launcher.stdout is not None
        said = (await launcher.stdout.readline()).decode()
        yield launcher, said.removeprefix("Cardroom is ready: ").strip()
    finally:
        launcher.send_signal(signal.SIGINT)
        await launcher.communicate()
    assert launcher.returncode == 0


def _pid(folder: Path) -> int:
    """The number of the bot's process, which it writes into the lock of its data."""
    (lock,) = (folder / "data").glob("*.lock")
    return int(lock.read_text())


@contextlib.asynccontextmanager
async def _opened(browser: Browser, address: str, size: tuple[int, int] = tabs.DESKTOP) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en-US")
    page = await context.new_page()
    await page.goto(address)
    try:
        yield page
    finally:
        await context.close()


async def test_the_page_says_that_the_bot_is_gone_until_it_is_back_with_the_match(
    tmp_path: Path, browser: Browser
) -> None:
    async with (
        _cardroom(tmp_path) as (launcher, address),
        _opened(browser, address.replace("person=Alice", "people=Alice,Bob")) as page,
    ):
        alice, bob = (page.get_by_role("region", name=name, exact=True) for name in ("Alice", "Bob"))
        line = alice.get_by_role("textbox")
        await line.fill("/haymaker challenge opponent:@Bob")
        await line.press("Enter")
        await bob.get_by_role("button", name="Accept").click()
        await expect(alice.get_by_role("button", name="My cards")).to_be_visible()
        await expect(page.get_by_text(OFFLINE)).to_have_count(0)

        killed = _pid(tmp_path)
        os.kill(killed, signal.SIGKILL)
        for window in (alice, bob):
            await expect(window.get_by_text(OFFLINE)).to_be_visible()
        await expect(page.get_by_text(OFFLINE)).to_have_count(0, timeout=BACK_WITHIN)
        assert _pid(tmp_path) != killed
        assert launcher.stdout is not None
        assert [await launcher.stdout.readline() for _ in range(2)][1] == b"The bot is back.\n"

        await alice.get_by_role("button", name="My cards").click()
        await expect(alice.locator("li.message.ephemeral").last).to_contain_text(re.compile("your", re.IGNORECASE))
        await line.fill("/help")
        await line.press("Enter")
        await expect(alice.locator("li.message").last).to_contain_text("Card games with hidden hands")
