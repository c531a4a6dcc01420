"""Every address of the HTTP API, and the route that answers it."""

from __future__ import annotations

from typing import NamedTuple

from sandbox.api import accounts, answers, application_commands, messages, servers
from sandbox.api.call import Route

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


ADDRESSES = (
    Address("GET", "/users/@me", accounts.own_user),
    Address("GET", "/users/@me/guilds", accounts.own_servers),
    Address("POST", "/users/@me/channels", accounts.open_direct_channel),
    Address("DELETE", "/users/@me/guilds/{guild_id}", servers.leave),
    Address("GET", "/users/{user_id}", accounts.user),
    Address("GET", "/applications/@me", accounts.own_application),
    Address("GET", "/oauth2/applications/@me", accounts.own_application),
    Address("GET", "/applications/{application_id}/emojis", accounts.emojis),
    Address("GET", "/applications/{application_id}/emojis/{emoji_id}", accounts.emoji),
    Address("GET", "/gateway", accounts.gateway, open=True),
    Address("GET", "/gateway/bot", accounts.gateway_for_bot),
    Address("GET", "/guilds/{guild_id}", servers.server),
    Address("GET", "/guilds/{guild_id}/channels", servers.channels),
    Address("GET", "/guilds/{guild_id}/roles", servers.roles),
    Address("GET", "/guilds/{guild_id}/members", servers.members),
    Address("GET", "/guilds/{guild_id}/members/{user_id}", servers.member),
    Address("GET", "/channels/{channel_id}", servers.channel),
    Address("POST", "/channels/{channel_id}/typing", servers.typing),
    Address("GET", "/channels/{channel_id}/messages", messages.history),
    Address("POST", "/channels/{channel_id}/messages", messages.create),
    Address("GET", "/channels/{channel_id}/messages/{message_id}", messages.message),
    Address("PATCH", "/channels/{channel_id}/messages/{message_id}", messages.edit),
    Address("DELETE", "/channels/{channel_id}/messages/{message_id}", messages.delete),
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
    Address("POST", "/interactions/{interaction_id}/{token}/callback", answers.callback, open=True),
    Address("POST", _HOOK, answers.follow_up, open=True),
    Address("GET", _ORIGINAL, answers.get, open=True),
    Address("PATCH", _ORIGINAL, answers.edit, open=True),
    Address("DELETE", _ORIGINAL, answers.delete, open=True),
)
