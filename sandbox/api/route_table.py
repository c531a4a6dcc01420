"""Every address of the HTTP API, and the route that answers it."""

from __future__ import annotations

from typing import NamedTuple

from sandbox.api.call import Route
from sandbox.api.endpoints import (
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
    threads,
)

_COMMANDS = "/applications/{application_id}/commands"
_SERVER_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands"
_HOOK = "/webhooks/{application_id}/{token}"
_ORIGINAL = _HOOK + "/messages/{message_id}"


class Address(NamedTuple):
    """One route of the API; `open` ones ask for no bot token and stand outside the rate limits."""

    method: str
    path: str
    route: Route
    open: bool = False


_SERVER = "/guilds/{guild_id}"
_MEMBER = _SERVER + "/members/{user_id}"
_CHANNEL = "/channels/{channel_id}"
_MESSAGE = _CHANNEL + "/messages/{message_id}"
_REACTION = _MESSAGE + "/reactions/{emoji}"
_THREAD_MEMBER = _CHANNEL + "/thread-members/{user_id}"
_EMOJIS = "/applications/{application_id}/emojis"

_ACCOUNTS = (
    Address("GET", "/users/@me", accounts.own_user),
    Address("PATCH", "/users/@me", accounts.change_own_user),
    Address("GET", "/users/@me/guilds", accounts.own_servers),
    Address("GET", "/users/@me/guilds/{guild_id}/member", members.own),
    Address("POST", "/users/@me/channels", accounts.open_direct_channel),
    Address("DELETE", "/users/@me/guilds/{guild_id}", guilds.leave),
    Address("GET", "/users/{user_id}", accounts.user),
    Address("GET", "/applications/@me", accounts.own_application),
    Address("GET", "/oauth2/applications/@me", accounts.own_application),
    Address("GET", _EMOJIS, emojis.listed),
    Address("POST", _EMOJIS, emojis.create),
    Address("GET", _EMOJIS + "/{emoji_id}", emojis.emoji),
    Address("PATCH", _EMOJIS + "/{emoji_id}", emojis.change),
    Address("DELETE", _EMOJIS + "/{emoji_id}", emojis.delete),
    Address("GET", "/gateway", accounts.gateway, open=True),
    Address("GET", "/gateway/bot", accounts.gateway_for_bot),
    Address("GET", "/soundboard-default-sounds", accounts.default_sounds),
)

_SERVERS = (
    Address("GET", _SERVER, guilds.server),
    Address("PATCH", _SERVER, guilds.change),
    Address("GET", _SERVER + "/preview", guilds.preview),
    Address("GET", _SERVER + "/channels", channels.listed),
    Address("POST", _SERVER + "/channels", channels.create),
    Address("PATCH", _SERVER + "/channels", channels.move),
    Address("GET", _SERVER + "/threads/active", threads.active),
    Address("GET", _SERVER + "/roles", roles.listed),
    Address("POST", _SERVER + "/roles", roles.create),
    Address("PATCH", _SERVER + "/roles", roles.move),
    Address("GET", _SERVER + "/roles/{role_id}", roles.role),
    Address("PATCH", _SERVER + "/roles/{role_id}", roles.change),
    Address("DELETE", _SERVER + "/roles/{role_id}", roles.delete),
    Address("GET", _SERVER + "/members", members.listed),
    Address("GET", _SERVER + "/members/search", members.search),
    Address("PATCH", _SERVER + "/members/@me", members.change_own),
    Address("GET", _MEMBER, members.member),
    Address("PATCH", _MEMBER, members.change),
    Address("DELETE", _MEMBER, members.remove),
    Address("PUT", _MEMBER + "/roles/{role_id}", roles.give),
    Address("DELETE", _MEMBER + "/roles/{role_id}", roles.take),
)

_CHANNELS = (
    Address("GET", _CHANNEL, channels.channel),
    Address("PATCH", _CHANNEL, channels.change),
    Address("DELETE", _CHANNEL, channels.delete),
    Address("PUT", _CHANNEL + "/permissions/{overwrite_id}", channels.put_overwrite),
    Address("DELETE", _CHANNEL + "/permissions/{overwrite_id}", channels.delete_overwrite),
    Address("POST", _CHANNEL + "/typing", channels.typing),
    Address("POST", _CHANNEL + "/threads", threads.without_message),
    Address("GET", _CHANNEL + "/threads/archived/public", threads.archived_public),
    Address("GET", _CHANNEL + "/threads/archived/private", threads.archived_private),
    Address("GET", _CHANNEL + "/users/@me/threads/archived/private", threads.archived_joined),
    Address("GET", _CHANNEL + "/thread-members", threads.members),
    Address("PUT", _CHANNEL + "/thread-members/@me", threads.join),
    Address("DELETE", _CHANNEL + "/thread-members/@me", threads.leave),
    Address("GET", _THREAD_MEMBER, threads.member),
    Address("PUT", _THREAD_MEMBER, threads.add_member),
    Address("DELETE", _THREAD_MEMBER, threads.remove_member),
)

_MESSAGES = (
    Address("GET", _CHANNEL + "/messages", messages.history),
    Address("POST", _CHANNEL + "/messages", messages.create),
    Address("POST", _CHANNEL + "/messages/bulk-delete", messages.delete_many),
    Address("GET", _CHANNEL + "/messages/pins", pins.page),
    Address("PUT", _CHANNEL + "/messages/pins/{message_id}", pins.pin),
    Address("DELETE", _CHANNEL + "/messages/pins/{message_id}", pins.unpin),
    Address("GET", _CHANNEL + "/pins", pins.listed),
    Address("PUT", _CHANNEL + "/pins/{message_id}", pins.pin),
    Address("DELETE", _CHANNEL + "/pins/{message_id}", pins.unpin),
    Address("GET", _MESSAGE, messages.message),
    Address("PATCH", _MESSAGE, messages.edit),
    Address("DELETE", _MESSAGE, messages.delete),
    Address("POST", _MESSAGE + "/crosspost", messages.crosspost),
    Address("POST", _MESSAGE + "/threads", threads.on_message),
    Address("DELETE", _MESSAGE + "/reactions", reactions.remove_all),
    Address("GET", _REACTION, reactions.users),
    Address("DELETE", _REACTION, reactions.remove_emoji),
    Address("PUT", _REACTION + "/@me", reactions.add),
    Address("DELETE", _REACTION + "/@me", reactions.remove_own),
    Address("DELETE", _REACTION + "/{user_id}", reactions.remove_others),
)

_APPLICATION_COMMANDS = (
    Address("GET", _SERVER_COMMANDS + "/permissions", command_permissions.listed),
    Address("GET", _SERVER_COMMANDS + "/{command_id}/permissions", command_permissions.one),
    Address("PUT", _SERVER_COMMANDS + "/{command_id}/permissions", command_permissions.change),
    *(
        Address(method, path, route)
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
    Address("POST", "/interactions/{interaction_id}/{token}/callback", interaction_responses.callback, open=True),
    Address("POST", _HOOK, interaction_responses.follow_up, open=True),
    Address("GET", _ORIGINAL, interaction_responses.get, open=True),
    Address("PATCH", _ORIGINAL, interaction_responses.edit, open=True),
    Address("DELETE", _ORIGINAL, interaction_responses.delete, open=True),
)

ADDRESSES = (*_ACCOUNTS, *_SERVERS, *_CHANNELS, *_MESSAGES, *_APPLICATION_COMMANDS, *_ANSWERS)
"""All of them; where two fit a path, the first counts."""
