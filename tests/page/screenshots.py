"""The README's pictures: two people in a match in a browser, with hand, board and table (`make gallery`)."""

from __future__ import annotations

import asyncio
import contextlib
import random
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import Tab, Tabs, browser
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.emojis import give_emojis
from tests.page import table

README: Final = {"play.png": "haymaker"}
"""The README's pictures: each file in `docs/images`, with the game whose hand and table it shows."""
SIZE = (1000, 1170)
PLAYED_AT = (1280, 1170)
PRESSES, CHOICES = 12, 4
"""After so many presses there is something to see, once somebody has so much to choose from."""
TRIES = 400
PAINTED_WITHIN = 2.5  # seconds; a board is edited about once a second
WORLD = {
    "people": [{"name": name} for name in ("Alice", "Bob", "Carol", "Dave")],
    "servers": [
        {"name": "Card Table", "channels": [{"name": "lobby"}, {"name": "games"}, {"name": "rules"}]},
        {"name": "Second Table", "channels": [{"name": "general"}]},
    ],
}


async def take_for_readme(folder: Path) -> list[Path]:
    """Write the README's pictures into a folder, which is there; their paths."""
    written = []
    async with browser() as running:
        for name, game in README.items():
            async with _played_on(running) as (tabs, sandbox):
                mover = await _in_play(tabs, sandbox, game)
                await expect(table.board(mover).locator(".gallery img")).to_have_count(1)
                await mover.page.mouse.move(0, 0)
                written.append(await _shoot(mover, folder / name))
    return written


@contextlib.asynccontextmanager
async def _played_on(running: Browser) -> AsyncIterator[tuple[Tabs, Sandbox]]:
    with tempfile.TemporaryDirectory() as data:
        async with Sandbox.running(WORLD) as sandbox:
            give_emojis(sandbox)
            async with cardroom(sandbox, Path(data), CARDROOM_CARD_EMOJIS="on"):
                tabs = Tabs(running, sandbox)
                yield tabs, sandbox
                await tabs.close()


async def _in_play(tabs: Tabs, sandbox: Sandbox, game: str) -> Tab:
    """A match under way, to where somebody has picked a card; the tab of whoever that is."""
    alice, bob = await tabs.open("Alice", size=PLAYED_AT), await tabs.open("Bob", size=PLAYED_AT)
    sandbox.user("Carol").client.say(sandbox.channel("games").record, "Anybody for a match later?")
    await alice.enter("Evening, @Bob! A quick one?")
    await bob.enter("Sure, you are on.")
    await table.sit_down(alice, bob, f"/{game} challenge opponent:@Bob")
    mover = await _play_a_while([alice, bob])
    await asyncio.sleep(PAINTED_WITHIN)
    if await table.can_pick(mover, 2):
        await table.pick_a_card(mover)
    await mover.page.mouse.move(0, 0)
    return mover


async def _play_a_while(tabs: list[Tab]) -> Tab:
    """Play some moves, to where somebody has something to choose from; whoever that is."""
    rng = random.Random(5)
    pressed = 0
    for _ in range(TRIES):
        for tab in tabs:
            _, offers = await table.look(tab)
            if pressed >= PRESSES and len(offers) >= CHOICES:
                return tab
            pressed += await table.press_something(tab, rng, table.anything)
        await asyncio.sleep(0.05)
    raise TimeoutError(f"nobody came to choose within {pressed} presses")


async def _shoot(tab: Tab, path: Path) -> Path:
    width, height = SIZE
    await tab.page.set_viewport_size({"width": width, "height": height})
    await tab.page.emulate_media(color_scheme="dark")
    await tab.page.wait_for_function("() => new Promise(done => requestAnimationFrame(() => done(true)))")
    await tab.page.screenshot(path=path)
    return path
