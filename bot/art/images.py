"""Which picture belongs to which card, and the picture itself.

Names are for ever: Discord keeps them on the emojis, and old messages show them. A changed drawing keeps its name and
gets another digest, and with it another `emoji_name`.

Finding an image needs the index alone, which is read once, in about 5 milliseconds. The pixels of a sheet are unpacked
when they are first needed, which takes longer, and so does making a PNG file. So do that outside the event loop.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Final

from bot.art.sheet import Sheet

FORM: Final = "cardroom/art/v1"
"""The form of the index."""


class Size(Enum):
    """What a sheet's pictures are made for; the value is the name of its file."""

    EMOJI = "emojis"
    """Tiles of 128 x 128 pixels with soft edges, legible at 22."""
    TABLE = "table"
    """Pictures of a table 480 pixels wide; their edges are hard, and the colour 0 is transparent."""
    TABLE_LARGE = "table_large"
    """The same, for pictures 720 pixels wide."""


class Family(Enum):
    """Emojis that are drawn alike; the value is a name of one of them, for cards that of their back."""

    FRENCH = "back"
    TIVMIV = "back_tiv"
    CHAMPIONS = "back_die"
    DISCS = "seat_1"
    """The badges of the seats, which pictures of a table have before each seat's cards."""


FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {
        "haymaker": Family.FRENCH,
        "unbreakable": Family.FRENCH,
        "ciq": Family.FRENCH,
        "tivmiv": Family.TIVMIV,
        "champions": Family.CHAMPIONS,
    }
)
"""The cards that each of our games is played with, by its key. A game of another package has none, or names its own."""

TRANSPARENT: Final = 0
FELT: Final = 1
STRIP: Final = 2
"""Indexes in the palette of both sheets of table pictures, for what is drawn without a sprite."""

MOST_COUNTED: Final = 99
"""The sprites `count_0` to `count_99` show a number of cards."""
SIGNS: Final = ("attack", "damage", "defense", "burned", "discards", "last")
"""The sprites `sign_attack` and so on tell piles apart, and what was laid last."""
SEATS: Final = 6
"""The sprites and the emojis `seat_1` to `seat_6` are the badges of the seats."""


@dataclass(frozen=True, slots=True)
class Image:
    """One picture of a sheet: its name, where it lies in pixels, and the digest of its pixels (`Sheet.digest`)."""

    name: str
    size: Size
    x: int
    y: int
    width: int
    height: int
    digest: str

    @property
    def emoji_name(self) -> str:
        """Its name on Discord, such as ``queen_hearts_0c3f2a``: at most 32 characters, and another one per drawing."""
        return f"{self.name}_{self.digest[:6]}"

    @property
    def pixels(self) -> Sheet:
        """The picture, with the palette of its whole sheet."""
        return sheet(self.size).crop(self.x, self.y, self.width, self.height)

    @property
    def png(self) -> bytes:
        """The picture as a PNG file, for example to upload it as an emoji."""
        return self.pixels.compact.png


@cache
def _index() -> Mapping[str, Mapping[str, tuple[int, int, int, int, str]]]:
    index = json.loads((resources.files("bot.art") / "index.json").read_text(encoding="utf-8"))
    if index["form"] != FORM:
        raise ValueError("another form of index")
    return {name: {image: tuple(entry) for image, entry in images.items()} for name, images in index["sheets"].items()}


@cache
def images(size: Size) -> Mapping[str, Image]:
    """Every picture of a sheet by its name, in the order in which they were drawn."""
    return MappingProxyType(
        {name: Image(name, size, *entry[:4], digest=entry[4]) for name, entry in _index()[size.value].items()}
    )


def sheet_file(size: Size) -> bytes:
    """A whole sheet as the PNG file that is shipped. A library that reads PNG keeps its palette's order."""
    return (resources.files("bot.art") / f"{size.value}.png").read_bytes()


@cache
def sheet(size: Size) -> Sheet:
    """A whole sheet."""
    return Sheet.read(sheet_file(size))


# ---------------------------------------------------------------------------------------------- by card

_RANKS: Final = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
"""What names call the ranks whose codes are letters; the others are called as their codes."""

_SUITS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}

_FRENCH: Final = re.compile(r"(?:X|([2-9ATJQK])([CDHS]))[0-9]*")
_TIVMIV: Final = re.compile(r"([0-9]+)-([0-9])[a-z]?")
_CHAMPIONS: Final = re.compile(r"([0-9])(?:\.([0-9]))?(?:!([A-Z]+))?(?:#[0-9]+)?")


def _french(code: re.Match[str]) -> str:
    return f"{_RANKS.get(code[1], code[1])}_{_SUITS[code[2]]}" if code[1] else "joker"


def _tivmiv(code: re.Match[str]) -> str:
    return f"{code[1]}_pm_{code[2]}"


def _champions(code: re.Match[str]) -> str:
    icons = f"_icons_{code[2]}" if code[2] else ""
    return f"die_{code[1]}{icons}{f'_{code[3].lower()}' if code[3] else ''}"


_NAMES: Final = {
    Family.FRENCH: (_FRENCH, _french),
    Family.TIVMIV: (_TIVMIV, _tivmiv),
    Family.CHAMPIONS: (_CHAMPIONS, _champions),
}


@lru_cache(maxsize=4096)
def card_name(family: Family, code: str) -> str | None:
    """The name of a card's picture, by the card's code in its engine's notation; None for any other text.

    A code may end with what tells equal cards apart (``TH0``, ``7-2b``, ``4.3#1``). It makes no difference: equal cards
    have one picture.
    """
    pattern, name = _NAMES[family]
    found = pattern.fullmatch(code)
    drawn = name(found) if found else None
    return drawn if drawn in images(Size.EMOJI) else None


def emoji_names(family: Family) -> tuple[str, ...]:
    """The names of a family's pictures, a back included. Use emojis for a family only when all of them are there."""
    return tuple(name for name in images(Size.EMOJI) if _family_of(name) is family)


def _family_of(name: str) -> Family:
    if name.startswith("seat_"):
        return Family.DISCS
    if "_pm_" in name or name == Family.TIVMIV.value:
        return Family.TIVMIV
    return Family.CHAMPIONS if name.startswith("die_") or name == Family.CHAMPIONS.value else Family.FRENCH
