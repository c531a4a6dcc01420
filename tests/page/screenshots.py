"""Pictures of the page in play, at two widths and in both themes.

    python -m tests.page.screenshots FOLDER

starts a sandbox with the whole bot, lets two people begin a match of Haymaker in a browser, and writes
`desktop-dark.png`, `desktop-light.png`, `phone-dark.png`, `phone-light.png` and `commands-dark.png`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from pathlib import Path

from sandbox import Sandbox
from tests.house.cardroom import cardroom
from tests.page import table
from tests.page.tabs import PHONE, Tab, Tabs, Theme, browser

DESKTOP = (1280, 1040)
PRESSES = 12
TRIES = 400
PAINTED_WITHIN = 2.5  # seconds; a board is edited about once a second
WORLD = {
    "people": [{"name": name} for name in ("Alice", "Bob", "Carol", "Dave")],
    "servers": [
        {"name": "Card Table", "channels": [{"name": "lobby"}, {"name": "games"}, {"name": "rules"}]},
        {"name": "Second Table", "channels": [{"name": "general"}]},
    ],
}


async def take(folder: Path) -> list[Path]:
    """Write the pictures into `folder`, which is there; their paths."""
    with tempfile.TemporaryDirectory() as data:
        async with Sandbox.running(WORLD) as sandbox, cardroom(sandbox, Path(data)), browser() as running:
            return await _in_play(Tabs(running, sandbox.origin), sandbox, folder)


async def _in_play(tabs: Tabs, sandbox: Sandbox, folder: Path) -> list[Path]:
    alice, bob = await tabs.open("Alice", size=DESKTOP), await tabs.open("Bob", size=DESKTOP)
    sandbox.user("Carol").client.say(sandbox.channel("games").record, "Anybody for a match later?")
    await alice.enter("Evening, @Bob! A quick one?")
    await bob.enter("Sure, you are on.")
    await alice.type("/")
    await alice.offers.first.wait_for()
    written = [await _shoot(alice, folder / "commands-dark.png")]
    await alice.line.fill("")
    await table.sit_down(alice, bob, "/haymaker challenge opponent:@Bob clock:normal")
    mover = await _play_a_while([alice, bob], random.Random(5))
    await asyncio.sleep(PAINTED_WITHIN)
    await table.pick_a_card(mover)
    shots: list[tuple[str, tuple[int, int], Theme]] = [
        ("desktop-dark", DESKTOP, "dark"),
        ("desktop-light", DESKTOP, "light"),
        ("phone-dark", PHONE, "dark"),
        ("phone-light", PHONE, "light"),
    ]
    for name, (width, height), theme in shots:
        await mover.page.set_viewport_size({"width": width, "height": height})
        await mover.page.emulate_media(color_scheme=theme)
        written.append(await _shoot(mover, folder / f"{name}.png"))
    return written


async def _play_a_while(tabs: list[Tab], rng: random.Random) -> Tab:
    """Play some moves, to where somebody has several cards to choose from; whoever that is."""
    pressed = 0
    for _ in range(TRIES):
        for tab in tabs:
            if pressed >= PRESSES and await table.can_pick(tab, 4):
                return tab
            pressed += await table.press_something(tab, rng)
        await asyncio.sleep(0.05)
    raise TimeoutError(f"nobody came to choose within {pressed} presses")


async def _shoot(tab: Tab, path: Path) -> Path:
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
