"""The cards of Champions of Chance: numbers, dice icons where they count, specials with Wacky Numbers (K-1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from operator import attrgetter
from typing import Final, TypeAlias

from engines.game import Pack


class Special(Enum):
    """What a wacky card does when it is revealed (K-13 to K-17)."""

    INVERT = "INVERT"
    TIEBREAK = "TIEBREAK"
    STEAL = "STEAL"
    BEGGAR = "BEGGAR"
    NUMBERLESS = "NUMBERLESS"


@dataclass(frozen=True)
class Card:
    """A card by its number (1 to 6), its dice icons and its special.

    `icons` is 0 in matches in which icons do not count. `copy` tells otherwise equal cards apart and is shown nowhere.
    """

    number: int
    icons: int = 0
    special: Special | None = None
    copy: int = 0

    @cached_property
    def name(self) -> str:
        """The card as players read it, such as ``4``, ``4·3`` or ``4·3⚡STEAL`` (C-7)."""
        icons = f"·{self.icons}" if self.icons else ""
        return f"{self.number}{icons}{f'⚡{self.special.value}' if self.special else ''}"

    @cached_property
    def code(self) -> str:
        """ASCII such as ``4#1``, ``4.3#0`` or ``4.3!STEAL#0``, the copy last; the notation's form."""
        icons = f".{self.icons}" if self.icons else ""
        return f"{self.number}{icons}{f'!{self.special.value}' if self.special else ''}#{self.copy}"

    @cached_property
    def place(self) -> int:
        """Its sort key: by number, plain ones first, by icons."""
        return _PLACE[self]

    @classmethod
    def of(cls, code: str) -> Card:
        """The card of a code. Raises ValueError for a text that is not a card's code."""
        card = _BY_CODE.get(code)
        if card is None:
            raise ValueError("not a card")
        return card


Cards: TypeAlias = tuple[Card, ...]

_BASE_ICONS: Final = ((2, 2, 2, 2, 3, 3), (2, 2, 3, 3, 4, 4), (3, 3, 4, 4, 4, 4))
"""The icons of the six cards of 1 and 6, of 2 and 5, of 3 and 4."""

_WACKY: Final = (
    (Special.INVERT, Special.STEAL, Special.BEGGAR),
    (Special.TIEBREAK, Special.INVERT, Special.NUMBERLESS),
    (Special.STEAL, Special.TIEBREAK, Special.BEGGAR),
    (Special.INVERT, Special.STEAL, Special.NUMBERLESS),
    (Special.TIEBREAK, Special.BEGGAR, Special.INVERT),
    (Special.STEAL, Special.TIEBREAK, Special.NUMBERLESS),
)
"""The specials of each number's three wacky cards, which have 2, 3 and 4 icons."""


def _number_of(number: int, *, icons: bool, wacky: bool) -> Iterator[Card]:
    """The cards of one number, the plain ones first."""
    row = _BASE_ICONS[min(number, 7 - number) - 1]
    for index, count in enumerate(row):
        shown = count if icons else 0
        copy = row[:index].count(count) if icons else index
        yield Card(number, shown, copy=copy)
    if wacky:
        for index, special in enumerate(_WACKY[number - 1]):
            yield Card(number, index + 2 if icons else 0, special)


def _pack(*, icons: bool, wacky: bool) -> Pack:
    cards = tuple([card for number in range(1, 7) for card in _number_of(number, icons=icons, wacky=wacky)])
    return Pack(f"champions{len(cards)}{'icons' if icons else ''}", cards)


PACKS: Final = {(icons, wacky): _pack(icons=icons, wacky=wacky) for icons in (False, True) for wacky in (False, True)}
"""The four packs, by whether icons count and whether there are wacky cards."""

_BY_CODE: Final[dict[str, Card]] = {card.code: card for pack in PACKS.values() for card in pack.cards}
_PLACE: Final[dict[Card, int]] = {
    card: index for icons in (False, True) for index, card in enumerate(PACKS[icons, True].cards)
}


_by_place: Final = attrgetter("place")


def sorted_cards(cards: Sequence[Card]) -> Cards:
    """The cards sorted (`Card.place`)."""
    return tuple(sorted(cards, key=_by_place))


def write_cards(cards: Sequence[Card]) -> str:
    """The codes of some cards, such as ``4#1+6#0``."""
    return "+".join([card.code for card in cards])


def read_cards(text: str) -> Cards:
    """The cards that `write_cards` wrote, at least one. Raises ValueError."""
    return tuple([Card.of(code) for code in text.split("+")])
