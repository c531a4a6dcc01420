"""Application commands, global and of one server.

Source: Discord's developer documentation, "Application Commands" endpoints.
"""

from __future__ import annotations

from discord_sandbox.api.call import Call
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.command_form import without_localizations


def _scope(call: Call) -> int | None:
    call.own_application()
    return call.server().id if "guild_id" in call.route else None


def listed(call: Call) -> list[JsonObject]:
    """Includes localisations only on request."""
    found = call.backend.commands.in_scope(_scope(call))
    if call.query.get("with_localizations", "").lower() in ("1", "true"):
        return found
    return [without_localizations(each) for each in found]


def replace(call: Call) -> list[JsonObject]:
    return call.backend.commands.replace_all(_scope(call), call.body)


def create(call: Call) -> JsonObject:
    command, is_new = call.backend.commands.create(_scope(call), call.body_object())
    call.status = 201 if is_new else 200
    return command


def one(call: Call) -> JsonObject:
    return call.backend.commands.get(_scope(call), call.number("command_id"))


def change(call: Call) -> JsonObject:
    return call.backend.commands.change(_scope(call), call.number("command_id"), call.body_object())


def delete(call: Call) -> None:
    call.backend.commands.remove(_scope(call), call.number("command_id"))
