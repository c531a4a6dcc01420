"""Ranges of shards, and which servers belong to them. A process of the bot serves a range of shards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MOST_SHARDS: Final = 16_384
"""The most shards that a setting may name: far more than any bot has."""

_RANGE = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")


def shard_of(guild_id: int, shards: int) -> int:
    """The shard of so many that receives the events of a server, or of a venue in direct messages (a negative id)
    (https://discord.com/developers/docs/events/gateway#sharding)."""
    return 0 if guild_id < 0 else (guild_id >> 22) % shards


@dataclass(frozen=True, slots=True)
class ShardRange:
    """The shards `first` to `last` of `total`, both included. Venues in direct messages, whose ids are negative, belong
    to shard 0."""

    first: int
    last: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.first <= self.last < self.total <= MOST_SHARDS:
            raise ValueError("no range of shards")

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.total}"

    def __len__(self) -> int:
        return self.last - self.first + 1

    @property
    def is_everything(self) -> bool:
        """Whether every server belongs to it."""
        return len(self) == self.total

    @property
    def share(self) -> float:
        """Which part of all shards it has."""
        return len(self) / self.total

    @property
    def ids(self) -> range:
        """The numbers of its shards."""
        return range(self.first, self.last + 1)

    def includes(self, guild_id: int) -> bool:
        """Whether a server, or a venue in direct messages, belongs to it."""
        return self.first <= shard_of(guild_id, self.total) <= self.last


EVERYTHING: Final = ShardRange(0, 0, 1)
"""All servers, however many shards Discord has for them."""


def read_ranges(text: str) -> tuple[ShardRange, ...]:
    """The ranges in a text such as ``0-15/64``, or ``0-15,16-31/64`` for a process that serves any one of these.

    Raises ValueError, with a reason for people that repeats nothing of the text.
    """
    ranges, slash, total = text.replace(" ", "").partition("/")
    found = [_RANGE.fullmatch(each) for each in ranges.split(",")]
    if not slash or not total.isascii() or not total.isdigit() or not all(found):
        raise ValueError("must be a range of shards and their number, such as 0-15/64 or 0-15,16-31/64")
    if not 1 <= int(total) <= MOST_SHARDS:
        raise ValueError(f"the number of shards must be between 1 and {MOST_SHARDS}")
    bounds = [(int(each[1]), int(each[2] or each[1])) for each in found if each is not None]
    if any(not first <= last < int(total) for first, last in bounds):
        raise ValueError("shards are counted from 0, so the last one is the number of shards less 1")
    named = [shard for first, last in bounds for shard in range(first, last + 1)]
    if len(set(named)) < len(named):
        raise ValueError("two ranges have a shard in common")
    return tuple(ShardRange(first, last, int(total)) for first, last in bounds)
