"""The law of cards in words finds what it is for: each breach is planted here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from bot.play.live_match import LiveMatch
from bot.ui.screen import Section
from cogs.games.haymaker import HaymakerPresenter
from cogs.games.tivmiv import TivMivPresenter
from cogs.screens.cards.words import WordCards
from cogs.screens.presenter import Presenter, Reader
from laws.case import GameCase
from laws.hands import buttons
from laws.hands.card_words import labels_are_whole, words_say_what_text_says
from tests.games.cases import case_of


class SigningPresenter(HaymakerPresenter):
    """Writes the attack as the engine names it."""

    def prompt(self, own: Any, reader: Reader) -> str:
        return f"{super().prompt(own, reader)} {' '.join(card.name for card in own.own.hand)}"


class ForgettingPresenter(HaymakerPresenter):
    """Leaves the last card of a hand out for whom it writes in words."""

    def hand_text(self, own: Any, reader: Reader) -> tuple[Section, ...]:
        cards = own.own.hand[:-1] if isinstance(reader.cards, WordCards) else own.own.hand
        return (reader.cards.listed("", cards),)

    def item(self, own: Any, verb: str, index: int, reader: Reader) -> Any:
        return super().item(own, verb, max(0, index - 1) if isinstance(reader.cards, WordCards) else index, reader)


class RaisingPresenter(TivMivPresenter):
    """Counts the cards of a face in small raised figures for everybody."""

    def label(self, verb: str, own: Any, reader: Reader) -> str:
        return f"{super().label(verb, own, reader)}²"


class TalkativePresenter(HaymakerPresenter):
    """Has labels that are longer than Discord takes."""

    def label(self, verb: str, own: Any, reader: Reader) -> str:
        return f"{super().label(verb, own, reader)} {', '.join(map(reader.cards.label, own.own.hand))}"


def first_questions(case: GameCase) -> Iterable[tuple[LiveMatch, int]]:
    return buttons.questions(case, "default", 2)


def hold(case: GameCase, law: Callable[[GameCase, LiveMatch], None]) -> None:
    """Hold a law at a few questions."""
    for match, _ in first_questions(case):
        law(case, match)


@pytest.mark.parametrize(
    ("key", "presenter", "what"),
    [
        ("haymaker", SigningPresenter(), r"[♠♥♦♣]"),
        ("haymaker", ForgettingPresenter(), "is missing"),
        ("tivmiv", RaisingPresenter(), "²"),
    ],
)
def test_a_sign_or_a_card_that_is_missing_is_found(key: str, presenter: Presenter, what: str) -> None:
    case = case_of(key)
    hold(case, words_say_what_text_says)
    with pytest.raises(AssertionError, match=what):
        hold(replace(case, presenter=presenter), words_say_what_text_says)


def test_a_label_that_would_be_cut_is_found() -> None:
    case = replace(case_of("haymaker"), presenter=TalkativePresenter())
    with pytest.raises(AssertionError, match=r"Attack|Pass|Take"):
        hold(case, labels_are_whole)
