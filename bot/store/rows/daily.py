"""Deals of the day, attempts at them, and the messages about both."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.store.rows.matches import Result


@dataclass(frozen=True, slots=True)
class DailyDeal:
    """The deal of the day of a server and a game. `day` counts the days since 1970, UTC.

    The computers in it play at `level`. The rest is as an `Invitation` has it; there are no salts.
    """

    guild_id: int
    game: str
    day: int
    level: str
    rules_version: int
    options: str
    deal_version: int
    deal_id: str
    sealed_options: str
    seed: bytes = field(repr=False)
    commitment: bytes
    sealed_at: int


@dataclass(frozen=True, slots=True)
class DailyAttempt:
    """A person's one attempt at a deal of the day. `acts` counts what they did themselves; `shown` says whether a
    message in the channel shows how it ended. `result` is None while it is being played."""

    match_id: str
    guild_id: int
    game: str
    day: int
    user_id: int
    channel_id: int
    shown: bool
    acts: int
    result: Result | None


@dataclass(frozen=True, slots=True)
class DailyMessage:
    """The message in a channel that says how people have done on a day. `message_id` is None while it is about to be
    posted, and `posted_at` is when it was, or is about to be (ms UTC)."""

    guild_id: int
    channel_id: int
    day: int
    message_id: int | None
    posted_at: int
