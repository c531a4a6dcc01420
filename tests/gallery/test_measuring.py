"""What is counted of a message in a gallery, and which limits it is over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.ui.preferences import CardStyle
from bot.ui.screen import Button, Option, Press, Screen, Select, Text
from cogs.screens.renderer import sheet
from tests.gallery.measuring import Measured, counted, words_in
from tests.gallery.scene import Kind, Scene, Shown, of_screen

SCREEN = Screen(
    "Your hand",
    (Text("**Pick** <:c2:123> a card, 2♣ or 7♦."),),
    (
        (Button("Jack", Press("p", 1, "attack.1")), Button("Ten", Press("a", 1, "place3.0"), enabled=False)),
        (Button("Take it", Press("a", 1, "take.0")), Button("My cards", Press("cards"))),
        (Button("Keep J♦ J♠", Press("a", 1, "put1")),),
        (Select(Press("acts"), "More…", (Option("Rules", "rules"),)),),
    ),
)


def shown(kind: Kind = Kind.HAND, seats: int = 2) -> Shown:
    message: dict[str, Any] = {"components": [*sheet(SCREEN, "m1").to_components()]}
    return Shown("a message", message, kind=kind, seats=seats)


def measured(
    kind: Kind, height: float, *, seats: int = 2, words: int = 1, others: int = 1, form: str = "text"
) -> Measured:
    scene = Scene("Haymaker", "At the start", form, ())
    return Measured(scene, shown(kind, seats), height, words, others)


def test_a_card_is_no_word_and_neither_is_markup() -> None:
    assert words_in("-# **Pick** <:c2:123> a card, 2♣ or 7♦ … · by 9") == 6
    assert words_in("") == 0


def test_lists_and_cards_are_no_buttons() -> None:
    words, buttons = counted(shown())
    assert buttons == 2
    assert words == words_in("Your hand Pick a card or Take it My cards Keep More…")


@pytest.mark.parametrize(
    ("kind", "seats", "form", "tallest"),
    [
        (Kind.HAND, 6, CardStyle.TEXT.value, 700),
        (Kind.HAND, 6, CardStyle.WORDS.value, 800),
        (Kind.RESULT, 2, CardStyle.TEXT.value, 640),
        (Kind.BOARD, 2, CardStyle.TEXT.value, 420),
        (Kind.BOARD, 6, CardStyle.TEXT.value, 560),
        (Kind.BOARD, 2, CardStyle.WORDS.value, 800),
        (Kind.HAND_ALONE, 2, CardStyle.TEXT.value, 700),
        (Kind.HAND_ALONE, 2, CardStyle.WORDS.value, 860),
    ],
)
def test_each_kind_of_message_has_its_height(kind: Kind, seats: int, form: str, tallest: int) -> None:
    assert not [*measured(kind, tallest, seats=seats, form=form).over()]
    assert [*measured(kind, tallest + 1, seats=seats, form=form).over()] == [f"{tallest + 1} of {tallest} px"]


def test_a_result_that_is_heard_may_be_tall() -> None:
    assert not [*measured(Kind.RESULT, 5000, form=CardStyle.WORDS.value).over()]


def test_a_hand_has_forty_words_and_any_message_five_buttons_beside_cards() -> None:
    assert [*measured(Kind.HAND, 1, words=41, others=6).over()] == ["41 of 40 words", "6 of 5 buttons"]
    assert [*measured(Kind.OTHER, 5000, words=400, others=5).over()] == []


def test_a_hand_without_a_board_says_what_others_hold_too() -> None:
    assert [*measured(Kind.HAND_ALONE, 1, words=46).over()] == []
    assert [*measured(Kind.HAND_ALONE, 1, words=47).over()] == ["47 of 46 words"]
    assert [*measured(Kind.HAND_ALONE, 1, seats=4, words=65).over()] == ["65 of 64 words"]
    assert [*measured(Kind.HAND_ALONE, 1, words=90, form=CardStyle.WORDS.value).over()] == []


def test_a_hand_without_a_board_may_have_more_beside_its_own() -> None:
    row = (Button("?", Press("explain", 1)), Button("More…", Press("more")))
    hand = replace(measured(Kind.HAND, 1, others=6), shown=of_screen("a hand", Screen("Your hand", (), (row,)), "m1"))
    assert [*hand.over()] == []
    assert [*replace(hand, buttons=7).over()] == ["7 of 6 buttons"]
