"""Ids that are nobody's at Discord, where all ids are positive: computer players', deleted people's, and those of
conversations.

A deleted person's is from -2**62 to -1. Those of computers are smaller: each says its level, and a number that tells
the computers of one table apart. They are stored with matches, so they keep their meaning for ever.

Somebody's direct messages with the bot belong to no server. What is stored of them has the negative of the person's id
where a server's would be: it has limits, names and settings of its own, and is deleted with the person's data. So do
all other chats to which they have brought the bot along, for what they play alone there. A match between people in such
a chat belongs to the chat: its id is below -2**62, and is what -2**62 is less than it by.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import count
from typing import Final

DELETED: Final = range(-(1 << 62), 0)
"""The ids that deleted people have."""
LEVELS: Final = ("easy", "normal", "hard", "gentle", "casual", "steady", "skilled", "strong", "master")
"""The levels by their number in an id. A new one is added at the end."""
_LAST: Final = DELETED.start - 1
_AT_A_TABLE: Final = 1 << 8


def computer_id(level: str, others: Collection[int] = ()) -> int:
    """The id of a computer of a level at a table where the others sit. Raises ValueError for an unknown level."""
    first = _LAST - LEVELS.index(level) * _AT_A_TABLE
    return next(each for each in count(first, -1) if each not in others)


def is_computer(user_id: int) -> bool:
    """Whether an id is a computer's."""
    return user_id <= _LAST


def is_deleted(user_id: int) -> bool:
    """Whether an id is that of a person who had their data deleted."""
    return user_id in DELETED


def level_of(computer: int) -> str:
    """The level of a computer. Raises IndexError for an id that no computer has."""
    return LEVELS[(_LAST - computer) // _AT_A_TABLE]


def people(user_ids: Iterable[int]) -> tuple[int, ...]:
    """Those of these users who are no computers."""
    return tuple([user for user in user_ids if not is_computer(user)])


def direct_venue(user_id: int) -> int:
    """The venue of a person's direct messages with the bot."""
    return -user_id


def is_direct(guild_id: int) -> bool:
    """Whether what is stored under this id of a server is in somebody's direct messages, or in another chat."""
    return guild_id < 0


def chat_venue(channel_id: int) -> int:
    """The venue of a chat of people that the bot is not in."""
    return DELETED.start - channel_id


def is_chat(guild_id: int) -> bool:
    """Whether what is stored under this id of a server is in a chat of people that the bot is not in: only answers to
    presses reach it."""
    return guild_id < DELETED.start


def link_part(guild_id: int) -> str:
    """What stands for the server in a link to a message."""
    return "@me" if is_direct(guild_id) else str(guild_id)


def message_link(guild_id: int, channel_id: int, message_id: int | None) -> str:
    """The address of a message; its channel's if there is none yet."""
    channel = f"https://discord.com/channels/{link_part(guild_id)}/{channel_id}"
    return f"{channel}/{message_id}" if message_id else channel
