"""A screen that is too long for a message has all of its cards in a shorter form, and none of them is left out."""

from __future__ import annotations

import pytest

from bot.ui.catalogue import translations
from bot.ui.screen import Screen, Text
from cogs.games.ciq import CIQPresenter
from cogs.screens.card_text import TEXT_CARDS
from cogs.screens.cards.fitting import fitting
from cogs.screens.cards.words import WordCards
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import is_whole, written
from engines.cards import Card, Suit
from laws.bodies import match_after
from laws.hands import buttons
from laws.hands.card_words import in_words
from tests.games.cases import case_of

say = translations("en")
READER = Reader(say, ("Ann", "Ben"), 0, WordCards(say))
SHORTER = Reader(say, ("Ann", "Ben"), 0, TEXT_CARDS)
PACK = [Card(1 + n % 13, suit) for n in range(13) for suit in Suit]


def pile(copies: int) -> Screen:
    return fitting(READER, lambda reader: Screen("Piles", (reader.cards.listed("Ann's:", PACK * copies),)), is_whole)


@pytest.mark.parametrize(
    ("copies", "first"),
    [(1, "ace of clubs"), (6, "ace of clubs (6 times)")],
)
def test_cards_are_in_words_for_as_long_as_they_fit(copies: int, first: str) -> None:
    screen = pile(copies)
    assert written(screen.sections[0]).splitlines()[1] == first
    assert is_whole(screen)


def test_where_no_words_fit_all_cards_are_in_text_and_what_no_form_shortens_is_left_to_the_renderer() -> None:
    others = Text("." * 3500)
    screen = fitting(READER, lambda reader: Screen("", (others, reader.cards.listed("Ann's:", PACK[:40]))), is_whole)
    assert screen.sections[1] == TEXT_CARDS.listed("Ann's:", PACK[:40])
    assert is_whole(screen)
    screen = fitting(READER, lambda reader: Screen("", (Text("." * 5000), reader.cards.listed("", PACK[:1]))), is_whole)
    assert not is_whole(screen)


class WordyPresenter(CIQPresenter):
    """Says so much that cards in words nearly fill a message."""

    def prompt(self, own: object, reader: Reader) -> str:
        del own
        return f"{'.' * 2150}{written(reader.cards.listed('', PACK))}"


def test_a_hand_has_one_form_whatever_is_picked() -> None:
    """The lines that picks fill are counted at their longest, so no pick makes a hand too long in the form it has."""
    case = in_words(case_of("ciq"))
    log, moments = buttons.played(case, "default", 2)
    match = next(
        match
        for match in (match_after(log, moves) for moves in moments)
        if any(buttons.picks(match, seat) for seat in (0, 1))
    )
    seat = next(seat for seat in (0, 1) if buttons.picks(match, seat))
    reader = Reader(say, ("Ann", "Ben"), seat, WordCards(say))
    pick = buttons.picks(match, seat)[0]
    screens = [
        hand_screen(match, seat, WordyPresenter(), reader, selection=f"{pick.verb}.{picked}") for picked in ("", "a")
    ]
    assert screens[0].sections[0] == screens[1].sections[0] == Text(WordyPresenter().prompt(None, SHORTER))
    assert all(is_whole(screen) for screen in screens)
