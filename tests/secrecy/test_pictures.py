"""No byte of a picture, and no word of what is said of it, depends on a card that its reader may not know."""

from __future__ import annotations

import random

import pytest

from bot.art.layout import TableLayout
from bot.art.table import draw
from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from cogs.screens.presenter import Pictured, Reader
from cogs.screens.renderer import PICTURE_NAME, sheet
from cogs.screens.tables import table_screen, with_pictures
from laws.bodies import match_of
from laws.knowledge import exchanged
from laws.secrecy import played, points
from laws.suite import SHARE
from tests.games.cases import case_of
from tests.games.cases import with_pictures as pictured

LONGEST = 15 * 1024
"""Bytes of a picture."""
MOMENTS = 5 if SHARE >= 1 else 2
"""Of each match that are drawn."""


def shown(key: str, match: LiveMatch, viewer: int | None) -> tuple[bytes, str]:
    """The picture that a viewer is sent of a table, and the rest of the message."""
    presenter = case_of(key).presenter
    assert isinstance(presenter, Pictured)
    names = tuple(f"player{seat}" for seat in range(len(match.seats)))
    made = sheet(with_pictures(table_screen(match, presenter, Reader(translations("en"), names, viewer))), match.id)
    assert [file.filename for file in made.files()] == [PICTURE_NAME]
    return made.picture, str(made.to_components())


@pytest.mark.parametrize("key", pictured())
def test_hidden_cards_change_neither_a_byte_nor_a_word(key: str) -> None:
    case = case_of(key)
    for seed, (setting, seats) in enumerate(case.setups):
        log, rng = played(case, setting, seats, seed), random.Random(seed)
        pack = log.deal.game.pack(log.deal.options, seats).cards
        for moves in points(log, rng, MOMENTS):
            events = log.events(moves)
            match = match_of(log.deal, events, moves)
            if match.over:
                continue
            for viewer in (None, rng.randrange(seats)):
                others = match_of(log.deal, exchanged(case, pack, events, viewer, rng), moves)
                assert shown(key, match, viewer) == shown(key, others, viewer)


@pytest.mark.parametrize("key", pictured())
def test_the_picture_changes_with_a_card_that_its_reader_knows(key: str) -> None:
    """So the test above would fail if a picture showed what it may not."""
    case = case_of(key)
    setting, seats = case.setups[0]
    log, rng = played(case, setting, seats, 1), random.Random(1)
    pack = log.deal.game.pack(log.deal.options, seats).cards
    moves = len(log.moves) // 2
    events = log.events(moves)
    match = match_of(log.deal, events, moves)
    differing = 0
    for viewer in range(seats):
        others = match_of(log.deal, exchanged(case, pack, events, None, rng), moves)  # as everybody else sees it
        differing += shown(key, match, viewer)[0] != shown(key, others, viewer)[0]
    assert differing == seats


@pytest.mark.nightly  # draws each table of a game twice
@pytest.mark.parametrize("key", pictured())
def test_every_table_is_drawn_alike_each_time_and_is_never_too_long(key: str) -> None:
    case = case_of(key)
    presenter = case.presenter
    assert isinstance(presenter, Pictured)
    for seed, (setting, seats) in enumerate(case.setups):
        log = played(case, setting, seats, seed)
        for moves in points(log, random.Random(seed), MOMENTS):
            match = match_of(log.deal, log.events(moves), moves)
            names = tuple(f"player{seat}" for seat in range(seats))
            screen = table_screen(match, presenter, Reader(translations("en"), names, 0))
            layout = screen.sections[0].layout  # type: ignore[union-attr]  # the picture comes first
            assert isinstance(layout, TableLayout)
            picture = draw(layout)
            assert picture == draw(layout)
            assert len(picture) <= LONGEST
