"""The place of matches in somebody's direct messages with the bot, where a server's id would be.

A conversation belongs to no server. Its matches are stored under the negative of the person's id: a place of their own,
with limits, names and settings of its own, which is deleted with the person's data. Discord's ids are positive, so it
is no server's.
"""

from __future__ import annotations


def direct_place(user_id: int) -> int:
    """The place of a person's direct messages with the bot."""
    return -user_id


def is_direct(guild_id: int) -> bool:
    """Whether what is stored under this id of a server is in somebody's direct messages."""
    return guild_id < 0


def link_part(guild_id: int) -> str:
    """What stands for the server in a link to a message."""
    return "@me" if is_direct(guild_id) else str(guild_id)
