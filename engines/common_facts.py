"""Facts that several games have, and who may know those of one kind.

A log names a fact by its class, and each game reads its own, so a class here belongs to every game that imports it.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.game import Event, Seat, Unnarrated


class OwnersOnly(Event):
    """A fact that only its `seat` may know as it is."""

    __slots__ = ()

    seat: Seat

    def audience(self) -> frozenset[Seat]:
        """See `Event`."""
        return frozenset({self.seat})


class NobodyKnows(Event):
    """A fact that nobody may know as it is, such as the order of a pile."""

    __slots__ = ()

    def audience(self) -> frozenset[Seat]:
        """See `Event`."""
        return frozenset()


@dataclass(frozen=True, slots=True)
class DealerDrawn(Event):
    """Who deals."""

    dealer: Seat


@dataclass(frozen=True, slots=True)
class CountDealt(Unnarrated):
    """What those see of dealt cards who may not know them."""

    seat: Seat
    count: int
