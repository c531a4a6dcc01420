"""Whole matches of every game by their players, in tabs, from the challenge to the end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import expect

from discord_sandbox.browser import PHONE, Tab, Tabs
from engines import GAMES
from tests.end_to_end.cardroom import Cardroom
from tests.page import table

SHORT = {
    "unbreakable": "preset:short turn_limit:20",
    "ciq": "preset:quick round_limit:10",
    "tivmiv": "phases:1",
}
"""Options for a match that is soon over, of games whose matches are long."""

EPHEMERAL = 1 << 6
COUNTDOWN = 6  # seconds that are enough for GO


@contextlib.asynccontextmanager
async def hurried(room: Cardroom) -> AsyncIterator[None]:
    """A race's countdowns are over as soon as they have begun."""

    async def hurry() -> None:
        while True:
            for match in room.app.matches.live():
                if match.position.window is not None and any(
                    timer.name == "go" for timer in match.position.window.timers
                ):
                    room.pass_time(COUNTDOWN)
            await asyncio.sleep(0.05)

    task = asyncio.create_task(hurry())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _told_alone(tab: Tab) -> set[str]:
    """The ids of the messages for one person alone that came over the tab's socket."""
    frames = [json.loads(frame) for frame in tab.frames]
    told = [each for frame in frames for each in (*frame.get("messages", ()), frame.get("message")) if each]
    return {message["id"] for message in told if message["flags"] & EPHEMERAL}


@pytest.mark.nightly  # a whole match each
@pytest.mark.parametrize("game", list(GAMES))
async def test_two_play_a_whole_match(room: Cardroom, tabs: Tabs, game: str) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob", size=PHONE)
    await table.sit_down(alice, bob, f"/{game} challenge opponent:@Bob {SHORT.get(game, '')}")
    (match,) = room.app.matches.live()
    async with hurried(room):
        await table.play([alice, bob], random.Random(7), table.race if game == "tivmiv" else table.anything)
    assert match.result is not None
    assert match.result.kind not in ("resignation", "called_off"), match.result.kind
    mine, his = _told_alone(alice), _told_alone(bob)
    assert mine
    assert his
    assert mine.isdisjoint(his)
    for tab in (alice, bob):
        await expect(tab.page.get_by_role("alert").filter(has_text=re.compile("."))).to_have_count(0)
