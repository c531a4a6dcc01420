"""Servers, as far as a bot reads and changes them as a whole.

Source: Discord's developer documentation, "Guild Resource".
"""

from __future__ import annotations

from discord_sandbox.api.call import Call
from discord_sandbox.model import payloads
from discord_sandbox.model.feed import Event
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.wire import JsonObject


def server(call: Call) -> JsonObject:
    """Includes the member counts on request."""
    found = call.server()
    if call.query.get("with_counts", "").lower() not in ("1", "true"):
        return payloads.server(found)
    counts = {"approximate_member_count": len(found.members), "approximate_presence_count": len(found.members)}
    return {**payloads.server(found), **counts}


def preview(call: Call) -> JsonObject:
    found = call.server()
    whole = payloads.server(found)
    kept = ("id", "name", "icon", "description", "home_header", "splash", "discovery_splash", "features")
    return {
        **{key: whole[key] for key in kept},
        "approximate_member_count": len(found.members),
        "approximate_presence_count": len(found.members),
        "emojis": [],
        "stickers": [],
    }


def change(call: Call) -> JsonObject:
    """Set the name and language; other fields are accepted but not kept."""
    found = call.server(Permission.MANAGE_GUILD)
    form = call.form()
    name, locale = form.text("name", 2, 100), form.text("preferred_locale", 2, 5)
    form.faults.check()
    found.name = name or found.name
    found.locale = locale or found.locale
    call.backend.feed.publish(Event("GUILD_UPDATE", payloads.server(found), found.id))
    return payloads.server(found)


def leave(call: Call) -> None:
    server = call.server()
    del server.members[call.bot.id]
    call.backend.gateway.dispatch("GUILD_DELETE", {"id": str(server.id)}, server.id)
