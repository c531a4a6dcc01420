"""What a member may do in a channel, computed as Discord does.

Source: Discord's developer documentation, "Permissions", with its published pseudocode.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.state import Channel, Member, Server


class Permission(IntEnum):
    """The permission bits the sandbox itself looks at; others pass through untouched."""

    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CHANGE_NICKNAME = 1 << 26
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    USE_EXTERNAL_APPS = 1 << 50


ALL = (1 << 53) - 1

EVERYONE_MAY = (
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.USE_EXTERNAL_APPS
)
"""What a new server's @everyone role allows."""

IN_DIRECT_MESSAGES = EVERYONE_MAY
"""What both sides of a direct-message channel may do."""


def in_server(server: Server, member: Member) -> int:
    """The bits `member` has in the server, before any channel's overwrites."""
    if member.user.id == server.owner_id:
        return ALL
    bits = server.roles[server.id].permissions
    for role_id in member.role_ids:
        role = server.roles.get(role_id)
        if role is not None:
            bits |= role.permissions
    return ALL if bits & Permission.ADMINISTRATOR else bits


def in_channel(server: Server, channel: Channel, member: Member) -> int:
    """The bits `member` has in `channel`: the server's, then @everyone's, roles' and own overwrites."""
    bits = in_server(server, member)
    if bits & Permission.ADMINISTRATOR:
        return ALL
    overwrites = channel.overwrites
    if overwrites:
        everyone = overwrites.get(server.id)
        if everyone is not None:
            bits = (bits & ~everyone.deny) | everyone.allow
        allow = deny = 0
        for role_id in member.role_ids:
            of_role = overwrites.get(role_id)
            if of_role is not None:
                allow |= of_role.allow
                deny |= of_role.deny
        bits = (bits & ~deny) | allow
        own = overwrites.get(member.user.id)
        if own is not None:
            bits = (bits & ~own.deny) | own.allow
    return _implied(bits)


def _implied(bits: int) -> int:
    """Take away what cannot be done without seeing the channel, or without sending in it."""
    if not bits & Permission.VIEW_CHANNEL:
        return 0
    if not bits & Permission.SEND_MESSAGES:
        bits &= ~(Permission.MENTION_EVERYONE | Permission.ATTACH_FILES | Permission.EMBED_LINKS)
    return bits
