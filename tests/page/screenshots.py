"""Pictures of the page in play, at two widths and in both themes.

    python -m tests.page.screenshots FOLDER

starts a sandbox with the whole bot, lets two people begin a match of each game in a browser, and writes a folder a game
with `desktop-dark.png`, `desktop-light.png`, `phone-dark.png` and `phone-light.png`, each with board and hand; beside
them `commands-dark.png`, `first-visit-dark.png`, `both-sides-dark.png` and `menu-light.png`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, expect

from discord_sandbox import Sandbox
from discord_sandbox.browser import PHONE, Tab, Tabs, Theme, browser
from engines import GAMES
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.emojis import give_emojis
from tests.page import table

DESKTOP = (1280, 1040)
SOMETHING_TO_SEE = {
    "haymaker": (12, 4),
    "unbreakable": (16, 4),
    "ciq": (12, 4),
    "tivmiv": (12, 4),
    "champions": (14, 4),
}
"""After how many presses there is something to see, and how much somebody then has to choose from; in other games after
the first press, as soon as there is a choice."""

TRIES = 400
PAINTED_WITHIN = 2.5  # seconds; a board is edited about once a second
COUNTDOWN = 6
WORLD = {
    "people": [{"name": name} for name in ("Alice", "Bob", "Carol", "Dave")],
    "servers": [
        {"name": "Card Table", "channels": [{"name": "lobby"}, {"name": "games"}, {"name": "rules"}]},
        {"name": "Second Table", "channels": [{"name": "general"}]},
    ],
}
LOOKS: list[tuple[str, tuple[int, int], Theme]] = [
    ("desktop-dark", DESKTOP, "dark"),
    ("desktop-light", DESKTOP, "light"),
    ("phone-dark", PHONE, "dark"),
    ("phone-light", PHONE, "light"),
]


README: Final = {"play.png": "haymaker"}
"""The README's pictures: each file in `docs/images`, with the game whose hand and table it shows."""
README_SIZE = (1000, 1000)


async def take_for_readme(folder: Path) -> list[Path]:
    """Write the README's pictures into a folder, which is there; their paths."""
    written = []
    async with browser() as running:
        for name, game in README.items():
            async with _played_on(running) as (tabs, sandbox, room):
                mover = await _in_play(tabs, sandbox, room, game)
                await table.board(mover).get_by_role("button", name="Show the table").click()
                await expect(mover.page.locator(".gallery img")).to_have_count(1)
                await mover.page.mouse.move(0, 0)
                written.append(await _shoot(mover, folder / name, README_SIZE, "dark"))
    return written


async def take(folder: Path) -> list[Path]:
    """Write the pictures into `folder`, which is there; their paths."""
    written: list[Path] = []
    async with browser() as running:
        for game in GAMES:
            (folder / game).mkdir(exist_ok=True)
            async with _played_on(running) as (tabs, sandbox, room):
                written += await _of_game(tabs, sandbox, room, game, folder / game)
        async with _played_on(running) as (tabs, _, _):
            written += await _of_the_page(tabs, folder)
    return written


@contextlib.asynccontextmanager
async def _played_on(running: Browser) -> AsyncIterator[tuple[Tabs, Sandbox, Cardroom]]:
    with tempfile.TemporaryDirectory() as data:
        async with Sandbox.running(WORLD) as sandbox:
            give_emojis(sandbox)
            async with cardroom(sandbox, Path(data), CARDROOM_CARD_EMOJIS="on") as room:
                tabs = Tabs(running, sandbox)
                yield tabs, sandbox, room
                await tabs.close()


async def _of_game(tabs: Tabs, sandbox: Sandbox, room: Cardroom, game: str, folder: Path) -> list[Path]:
    mover = await _in_play(tabs, sandbox, room, game)
    return [await _shoot(mover, folder / f"{name}.png", size, theme) for name, size, theme in LOOKS]


async def _in_play(tabs: Tabs, sandbox: Sandbox, room: Cardroom, game: str) -> Tab:
    """A match under way, to where somebody has picked a card; the tab of whoever that is."""
    alice, bob = await tabs.open("Alice", size=DESKTOP), await tabs.open("Bob", size=DESKTOP)
    sandbox.user("Carol").client.say(sandbox.channel("games").record, "Anybody for a match later?")
    await alice.enter("Evening, @Bob! A quick one?")
    await bob.enter("Sure, you are on.")
    await table.sit_down(alice, bob, f"/{game} challenge opponent:@Bob")
    mover = await _play_a_while([alice, bob], room, game)
    await asyncio.sleep(PAINTED_WITHIN)
    if await table.can_pick(mover, 2):
        await table.pick_a_card(mover)
    await mover.page.mouse.move(0, 0)
    return mover


async def _play_a_while(tabs: list[Tab], room: Cardroom, game: str) -> Tab:
    """Play some moves, to where somebody has something to choose from; whoever that is."""
    rng = random.Random(5)
    choose = table.race if game == "tivmiv" else table.anything
    pressed = 0
    presses, choices = SOMETHING_TO_SEE.get(game, (1, 2))
    for _ in range(TRIES):
        for tab in tabs:
            _, offers = await table.look(tab)
            if pressed >= presses and len(offers) >= choices:
                return tab
            pressed += await table.press_something(tab, rng, choose)
        if game == "tivmiv":
            room.pass_time(COUNTDOWN)
        await asyncio.sleep(0.05)
    raise TimeoutError(f"nobody came to choose within {pressed} presses")


async def _of_the_page(tabs: Tabs, folder: Path) -> list[Path]:
    written: list[Path] = []
    visitor = await tabs.blank("nobody yet", size=DESKTOP)
    await visitor.page.goto(f"{tabs.origin}/{tabs.key}")
    await visitor.page.get_by_role("heading", name="Who are you?").wait_for()
    written.append(await _shoot(visitor, folder / "first-visit-dark.png", DESKTOP, "dark"))
    await visitor.page.goto(f"{tabs.origin}/?people=Alice,Bob{tabs.key}")
    await visitor.page.get_by_role("heading", name="Welcome to #lobby!").last.wait_for()
    await visitor.button("/haymaker challenge opponent:@Alice").click()
    await visitor.page.keyboard.press("Enter")
    await visitor.button("Accept").wait_for()
    written.append(await _shoot(visitor, folder / "both-sides-dark.png", DESKTOP, "dark"))
    alice = await tabs.open("Alice", size=DESKTOP)
    await alice.type("/")
    await alice.offers.first.wait_for()
    written.append(await _shoot(alice, folder / "commands-dark.png", DESKTOP, "dark"))
    await alice.line.fill("")
    await alice.page.locator(".member", has_text="Bob").click(button="right")
    await alice.page.get_by_role("menuitem", name="Apps").hover()
    written.append(await _shoot(alice, folder / "menu-light.png", DESKTOP, "light"))
    return written


async def _shoot(tab: Tab, path: Path, size: tuple[int, int], theme: Theme) -> Path:
    width, height = size
    await tab.page.set_viewport_size({"width": width, "height": height})
    await tab.page.emulate_media(color_scheme=theme)
    await tab.page.wait_for_function("() => new Promise(done => requestAnimationFrame(() => done(true)))")
    await tab.page.screenshot(path=path)
    return path


def main() -> None:
    """Take the pictures and print their paths."""
    parser = argparse.ArgumentParser(prog="python -m tests.page.screenshots", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for path in asyncio.run(take(folder)):
        print(path)  # noqa: T201  what the script is asked for


if __name__ == "__main__":
    main()
