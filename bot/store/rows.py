"""The rows of a store: the values that it is given and gives back.

Times are integer milliseconds since 1970 in UTC, ids of Discord are integers, `options`, `action` and `events` are JSON
texts that the store does not read (`bot.store.codec` writes them).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.ratings import Rating


class InvitationKind(StrEnum):
    """How an invitation becomes a match."""

    CHALLENGE = "challenge"
    """When all who were asked have sat down; one who declines closes it."""
    TABLE = "table"
    """When the host starts it; anybody may sit down, or only those invited if it is private."""


class InvitationState(StrEnum):
    """What became of an invitation. Only an open one changes, and once."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Invitation:
    """A challenge, or a table that still fills. Its id becomes the match's; its seed is the secret of the deal.

    `seated` are those who sit, in the order in which they sat down; they get their seats in that order, or in the order
    of `places` where there is one (a rematch).
    """

    id: str
    guild_id: int
    channel_id: int
    message_id: int | None
    game: str
    options: str
    clock: str
    host_id: int
    invited: tuple[int, ...]
    seated: tuple[int, ...]
    seed: bytes
    created_at: int
    expires_at: int
    kind: InvitationKind = InvitationKind.CHALLENGE
    private: bool = False
    places: tuple[int, ...] = ()


class Suspension(StrEnum):
    """Why a live match rests, its place lost."""

    CHANNEL_GONE = "channel_gone"
    THREAD_CLOSED = "thread_closed"
    """Its thread was archived or locked."""
    NO_ACCESS = "no_access"
    """We may not see its channel."""
    NO_SENDING = "no_sending"
    """We may not write in its channel."""
    REMOVED = "removed"
    """We were removed from its server."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match: live until it has a `Result`. `seats[seat]` is the user; `paused` the error's number that paused it."""

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
    opened_at: int
    paused: int | None = None
    agreed: tuple[int, ...] = ()
    """The seats that would like to call the match off (C-6)."""
    suspended_at: int | None = None
    """Since when it rests for `suspended_why`, without a timer; both None while it is played and once it is over."""
    suspended_why: Suspension | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of a match's log. Seq 0 is the deal, without an action; `actor` is the seat, None for the clock."""

    match_id: str
    seq: int
    interaction_id: int | None
    actor: int | None
    action: str | None
    events: str
    at: int


@dataclass(frozen=True, slots=True)
class TimerRow:
    """A running deadline of a live match, as the window's `Timer` names it."""

    match_id: str
    name: str
    key: str
    deadline: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `ranks[seat]` counts from 1; empty when called off. Only a `counted` one moves standings."""

    match_id: str
    kind: str
    ranks: tuple[int, ...]
    ended_at: int
    counted: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in a server's leaderboard of one game. Equal ordinals share a rank."""

    rank: int
    user_id: int
    rating: Rating
    wins: int
    losses: int
    draws: int

    @property
    def matches(self) -> int:
        """How many counted matches that is."""
        return self.wins + self.losses + self.draws


@dataclass(frozen=True, slots=True)
class Notice:
    """A "your turn" mention that stands in a channel and is to be removed."""

    match_id: str
    seat: int
    user_id: int
    channel_id: int
    message_id: int


class NoticeLevel(StrEnum):
    """How somebody wants to be told that it is their turn."""

    NONE = "none"
    QUIET = "quiet"
    """A message in the channel that names them and notifies nobody."""
    PING = "ping"
    """A message in the channel that notifies them."""
    DIRECT = "dm"
    """A direct message, or a ping where they take none."""
