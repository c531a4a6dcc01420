"""Screens on a phone: how tall hands are at most, where many play and hold many cards; lists of one line."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
import pytest_asyncio
from playwright.async_api import Locator

from bot.games import GAMES
from bot.play.server_settings import GameDefaults
from bot.time_controls import time_control
from bot.ui.catalogue import translations
from bot.ui.screen import Screen
from cogs.screens.challenge_panel import Panel, panel_screen
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Reader
from discord_sandbox import Sandbox
from discord_sandbox.browser import PHONE, Tab, Tabs
from discord_sandbox.discord_py import connected
from engines.champions import Options
from engines.ciq import packs
from engines.game import Pick
from laws.bodies import match_after
from laws.play import MatchLog, random_match
from tests.cogs.games.test_ciq_presenter import holding
from tests.games.cases import case_of
from tests.page.showing_bot import ShowingBot

TALLEST = 800
"""Pixels of a hand of six with up to twelve cards, on a phone of 390 by 844."""
NAMES = ("Alice", "Bob", "Carol Danvers", "Dave", "Erin", "Frederick the Great")
WORDS = translations("en")
MATCHES = 3


@pytest_asyncio.fixture(loop_scope="session")
async def shown_by(sandbox: Sandbox) -> AsyncIterator[ShowingBot]:
    client = ShowingBot()
    async with connected(client, sandbox):
        yield client


@pytest_asyncio.fixture(loop_scope="session")
async def phone(shown_by: ShowingBot, tabs: Tabs) -> Tab:
    """Alice's phone; the bot is there to show it something."""
    assert shown_by.tree.get_commands()
    return await tabs.open("Alice", size=PHONE)


def of_ciq(cards: int, *, picked: int = 0) -> Screen:
    """The hand of one of six with this many cards, an attack chosen and cards picked for it."""
    held = [card for card in packs(6) if card.rank != 8]
    match = holding(tuple(random.Random(cards).sample(held, cards)))
    (attack, *_) = [offer for offer in match.choices(0) if isinstance(offer, Pick)]
    picks: tuple[int, ...] = ()
    while len(picks) < picked:
        free = [index for index, refusal in enumerate(attack.step(picks).addable) if refusal is None]
        if not free:
            break
        picks = (*picks, free[0])
    letters = "".join("abcdefghijklmnopqrstuvwxyz"[index] for index in picks)
    selection = f"{attack.verb}.{letters}"
    return hand_screen(match, 0, case_of("ciq").presenter, Reader(WORDS, NAMES, 0), selection=selection)


def of_champions(seats: int = 5) -> list[Screen]:
    """The tallest hand of each question in some matches with everything that a hand can have."""
    case = case_of("champions")
    options = Options(victory_dice=True, wacky_numbers=True)
    found: dict[str, tuple[int, Screen]] = {}
    for seed in range(MATCHES):
        rng = random.Random(seed)
        deal = case.deal("default", seats, rng)
        log = random_match(type(deal)(deal.game, options, seats, deal.seed), rng)
        for moves, seat in _asked(log):
            screen = hand_screen(match_after(log, moves), seat, case.presenter, Reader(WORDS, NAMES[:seats], seat))
            size = len(screen.rows) + len(log.states[moves].decks[seat])
            phase = log.states[moves].phase.value
            if size > found.get(phase, (0, screen))[0] and len(log.states[moves].decks[seat]) <= 12:
                found[phase] = size, screen
    return [screen for _, screen in found.values()]


def _asked(log: MatchLog) -> list[tuple[int, int]]:
    """Each moment of a match, with each seat that is asked then."""
    return [(moves, seat) for moves, state in enumerate(log.states) for seat in sorted(state.awaited)]


async def height(message: Locator) -> float:
    """How tall a message is, in pixels."""
    box = await message.bounding_box()
    assert box is not None
    return box["height"]


async def test_a_hand_of_six_with_twelve_cards_fits_a_phone(shown_by: ShowingBot, phone: Tab) -> None:
    for screen in (of_ciq(5), of_ciq(12), of_ciq(12, picked=3)):
        assert await height(await shown_by.shown(phone, screen)) <= TALLEST


@pytest.mark.parametrize("cards", [13, 25])
async def test_with_more_cards_targets_and_marked_cards_are_on_one_screen(
    shown_by: ShowingBot, phone: Tab, cards: int
) -> None:
    message = await shown_by.shown(phone, of_ciq(cards, picked=3))
    first = await message.locator(".select-button").first.bounding_box()
    last = await message.locator(".button").last.bounding_box()
    assert first is not None
    assert last is not None
    assert last["y"] + last["height"] - first["y"] <= PHONE[1]


async def test_every_question_of_five_in_champions_of_chance_fits_a_phone(shown_by: ShowingBot, phone: Tab) -> None:
    screens: Sequence[Screen] = of_champions()
    assert len(screens) >= 5
    for screen in screens:
        assert await height(await shown_by.shown(phone, screen)) <= TALLEST, screen.sections[0]


_FACES = """node => [...node.querySelectorAll('.select-face')].map(
    face => [face.innerText, face.scrollWidth > face.clientWidth, face.getBoundingClientRect().height])"""


def _no_defaults(game: str) -> GameDefaults:
    return GameDefaults()


async def test_a_list_shows_one_line_and_in_the_challenge_panel_the_value_is_in_it(
    shown_by: ShowingBot, phone: Tab
) -> None:
    first = Panel.first(1, time_control("normal"), _no_defaults)
    cut = []
    for index in range(sum(2 in game.info.seats for game in GAMES.values())):
        panel = replace(first, game=index).fitted()
        message = await shown_by.shown(phone, panel_screen(panel, "Bob", WORDS, _no_defaults))
        faces = await message.evaluate(_FACES)
        assert {round(tall) for _, _, tall in faces} == {round(faces[0][2])}
        cut += [said for said, is_cut, _ in faces if is_cut]
    assert cut, "some line is too long for a phone"
    assert all(len(said.partition(": ")[0]) < len(said) / 2 for said in cut), "what is cut is the end of a value"
