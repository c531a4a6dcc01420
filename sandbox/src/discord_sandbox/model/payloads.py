"""Discord's JSON for the records of `discord_sandbox.model.state`.

Source: Discord's developer documentation, "User", "Guild", "Channel" and "Application" objects.
"""

from __future__ import annotations

from collections.abc import Iterator

from discord_sandbox.model import permissions
from discord_sandbox.model.snowflake import timestamp
from discord_sandbox.model.state import (
    Application,
    Channel,
    ChannelType,
    Member,
    Overwrite,
    Role,
    ScheduledEvent,
    Server,
    Thread,
    User,
)
from discord_sandbox.model.wire import JsonObject


def user(who: User) -> JsonObject:
    """A user as others see them."""
    data: JsonObject = {
        "id": str(who.id),
        "username": who.username,
        "discriminator": "0000" if who.bot else "0",
        "global_name": who.global_name,
        "avatar": None,
        "avatar_decoration_data": None,
        "banner": None,
        "accent_color": None,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
        "collectibles": None,
    }
    if who.bot:
        data["bot"] = True
    return data


def own_user(who: User) -> JsonObject:
    """The bot's own user, with what only its owner sees."""
    return {
        **user(who),
        "email": None,
        "verified": True,
        "mfa_enabled": True,
        "locale": who.locale,
        "premium_type": 0,
    }


def member(of: Member, *, with_user: bool = True) -> JsonObject:
    """A member of a server, with their user unless `with_user` is false."""
    data: JsonObject = {
        "roles": [str(role_id) for role_id in of.role_ids],
        "nick": of.nick,
        "avatar": None,
        "banner": None,
        "joined_at": timestamp(of.joined_at),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "communication_disabled_until": timestamp(of.timed_out_until) if of.timed_out_until else None,
    }
    if with_user:
        data["user"] = user(of.user)
    return data


def role(of: Role) -> JsonObject:
    """A role."""
    data: JsonObject = {
        "id": str(of.id),
        "name": of.name,
        "color": of.color,
        "colors": {"primary_color": of.color, "secondary_color": None, "tertiary_color": None},
        "hoist": of.hoist,
        "icon": None,
        "unicode_emoji": None,
        "position": of.position,
        "permissions": str(of.permissions),
        "managed": of.managed_by is not None,
        "mentionable": of.mentionable,
        "flags": 0,
    }
    if of.managed_by is not None:
        data["tags"] = {"bot_id": str(of.managed_by)}
    return data


def emoji(emoji_id: int, name: str, maker: User, *, animated: bool = False) -> JsonObject:
    """An emoji of the application's own."""
    return {
        "id": str(emoji_id),
        "name": name,
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": animated,
        "available": True,
        "user": user(maker),
    }


def overwrite(of: Overwrite) -> JsonObject:
    """A permission overwrite."""
    return {
        "id": str(of.id),
        "type": of.kind,
        "allow": str(of.allow),
        "deny": str(of.deny),
    }


def channel(of: Channel) -> JsonObject:
    """A channel, of a server or of direct messages, or a thread."""
    last = None if of.last_message_id is None else str(of.last_message_id)
    if of.server is None:
        recipients = [user(each) for each in of.recipients if not each.bot]
        private: JsonObject = {"id": str(of.id), "type": int(of.kind), "last_message_id": last, "flags": 0}
        if of.kind is ChannelType.GROUP:
            private |= {"name": of.name, "icon": None, "owner_id": str(of.recipients[0].id)}
        return {**private, "recipients": recipients}
    data: JsonObject = {
        "id": str(of.id),
        "type": int(of.kind),
        "guild_id": str(of.server.id),
        "name": of.name,
        "parent_id": None if of.parent_id is None else str(of.parent_id),
        "rate_limit_per_user": of.slow_mode,
        "last_message_id": last,
        "last_pin_timestamp": None if of.last_pin_at is None else timestamp(of.last_pin_at),
        "flags": 0,
    }
    if of.thread is not None:
        data.update(_thread(of.thread))
        if of.kind == ChannelType.PRIVATE_THREAD:
            data["thread_metadata"]["invitable"] = of.thread.invitable
        return data
    data["topic"] = of.topic
    data["position"] = of.position
    data["permission_overwrites"] = [overwrite(each) for each in of.overwrites.values()]
    data["nsfw"] = of.nsfw
    data.update(of.settings)
    return data


def _thread(of: Thread) -> JsonObject:
    data: JsonObject = {
        "owner_id": str(of.owner_id),
        "message_count": of.sent,
        "total_message_sent": of.sent,
        "member_count": min(50, len(of.members)),
        "thread_metadata": {
            "archived": of.archived,
            "archive_timestamp": timestamp(of.archived_at or of.created_at),
            "auto_archive_duration": of.auto_archive,
            "locked": of.locked,
            "create_timestamp": timestamp(of.created_at),
        },
    }
    if of.tags:
        data["applied_tags"] = [str(each) for each in of.tags]
    return data


def thread(of: Channel, reader: int | None = None) -> JsonObject:
    """A thread as `reader` (a user's id) gets it: with their own membership, if they are in it."""
    data = channel(of)
    if reader is not None and of.thread is not None and reader in of.thread.members:
        data["member"] = thread_member(of, reader)
    return data


def thread_member(of: Channel, user_id: int, *, with_member: bool = False) -> JsonObject:
    """Somebody's membership in a thread; raises KeyError if they are not in it."""
    data: JsonObject = {
        "id": str(of.id),
        "user_id": str(user_id),
        "join_timestamp": timestamp(of.as_thread.members[user_id]),
        "flags": 0,
    }
    if with_member and of.server is not None:
        data["member"] = member(of.server.members[user_id])
    return data


def interaction_channel(of: Channel, bits: int) -> JsonObject:
    """The channel inside an interaction, with the invoker's permissions in it."""
    data = channel(of)
    if of.server is not None:
        data.pop("permission_overwrites", None)
        data["permissions"] = str(bits)
    return data


def server(of: Server) -> JsonObject:
    """A server as the HTTP API gives it."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": str(of.owner_id),
        "application_id": None,
        "region": "us-east",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None if of.system_channel_id is None else str(of.system_channel_id),
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [role(each) for each in of.roles.values()],
        "default_message_notifications": 0,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": of.locale,
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [_server_emoji(of.id + number, name) for number, name in enumerate(of.emojis, 1)],
        "stickers": [_sticker(of, of.id + number, name) for number, name in enumerate(of.stickers, 1)],
        "incidents_data": None,
    }


def _server_emoji(emoji_id: int, name: str) -> JsonObject:
    return {
        "id": str(emoji_id),
        "name": name,
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }


def _sticker(of: Server, sticker_id: int, name: str) -> JsonObject:
    return {
        "id": str(sticker_id),
        "name": name,
        "tags": name,
        "type": 2,
        "format_type": 1,
        "description": None,
        "available": True,
        "guild_id": str(of.id),
    }


def server_create(of: Server, bot_id: int, *, with_members: bool) -> JsonObject:
    """A server as GUILD_CREATE brings it; members other than the bot only with their intent."""
    own = of.members[bot_id]
    members = list(of.members.values()) if with_members else [own]
    return {
        **server(of),
        "joined_at": timestamp(own.joined_at),
        "large": len(of.members) > 250,
        "unavailable": False,
        "member_count": len(of.members),
        "voice_states": [],
        "members": [member(each) for each in members],
        "channels": [channel(each) for each in of.channels.values()],
        "threads": [thread(each, bot_id) for each in _active_threads(of, own)],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [scheduled_event(each, of.id) for each in of.coming_events],
        "soundboard_sounds": [],
    }


def scheduled_event(of: ScheduledEvent, server_id: int) -> JsonObject:
    """A scheduled event of a server."""
    return {
        "id": str(of.id),
        "guild_id": str(server_id),
        "channel_id": None,
        "creator_id": str(of.creator.id),
        "creator": user(of.creator),
        "name": of.name,
        "description": of.description,
        "image": None,
        "scheduled_start_time": timestamp(of.starts_at),
        "scheduled_end_time": timestamp(of.ends_at),
        "privacy_level": 2,
        "status": int(of.status),
        "entity_type": 3,
        "entity_id": None,
        "entity_metadata": {"location": of.location},
        "recurrence_rule": None,
        "guild_scheduled_event_exceptions": [],
    }


def _active_threads(of: Server, own: Member) -> Iterator[Channel]:
    """The threads that are not archived, and not private without `own` in them."""
    for each in of.threads.values():
        is_open_to_all = each.kind != ChannelType.PRIVATE_THREAD
        if not each.as_thread.archived and (is_open_to_all or own.user.id in each.as_thread.members):
            yield each


def application(of: Application, servers: int) -> JsonObject:
    """The application as its own bot sees it."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": user(of.bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "integration_types_config": {
            "0": {
                "oauth2_install_params": {
                    "scopes": ["applications.commands", "bot"],
                    "permissions": str(permissions.EVERYONE_MAY),
                }
            },
            **({"1": {}} if of.user_install else {}),
        },
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "approximate_guild_count": servers,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "eligible_oauth2_scopes": ["applications.commands", "bot"],
        "explicit_content_filter": 0,
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": user(of.owner),
        "team": None,
        "tags": [],
    }
