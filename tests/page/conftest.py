"""A sandbox, the bot on it, and a browser to look at both."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from cogs.updates import edit_queue
from discord_sandbox import Sandbox
from discord_sandbox import browser as browser_tabs
from discord_sandbox.browser import PATIENCE, Tabs, sandbox_at, tabs_on
from tests.end_to_end.cardroom import Cardroom, cardroom

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
async def room(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cardroom]:
    """The bot, whose edits Discord's ceiling does not hold up: no test here is about that."""
    monkeypatch.setattr(edit_queue, "SPACING", 0.02)
    async with cardroom(sandbox, tmp_path) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with browser_tabs.browser() as running:
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
