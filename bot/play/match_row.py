"""What the row of a match says of it."""

from __future__ import annotations

from typing import Final

from bot.store.queries.invitations import Origin, Series, StandIn
from bot.store.queries.matches import MatchRow, Suspension, Unrated
from engines.game import Seat

MOST_LOSSES: Final = 2
"""How often a match may lose its place by the same cause during one question and go on."""
NO_LOSSES: Final = frozenset({Suspension.GAVE_PLACE, Suspension.MODERATED})
"""Why a match is on hold although its place is still there."""


class MatchOfRow:
    """A match as its row has it. All times are in ms UTC.

    The row contains the seed, which determines the deck. So it is private, and properties show what others may know.
    """

    __slots__ = ("_row",)

    def __init__(self, row: MatchRow) -> None:
        self._row = row

    @property
    def id(self) -> str:
        """The match's id, which is also in the ids of its buttons."""
        return self._row.id

    @property
    def guild_id(self) -> int:
        """The server where it is played."""
        return self._row.guild_id

    @property
    def channel_id(self) -> int:
        """The channel where it is played. A suspended match may be resumed in another."""
        return self._row.channel_id

    @property
    def day(self) -> int | None:
        """The day whose deal it tries (`bot.play.days`); None for every other match."""
        return self._row.day

    @property
    def shared(self) -> bool:
        """Whether other matches of its server have the same deal (`bot.play.closed_deals`)."""
        return self._row.shared

    @property
    def everywhere(self) -> bool:
        """Whether people of all servers try its deal, until its day ends."""
        return self._row.everywhere

    @property
    def rated(self) -> bool:
        """Whether it may count; otherwise its players knew beforehand that it doesn't."""
        return self._row.rated

    @property
    def reserved(self) -> bool:
        """Whether it has its room beside the limits of channel and server (`Limits.check_reserved`)."""
        return self._row.reserved

    @property
    def series(self) -> Series | None:
        """Its place in a series, with what was won before it; None for a single match."""
        return self._row.series

    @property
    def has_board(self) -> bool:
        """Whether everybody may follow it on a board. Without one only its person sees it."""
        return not self._row.alone or self._row.on_board

    @property
    def has_clock(self) -> bool:
        """Whether time runs out in it, and its players get notices: not where one person plays alone."""
        return not self._row.alone

    @property
    def newcomers(self) -> tuple[Seat, ...]:
        """The seats of those of whose first matches it is one (C-13)."""
        return self._row.newcomers

    def reads_until(self, seat: Seat) -> int | None:
        """Until when the clock waits or waited for a newcomer who reads; None if they have not yet, and for others."""
        return dict(zip(self._row.newcomers, self._row.reads_until, strict=True)).get(seat)

    @property
    def board_id(self) -> int | None:
        """The message with its board; None before there is one."""
        return self._row.board_id

    @property
    def board_at(self) -> int:
        """When the board was posted; 0 if that is not known."""
        return self._row.board_at or 0

    @property
    def seats(self) -> tuple[int, ...]:
        """The users, seat by seat."""
        return self._row.seats

    @property
    def agreed(self) -> tuple[Seat, ...]:
        """The seats that have agreed to call the match off (C-6)."""
        return self._row.agreed

    @property
    def failed(self) -> int | None:
        """The error number of a failed rule, which stops the match; or None."""
        return self._row.paused

    @property
    def suspended(self) -> Suspension | None:
        """Why the match is suspended; None while it is played."""
        return self._row.suspended_why

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
    def place_lost(self) -> bool:
        """Whether nothing can be shown where it was played."""
        return self.held_up not in {None, Suspension.GAVE_PLACE}

    @property
    def inactive(self) -> bool:
        """Whether the match is on hold because a rule failed or its place was lost."""
        return self.failed is not None or self.suspended is not None

    @property
    def commitment(self) -> str:
        """The deal's seal as it was shown from the invitation on, as 64 hexadecimal digits."""
        return self._row.commitment.hex()

    @property
    def origin(self) -> Origin | None:
        """The earlier match from which it was begun; None if it began with a deal of its own."""
        return self._row.origin

    @property
    def rules_version(self) -> int:
        """The version of the rules by which it was dealt."""
        return self._row.rules_version

    @property
    def deal_id(self) -> str:
        """The deal's id, which was shown with its seal."""
        return self._row.deal_id

    def seat_of(self, user_id: int) -> Seat | None:
        """The user's seat, or None for a user who does not play."""
        return self.seats.index(user_id) if user_id in self.seats else None

    @property
    def unrated(self) -> Unrated | None:
        """Why the match does not count, if somebody's time ran out while they could not act."""
        return self._row.unrated

    @property
    def stand_in(self) -> StandIn:
        """What becomes of a seat whose time has run out (C-8)."""
        return self._row.stand_in

    @property
    def last_suspension(self) -> bool:
        """Whether losing its place once more by the same cause would end a suspended match."""
        if self.suspended in {None, *NO_LOSSES}:
            return False
        return self._row.lost_places.causes.count(self.suspended) >= MOST_LOSSES
