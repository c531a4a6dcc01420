"""A sandbox, and a browser to look at it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from discord_sandbox import Sandbox
from discord_sandbox import browser as browser_tabs
from discord_sandbox.browser import PATIENCE, Tabs, tabs_on

HOSTILE = "<img src=x onerror=alert(1)> **bold** \u202egnikcah"
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
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever lies in this folder needs a browser, and shares one: so it shares its event loop, too."""
    for item in items:
        if "tests/page/" in item.path.as_posix():
            item.add_marker(pytest.mark.page)
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture
def world() -> dict[str, Any]:
    """What the sandbox begins with; a module may have another."""
    return WORLD


@pytest_asyncio.fixture(loop_scope="session")
async def sandbox(world: dict[str, Any]) -> AsyncIterator[Sandbox]:
    async with Sandbox.running(world) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with browser_tabs.browser() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def tabs(sandbox: Sandbox, browser: Browser) -> AsyncIterator[Tabs]:
    """Tabs on the sandbox; at the end none of them may have met an error or left this machine."""
    async with tabs_on(browser, sandbox) as opened:
        yield opened
