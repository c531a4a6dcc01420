"""Messages that show a match: boards, hands, mentions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class BoardMark:
    """What a match's board shows: a digest of it, which only its painter reads, and how many acts led to it."""

    acts: int
    mark: bytes


@dataclass(frozen=True, slots=True)
class Notice:
    """A "your turn" mention in a channel, which is removed once it is no longer true.

    `mark` is a digest of what it says, which only its painter reads; None if that isn't known.
    """

    match_id: str
    seat: int
    user_id: int
    channel_id: int
    message_id: int
    mark: bytes | None = None


@dataclass(frozen=True, slots=True)
class HandRow:
    """An open hand: a private message that shows a seat's cards, and the token that edits it until `expires_at`.

    `message` is the id of the interaction that the message was sent for, `locale` its reader's language, `selection`
    what is picked for the question `window`, and `shown` a digest of what the message shows.
    """

    match_id: str
    seat: int
    message: int
    application_id: int
    token: str = field(repr=False)
    locale: str
    window: int
    selection: str
    shown: bytes
    expires_at: int

    @property
    def key(self) -> HandKey:
        """What tells the message from all others."""
        return self.match_id, self.seat, self.message


HandKey: TypeAlias = tuple[str, int, int]
"""A match's id, a seat and a message."""


@dataclass(frozen=True, slots=True)
class Posting:
    """A message that is being posted in a channel: a match's board (seat None) or a seat's mention.

    `former_id` is the message that it replaces, if any, and `at` when this began.
    """

    match_id: str
    seat: int | None
    channel_id: int
    former_id: int | None
    at: int
