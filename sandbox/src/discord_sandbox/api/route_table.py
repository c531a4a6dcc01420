"""Every address of the HTTP API, and the route that answers it."""

from __future__ import annotations

from typing import NamedTuple

from discord_sandbox.api.call import Route
from discord_sandbox.api.endpoints import (
    accounts,
    application_commands,
    channels,
    command_permissions,
    emojis,
    guilds,
    interaction_responses,
    members,
    messages,
    pins,
    reactions,
    roles,
    scheduled_events,
    threads,
)

_COMMANDS = "/applications/{application_id}/commands"
_SERVER_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands"
_HOOK = "/webhooks/{application_id}/{token}"
_ORIGINAL = _HOOK + "/messages/{message_id}"


class Endpoint(NamedTuple):
    """One route of the API; `open` ones need no bot token and have no rate limits."""

    method: str
    path: str
    route: Route
    open: bool = False


_SERVER = "/guilds/{guild_id}"
_MEMBER = _SERVER + "/members/{user_id}"
_EVENTS = _SERVER + "/scheduled-events"
_CHANNEL = "/channels/{channel_id}"
_MESSAGE = _CHANNEL + "/messages/{message_id}"
_REACTION = _MESSAGE + "/reactions/{emoji}"
_THREAD_MEMBER = _CHANNEL + "/thread-members/{user_id}"
_EMOJIS = "/applications/{application_id}/emojis"

_ACCOUNTS = (
    Endpoint("GET", "/users/@me", accounts.own_user),
    Endpoint("PATCH", "/users/@me", accounts.change_own_user),
    Endpoint("GET", "/users/@me/guilds", accounts.own_servers),
    Endpoint("GET", "/users/@me/guilds/{guild_id}/member", members.own),
    Endpoint("POST", "/users/@me/channels", accounts.open_direct_channel),
    Endpoint("DELETE", "/users/@me/guilds/{guild_id}", guilds.leave),
    Endpoint("GET", "/users/{user_id}", accounts.user),
    Endpoint("GET", "/applications/@me", accounts.own_application),
    Endpoint("GET", "/oauth2/applications/@me", accounts.own_application),
    Endpoint("GET", _EMOJIS, emojis.listed),
    Endpoint("POST", _EMOJIS, emojis.create),
    Endpoint("GET", _EMOJIS + "/{emoji_id}", emojis.emoji),
    Endpoint("PATCH", _EMOJIS + "/{emoji_id}", emojis.change),
    Endpoint("DELETE", _EMOJIS + "/{emoji_id}", emojis.delete),
    Endpoint("GET", "/gateway", accounts.gateway, open=True),
    Endpoint("GET", "/gateway/bot", accounts.gateway_for_bot),
    Endpoint("GET", "/soundboard-default-sounds", accounts.default_sounds),
)

_SERVERS = (
    Endpoint("GET", _SERVER, guilds.server),
    Endpoint("PATCH", _SERVER, guilds.change),
    Endpoint("GET", _SERVER + "/preview", guilds.preview),
    Endpoint("GET", _SERVER + "/channels", channels.listed),
    Endpoint("POST", _SERVER + "/channels", channels.create),
    Endpoint("PATCH", _SERVER + "/channels", channels.move),
    Endpoint("GET", _SERVER + "/threads/active", threads.active),
    Endpoint("GET", _SERVER + "/roles", roles.listed),
    Endpoint("POST", _SERVER + "/roles", roles.create),
    Endpoint("PATCH", _SERVER + "/roles", roles.move),
    Endpoint("GET", _SERVER + "/roles/{role_id}", roles.role),
    Endpoint("PATCH", _SERVER + "/roles/{role_id}", roles.change),
    Endpoint("DELETE", _SERVER + "/roles/{role_id}", roles.delete),
    Endpoint("GET", _SERVER + "/members", members.listed),
    Endpoint("GET", _SERVER + "/members/search", members.search),
    Endpoint("PATCH", _SERVER + "/members/@me", members.change_own),
    Endpoint("GET", _MEMBER, members.member),
    Endpoint("PATCH", _MEMBER, members.change),
    Endpoint("DELETE", _MEMBER, members.remove),
    Endpoint("PUT", _MEMBER + "/roles/{role_id}", roles.give),
    Endpoint("DELETE", _MEMBER + "/roles/{role_id}", roles.take),
    Endpoint("GET", _EVENTS, scheduled_events.listed),
    Endpoint("POST", _EVENTS, scheduled_events.create),
    Endpoint("GET", _EVENTS + "/{event_id}", scheduled_events.event),
    Endpoint("PATCH", _EVENTS + "/{event_id}", scheduled_events.change),
    Endpoint("DELETE", _EVENTS + "/{event_id}", scheduled_events.delete),
)

_CHANNELS = (
    Endpoint("GET", _CHANNEL, channels.channel),
    Endpoint("PATCH", _CHANNEL, channels.change),
    Endpoint("DELETE", _CHANNEL, channels.delete),
    Endpoint("PUT", _CHANNEL + "/permissions/{overwrite_id}", channels.put_overwrite),
    Endpoint("DELETE", _CHANNEL + "/permissions/{overwrite_id}", channels.delete_overwrite),
    Endpoint("POST", _CHANNEL + "/typing", channels.typing),
    Endpoint("POST", _CHANNEL + "/threads", threads.without_message),
    Endpoint("GET", _CHANNEL + "/threads/archived/public", threads.archived_public),
    Endpoint("GET", _CHANNEL + "/threads/archived/private", threads.archived_private),
    Endpoint("GET", _CHANNEL + "/users/@me/threads/archived/private", threads.archived_joined),
    Endpoint("GET", _CHANNEL + "/thread-members", threads.members),
    Endpoint("PUT", _CHANNEL + "/thread-members/@me", threads.join),
    Endpoint("DELETE", _CHANNEL + "/thread-members/@me", threads.leave),
    Endpoint("GET", _THREAD_MEMBER, threads.member),
    Endpoint("PUT", _THREAD_MEMBER, threads.add_member),
    Endpoint("DELETE", _THREAD_MEMBER, threads.remove_member),
)

_MESSAGES = (
    Endpoint("GET", _CHANNEL + "/messages", messages.history),
    Endpoint("POST", _CHANNEL + "/messages", messages.create),
    Endpoint("POST", _CHANNEL + "/messages/bulk-delete", messages.delete_many),
    Endpoint("GET", _CHANNEL + "/messages/pins", pins.page),
    Endpoint("PUT", _CHANNEL + "/messages/pins/{message_id}", pins.pin),
    Endpoint("DELETE", _CHANNEL + "/messages/pins/{message_id}", pins.unpin),
    Endpoint("GET", _CHANNEL + "/pins", pins.listed),
    Endpoint("PUT", _CHANNEL + "/pins/{message_id}", pins.pin),
    Endpoint("DELETE", _CHANNEL + "/pins/{message_id}", pins.unpin),
    Endpoint("GET", _MESSAGE, messages.message),
    Endpoint("PATCH", _MESSAGE, messages.edit),
    Endpoint("DELETE", _MESSAGE, messages.delete),
    Endpoint("POST", _MESSAGE + "/crosspost", messages.crosspost),
    Endpoint("POST", _MESSAGE + "/threads", threads.on_message),
    Endpoint("DELETE", _MESSAGE + "/reactions", reactions.remove_all),
    Endpoint("GET", _REACTION, reactions.users),
    Endpoint("DELETE", _REACTION, reactions.remove_emoji),
    Endpoint("PUT", _REACTION + "/@me", reactions.add),
    Endpoint("DELETE", _REACTION + "/@me", reactions.remove_own),
    Endpoint("DELETE", _REACTION + "/{user_id}", reactions.remove_others),
)

_APPLICATION_COMMANDS = (
    Endpoint("GET", _SERVER_COMMANDS + "/permissions", command_permissions.listed),
    Endpoint("GET", _SERVER_COMMANDS + "/{command_id}/permissions", command_permissions.one),
    Endpoint("PUT", _SERVER_COMMANDS + "/{command_id}/permissions", command_permissions.change),
    *(
        Endpoint(method, path, route)
        for scope in (_COMMANDS, _SERVER_COMMANDS)
        for method, path, route in (
            ("GET", scope, application_commands.listed),
            ("PUT", scope, application_commands.replace),
            ("POST", scope, application_commands.create),
            ("GET", scope + "/{command_id}", application_commands.one),
            ("PATCH", scope + "/{command_id}", application_commands.change),
            ("DELETE", scope + "/{command_id}", application_commands.delete),
        )
    ),
)

_ANSWERS = (
    Endpoint("POST", "/interactions/{interaction_id}/{token}/callback", interaction_responses.callback, open=True),
    Endpoint("POST", _HOOK, interaction_responses.follow_up, open=True),
    Endpoint("GET", _ORIGINAL, interaction_responses.get, open=True),
    Endpoint("PATCH", _ORIGINAL, interaction_responses.edit, open=True),
    Endpoint("DELETE", _ORIGINAL, interaction_responses.delete, open=True),
)

ADDRESSES = (*_ACCOUNTS, *_SERVERS, *_CHANNELS, *_MESSAGES, *_APPLICATION_COMMANDS, *_ANSWERS)
"""All routes; if two match a path, the first counts."""
