"""Matches of every game against every level of the computer, played to their ends in a browser of a phone's width.

    python -m tests.page.practice FOLDER [GAME …]

starts a sandbox with the whole bot for each match, and writes `GAME-LEVEL-….png`: `begun`, `middle`, `hint`,
`result` and `review`. Computers act at once.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import re
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest.mock import patch

from playwright.async_api import Browser, expect

from bot.play.computers import races, seats
from bot.ui.catalogue import translations
from cogs.updates import edit_queue
from discord_sandbox import Sandbox
from discord_sandbox.browser import PHONE, Tab, Tabs, browser
from engines.players.levels import LEVELS, RACERS
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.page import table

say = translations("en")
WORLD = {"people": [{"name": "Alice"}], "servers": [{"name": "Card Table", "channels": [{"name": "lobby"}]}]}
HINT, REVIEW = say("button.hint"), say("button.review")
MIDDLE = {"tivmiv": 40}
"""Presses after which a match is in its middle; in other games `USUAL_MIDDLE`."""
USUAL_MIDDLE = 6
MOST_LOOKS = 3_000
COUNTDOWN = 6
"""Seconds that pass at once while nobody may do anything in a race."""
REACTION_MS = 400
OPTIONS = {"unbreakable": " preset:Short", "ciq": " preset:Quick", "tivmiv": " preset:Short"}
"""What makes a match short."""


async def take(folder: Path, games: list[str]) -> AsyncIterator[Path]:
    """Play, and write the pictures into `folder`, which is there; their paths. Raises AssertionError for a match that
    doesn't end, and for an error in the page."""
    async with browser() as running:
        for game in games:
            for level in LEVELS[game]:
                async with _alice(running) as (tab, room):
                    async for path in _of_match(tab, room, game, level, folder):
                        yield path
                    assert tab.troubles == []


@contextlib.contextmanager
def quick_computers() -> Iterator[None]:
    """Computers act at once, and boards are edited without Discord's ceiling."""
    with (
        patch.object(seats, "thinking_seconds", lambda _size, _luck: 0.0),
        patch.object(races, "reaction_ms", lambda *_: REACTION_MS),
        patch.object(edit_queue, "SPACING", 0.02),
    ):
        yield


@contextlib.asynccontextmanager
async def _alice(running: Browser) -> AsyncIterator[tuple[Tab, Cardroom]]:
    with tempfile.TemporaryDirectory() as data, quick_computers():
        async with (
            Sandbox.running(WORLD) as sandbox,
            cardroom(sandbox, Path(data), CARDROOM_COMPUTER_WORKERS="1") as room,
        ):
            tabs = Tabs(running, sandbox)
            yield await tabs.open("Alice", size=PHONE), room
            await tabs.close()


async def _of_match(tab: Tab, room: Cardroom, game: str, level: str, folder: Path) -> AsyncIterator[Path]:
    async def shot(what: str) -> Path:
        path = folder / f"{game}-{level}-{what}.png"
        await tab.page.screenshot(path=path)
        return path

    await begin(tab, f"/{game} practice level:{level}{OPTIONS.get(game, '')}")
    yield await shot("begun")
    rng, pressed, shown = random.Random(3), 0, False
    for _ in range(MOST_LOOKS):
        if not await table.is_on(tab).count():
            break
        if pressed >= MIDDLE.get(game, USUAL_MIDDLE) and not shown:
            shown = True
            yield await shot("middle")
            if await table.hand(tab).get_by_role("button", name=HINT).count():
                await hint(tab)
                yield await shot("hint")
                await table.is_on(tab).click()
                await asyncio.sleep(0.2)
        made = await table.press_something(tab, rng, table.race if game in RACERS else table.anything)
        pressed += made
        if not made:
            if game in RACERS:
                room.pass_time(COUNTDOWN)
            await asyncio.sleep(table.LOOK_AGAIN)
    else:
        raise AssertionError(f"the match of {game} against {level} does not end")
    await expect(table.board(tab)).to_contain_text(say("ending.uncounted_computer"))
    await table.board(tab).scroll_into_view_if_needed()
    yield await shot("result")
    await table.board(tab).get_by_role("button", name=REVIEW).click()
    await expect(table.hand(tab)).to_contain_text(say("button.review"), timeout=60_000)
    await table.hand(tab).scroll_into_view_if_needed()
    yield await shot("review")


async def begin(tab: Tab, line: str) -> None:
    """Begin a match against a computer by typing, and take up the hand."""
    await tab.enter(line)
    await table.is_on(tab).click()
    await expect(table.hand(tab)).to_contain_text(re.compile("your", re.IGNORECASE))


async def hint(tab: Tab) -> None:
    """Ask for a hint, and wait until it is there."""
    before = await tab.messages.count()
    await table.hand(tab).get_by_role("button", name=HINT).click()
    await expect(tab.messages).to_have_count(before + 1)
    await expect(table.hand(tab)).to_contain_text("%")


async def _main(folder: Path, games: list[str]) -> None:
    async for path in take(folder, games):
        print(path, flush=True)  # noqa: T201  what the script is asked for


def main() -> None:
    """Take the pictures and print their paths."""
    parser = argparse.ArgumentParser(prog="python -m tests.page.practice", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", metavar="GAME", default=[*LEVELS])
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(_main(given.folder, given.games))


if __name__ == "__main__":
    main()
