"""People's attendance, and how they want to be notified."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Stay(StrEnum):
    """Whether a person stayed in a match to its end."""

    FINISHED = "finished"
    """They did, or resigned after they had played."""
    LEFT = "left"
    """They resigned right after they saw their hand."""
    OUT_OF_TIME = "out_of_time"
    """Their time ran out, and by that they lost or were put out."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """How a person attended a finished match, on its seat: whether they stayed, how many questions they were asked, and
    how many they answered in time. `began_at` and `ended_at` are the match's."""

    match_id: str
    seat: int
    began_at: int
    ended_at: int
    stay: Stay
    asked: int
    in_time: int


class NoticeLevel(StrEnum):
    """How somebody wants to be notified of their turn."""

    NONE = "none"
    QUIET = "quiet"
    """A message in the channel that names them and notifies nobody."""
    PING = "ping"
    """A message in the channel that notifies them."""
    DIRECT = "dm"
    """A direct message, or a ping if they accept no direct messages."""


@dataclass(frozen=True, slots=True)
class TableSubscriber:
    """A person who wants to know when a table opens, and when they were last notified of one in any server (ms UTC)."""

    user_id: int
    last_notice: int | None
