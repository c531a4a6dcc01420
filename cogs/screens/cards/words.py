"""Cards in words, one a line, for people whose screen is read to them.

Screen readers spell out signs ("black heart suit", "white circle"), or skip them. So nothing here has any. Each game's
engine names its cards in one short form (C-7), such as `Q♥`, `🃏`, `7±2` or `4·3⚡STEAL`, and the same form is in the
values of its sentences. So the words are found by that name, and games of other packages with such cards have them too.

The button of something that can be picked says whether it is picked, so its width changes. It is alone in its row:
there it moves no other (decision 22). What is picked is also named in a line above the buttons. Many cards are lines of
a list, and so are those of a race.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.ui.catalogue import Translations
from bot.ui.screen import Cards
from cogs.screens.card_text import TEXT_CARDS, Card, CardForm, Face, together_in
from engines.game import Value

JOKER: Final = "🃏"
_RANKS: Final = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_SUITS: Final = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
_FRENCH: Final = re.compile(r"(10|[2-9AJQK])([♣♦♥♠])")
_PLUS_MINUS: Final = re.compile("([\\d\u2007]+)±([\\d\u2007])")
"""A place for a face that nobody holds has spaces as wide as digits in their places."""
_DICE: Final = re.compile(r"(\d)(?:·(\d))?(?:⚡([A-Z]+))?")


class WordCards(CardForm):
    """Cards in words. With `together`, every row has equal cards together: a form for long screens."""

    row_separator = "\n"
    spare_lines = 1
    least_in_a_row = 1
    most_in_a_row = 1
    pick_lines = 2
    lists_race = True
    is_spoken = True
    explain = "hand.explain_in_words"

    def __init__(self, words: Translations, *, together: bool = False) -> None:
        self._words = words
        self._together = together
        self._names: dict[str, str] = {}
        self._shorter: CardForm = TEXT_CARDS if together else WordCards(words, together=True)

    @property
    def shorter(self) -> CardForm | None:
        return self._shorter

    def face(self, card: Card) -> Face:
        name = self.named(card.name)
        return Face(name, name)

    def labelled(self, label: str, cards: Iterable[Card]) -> str:
        return self._words("picture.open", what=label, cards=self.row(cards))

    def joined(self, shown: Sequence[str]) -> str:
        return self._words.all_of(shown)

    def named(self, name: str) -> str:
        found = self._names.get(name)
        if found is None:
            found = self._names[name] = _in_words(name, self._words)
        return found

    def values(self, values: Mapping[str, Value]) -> dict[str, Value]:
        return {key: self.named(value) if isinstance(value, str) else value for key, value in values.items()}

    def listed(self, label: str, cards: Iterable[Card], *, together: bool = False, room: int | None = None) -> Cards:
        """A row of cards, each on its own line. It is never cut: a screen that is too long has a shorter form."""
        del room
        names = [self.named(card.name) for card in cards]
        shown = together_in(names, self.times) if together or self._together else names
        return Cards(label, tuple(shown), self.row_separator)

    def times(self, shown: str, count: int) -> str:
        return self._words("cards.times", card=shown, n=count)

    def item(self, face: Face, *, picked: bool, number: str = "", figures: int = 0) -> str:
        """The line that names the picks has their order."""
        del number, figures
        return self._words("cards.line_picked" if picked else "cards.not_picked", card=face.label)

    def line(self, label: str, count: int, picked: int) -> str:
        if count == 1:
            return self._words("cards.line_picked", card=label) if picked else label
        if picked:
            return self._words("cards.line_some_picked", card=label, n=count, picked=picked)
        return self.times(label, count)

    def in_hand(self, name: str, count: int | None) -> str:
        return self._words("cards.in_hand", card=self.named(name), n=count or 0)

    def picks(self, faces: Sequence[Face]) -> tuple[str, ...]:
        named = self.joined([face.text for face in faces])
        return self._words("hand.picked", cards=named), self._words.count("hand.many_picked", len(faces))


def _in_words(name: str, words: Translations) -> str:
    """What an engine's short name stands for; the name itself if it has no sign in it, or one that is unknown."""
    if name in _RANKS:
        return words(f"cards.rank.{_RANKS[name]}")
    if name in _SUITS:
        return words(f"cards.suits.{_SUITS[name]}")
    if name == JOKER:
        return words("cards.joker")
    if french := _FRENCH.fullmatch(name):
        rank, suit = french.groups()
        named = words(f"cards.rank.{_RANKS[rank]}") if rank in _RANKS else rank
        return words("cards.of", rank=named, suit=words(f"cards.suits.{_SUITS[suit]}"))
    if plus_minus := _PLUS_MINUS.fullmatch(name):
        return words("cards.plus_minus", value=plus_minus[1], index=plus_minus[2])
    dice = _DICE.fullmatch(name)
    return name if dice is None else _die_card(words, *dice.groups())


def _die_card(words: Translations, number: str, icons: str | None, special: str | None) -> str:
    """A card of Champions of Chance."""
    if special is None:
        return number if icons is None else words.count("cards.icons", int(icons), number=number)
    if icons is None:
        return words("cards.special", number=number, special=special)
    return words.count("cards.icons_and_special", int(icons), number=number, special=special)
