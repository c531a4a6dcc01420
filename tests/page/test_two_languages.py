"""Two at one table, each in a language of their own: hands are in their owner's, and the board is in the server's."""

from __future__ import annotations

import random
from functools import cache, partial
from typing import Any

import pytest
from playwright.async_api import expect

from bot.languages import DEFAULT_LANGUAGE
from bot.ui.catalogue import Sentences, catalogue, translations
from discord_sandbox.browser import PHONE, Tab, Tabs
from engines import GAMES
from tests.end_to_end.cardroom import Cardroom
from tests.page import table
from tests.page.test_games import SHORT, hurried

GERMAN, JAPANESE, FRENCH = translations("de"), translations("ja"), translations("fr")
WHOLE = "haymaker"
"""The game of which a whole match is played."""
FIRST = 12
"""Presses of the others."""


@pytest.fixture
def world() -> dict[str, Any]:
    """A French server with a German and a Japanese."""
    return {
        "people": [{"name": "Alice", "locale": "de"}, {"name": "Bob", "locale": "ja"}],
        "servers": [{"name": "La table", "locale": "fr", "channels": [{"name": "lobby"}]}],
    }


@cache
def only_in(language: str, other: str) -> frozenset[str]:
    """The sentences without placeholders of a language that the other one doesn't have."""
    said, heard = (Sentences(catalogue(each)).forms.values() for each in (language, other))
    plain = (form for form in said if isinstance(form, str) and "{" not in form and any(map(str.isalpha, form)))
    return frozenset(plain) - {form for form in heard if isinstance(form, str)}


async def lines(tab: Tab, *, private: bool) -> set[str]:
    """What stands on a line or a button of the newest hand, or of the board."""
    message = table.hand(tab) if private else table.board(tab)
    labels = await message.get_by_role("button").all_inner_texts()
    return {*(await message.inner_text()).splitlines(), *labels}


async def are_in_their_languages(alice: Tab, bob: Tab, game: str) -> None:
    """Alice's hand is German, Bob's Japanese, and what both see of the board French."""
    title = GAMES[game].info.title
    for tab, words in ((alice, GERMAN), (bob, JAPANESE)):
        await expect(table.hand(tab)).to_contain_text(words("hand.title", game=title))
        for other in {DEFAULT_LANGUAGE, "de", "ja", "fr"} - {words.language}:
            assert await lines(tab, private=True) & only_in(other, words.language) == set()
        await expect(table.is_on(tab, FRENCH)).to_have_count(1)
        for other in (DEFAULT_LANGUAGE, "de", "ja"):
            assert await lines(tab, private=False) & only_in(other, "fr") == set()


@pytest.mark.nightly
@pytest.mark.parametrize("game", list(GAMES))
async def test_each_reads_their_hand_in_their_own_language_and_the_board_in_the_servers(
    room: Cardroom, tabs: Tabs, game: str
) -> None:
    alice, bob = await tabs.open("Alice"), await tabs.open("Bob", size=PHONE)
    await alice.enter(f"/{game} challenge opponent:@Bob {SHORT.get(game, '')}")
    await bob.button(FRENCH("button.accept")).click()
    for tab in (alice, bob):
        await table.is_on(tab, FRENCH).click()
    await are_in_their_languages(alice, bob, game)
    choose = partial(table.race, readers=(GERMAN, JAPANESE)) if game == "tivmiv" else table.anything
    (match,) = room.app.matches.live()
    async with hurried(room):
        most = 0 if game == WHOLE else FIRST
        assert await table.play([alice, bob], random.Random(7), choose, FRENCH, most) >= min(most, 1)
    if game == WHOLE:
        assert match.result is not None
        await expect(table.board(alice)).to_contain_text(FRENCH("button.rematch"))
    else:
        await are_in_their_languages(alice, bob, game)
