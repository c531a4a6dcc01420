"""Matches: their rows, logs, deadlines and results, and why one is suspended or doesn't count."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.store.rows.invitations import Origin, Series, StandIn
from bot.store.rows.people import Attendance
from bot.store.rows.screens import BoardMark


@dataclass(frozen=True, slots=True)
class Salt:
    """What a player added to a deal: its digest (`engines.deals.salt_digest`), and its text.

    The text is empty if they added nothing, and None once they were deleted.
    """

    digest: bytes
    text: str | None


UNSALTED: Final = Salt(hashlib.sha256().digest(), "")
"""Of somebody who added nothing, as most do: one value for all of them, because thousands of matches have it."""


class Suspension(StrEnum):
    """Why a live match is suspended: how its place was lost."""

    CHANNEL_GONE = "channel_gone"
    THREAD_CLOSED = "thread_closed"
    """Its thread was locked. Formerly also: archived."""
    NO_ACCESS = "no_access"
    """The bot may not see its channel."""
    NO_SENDING = "no_sending"
    """The bot may not write in its channel."""
    REMOVED = "removed"
    """The bot was removed from its server."""
    BOARD_REMOVED = "board_removed"
    """Somebody or something in its channel removes its board again and again."""


class Obstacle(StrEnum):
    """What keeps a player from acting where their match is played."""

    GONE = "gone"
    """They are no member of the server: they left, or were removed."""
    TIMED_OUT = "timed_out"
    """A moderator has timed them out."""
    HIDDEN = "hidden"
    """They may not see the channel, or are not in its private thread."""
    NO_THREAD_SENDING = "no_thread_sending"
    """They may not write in the thread."""
    NO_SENDING = "no_sending"
    """They may not write in the channel. They can still press buttons there."""
    UNKNOWN = "unknown"
    """Discord did not answer."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What was left (ms) of a deadline when its match was suspended."""

    name: str
    key: str
    left: int


@dataclass(frozen=True, slots=True)
class LostPlaces:
    """How often a match was suspended during one question (its `window`), and why: the latest cause is the last.

    `left` is what was left of each deadline at the latest suspension.
    """

    window: int = 0
    causes: tuple[Suspension, ...] = ()
    left: tuple[TimeLeft, ...] = ()


@dataclass(frozen=True, slots=True)
class Unrated:
    """Why a match does not count: this seat's time ran out while its player could not act."""

    seat: int
    why: Obstacle


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match. It is live until it has a `Result`. `seats[seat]` is the user; `paused` is the number of an error.

    `commitment` is its deal's seal, 32 bytes. All of the deal is as the invitation had it. `salts` has one
    for each seat.
    """

    id: str
    guild_id: int
    channel_id: int
    board_id: int | None
    board_at: int | None
    game: str
    rules_version: int
    options: str
    clock: str
    seats: tuple[int, ...]
    seed: bytes
    commitment: bytes
    opened_at: int
    paused: int | None = None
    agreed: tuple[int, ...] = ()
    """The seats that would like to call the match off (C-6)."""
    suspended_at: int | None = None
    """Since when it is suspended, without a timer; None while it is played and once it is over, as is the reason."""
    suspended_why: Suspension | None = None
    lost_places: LostPlaces = LostPlaces()
    unrated: Unrated | None = None
    deal_version: int = 2
    deal_id: str = ""
    sealed_options: str = ""
    salts: tuple[Salt, ...] = ()
    stand_in: StandIn = StandIn.OFF
    origin: Origin | None = None
    """As the invitation had it. Its seed decides only what is drawn after the opening."""
    day: int | None = None
    """The day whose deal it tries (`DailyDeal`); None for every other match."""
    series: Series | None = None
    """As the invitation had it."""


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of a match's log. Seq 0 is the deal, without an action; `actor` is the seat, None for the clock.

    `computer` is the level and version of the computer player that made the act; None for a person's and the clock's.
    `chain` is its value in the log's hash chain (`bot.store.log_chain`), which the store makes when it appends the
    record; it is empty before.
    """

    match_id: str
    seq: int
    interaction_id: int | None
    actor: int | None
    action: str | None
    events: str
    at: int
    chain: bytes = field(default=b"", compare=False)
    computer: str | None = None


@dataclass(frozen=True, slots=True)
class TimerRow:
    """A running deadline of a live match, as the window's `Timer` names it."""

    match_id: str
    name: str
    key: str
    deadline: int


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """What a start reads of a live match beside its row: its log, its timers, and the mark of its board."""

    records: tuple[Record, ...] = ()
    timers: tuple[TimerRow, ...] = ()
    board_mark: BoardMark | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `ranks[seat]` counts from 1; empty when called off. Only a `counted` one moves standings.

    `chain` is the last value of the log's hash chain, which the store adds when the match ends; it is empty before.
    `attendances` is what the store is to keep of its people; it is empty when the result is read.
    """

    match_id: str
    kind: str
    ranks: tuple[int, ...]
    ended_at: int
    counted: bool
    chain: bytes = field(default=b"", compare=False)
    attendances: tuple[Attendance, ...] = field(default=(), compare=False)
