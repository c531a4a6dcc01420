"""Buttons of a hand stay where they are, to the pixel, whatever is pressed while its question is open."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TypeAlias

import pytest
import pytest_asyncio

from cogs.screens import custom_ids
from cogs.updates import edit_queue
from discord_sandbox import Sandbox
from discord_sandbox.browser import DESKTOP, PHONE, Tab, Tabs
from engines import GAMES
from engines.tivmiv import Stage
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.emojis import give_emojis
from tests.page import table

PICKING = [game for game in GAMES if game != "tivmiv"]
COUNTDOWN = 6
QUESTIONS = 2
"""How many questions of a match are tried, each with other things to pick."""
TRIES = 600
MOST_PRESSED = 8
"""How many buttons of one question are pressed at each width."""
QUIET = 1.5  # seconds; boards are edited about once a second, and what rests after a press has opened by then

Box: TypeAlias = list[float]

_BUTTONS = "[...[...document.querySelectorAll('li.message.ephemeral')].at(-1).querySelectorAll('.content .button')]"
_BOXES = (
    f"() => {_BUTTONS}"
    """
    .map(button => { const box = button.getBoundingClientRect(); return [box.x, box.y, box.width, box.height]; })"""
)
_INTO_VIEW = f"place => {_BUTTONS}[place].scrollIntoView({{block: 'center'}})"
_IDS = f"() => {_BUTTONS}.map(button => button.disabled ? '' : button.dataset.customId)"


@pytest_asyncio.fixture(loop_scope="session")
async def room(
    request: pytest.FixtureRequest, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Cardroom]:
    """The bot; with the parameter "emojis" cards are emojis."""
    emojis = getattr(request, "param", "") == "emojis"
    if emojis:
        give_emojis(sandbox)
    monkeypatch.setattr(edit_queue, "SPACING", 0.02)  # Discord's ceiling of edits is not what these tests are about
    async with cardroom(sandbox, tmp_path, CARDROOM_CARD_EMOJIS="on" if emojis else "off") as running:
        yield running


async def hand_height(tab: Tab) -> float:
    """How tall the hand is, in pixels."""
    box = await table.hand(tab).bounding_box()
    assert box is not None
    return box["height"]


async def boxes(tab: Tab) -> list[Box]:
    """Where each button of the hand is, and how large, in pixels."""
    found: list[Box] = await tab.page.evaluate(_BOXES)
    return found


def beside_others(found: list[Box]) -> list[Box]:
    """The boxes, without the width of a button that is alone in its row: in words it says "picked" or "not picked"."""
    tops = Counter(top for _, top, _, _ in found)
    return [[x, y, width if tops[y] > 1 else 0.0, height] for x, y, width, height in found]


def near(found: list[Box], wanted: list[Box]) -> bool:
    """Whether buttons are where they should be, to less than a pixel: a card in a line makes it a little taller."""
    pairs = [pair for some, others in zip(found, wanted, strict=True) for pair in zip(some, others, strict=True)]
    return all(abs(first - second) < 1 for first, second in pairs)


async def pressable(tab: Tab, verbs: str) -> list[int]:
    """The enabled buttons with one of these verbs, by their order in the hand."""
    ids = await tab.page.evaluate(_IDS)
    return [index for index, each in enumerate(ids) if each and custom_ids.read(each)[1].verb in verbs]


async def press(tab: Tab, index: int) -> None:
    """Press a button by its order in the hand."""
    ids = await tab.page.evaluate(_IDS)
    assert await table.press(tab, table.Offer("", ids[index], None))


async def to_a_question(tabs: list[Tab], rng: random.Random) -> Tab:
    """Play until somebody has at least two things to pick from; that player's tab."""
    for _ in range(TRIES):
        for tab in tabs:
            if len(await pressable(tab, "p")) >= 2 or len(await pressable(tab, "o")) >= 2:
                await asyncio.sleep(QUIET)
                return tab
            if not await table.press_something(tab, rng):
                await asyncio.sleep(table.LOOK_AGAIN)
    raise TimeoutError("nobody came to pick anything")


@pytest.mark.nightly  # presses every card of a game
@pytest.mark.parametrize(
    ("room", "game", "style"),
    [
        *(("text", game, "") for game in PICKING),
        ("emojis", "haymaker", ""),
        ("emojis", "ciq", ""),
        ("text", "ciq", "Words"),
    ],
    indirect=["room"],
)
async def test_picking_and_clearing_moves_no_button(room: Cardroom, tabs: Tabs, game: str, style: str) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob")
    for tab in (alice, bob) if style else ():
        await tab.enter(f"/preferences cards:{style}")
    await table.sit_down(alice, bob, f"/{game} challenge opponent:@Bob")
    rng = random.Random(3)
    (match,) = room.app.matches.live()
    for _ in range(QUESTIONS):
        tab = await to_a_question([alice, bob], rng)
        acts = match.position.acts
        for width, height in (DESKTOP, PHONE):
            await tab.page.set_viewport_size({"width": width, "height": height})
            await _press_all(tab)
            await _clear_twice(tab)
            assert match.position.acts == acts, "picking and clearing make no move"
        while match.position.acts == acts:
            await table.press_something(tab, rng)


async def _press_all(tab: Tab) -> None:
    """Press what can be picked and opened, and *Clear*: every button stays where it is, from the first press on."""
    opened = await hand_height(tab)
    await press(tab, (await pressable(tab, "op"))[0])
    assert abs(await hand_height(tab) - opened) < 1, "a hand that grows moves upwards"
    boxes_before = await boxes(tab)
    for index in (await pressable(tab, "o"))[::-1]:  # the first last: for others there may be no card to pick
        await press(tab, index)
        *others, (x, y, _, _) = await boxes(
            tab
        )  # the last button completes another act now, so it is as wide as that is long
        assert others == boxes_before[:-1]
        assert [x, y] == boxes_before[-1][:2]
    boxes_before = await boxes(tab)
    for index in (await pressable(tab, "p"))[:MOST_PRESSED]:
        if index in await pressable(tab, "p"):
            await press(tab, index)
            assert beside_others(await boxes(tab)) == beside_others(boxes_before)
    for index in await pressable(tab, "c"):
        await press(tab, index)
        assert beside_others(await boxes(tab)) == beside_others(boxes_before)


async def _clear_twice(tab: Tab) -> None:
    """Pick a card, and press twice at the point where *Clear* is."""
    index = (await pressable(tab, "p"))[0]
    await press(tab, index)
    clear = (await pressable(tab, "c"))[0]
    await tab.page.evaluate(_INTO_VIEW, clear)  # a press on the board, which is tall, has scrolled it away
    x, y, width, height = (await boxes(tab))[clear]
    await tab.page.locator(".content.held").wait_for(state="detached")
    for _ in range(2):
        await tab.page.mouse.click(x + width / 2, y + height / 2)
        await asyncio.sleep(0.5)

    async def is_clear() -> bool:
        return clear not in await pressable(tab, "c")

    await eventually(is_clear)


@pytest.mark.nightly  # one of two sizes
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_in_a_race_no_press_moves_a_button(room: Cardroom, tabs: Tabs, size: tuple[int, int]) -> None:
    alice, bob = await tabs.open("Alice", size=size), await tabs.open("Bob")
    await table.sit_down(alice, bob, "/tivmiv challenge opponent:@Bob")
    (match,) = room.app.matches.live()
    for tab in (alice, bob):
        assert await table.press(tab, (await table.look(tab))[1][0])
    await asyncio.sleep(QUIET)
    waiting = await _settled(alice)
    while match.public().stage is not Stage.RACE:
        room.pass_time(COUNTDOWN)
        await asyncio.sleep(table.LOOK_AGAIN)
    await asyncio.sleep(QUIET)
    assert near(await _settled(alice), waiting), "the buttons are there before the phase begins"
    rng = random.Random(1)
    for _ in range(3 * MOST_PRESSED):
        await press(alice, rng.choice([*await pressable(alice, "a"), 0]))
        assert near(await _in_hand(alice), waiting)
    assert len(match.private(0).own.faces) > 5


async def _in_hand(tab: Tab) -> list[Box]:
    """Where the buttons are in their hand, whatever the board above it says."""
    box = await table.hand(tab).bounding_box()
    assert box is not None
    return [[x, y - box["y"], width, height] for x, y, width, height in await boxes(tab)]


async def _settled(tab: Tab) -> list[Box]:
    """Where the buttons are in their hand once nothing moves them any more."""
    found: list[Box] = []
    for _ in range(TRIES):
        before, found = found, await _in_hand(tab)
        if found == before:
            break
        await asyncio.sleep(QUIET)
    return found
