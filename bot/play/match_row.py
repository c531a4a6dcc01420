"""What the row of a match says of it."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

from bot.store.queries.invitations import Origin, Series, StandIn
from bot.store.queries.matches import MatchRow, Suspension, Unrated
from engines.game import Seat

MOST_LOSSES: Final = 2
"""How often a match may lose its venue by the same cause during one question and go on."""
NO_LOSSES: Final = frozenset({Suspension.GAVE_PLACE, Suspension.MODERATED})
"""Why a match is on hold although its venue is still there."""


def _shown(name: str) -> Any:
    """What a match's row has under a name, to be read alone."""
    if not hasattr(MatchRow, name):
        raise AttributeError(name)
    return property(attrgetter(f"_row.{name}"))


class MatchOfRow:
    """A match as its row has it. All times are in ms UTC.

    The row contains the seed, which determines the deck. So it is private, and properties show what others may know.
    """

    __slots__ = ("_row",)

    id: str = _shown("id")
    """The match's id, which is also in the ids of its buttons."""
    guild_id: int = _shown("guild_id")
    """The server where it is played."""
    channel_id: int = _shown("channel_id")
    """The channel where it is played. A suspended match may be resumed in another."""
    day: int | None = _shown("day")
    """The day whose deal it tries (`bot.play.days`); None for every other match."""
    shared: bool = _shown("shared")
    """Whether other matches of its server have the same deal (`bot.play.closed_deals`)."""
    everywhere: bool = _shown("everywhere")
    """Whether people of all servers try its deal, until its day ends."""
    rated: bool = _shown("rated")
    """Whether it may count; otherwise its players knew beforehand that it doesn't."""
    reserved: bool = _shown("reserved")
    """Whether it has its room beside the limits of channel and server (`Limits.check_reserved`)."""
    series: Series | None = _shown("series")
    """Its series, with what was won before it; None for a single match."""
    newcomers: tuple[Seat, ...] = _shown("newcomers")
    """The seats of those of whose first matches it is one (C-13)."""
    board_id: int | None = _shown("board_id")
    """The message with its board; None before there is one."""
    seats: tuple[int, ...] = _shown("seats")
    """The users, seat by seat."""
    agreed: tuple[Seat, ...] = _shown("agreed")
    """The seats that have agreed to call the match off (C-6)."""
    failed: int | None = _shown("paused")
    """The error number of a failed rule, which stops the match; or None."""
    suspended: Suspension | None = _shown("suspended_why")
    """Why the match is suspended; None while it is played."""
    origin: Origin | None = _shown("origin")
    """The earlier match from which it was begun; None if it began with a deal of its own."""
    rules_version: int = _shown("rules_version")
    """The version of the rules by which it was dealt."""
    deal_id: str = _shown("deal_id")
    """The deal's id, which was shown with its seal."""
    unrated: Unrated | None = _shown("unrated")
    """Why the match does not count, if somebody's time ran out while they could not act."""
    stand_in: StandIn = _shown("stand_in")
    """What becomes of a seat whose time has run out (C-8)."""

    def __init__(self, row: MatchRow) -> None:
        self._row = row

    @property
    def has_board(self) -> bool:
        """Whether everybody may follow it on a board. Without one only its person sees it."""
        return not self._row.alone or self._row.on_board

    @property
    def has_clock(self) -> bool:
        """Whether time runs out in it, and its players get notices: not where one person plays alone."""
        return not self._row.alone

    def reads_until(self, seat: Seat) -> int | None:
        """Until when the clock waits or waited for a newcomer who reads; None if they have not yet, and for others."""
        return dict(zip(self._row.newcomers, self._row.reads_until, strict=True)).get(seat)

    @property
    def board_at(self) -> int:
        """When the board was posted; 0 if that is not known."""
        return self._row.board_at or 0

    @property
    def suspended_at(self) -> int:
        """Since when the match is suspended (ms UTC); 0 while it is played."""
        return self._row.suspended_at or 0

    @property
    def held_up(self) -> Suspension | None:
        """Why the match would be suspended if no moderator held it; None if it would be played."""
        if self.suspended is not Suspension.MODERATED:
            return self.suspended
        last = self._row.lost_places.causes[-1:]
        return None if last in {(), (Suspension.MODERATED,)} else last[0]

    @property
    def venue_lost(self) -> bool:
        """Whether nothing can be shown where it was played."""
        return self.held_up not in {None, Suspension.GAVE_PLACE}

    @property
    def inactive(self) -> bool:
        """Whether the match is on hold because a rule failed or its venue was lost."""
        return self.failed is not None or self.suspended is not None

    @property
    def commitment(self) -> str:
        """The deal's seal as it was shown from the invitation on, as 64 hexadecimal digits."""
        return self._row.commitment.hex()

    def seat_of(self, user_id: int) -> Seat | None:
        """The user's seat, or None for a user who does not play."""
        return self.seats.index(user_id) if user_id in self.seats else None

    @property
    def last_suspension(self) -> bool:
        """Whether losing its venue once more by the same cause would end a suspended match."""
        if self.suspended in {None, *NO_LOSSES}:
            return False
        return self._row.lost_places.causes.count(self.suspended) >= MOST_LOSSES
