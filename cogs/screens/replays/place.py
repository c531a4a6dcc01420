"""Where somebody is in a replay. It is in the buttons' ids, so nothing of it is stored, and it survives a restart.

The id's window is the present step, and its argument is `<way>.<eyes>.<shown>`: where to go from there (`Way`), through
whose eyes (`Eyes.name`), and what was asked to be shown: `r` the result, `p` the picture. So no id tells how long a
match is. The argument of `cogs.screens.board.REPLAY` opens a replay at the deal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.play.replays import Eyes, read_eyes
from bot.ui.screen import Press
from cogs.screens.custom_ids import UnknownCustomId

_PLACE: Final = re.compile(r"([a-z0-9])\.([a-z0-9]{1,2})\.(r?p?)")


class Way(StrEnum):
    """Where a press leads from the present step."""

    FIRST = "f"
    BACK = "b"
    NEXT = "n"
    LAST = "l"
    STAY = "s"


@dataclass(frozen=True, slots=True)
class Place:
    """A step of a replay, through whose eyes it is seen, and whether the result and a picture are shown with it."""

    step: int
    eyes: Eyes
    result: bool = False
    picture: bool = False

    def arg(self, way: str) -> str:
        """The argument of a press that leads from here."""
        return f"{way}.{self.eyes.name}.{'r' * self.result}{'p' * self.picture}"

    def press(self, way: Way, verb: str = "replay") -> Press:
        """A press that leads from here."""
        return Press(verb, self.step, self.arg(way))

    def moved(self, way: Way, last: int) -> Place:
        """The place to which a way leads, in a match with this last step."""
        step = min(self.step, last)
        match way:
            case Way.FIRST:
                step = 0
            case Way.BACK:
                step = max(0, step - 1)
            case Way.NEXT:
                step = min(last, step + 1)
            case Way.LAST:
                step = last
        return replace(self, step=step)


def read_way(text: str) -> Way:
    """The way that an argument names. Raises UnknownCustomId."""
    try:
        return Way(text)
    except ValueError:
        raise UnknownCustomId("no way through a replay") from None


def read_place(arg: str, step: int, seats: int) -> tuple[str, Place]:
    """What comes first in an argument, and the place, in a match of this many seats. Raises UnknownCustomId."""
    found = _PLACE.fullmatch(arg)
    if found is None:
        raise UnknownCustomId("no place in a replay")
    way, name, shown = found.groups()
    try:
        eyes = read_eyes(name, seats)
    except ValueError:
        raise UnknownCustomId("nobody's eyes") from None
    return way, Place(step, eyes, "r" in shown, "p" in shown)
