"""Discord's JSON for the records of `sandbox.state`.

Source: Discord's developer documentation, "User", "Guild", "Channel" and "Application" objects.
"""

from __future__ import annotations

from sandbox import permissions
from sandbox.snowflake import timestamp
from sandbox.state import Application, Channel, Member, Overwrite, Role, Server, User
from sandbox.wire import JsonObject


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
        "clan": None,
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
        "bio": "",
    }


def member(of: Member, *, with_user: bool = True) -> JsonObject:
    """A member of a server, with their user unless told otherwise."""
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
        "communication_disabled_until": None,
    }
    if with_user:
        data["user"] = user(of.user)
    return data


def role(of: Role) -> JsonObject:
    """A role."""
    data: JsonObject = {
        "id": str(of.id),
        "name": of.name,
        "description": None,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "icon": None,
        "unicode_emoji": None,
        "position": of.position,
        "permissions": str(of.permissions),
        "managed": of.managed_by is not None,
        "mentionable": False,
        "flags": 0,
    }
    if of.managed_by is not None:
        data["tags"] = {"bot_id": str(of.managed_by)}
    return data


def overwrite(of: Overwrite) -> JsonObject:
    """A permission overwrite."""
    return {
        "id": str(of.id),
        "type": of.kind,
        "allow": str(of.allow),
        "deny": str(of.deny),
    }


def channel(of: Channel) -> JsonObject:
    """A channel, of a server or of direct messages."""
    last = None if of.last_message_id is None else str(of.last_message_id)
    if of.server is None:
        return {
            "id": str(of.id),
            "type": int(of.kind),
            "last_message_id": last,
            "flags": 0,
            "recipients": [user(each) for each in of.recipients if not each.bot],
        }
    return {
        "id": str(of.id),
        "type": int(of.kind),
        "guild_id": str(of.server.id),
        "name": of.name,
        "topic": of.topic,
        "position": of.position,
        "permission_overwrites": [overwrite(each) for each in of.overwrites.values()],
        "parent_id": None,
        "nsfw": False,
        "rate_limit_per_user": 0,
        "last_message_id": last,
        "last_pin_timestamp": None,
        "flags": 0,
    }


def interaction_channel(of: Channel, bits: int) -> JsonObject:
    """The channel inside an interaction, with the invoker's permissions in it."""
    data = channel(of)
    if of.server is not None:
        del data["permission_overwrites"]
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
        "system_channel_id": None,
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
        "hub_type": None,
        "premium_progress_bar_enabled": False,
        "latest_onboarding_question_id": None,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
        "inventory_settings": None,
        "embed_enabled": False,
        "embed_channel_id": None,
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
        "threads": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def application(of: Application, servers: int) -> JsonObject:
    """The application as its own bot sees it."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "description": "",
        "summary": "",
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
            }
        },
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "hook": True,
        "storefront_available": False,
        "is_monetized": False,
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
