"""Challenges and tables, and what they hand on to the match that they become."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class InvitationKind(StrEnum):
    """How an invitation becomes a match."""

    CHALLENGE = "challenge"
    """When all invited people have sat down. If one declines, it closes."""
    TABLE = "table"
    """When the host starts it. Anybody may sit down; at a private table, only those invited."""


class InvitationState(StrEnum):
    """The state of an invitation. Only an open one changes, and it changes once."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class StandIn(StrEnum):
    """What becomes of a seat whose time has run out, or whose player leaves it for a while (ruling C-8)."""

    OFF = "off"
    """Its player has resigned."""
    UNRATED = "unrated"
    """A computer plays it on, and then the match does not count."""
    RATED = "rated"
    """A computer plays it on. The result counts for a player who made at least half of the seat's acts."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The earlier match from which a match was begun, with the cards as they lay there.

    `facts` is how many of its first facts are the opening, and `digest` is the SHA-256 of the opening as the log of the
    new match has it (`bot.store.verification.opening_digest`).
    """

    match_id: str
    facts: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Series:
    """The place of a match in a series of matches between the same two (ruling C-9).

    `id` is the id of its first match, `best_of` is 3 or 5, `number` counts the matches from 1, and `wins` are those of
    the players before this match, by the seats that they have in it. The wins are stored with every match, because a
    board says them whenever it is shown, and to add them up would read all earlier matches each time.
    """

    id: str
    best_of: int
    number: int = 1
    wins: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Invitation:
    """A challenge, or a table that is filling. Its id becomes the match's; its seed is the secret of the deal.

    `commitment` is the deal's seal, 32 bytes, as its message shows it. `seated` lists users in the order in which they
    sat down. They get their seats in that order, or in the order of `places` where it is given (a rematch). The store
    adds `closed_at` when it is closed; before, it is None.

    The seal binds the seed, the game, `rules_version`, `deal_id` and `sealed_options`. `salts` are the texts that users
    have added, the oldest first.
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
    commitment: bytes
    created_at: int
    expires_at: int
    kind: InvitationKind = InvitationKind.CHALLENGE
    private: bool = False
    places: tuple[int, ...] = ()
    closed_at: int | None = field(default=None, compare=False)
    deal_version: int = 2
    deal_id: str = ""
    rules_version: int = 1
    """The version of the rules to deal by."""
    sealed_options: str = ""
    """All fields of the options as JSON, as the seal has them: without type and version. It is written once."""
    salts: tuple[tuple[int, str], ...] = ()
    in_thread: bool = False
    """Whether its match gets a thread of its own."""
    stand_in: StandIn = StandIn.OFF
    auto_start: bool = False
    """Whether it is a table whose match begins as soon as enough people sit there, without the host."""
    reliable: bool = False
    """Whether it is a table for people who finish most of their matches, and for new ones."""
    origin: Origin | None = None
    """Where its match begins, if not with a deal. Then nobody is shown a seal, `places` has the seats, and who plays
    doesn't change any more."""
    series: Series | None = None
    """The series that its match belongs to; None for a single match."""

    @property
    def is_rematch(self) -> bool:
        """Whether it asks the players of a match to play again: then, and with an origin, their places are given."""
        return bool(self.places) and self.origin is None
