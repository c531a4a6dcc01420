"""An animated picture of a match as values: tables one after the other, and how long each is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.art.layout import TableLayout

MOST_FRAMES: Final = 45


@dataclass(frozen=True, slots=True)
class Frame:
    """A table, how long it is shown in milliseconds, and how soon it may be left out.

    Of the frames that may be left out, those with the highest `rank` go first.
    """

    layout: TableLayout
    milliseconds: int
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Animation:
    """At least one frame and at most 45, all of one game with the same seats. Raises ValueError otherwise."""

    frames: tuple[Frame, ...]

    def __post_init__(self) -> None:
        if not 0 < len(self.frames) <= MOST_FRAMES:
            raise ValueError("too many frames, or none")
        if len({(frame.layout.family, len(frame.layout.strips)) for frame in self.frames}) > 1:
            raise ValueError("the frames are of different tables")
