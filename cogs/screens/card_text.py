"""Cards in texts and on buttons, in the form that their reader chose (`bot.ui.preferences`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from bot.ui.screen import Cards
from engines.game import Value

PICKED, NOT_PICKED = "●", "○"
"""Marks of one width, for what can be picked: a font that has one of these two has both."""
DISCS = ("①", "②", "③", "④", "⑤", "⑥")
"""What seats have before their names below a picture, where its discs can't be emojis."""
DIGIT_SPACE = "\u2007"
"""As wide as a digit."""


class Card(Protocol):
    """A card of any game."""

    @property
    def name(self) -> str:
        """Its short text form (C-7)."""

    @property
    def code(self) -> str:
        """Its form in the game's notation, which may also tell equal cards apart."""


class Face(NamedTuple):
    """What a reader sees of a card: `text` with markup in a text, `label` without markup on a button or in a list.

    A button that can show `emoji` needs no label.
    """

    text: str
    label: str
    emoji: str = ""


class CardForm(ABC):
    """How one reader sees the cards of one game."""

    separator: str = " "
    """What parts cards in a sentence."""
    row_separator: str = " "
    """What parts cards in a row of their own."""
    spare_lines: int = 0
    """How many lines more than usual a text with a fixed number of lines has, because this form is longer."""
    least_in_a_row: int = 3
    """How many buttons a row has at least where there is room, however wide they are."""
    most_in_a_row: int = 5
    """How many it has at most."""
    pick_lines: int = 0
    """In how many lines above its buttons a hand names what is picked; 0 if marks on the buttons show it."""
    longest_line: int | None = None
    """A line of a log that is longer, in UTF-16 units, is written in the shorter form; None: no line is."""
    is_spoken: bool = False
    """Whether this is for readers who hear a screen, so that no event has to be left out for a phone's height."""
    lists_race: bool = False
    """Whether the cards of a race are lines of a list: buttons this wide would not have room beside one another."""
    explain: str = "hand.explain"
    """The key of the label of the button that explains a question."""
    back: str = ""
    """The emoji of a face-down card; empty if cards are not emojis."""

    @property
    def shorter(self) -> CardForm | None:
        """The form for a screen that is too long for a message in this one; None if there is none."""
        return None

    @abstractmethod
    def face(self, card: Card) -> Face:
        """What the reader sees of a card."""

    def text(self, card: Card) -> str:
        """A card in a sentence."""
        return self.face(card).text

    def label(self, card: Card) -> str:
        """A card in the text of a button."""
        return self.face(card).label

    def heading(self, card: Card) -> str:
        """A card that is a heading of its own."""
        face = self.face(card)
        return face.emoji or face.label

    def row(self, cards: Iterable[Card]) -> str:
        """Cards in a sentence."""
        return self.joined([self.face(card).text for card in cards])

    def labelled(self, label: str, cards: Iterable[Card]) -> str:
        """Cards in a sentence, after what they are."""
        return f"{label} {self.row(cards)}"

    def joined(self, shown: Sequence[str]) -> str:
        """Cards that are written already, in a sentence or on one button."""
        return self.separator.join(shown)

    def named(self, name: str) -> str:
        """A card, a rank or a suit by the short name that an engine has for it, such as `7♠`, `J` or `♥`."""
        return name

    def values(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """An engine's values for a sentence, in which cards, ranks and suits may be by their short names."""
        return dict(values)

    def listed(self, label: str, cards: Iterable[Card], *, together: bool = False, room: int | None = None) -> Cards:
        """A row of cards with a label before it. `together` counts equal cards: `7♠×3`.

        A row longer than `room` characters is cut, and what is left out is counted at its end: `+12`.
        """
        shown = [self.face(card).text for card in cards]
        if together:
            shown = together_in(shown, self.times)
        return Cards(label, tuple(shown if room is None else _within(shown, room)), self.row_separator)

    def laid(self, label: str, cards: Iterable[Card]) -> Cards:
        """Cards that were played together, with a label before them."""
        return self.listed(label, cards)

    def hand(self, label: str, cards: Iterable[Card], *, together: bool = False) -> Cards:
        """The cards of a hand that can be picked, with a label before them; see `Cards.is_hand`."""
        return self.listed(label, cards, together=together)._replace(is_hand=True)

    def times(self, shown: str, count: int) -> str:
        """Equal cards, written once."""
        return f"{shown}×{count}"

    # ------------------------------------------------------------------------------------ what can be picked

    def item(self, face: Face, *, picked: bool, number: str = "", figures: int = 0) -> str:
        """The label of a button that picks a card, as wide whether it is picked or not unless it is alone in its row.

        Where order matters, `number` is which pick it is, and `figures` is how many figures the highest number has.
        """
        return f"{PICKED if picked else NOT_PICKED}{number.ljust(figures, DIGIT_SPACE)} {face.label}"

    def line(self, label: str, count: int, picked: int) -> str:
        """The line of a list for cards that look alike: how many there are, and how many of them are picked."""
        times = f" ×{count}" if count > 1 else ""
        return f"{f'{PICKED} ' * picked}{label}{times}"

    def in_hand(self, name: str, count: int | None) -> str:
        """The label of a button for cards of one kind in a hand, up to 9; None if the button is only a slot
        for a card. Its width depends on the name."""
        return f"{name}{_RAISED[count or 0]}"

    def picks(self, faces: Sequence[Face]) -> tuple[str, ...]:
        """Sentences that name what is picked (some card is), the best first, a short one last; none in a form without
        `pick_lines`."""
        del faces
        return ()


class TextCards(CardForm):
    """Cards as short names such as `7♠`, each in a box of its own, so that it reads as one word."""

    def face(self, card: Card) -> Face:
        return _in_a_box(card.name)


TEXT_CARDS = TextCards()


@lru_cache(maxsize=1024)
def _in_a_box(name: str) -> Face:
    """A card of this short name, of which a hand has many: no more than its name, so it is the same for everybody."""
    return Face(f"`{name}`", name)


_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def together_in(shown: Sequence[str], times: Callable[[str, int], str]) -> list[str]:
    """Cards with those that look alike written once."""
    return [times(text, count) if count > 1 else text for text, count in Counter(shown).items()]


def _within(shown: Sequence[str], room: int) -> Sequence[str]:
    """As many of these texts as fit into a row of this length."""
    if _length(shown) <= room:
        return shown
    kept = [*shown]
    while kept and _length((*kept, f"+{len(shown)}")) > room:
        kept.pop()
    return (*kept, f"+{len(shown) - len(kept)}")


def _length(shown: Sequence[str]) -> int:
    return sum(len(text) + 1 for text in shown)
