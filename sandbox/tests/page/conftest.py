"""A sandbox with a small bot on it, and a browser to look at it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from discord_sandbox import Sandbox
from discord_sandbox import browser as browser_tabs
from discord_sandbox.browser import PATIENCE, Tabs, sandbox_at, tabs_on
from discord_sandbox.discord_py import connected
from tests.page.fuller_bot import FullerBot
from tests.page.small_bot import SmallBot

HOSTILE = "<img src=x onerror=alert(1)> **bold** \u202egnikcah"
EVIL = "evil.example"
"""Whose name the browser takes for this machine's."""
WORLD: dict[str, Any] = {
    "people": [
        {"name": "Alice"},
        {"name": "Bob"},
        {"name": "Bobby Tables", "username": "bobby"},
        {"name": HOSTILE, "username": "mallory"},
    ],
    "servers": [
        {"name": "Card Table", "channels": [{"name": "lobby"}, {"name": "games"}]},
        {"name": "Elsewhere", "channels": [{"name": "general"}]},
    ],
}
EVERYTHING = 0b111_1111_1111_1111_1111_1111_1111_1111_1111_1111_1111_1111
"""Every permission there is."""

RICH_WORLD: dict[str, Any] = {
    "people": WORLD["people"],
    "servers": [
        {
            "name": "Card Table",
            "bot": EVERYTHING,
            "roles": [{"name": "Dealers", "color": 0x2ECC71, "hoist": True, "mentionable": True}],
            "members": [{"name": "Alice", "roles": ["Dealers"]}, "Bob", "Bobby Tables", HOSTILE],
            "channels": [
                {"name": "lobby"},
                {"name": "games"},
                {"name": "Back room", "type": "category"},
                {
                    "name": "dealers-only",
                    "category": "Back room",
                    "overwrites": [
                        {"role": "@everyone", "deny": ["view_channel"]},
                        {"role": "Dealers", "allow": ["view_channel"]},
                        {"bot": True, "allow": ["view_channel"]},
                    ],
                },
            ],
        }
    ],
}
"""A world with a role, a category and a channel that not everybody sees."""

expect.set_options(timeout=PATIENCE)


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Whatever lies in this folder needs a browser, and shares one: so it shares its event loop, too.

    The loop's scope must be known before the tests are made, or each of them gets a loop and a browser of its own.
    """
    if isinstance(collector, pytest.Module):
        collector.add_marker(pytest.mark.page)
        collector.add_marker(pytest.mark.asyncio(loop_scope="session"))


@pytest.fixture
def world() -> dict[str, Any]:
    """What the sandbox begins with; a module may have another."""
    return WORLD


@pytest.fixture(scope="session")
def port() -> list[int]:
    """Where the sandbox of the test before was."""
    return []


@pytest_asyncio.fixture(loop_scope="session")
async def sandbox(world: dict[str, Any], port: list[int]) -> AsyncIterator[Sandbox]:
    async with sandbox_at(port, world) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def bot(sandbox: Sandbox) -> AsyncIterator[SmallBot]:
    client = SmallBot()
    async with connected(client, sandbox):
        yield client
        client.wake.set()


@pytest_asyncio.fixture(loop_scope="session")
async def fuller_bot(sandbox: Sandbox) -> AsyncIterator[FullerBot]:
    client = FullerBot()
    async with connected(client, sandbox):
        yield client


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with browser_tabs.browser(f"--host-resolver-rules=MAP {EVIL} 127.0.0.1") as running:
        yield running


@pytest.fixture(scope="session")
def spare_pages() -> list[Page]:
    """Pages that tests have left."""
    return []


@pytest_asyncio.fixture(loop_scope="session")
async def tabs(sandbox: Sandbox, browser: Browser, spare_pages: list[Page]) -> AsyncIterator[Tabs]:
    """Tabs on the sandbox; at the end none of them may have met an error or left this machine."""
    async with tabs_on(browser, sandbox, spare_pages) as opened:
        yield opened
