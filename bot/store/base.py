"""The store's interface: its rows, its errors, and what it promises.

Promises, held by the contract test for every implementation:

* A method that returns has *committed*: what it wrote survives a killed process, and power loss on honest disks.
* A method is whole or not at all: after any exception of this module nothing of it is there.
* A caller that is cancelled while it waits does not undo or tear anything: its write is made all the same.
* Nobody ever reads what is not committed.
* Methods may be called by any number of tasks of one event loop at once; the order of two that overlap is open.

Times are integer milliseconds since 1970 in UTC, ids of Discord are integers, `options`, `action` and `events` are JSON
texts that the store does not read (`bot.store.codec` writes them).

The errors::

    StoreError
    ├── NotSaved           disk full, read-only, input or output failed: it was not saved
    ├── Busy               another program kept the database locked for too long: it was not saved
    ├── AlreadyMade        this interaction was applied before
    ├── Conflict           the match is not where the writer thought: another seq is next, or it is over
    ├── InvitationClosed   the invitation is not open any more
    ├── Damaged            the database cannot be read
    ├── TooNew             the database was written by a later version of the program
    └── InUse              another process has the database

No message holds a value of a row: not a card, not a seed, not a name.
"""

# ruff: noqa: A002  an id is called id, here as in the rows
# ruff: noqa: N818  an error says what happened: not saved, busy, already made

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.ratings import Rating

# ---------------------------------------------------------------------------------------------- errors


class StoreError(Exception):
    """Something the store could not do. Itself raised only for a store that is closed."""


class NotSaved(StoreError):
    """The disk is full, read-only or failing. Nothing was written; later calls may succeed."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"not saved: {reason}")
        self.reason = reason


class Busy(StoreError):
    """Another program held the database locked for longer than the store waits. Nothing was written."""


class AlreadyMade(StoreError):
    """The interaction was applied by an earlier call."""


class Conflict(StoreError):
    """The match is unknown, is over, or expects another seq than the one given."""


class InvitationClosed(StoreError):
    """The invitation is unknown or no longer open."""


class Damaged(StoreError):
    """The database file cannot be read. One line, with the path and how to restore."""


class TooNew(StoreError):
    """The database was written by a later version of the program. One line, with both versions."""


class InUse(StoreError):
    """Another process has the database. `holder` is its process id where known."""

    def __init__(self, message: str, holder: int | None) -> None:
        super().__init__(message)
        self.holder = holder


# ---------------------------------------------------------------------------------------------- rows


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


# ---------------------------------------------------------------------------------------------- the store


class Store(Protocol):
    """Everything a server remembers. Every method may raise NotSaved, Busy or Damaged."""

    async def close(self) -> None:
        """Finish what is under way and let the database go. Closing twice is harmless."""

    # -- invitations

    async def add_invitation(self, invitation: Invitation) -> None:
        """Remember a new, open invitation. Raises Conflict when its id was used before."""

    async def set_invitation_message(self, id: str, message_id: int) -> None:
        """Note the public message that shows the invitation."""

    async def reseat(self, invitation: Invitation) -> None:
        """Note who hosts, who is invited and who sits. Raises InvitationClosed when it is not open any more."""

    async def close_invitation(self, id: str, state: InvitationState) -> bool:
        """Close an open invitation. False when it was not open any more (or never was): nothing changed."""

    async def invitation(self, id: str) -> tuple[Invitation, InvitationState] | None:
        """An invitation and what became of it; None for an unknown id."""

    async def open_invitations(self) -> list[Invitation]:
        """All invitations still open, the first to expire first."""

    # -- matches

    async def open_match(self, match: MatchRow, deal: Record, timers: Sequence[TimerRow]) -> None:
        """Turn the open invitation with the match's id into the match, with its deal (seq 0) and first timers.

        Raises InvitationClosed, and AlreadyMade for an interaction seen before.
        """

    async def append(self, record: Record, timers: Sequence[TimerRow], result: Result | None = None) -> None:
        """Add the next record of a live match; its timers become exactly these.

        With a result the match is over: its timers go, and if it counts, standings and ratings of every seat are
        brought up to date. Raises AlreadyMade for an interaction seen before, else Conflict when the match is not
        live or the record's seq is not the next.
        """

    async def set_timers(self, match_id: str, timers: Sequence[TimerRow]) -> None:
        """Have the timers of a live match be exactly these, without a record. Raises Conflict when it is not live."""

    async def end(self, result: Result, interaction_id: int | None) -> None:
        """End a live match without a record: called off. Raises AlreadyMade and Conflict as `append` does."""

    async def agree(self, match_id: str, seat: int) -> None:
        """Note that a seat would like to call the match off."""

    async def interaction(self, interaction_id: int) -> str | None:
        """The id of the match an interaction was applied to, or None."""

    async def live_matches(self) -> list[MatchRow]:
        """All matches without a result, the oldest first."""

    async def ended_since(self, moment: int) -> list[MatchRow]:
        """The matches that ended at or after a moment (ms UTC), the first opened first."""

    async def match(self, id: str) -> MatchRow | None:
        """A match, live or finished; None for an unknown id."""

    async def result(self, id: str) -> Result | None:
        """How a match ended; None while it is live, and for an unknown id."""

    async def records(self, match_id: str) -> list[Record]:
        """A match's log in the order of seq; empty for an unknown id."""

    async def logs(self, match_ids: Sequence[str]) -> dict[str, list[Record]]:
        """The logs of these matches by match id, each in the order of seq; unknown ids have none."""

    async def timers(self, match_id: str) -> list[TimerRow]:
        """The timers of a match, the nearest deadline first."""

    async def all_timers(self) -> list[TimerRow]:
        """The timers of all live matches, the nearest deadline first."""

    async def set_board(self, match_id: str, channel_id: int, message_id: int | None, at: int | None) -> None:
        """Note where the match's board stands and since when; None for none."""

    async def pause(self, match_id: str, error: int | None) -> None:
        """Note the number of the error that paused a match, or None to let it go on."""

    async def suspend(self, match_id: str, at: int, why: Suspension) -> None:
        """Let a live match rest: its timers go. One that rests already keeps its moment and gets the new reason.

        Raises Conflict when the match is not live.
        """

    async def resume_match(self, match_id: str, channel_id: int, timers: Sequence[TimerRow]) -> None:
        """Let a live match that rests go on in a channel, without a board yet; its timers become exactly these.

        Raises Conflict when it is not live or does not rest.
        """

    async def add_notice(self, notice: Notice) -> None:
        """Note a mention that stands; it takes the place of the seat's former one."""

    async def remove_notice(self, match_id: str, seat: int) -> None:
        """Forget a seat's mention; harmless when there is none."""

    async def notices(self) -> list[Notice]:
        """All mentions that stand."""

    async def keep_draft(self, match_id: str, seat: int, window: int, draft: str) -> None:
        """Keep a selection that is too long for a button's id, in place of the seat's former one.

        It goes when the match ends; of a match that is not live nothing is kept.
        """

    async def draft(self, match_id: str, seat: int, window: int) -> str | None:
        """The selection kept for a seat and a question; None when there is none."""

    # -- the bot's own time

    async def beat(self, now: int) -> None:
        """Note that the bot is up."""

    async def last_beat(self) -> int | None:
        """When the bot was last known to be up; None before its first start."""

    async def credit_downtime(self, now: int) -> int:
        """Give the time since the last beat back to every deadline of live matches and open invitations, and beat.

        Returns the milliseconds given: 0 on the first start, and when the clock was set back.
        """

    # -- standings

    async def leaderboard(self, guild_id: int, game: str, offset: int, limit: int) -> list[Standing]:
        """A page of a server's standings in one game, the highest ordinal first; empty past the end."""

    async def standing(self, guild_id: int, game: str, user_id: int) -> Standing | None:
        """One player's standing; None for who has no counted match."""

    async def ranked(self, guild_id: int, game: str) -> int:
        """How many players have a standing."""

    async def games_played(self, guild_id: int) -> list[str]:
        """The games with standings in a server, in alphabetical order."""

    async def counted(self, guild_id: int, game: str) -> list[tuple[tuple[int, ...], Result]]:
        """Seats and result of every counted match, in the order in which they were applied to the standings."""

    # -- people

    async def remember_name(self, guild_id: int, user_id: int, name: str) -> None:
        """Note what somebody is called in a server, in place of the former name."""

    async def names(self, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
        """The names of these people in a server, as far as they are known."""

    async def set_notice_level(self, guild_id: int, user_id: int, level: NoticeLevel) -> None:
        """Note how somebody wants to be told in a server that it is their turn."""

    async def notice_level(self, guild_id: int, user_id: int) -> NoticeLevel:
        """How somebody wants to be told; PING for who never said."""

    async def matches_of(self, guild_id: int, user_id: int) -> list[MatchRow]:
        """All matches of a person in a server, live and over, the oldest first."""

    async def invitations_of(self, guild_id: int, user_id: int) -> list[tuple[Invitation, InvitationState]]:
        """All invitations in a server that name a person, and what became of them, the oldest first."""

    async def forget(self, guild_id: int, user_id: int, marker: int, keys: Mapping[str, Mapping[str, bytes]]) -> None:
        """Put a marker in a person's place everywhere in a server, and drop their name and their wishes.

        `keys` are the chance's keys (`engines.keys`) by match, for every match of theirs; they are kept with it, so
        that it can be checked without the id. Raises Conflict while they have a live match or an open invitation, and
        when `keys` lacks one of their matches.
        """

    async def kept_keys(self, match_id: str) -> dict[str, bytes]:
        """The chance's keys of a match that somebody was taken out of; empty for any other."""

    # -- servers

    async def guilds(self) -> set[int]:
        """Every server that something is remembered of, departures aside."""

    async def depart(self, guild_id: int, at: int) -> None:
        """Note that we are in a server no more. A departure noted before keeps its moment."""

    async def come_back(self, guild_id: int) -> None:
        """Forget a departure; harmless where there is none."""

    async def departures(self) -> dict[int, int]:
        """The servers we are in no more, and since when (ms UTC)."""

    async def purge(self, guild_id: int) -> None:
        """Forget all of a server: every row that names it, the departure too. Nothing of any other changes."""

    # -- facts

    async def fact(self, key: str) -> str | None:
        """A fact about the installation, such as the fingerprint of the commands last announced; None if unset."""

    async def set_fact(self, key: str, value: str) -> None:
        """Remember a fact in place of the former one."""
