"""Cards in words say all that cards in text say, and without a sign (`cogs.screens.cards.words`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from bot.ui.preferences import CardStyle
from bot.ui.screen import Button, Picture, Rule, Screen, Select
from cogs.screens.card_text import CardForm
from cogs.screens.cards.fitting import CHANGING
from cogs.screens.cards.words import WordCards
from cogs.screens.renderer import LONGEST_LABEL, LONGEST_TEXT, utf16_units, written
from laws.bodies import screens
from laws.case import GameCase

SIGNS: Final = re.compile("[♠♥♦♣🃏⚡●○⁰¹²³×`]|[\\d\u2007]±")
"""Of cards and picks. A rating's ± has no figure before it."""
EMOJI: Final = re.compile(r"<a?:\w+:\d+>")
LONGEST_LINE: Final = 100
"""Of a list."""
NONE_HELD: Final = "⁰"
"""A button that only keeps the slot of a card, in a race, ends in this."""
NEARLY: Final = LONGEST_TEXT - CHANGING
"""The texts of a private screen are in a shorter form from about here on."""


class OnlyWords(WordCards):
    """Cards in words, with equal cards together however long the screen."""

    @property
    def shorter(self) -> CardForm | None:
        return None


WORDS: Final = WordCards(translations("en"))
ONLY_WORDS: Final = OnlyWords(translations("en"), together=True)


def in_words(case: GameCase) -> GameCase:
    """The case with readers who see cards in words."""
    return replace(case, style=CardStyle.WORDS)


def words_say_what_text_says(case: GameCase, match: LiveMatch) -> None:
    """On every private screen that anybody may be shown at this point, words name every card that text names, without a
    sign.

    Only a screen that is too long in words, with equal cards together, may be in text. The board, the first of all
    screens, is never in words: its server chooses between emojis and text.
    """
    named = re.compile("|".join(sorted(map(re.escape, _names(case, match)), key=len, reverse=True)))
    worded = in_words(case)
    for viewer in (None, *range(len(match.seats))):
        shown_in = (screens(case, match, viewer), screens(worded, match, viewer))
        longest = screens(worded, match, viewer, ONLY_WORDS)
        seen = set[tuple[int, int]]()
        for text, words, only in list(zip(*shown_in, longest, strict=True))[1:]:
            if (at := (id(text), id(words))) in seen:
                continue
            seen.add(at)
            shown = _read("\n".join([*_texts(words), *_labels(words)]))
            signs = sorted(set(SIGNS.findall(shown)))
            if signs and utf16_units("\n".join(_texts(only))) > NEARLY:
                continue
            assert not signs, f"{signs} in {shown}"
            assert EMOJI.search(shown) is None
            held = [label for label in _labels(text) if not label.endswith(NONE_HELD)]
            for name in named.findall("\n".join([*_texts(text), *held])):
                assert WORDS.named(name) in shown, f"{name} is missing in {shown}"


def labels_are_whole(case: GameCase, match: LiveMatch) -> None:
    """No label of a button and no line of a list is cut where cards are in words."""
    held = in_words(case)
    for viewer in range(len(match.seats)):
        for screen in screens(held, match, viewer):
            for control in (control for row in screen.rows for control in row):
                if isinstance(control, Button):
                    assert len(control.label) <= LONGEST_LABEL, control.label
                elif isinstance(control, Select):
                    assert all(len(option.label) < LONGEST_LINE for option in control.options)


def _read(text: str) -> str:
    """A text without its line breaks and the markup about them."""
    return re.sub(r"(?:\s|\*\*|^-# )+", " ", text, flags=re.MULTILINE)


def _names(case: GameCase, match: LiveMatch) -> set[str]:
    """The names of all cards of the match that cannot be mistaken for a number."""
    pack = case.game.pack(match.options, len(match.seats)).cards
    return {card.name for card in pack if not card.name.isdecimal()} or {"no such card"}


def _texts(screen: Screen) -> Iterator[str]:
    """What is written above the controls, and said of pictures."""
    yield screen.title
    for section in screen.sections:
        if isinstance(section, Picture):
            yield section.description
        elif section != Rule():
            yield written(section)
    yield screen.footer


def _labels(screen: Screen) -> Iterator[str]:
    """What is written on the controls."""
    for control in (control for row in screen.rows for control in row):
        if isinstance(control, Button):
            yield control.label
        elif isinstance(control, Select):
            yield control.placeholder
            yield from (part for option in control.options for part in (option.label, option.description))
