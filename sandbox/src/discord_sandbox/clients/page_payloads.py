"""People, servers, channels and threads as the page gets them: what one person's client sees."""

from __future__ import annotations

from discord_sandbox.clients.user_client import UserClient
from discord_sandbox.model.state import Channel, ChannelType, Member, Role, Server, User
from discord_sandbox.model.wire import JsonObject


def person_payload(user: User) -> JsonObject:
    """A person, as the page lists them."""
    return {
        "id": str(user.id),
        "username": user.username,
        "global_name": user.global_name,
        "avatar_color": user.avatar_color,
        "bot": user.bot,
    }


def server_payload(client: UserClient, server: Server) -> JsonObject:
    """A server with what the person sees of it; `commands` are those of its first channel."""
    channels = client.channels(server)
    categories = [each for each in server.channels.values() if each.kind == ChannelType.CATEGORY]
    threads = [each for each in server.threads.values() if client.sees_channel(each)]
    return {
        "id": str(server.id),
        "name": server.name,
        "channels": [channel_payload(each) for each in (*channels, *_with_something(categories, channels))],
        "threads": [thread_payload(each, client.user) for each in threads],
        "roles": [_role_payload(each) for each in server.roles.values()],
        "members": [_member_payload(each) for each in server.members.values()],
        "commands": client.commands(channels[0]) if channels else [],
        "events": [{"name": each.name, "place": each.location} for each in server.coming_events],
    }


def _with_something(categories: list[Channel], channels: list[Channel]) -> list[Channel]:
    """A client shows no category that is empty for its person."""
    used = {each.parent_id for each in channels}
    return [each for each in categories if each.id in used]


def channel_payload(channel: Channel) -> JsonObject:
    """A channel, as the page lists it."""
    return {
        "id": str(channel.id),
        "name": channel.name,
        "type": int(channel.kind),
        "parent_id": None if channel.parent_id is None else str(channel.parent_id),
        "position": channel.position,
        "topic": channel.topic,
    }


def thread_payload(channel: Channel, reader: User) -> JsonObject:
    """A thread, and whether the reader has joined it."""
    thread = channel.as_thread
    return {
        **channel_payload(channel),
        "archived": thread.archived,
        "locked": thread.locked,
        "joined": reader.id in thread.members,
    }


def _member_payload(member: Member) -> JsonObject:
    return {**person_payload(member.user), "nick": member.nick, "roles": [str(each) for each in member.role_ids]}


def _role_payload(role: Role) -> JsonObject:
    return {
        "id": str(role.id),
        "name": role.name,
        "color": role.color,
        "hoist": role.hoist,
        "position": role.position,
        "mentionable": role.mentionable,
    }
