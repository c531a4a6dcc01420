"""Who may use which command in a server, beyond the command's own default.

Server owners set that in Discord's client; a bot reads it, and may not change it with its own token.
Source: Discord's developer documentation, "Application Command Permissions".
"""

from __future__ import annotations

from discord_sandbox.api.call import Call
from discord_sandbox.model import errors
from discord_sandbox.model.wire import JsonObject


def listed(call: Call) -> list[JsonObject]:
    call.own_application()
    return list(call.backend.commands.permissions.of_server(call.server().id).values())


def one(call: Call) -> JsonObject:
    """One command's; raises ApiError 10066 if nothing was set."""
    call.own_application()
    found = call.backend.commands.permissions.of_server(call.server().id).get(call.number("command_id"))
    if found is None:
        raise errors.unknown_command_permissions()
    return found


def change(call: Call) -> None:
    """Raises ApiError 20001, because this needs a person's token."""
    call.own_application()
    raise errors.not_for_bots()
