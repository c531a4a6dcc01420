"""A public board while its deal is closed: the same bytes for any two deals and any acts, but for whose turn it is
until when.

And hands say what the board doesn't.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import orjson
import pytest

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from bot.ui.preferences import CardStyle
from bot.ui.screen import Picture, Section
from cogs.screens import board
from cogs.screens.board import board_screen, shown_deadline
from cogs.screens.cards.forms import CardForms
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Reader, seat_lines
from cogs.screens.renderer import is_whole, sheet
from engines import GAMES
from laws.bodies import ADDED, emojis, match_after
from laws.case import GameCase
from laws.play import random_match
from laws.suite import share_of
from tests.games.cases import case_of

FORMS = CardForms(emojis)
MATCHES = share_of(6, fewest=2)
"""Deals that are compared, each after every act of a match by chance."""
MOST_MOVES = 60
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")


def readers(case: GameCase, seats: int) -> Iterator[Reader]:
    """Everybody, by each form of cards."""
    words, names = translations("en"), tuple(f"Player {seat}" for seat in range(seats))
    for style in CardStyle:
        yield Reader(words, names, None, FORMS.of(case.key, style, words), ADDED, closed=True)


@cache
def moments(key: str) -> list[LiveMatch]:
    """Moments of matches of different deals, their ends too."""
    found = []
    for number in range(MATCHES):
        rng = random.Random(f"{key} {number}")
        log = random_match(case_of(key).deal("default", min(GAMES[key].info.seats), rng), rng)
        found += [match_after(log, moves) for moves in (*range(min(len(log.moves), MOST_MOVES)), len(log.moves))]
    return found


def shown(key: str) -> dict[Any, set[bytes]]:
    """What boards show, in all their forms, by what they may show: whose turn it is until when, and whether the
    match is over."""
    found: dict[Any, set[bytes]] = defaultdict(set)
    case = case_of(key)
    for match in moments(key):
        for form, reader in enumerate(readers(case, len(match.seats))):
            for pictured in (False, True):
                screen = board_screen(match, case.presenter, reader, pictured=pictured)
                assert not any(isinstance(each, Picture) for each in screen.sections)
                body = orjson.dumps(sheet(screen, "m1").to_components())
                found[match.over, frozenset(match.awaited), shown_deadline(match), form].add(body)
    return found


@pytest.mark.parametrize("key", GAMES)
def test_nothing_but_whose_turn_it_is_changes_a_board(key: str) -> None:
    found = shown(key)
    assert all(len(bodies) == 1 for bodies in found.values())
    assert {over for over, *_ in found} == {False, True}


def test_the_end_is_told_to_nobody_and_nothing_can_be_pressed_there() -> None:
    (ended,) = {body for (over, *_), bodies in shown("haymaker").items() for body in bodies if over}
    assert b"custom_id" not in ended
    assert b"won" not in ended


def test_a_table_that_is_planted_on_the_board_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def peeking(match: LiveMatch, question: str, reader: Reader) -> str:
        del question
        return case_of("haymaker").presenter.question(match.public(), reader)

    monkeypatch.setattr(board, "_waits", peeking)
    assert any(len(bodies) > 1 for bodies in shown("haymaker").values())


@pytest.mark.parametrize("key", GAMES)
def test_a_player_has_the_table_in_the_hand_and_it_fits(key: str) -> None:
    case, words = case_of(key), translations("en")
    seats = min(case.game.info.seats)
    for match in moments(key):
        for seat in range(seats) if not match.over else ():
            reader = Reader(words, NAMES[:seats], seat, FORMS.of(key, CardStyle.TEXT, words), ADDED, closed=True)
            screen = hand_screen(match, seat, case.presenter, reader)
            table: Section = seat_lines(case.presenter, match.public(), reader, match.awaited)
            assert is_whole(screen)
            assert table in screen.sections


@pytest.mark.parametrize("key", GAMES)
def test_when_it_is_over_a_hand_says_how_and_shows_no_card(key: str) -> None:
    case, words = case_of(key), translations("en")
    seats = min(case.game.info.seats)
    for match in (each for each in moments(key) if each.over):
        reader = Reader(words, NAMES[:seats], 0, FORMS.of(key, CardStyle.TEXT, words), ADDED, closed=True)
        screen = hand_screen(match, 0, case.presenter, reader)
        assert words("shared.closed") in str(screen.sections[-1])
        assert len(screen.sections) == 2
