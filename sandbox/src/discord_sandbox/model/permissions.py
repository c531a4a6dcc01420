"""Computes what a member may do in a channel, as Discord does.

Source: Discord's developer documentation, "Permissions", with its published pseudocode.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discord_sandbox.model.state import Channel, Member, Overwrite, Server


class Permission(IntEnum):
    """The permission bits the sandbox itself looks at; others pass through untouched."""

    CREATE_INVITE = 1 << 0
    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    STREAM = 1 << 9
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    SPEAK = 1 << 21
    USE_VAD = 1 << 25
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_EVENTS = 1 << 33
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    CREATE_EVENTS = 1 << 44
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51
    BYPASS_SLOWMODE = 1 << 52


ALL = (1 << 53) - 1

EVERYONE_MAY = (
    Permission.CREATE_INVITE
    | Permission.STREAM
    | Permission.CONNECT
    | Permission.SPEAK
    | Permission.USE_VAD
    | Permission.SEND_TTS_MESSAGES
    | Permission.MENTION_EVERYONE
    | Permission.ADD_REACTIONS
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


_ONLY_WITH_SENDING = (
    Permission.MENTION_EVERYONE | Permission.ATTACH_FILES | Permission.EMBED_LINKS | Permission.SEND_TTS_MESSAGES
)
_PRIVATE_THREAD = 12
OWNERS_RANK = 1 << 30
_TIMED_OUT_MAY = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY


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


def in_channel(server: Server, channel: Channel, member: Member, now: float) -> int:
    """The bits `member` has in `channel`: the server's, then @everyone's, roles' and own overwrites.

    A thread uses its parent's; `now` (seconds since 1970) decides whether a timeout is still active.
    """
    bits = in_server(server, member)
    if bits & Permission.ADMINISTRATOR:
        return ALL
    thread = channel.thread
    overwrites = channel.overwrites if thread is None else thread.parent.overwrites
    if overwrites:
        bits = _overwritten(bits, overwrites, server, member)
    bits = _implied(bits, channel)
    if member.timed_out_until > now:
        bits &= _TIMED_OUT_MAY
    return bits


def _overwritten(bits: int, overwrites: Mapping[int, Overwrite], server: Server, member: Member) -> int:
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
    return bits


def _implied(bits: int, channel: Channel) -> int:
    """Remove what needs seeing the channel, or sending in it."""
    if not bits & Permission.VIEW_CHANNEL:
        return 0
    sending = Permission.SEND_MESSAGES if channel.thread is None else Permission.SEND_MESSAGES_IN_THREADS
    if not bits & sending:
        bits &= ~_ONLY_WITH_SENDING
    return bits


def may_see(channel: Channel, member: Member, bits: int) -> bool:
    """Whether `member`, who has `bits` there, sees `channel`; a private thread is for those in it."""
    if not bits & Permission.VIEW_CHANNEL:
        return False
    if channel.thread is None or channel.kind != _PRIVATE_THREAD:
        return True
    return bool(bits & Permission.MANAGE_THREADS) or member.user.id in channel.thread.members


def rank(server: Server, member: Member) -> int:
    """The position of the member's highest role; the owner is above all."""
    if member.user.id == server.owner_id:
        return OWNERS_RANK
    return max((server.roles[each].position for each in member.role_ids if each in server.roles), default=0)
