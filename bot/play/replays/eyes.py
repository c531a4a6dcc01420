"""Through whose eyes a replay is seen: everybody's, one player's, or those of all players at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Self

from engines.game import Event, Seat

_SEAT: Final = re.compile(r"0|[1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class Eyes:
    """The seats whose private view is shown beside what everybody saw; none shows the board alone."""

    seats: frozenset[Seat] = frozenset()

    @classmethod
    def of(cls, seat: Seat) -> Self:
        """One player's eyes."""
        return cls(frozenset({seat}))

    @classmethod
    def all_hands(cls, seats: int) -> Self:
        """The eyes of all players of a match with this many seats."""
        return cls(frozenset(range(seats)))

    @property
    def only(self) -> Seat | None:
        """The seat, if these are one player's eyes."""
        return next(iter(self.seats)) if len(self.seats) == 1 else None

    @property
    def name(self) -> str:
        """These eyes in a custom id: the seat's number, `a` for all hands, `b` for the board alone."""
        if not self.seats:
            return "b"
        return "a" if self.only is None else str(self.only)

    def see(self, event: Event) -> Event | None:
        """An event as these eyes saw it: itself, its public face, or nothing."""
        audience = event.audience()
        return event if audience is None or audience & self.seats else event.face()


def read_eyes(name: str, seats: int) -> Eyes:
    """The eyes with this name, in a match of this many seats. Raises ValueError for any other name."""
    if name == "b":
        return Eyes()
    if name == "a":
        return Eyes.all_hands(seats)
    if _SEAT.fullmatch(name) is None or int(name) >= seats:
        raise ValueError("nobody's eyes")
    return Eyes.of(int(name))
