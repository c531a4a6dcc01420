"""An evening of sixteen people in one channel, of whom five press whatever they can. The others play, two of them on
the page."""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from bot.budgets import POSTS_COUNT_FOR
from bot.settings import Settings
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, Person, Sandbox
from discord_sandbox.browser import Tab, Tabs
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.page.table import hand
from tests.simulation.hostile import SHOUT, Hostile
from tests.simulation.weather_fields import Weather

say = translations("en")
ACCEPT, MY_CARDS, MORE, RESIGN, REPLAY = (
    say(f"button.{key}") for key in ("accept", "my_cards", "more", "resign", "replay")
)
GUESTS: Final = [f"Guest {number:02}" for number in range(1, 12)]
TROUBLED: Final = [f"Hostile {number}" for number in range(5)]
HANDS: Final = 4
"""Things that each of them does at once."""
BEFORE: Final = 10.0
"""Seconds that they have to spoil the channel before anybody comes."""
SLOWEST: Final = 60.0
"""Seconds within which everybody is to begin a match."""


@pytest.fixture
def world() -> dict[str, Any]:
    people = [*GUESTS, *TROUBLED]
    server = {"name": "Card Table", "members": people, "channels": [{"name": "lobby"}, {"name": "games"}]}
    return {"people": [{"name": each} for each in people], "servers": [server]}


@pytest_asyncio.fixture(loop_scope="session")
async def room(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Cardroom]:
    """The bot with the limits that it has by itself."""
    own = Settings()
    posts, presses = str(own.posts_per_minute), str(own.presses_per_second)
    async with cardroom(
        sandbox, tmp_path, CARDROOM_POSTS_PER_MINUTE=posts, CARDROOM_PRESSES_PER_SECOND=presses
    ) as running:
        yield running


@asynccontextmanager
async def let_loose(sandbox: Sandbox, lobby: DrivenChannel) -> AsyncIterator[None]:
    """Have the hostile five do as they like within the block."""
    everybody, weather = sandbox.people, Weather(hostile_pace=0.5)
    acting = [
        asyncio.create_task(
            Hostile(sandbox.user(name), everybody, lobby, random.Random(f"{name} {nth}"), weather).act()
        )
        for name in TROUBLED
        for nth in range(HANDS)
    ]
    try:
        yield
        assert not [task for task in acting if task.done()], "they have stopped"
    finally:
        for task in acting:
            task.cancel()
        await asyncio.gather(*acting, return_exceptions=True)


async def plays(first: Person, second: Person, lobby: DrivenChannel) -> float:
    """Have two people begin a match. Returns how many seconds that took."""
    came = time.monotonic()
    asked = await first.slash(lobby, "haymaker challenge", opponent=second)
    assert asked.visibility == "public", asked.text
    await second.press(asked.message, label=ACCEPT)
    assert asked.message.find_button(MY_CARDS) is not None
    return time.monotonic() - came


def match_on(tab: Tab, host: str) -> Locator:
    """The public message on which somebody's match is."""
    shown = tab.page.locator("li.message:not(.ephemeral)").filter(has_text=f"{host} used /haymaker challenge")
    return shown.last


async def test_eleven_people_play_among_five_who_do_what_they_can(sandbox: Sandbox, room: Cardroom, tabs: Tabs) -> None:
    lobby = sandbox.channel("lobby")
    host, guest = [await tabs.open(name) for name in GUESTS[:2]]
    async with let_loose(sandbox, lobby):
        await asyncio.sleep(BEFORE)
        came = time.monotonic()
        await host.enter(f"/haymaker challenge opponent:@{GUESTS[1]}")
        await match_on(guest, GUESTS[0]).get_by_role("button", name=ACCEPT).click()
        for tab in (host, guest):
            await match_on(tab, GUESTS[0]).get_by_role("button", name=MY_CARDS).click()
            await expect(hand(tab)).to_contain_text("your cards")
        took = [time.monotonic() - came]
        for number in range(2, 10, 2):
            first, second = (sandbox.user(name) for name in GUESTS[number : number + 2])
            took.append(await plays(first, second, lobby))
        opened = await sandbox.user(GUESTS[-1]).slash(lobby, "ciq open")
        assert opened.visibility == "public"
        await match_on(guest, GUESTS[0]).get_by_role("button", name=MORE).click()
        await hand(guest).get_by_role("button", name=RESIGN).click()
        await hand(guest).get_by_role("button", name=RESIGN).click()
        await expect(match_on(host, GUESTS[0]).get_by_role("button", name=REPLAY)).to_be_visible()
        await _has_its_file(host)
    assert len(took) == 5
    assert max(took) < SLOWEST
    assert SHOUT not in "\n".join(await host.page.locator("li.message:not(.ephemeral)").all_inner_texts())
    posts = _posts(lobby, {sandbox.user(name).id for name in TROUBLED})
    assert posts
    most = Settings().posts_per_minute
    for moments in posts.values():
        assert all(moments[nth + most] - at > POSTS_COUNT_FOR - 1 for nth, at in enumerate(moments[:-most]))


async def _has_its_file(tab: Tab) -> None:
    """Ask for the page of the match, and get it."""
    await match_on(tab, GUESTS[0]).get_by_role("button", name=REPLAY).click()
    await hand(tab).get_by_role("button", name=MORE).click()
    await hand(tab).get_by_role("combobox", name=say("replay.exports")).click()
    await tab.page.get_by_role("option", name=say("replay.export.page")).click()
    await expect(tab.page.get_by_role("link", name=".html")).to_have_count(1)


def _posts(lobby: DrivenChannel, people: set[int]) -> dict[int, list[float]]:
    """When the bot posted something because one of these people asked, by person, as far as it is still there."""
    found: dict[int, list[float]] = defaultdict(list)
    for message in lobby.messages:
        asked = (message.raw.get("interaction_metadata") or {}).get("user", {}).get("id")
        if asked is not None and int(asked) in people:
            found[int(asked)].append(datetime.fromisoformat(message.raw["timestamp"]).timestamp())
    return found
