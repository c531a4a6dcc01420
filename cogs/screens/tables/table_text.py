"""A table in words: what its picture shows, seat by seat, then the middle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.art.layout import Card, Pile, TableLayout
from bot.ui.catalogue import Translations
from cogs.screens.cards.fitting import fitting
from cogs.screens.presenter import Reader
from cogs.screens.renderer import utf16_units
from cogs.screens.safe_names import unescaped

LONGEST_DESCRIPTION: Final = 1024
"""Discord's limit (https://discord.com/developers/docs/components/reference#media-gallery). We count UTF-16 units, the
longest of all counts."""
LONGEST_TEXT: Final = 3700
"""The same for a message's text, beside its title."""

_CUTS: Final = (1000, 60, 40, 30, 25, 20, 15, 10, 7, 5, 3, 2, 1, 0)
"""How many cards of each hand or pile are listed: as many of all of them as fit."""


def description(layout: TableLayout, reader: Reader, longest: int = LONGEST_DESCRIPTION) -> str:
    """The table without Markdown, for people who cannot see the picture. Long lists of cards are cut."""
    names = tuple(unescaped(name) for name in reader.names)
    writer = _Writer(reader.words, names, reader.cards.label, reader.cards.joined)
    return _written(writer, layout, longest)


def text(layout: TableLayout, reader: Reader) -> str:
    """The table in the text of a message. Lists of cards are cut only if no form of cards has room for them."""
    names = tuple(f"**{name}**" for name in reader.names)

    def made(reader: Reader) -> str:
        longest = None if reader.cards.shorter is not None else LONGEST_TEXT
        return _written(_Writer(reader.words, names, reader.cards.text, reader.cards.joined), layout, longest)

    return fitting(reader, made, lambda text: utf16_units(text) <= LONGEST_TEXT)


@dataclass(frozen=True, slots=True)
class _Writer:
    """In which language, under which names, how a card is written, and how cards are joined."""

    words: Translations
    names: Sequence[str]
    card: Callable[[Card], str]
    joined: Callable[[Sequence[str]], str]

    def lines(self, layout: TableLayout, most: int) -> list[str]:
        """A line for each seat and for each pile in the middle, with at most this many cards of each.

        A draw pile that is used up has a line; discards that nobody made have none.
        """
        words = self.words
        found: list[str] = []
        for seat, strip in enumerate(layout.strips):
            held = [self._pile(strip.hand, most, first=True), *[self._pile(pile, most) for pile in strip.piles]]
            key = "picture.winner" if strip.winner else "picture.seat"
            found.append(words(key, seat=seat + 1, player=self.names[seat], what=words("picture.and").join(held)))
        for pile in [pile for pile in layout.middle if pile.count or pile in layout.stacks]:
            what = self._pile(pile, most)
            if pile.seat is None:
                found.append(words("picture.middle", what=what))
            else:
                found.append(words("picture.seat", seat=pile.seat + 1, player=self.names[pile.seat], what=what))
        return found

    def _pile(self, pile: Pile, most: int, *, first: bool = False) -> str:
        """What a pile is, how many cards it has, and those that lie open: the first of them, or the top ones."""
        what = self.words.count(pile.says, pile.count)
        cards = pile.open_cards
        if not cards or not most:
            return what
        listed = [self.card(card) for card in (cards[:most] if first else cards[-most:])]
        if len(cards) > most:
            rest = f"+{len(cards) - most}"
            listed = [*listed, rest] if first else [rest, *listed]
        return self.words("picture.open", what=what, cards=self.joined(listed))


def _written(writer: _Writer, layout: TableLayout, longest: int | None) -> str:
    """The lines with as many cards as fit; with all of them if there is no limit."""
    for most in _CUTS:
        written = "\n".join(writer.lines(layout, most))
        if longest is None or utf16_units(written) <= longest:
            return written
    return "\n".join(writer.lines(layout, 0))
