"""Which deals are closed: nothing that they hold is shown to anybody, also not to those who have finished.

A deal that is tried until the end of a day is closed until that day is over and nobody plays it any more: in its
server, or in all that this process serves if it is `everywhere`. The queries for finished matches know of other
processes. A deal that several matches of a server share (`MatchRow.shared`) is closed until all of them are over, and
for as long as a room holds it closed, because not all of its matches begin at once. Everybody sees its boards
meanwhile, and they show no card.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.play.clocks.deadlines import GRACE
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.refusals import Refused
from bot.scheduler import day_of, ends_at
from bot.store.queries.matches import MatchRow

HeldClosed: TypeAlias = Callable[[int, str], bool]
"""Given a server and a deal's id: whether a room holds the deal closed. It answers at once. A room that doesn't know
yet, as at a start, says of every deal that it is closed."""


@dataclass(frozen=True, slots=True)
class Closing:
    """Why a deal is closed. `day_ends` is when its day ends (ms UTC), maybe in the past if somebody still plays it;
    None for a deal that is closed until all of its matches are over."""

    day_ends: int | None

    @property
    def refusal(self) -> Refused:
        """The answer to everybody who wants to see what the deal holds."""
        if self.day_ends is None:
            return Refused("shared.closed")
        return Refused("daily.closed", when=f"<t:{self.day_ends // 1000}:R>")


@dataclass(slots=True, eq=False)
class ClosedDeals:
    """Says which deals are closed now."""

    matches: MatchRegistry
    now: Callable[[], int]
    _held: list[HeldClosed] = field(default_factory=list, init=False)

    def add(self, *held: HeldClosed) -> None:
        """Have rooms asked."""
        self._held += held

    def today(self) -> int:
        """The number of the present day: attempts at a deal of an earlier one may be open."""
        return day_of(self.now())

    def closing(self, match: LiveMatch | MatchRow) -> Closing | None:
        """Why what a match was dealt from is closed; None if it may be shown."""
        if match.day is not None:
            return self.closing_of_day(None if match.everywhere else match.guild_id, match.day, match.deal_id)
        return Closing(None) if match.shared and self.is_shared_closed(match.guild_id, match.deal_id) else None

    def closing_of_day(self, guild_id: int | None, day: int, deal_id: str) -> Closing | None:
        """The same for what there is to know of a deal of the day, of a server or (None) everywhere."""
        ends = ends_at(day)
        last = ends if guild_id is not None else ends + GRACE  # until then other processes may take a press
        return Closing(ends) if self.now() < last or self._is_played(guild_id, deal_id) else None

    def is_shared_closed(self, guild_id: int, deal_id: str) -> bool:
        """Whether a deal that several matches share is closed."""
        return self._is_played(guild_id, deal_id) or any(held(guild_id, deal_id) for held in self._held)

    def check_open(self, match: LiveMatch | MatchRow) -> None:
        """Raise Refused while what a match was dealt from is closed."""
        closing = self.closing(match)
        if closing is not None:
            raise closing.refusal

    def _is_played(self, guild_id: int | None, deal_id: str) -> bool:
        """Whether a match with this deal is not over in a server (None: anywhere): of those in play, waiting to be
        restored, and in quarantine."""
        live, rows = self.matches, self.matches.waiting
        matches = live.live() if guild_id is None else live.in_server(guild_id)
        playing = any(each.deal_id == deal_id and not each.over for each in matches)
        waiting = any(row.deal_id == deal_id for row in (rows.rows() if guild_id is None else rows.in_server(guild_id)))
        return (
            playing
            or waiting
            or any(each.row.deal_id == deal_id for each in self.matches.quarantined(guild_id=guild_id))
        )
