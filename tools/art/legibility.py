"""How well the emojis can be told apart where they are shown, by all eyes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from bot.art.images import Family, Size, emoji_names, images
from tools.art.viewing import DEFICIENCIES, View, distance, grey, light, on_background, smaller

LEAST: Final = 0.10
"""The least distance between two faces of a family (`viewing.distance`). Nearer ones were mistaken for each other."""

SHOWN: Final = {
    "text, dark": (22, "#2b2d31"),
    "text, light": (22, "#ffffff"),
    "grey button": (20, "#4e5058"),
    "picked": (20, "#5865f2"),
}
"""Where emojis are shown: their width in pixels there, and Discord's background."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The two most alike faces of a family on one surface, for one kind of eyes."""

    distance: float
    family: Family
    surface: str
    eyes: str
    names: tuple[str, str]

    def __str__(self) -> str:
        return f"{self.distance:.3f}  {self.surface}, {self.eyes}: {' and '.join(self.names)}"


def shown(width: int, background: str) -> Mapping[str, View]:
    """Every emoji at a width on a background, by its name."""
    return {name: on_background(smaller(image.pixels, width), background) for name, image in images(Size.EMOJI).items()}


def nearest(views: Mapping[str, View], surface: str) -> Iterator[Pair]:
    """The most alike faces of each family as they are shown on one surface, for each kind of eyes."""
    seen = {"as drawn": {name: light(view) for name, view in views.items()}}
    for eyes, matrix in DEFICIENCIES.items():
        seen[eyes] = {name: light(view, matrix) for name, view in views.items()}
    seen["without colour"] = {name: grey(view) for name, view in views.items()}
    for eyes, lights in seen.items():
        for family in Family:
            pairs = combinations(emoji_names(family), 2)
            found, names = min((distance(lights[one], lights[other]), (one, other)) for one, other in pairs)
            yield Pair(found, family, surface, eyes, names)


def report() -> Iterator[Pair]:
    """The most alike faces of each family, on each surface and for each kind of eyes."""
    for surface, (width, background) in SHOWN.items():
        yield from nearest(shown(width, background), surface)
