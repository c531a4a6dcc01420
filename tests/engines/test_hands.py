"""Cards of a hand, named by an act or picked by their places."""

from __future__ import annotations

import pytest

from engines.cards import Card
from engines.game import IllegalAction
from engines.hands import cards_at, check_held, picked_cards

HAND = tuple(map(Card.of, ("2C", "5H", "TS")))


def refused(*codes: str) -> tuple[str, str]:
    with pytest.raises(IllegalAction) as caught:
        check_held(HAND, tuple(map(Card.of, codes)))
    refusal = caught.value.refusal
    assert refusal.ruling == "C-3"
    return refusal.key, str(refusal.values["card"])


def test_C_3_cards_are_held_and_each_is_named_once() -> None:  # noqa: N802  a test's name bears its ruling's number
    check_held(HAND, ())
    check_held(HAND, HAND[::-1])
    assert refused("5H", "6H") == ("refusal.card_not_held", "6♥")
    assert refused("5H", "5H") == ("refusal.card_twice", "5♥")
    assert refused("5H", "5H", "6H") == ("refusal.card_twice", "5♥"), "the first fault is the one that is named"


def test_places_are_counted_from_the_first_card() -> None:
    assert cards_at(HAND, (2, 0)) == (HAND[2], HAND[0])
    assert cards_at(HAND, (1, 1)) == (HAND[1], HAND[1]), "what is no act is refused by the rules"
    assert cards_at(HAND, ()) == ()
    for places in ((3,), (0, -1)):
        with pytest.raises(IndexError):
            cards_at(HAND, places)


def test_a_place_cannot_be_picked_twice() -> None:
    assert picked_cards(HAND, (2, 0)) == (HAND[2], HAND[0])
    for picked in ((1, 1), (3,), (-1,)):
        with pytest.raises(IndexError):
            picked_cards(HAND, picked)
