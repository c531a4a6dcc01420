"""Cards in words: their names, their rows, and the labels of what can be picked."""

from __future__ import annotations

import pytest

from bot.ui import text_lines
from bot.ui.catalogue import translations
from cogs.screens.card_text import TEXT_CARDS, Face
from cogs.screens.cards.words import WordCards
from engines import champions, ciq, tivmiv
from engines.cards import Card, Suit

say = translations("en")
WORDS = WordCards(say)
QUEEN, TEN = Card(12, Suit.HEARTS), Card(10, Suit.SPADES)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Q♥", "queen of hearts"),
        ("10♠", "10 of spades"),
        ("A♦", "ace of diamonds"),
        ("🃏", "joker"),
        ("J", "jack"),
        ("♣", "clubs"),
        ("7±2", "7 plus or minus 2"),
        ("4", "4"),
        ("4·3", "4 with 3 icons"),
        ("4·3⚡STEAL", "4 with 3 icons and STEAL"),
        ("4⚡STEAL", "4 with STEAL"),
        ("The Tower", "The Tower"),
    ],
)
def test_a_card_is_found_by_the_short_name_that_its_engine_gives_it(name: str, words: str) -> None:
    assert WORDS.named(name) == words


def test_no_card_of_our_games_has_a_sign_in_its_words_and_no_two_have_the_same() -> None:
    packs = (
        ciq.CIQ().pack(ciq.Options(), 2).cards,
        tivmiv.TivMiv().pack(tivmiv.Options(), 2).cards,
        champions.Champions().pack(champions.Options(wacky_numbers=True, icon_tiebreak=True), 2).cards,
    )
    for pack in packs:
        shown = {card.name: WORDS.text(card) for card in pack}
        assert len(set(shown.values())) == len(shown)
        assert all(text.replace(" ", "").isalnum() and text.isascii() for text in shown.values())


def test_a_row_has_one_card_a_line_is_never_cut_and_equal_cards_are_counted_in_words() -> None:
    row = WORDS.listed("Your cards:", (QUEEN, TEN, QUEEN))
    assert row.separator.join((row.label, *row.cards)) == "Your cards:\nqueen of hearts\n10 of spades\nqueen of hearts"
    together = WORDS.listed("Your cards:", (QUEEN, TEN, QUEEN), together=True)
    assert together.cards == ("queen of hearts (2 times)", "10 of spades")
    assert len(WORDS.listed("", [QUEEN] * 100, room=50).cards) == 100
    shorter = WORDS.shorter
    assert shorter is not None
    assert shorter.listed("", (QUEEN, QUEEN)).cards == ("queen of hearts (2 times)",)
    assert shorter.shorter is TEXT_CARDS
    assert TEXT_CARDS.shorter is None


def test_cards_in_a_sentence_are_joined_as_one_says_them() -> None:
    assert WORDS.row(()) == ""
    assert WORDS.row((QUEEN,)) == "queen of hearts"
    assert WORDS.row((QUEEN, TEN)) == "queen of hearts and 10 of spades"
    assert WORDS.row((QUEEN, TEN, QUEEN)) == "queen of hearts, 10 of spades and queen of hearts"


def test_an_engines_values_come_in_words_too() -> None:
    values = WORDS.values({"card": "Q♥", "needed": "K", "suit": "♥", "strength": 12, "wins": True})
    assert values == {"card": "queen of hearts", "needed": "king", "suit": "hearts", "strength": 12, "wins": True}
    assert TEXT_CARDS.values({"card": "Q♥"}) == {"card": "Q♥"}


def test_a_button_and_a_line_say_what_is_picked() -> None:
    labels = [WORDS.item(WORDS.face(QUEEN), picked=picked, number="2", figures=2) for picked in (True, False)]
    assert labels == ["queen of hearts, picked", "queen of hearts, not picked"]
    assert WORDS.most_in_a_row == 1
    named, counted = WORDS.picks([WORDS.face(QUEEN), Face("joker", "joker")])
    assert (named, counted) == ("Your pick: queen of hearts and joker", "Your pick: 2 cards")
    assert TEXT_CARDS.pick_lines == 0


def test_a_face_that_nobody_holds_is_as_wide_as_one_that_is_held() -> None:
    labels = [WORDS.in_hand(name, count) for name, count in (("\u20077±2", 3), ("10±1", 1), ("\u2007\u2007±\u2007", 0))]
    assert labels[0] == "\u20077 plus or minus 2, 3 held"
    assert len({round(text_lines.width(label), 6) for label in labels}) == 1


@pytest.mark.parametrize(
    ("count", "picked", "line"),
    [
        (1, 0, "joker"),
        (1, 1, "joker, picked"),
        (3, 0, "joker (3 times)"),
        (3, 2, "joker (3 times), 2 picked"),
    ],
)
def test_a_line_of_a_list_says_how_many_are_picked(count: int, picked: int, line: str) -> None:
    assert WORDS.line("joker", count, picked) == line
