"""Who the bot is: users, the application, and the gateway's address."""

from __future__ import annotations

import math

from discord_sandbox.api.call import Call
from discord_sandbox.model import errors, payloads, permissions, snowflake
from discord_sandbox.model.wire import JsonObject

_SERVERS_ADVISED = 1000
"""The recommended number of servers per shard [practice]; more than 2,500 are refused."""


def own_user(call: Call) -> JsonObject:
    return payloads.own_user(call.bot)


def change_own_user(call: Call) -> JsonObject:
    """Set the user name; pictures are accepted but not kept."""
    form = call.form()
    name = form.text("username", 2, 32)
    form.faults.check()
    call.bot.username = name or call.bot.username
    return payloads.own_user(call.bot)


def user(call: Call) -> JsonObject:
    found = call.backend.world.users.get(call.number("user_id"))
    if found is None:
        raise errors.unknown_user()
    return payloads.user(found)


def own_servers(call: Call) -> list[JsonObject]:
    """By id, a page at a time."""
    limit, before, after = call.count("limit", 1, 200, 200), call.bound("before"), call.bound("after")
    found = sorted(call.backend.world.servers.values(), key=lambda each: each.id)
    found = [each for each in found if call.bot.id in each.members]
    if before is not None:
        found = [each for each in found if each.id < before][-limit:]
    return [
        {
            "id": str(each.id),
            "name": each.name,
            "icon": None,
            "banner": None,
            "owner": False,
            "permissions": str(permissions.in_server(each, each.members[call.bot.id])),
            "features": [],
        }
        for each in [each for each in found if after is None or each.id > after][:limit]
    ]


def open_direct_channel(call: Call) -> JsonObject:
    raw = str(call.body_object().get("recipient_id", ""))
    person = call.backend.world.users.get(snowflake.parsed(str(raw)) or 0)
    if person is None:
        raise errors.unknown_user()
    if person.bot:
        raise errors.cannot_reach_user()
    return payloads.channel(call.backend.world.direct_channel(person))


def own_application(call: Call) -> JsonObject:
    world = call.backend.world
    return payloads.application(world.application, sum(call.bot.id in each.members for each in world.servers.values()))


def gateway(call: Call) -> JsonObject:
    return {"url": call.gateway_url}


def gateway_for_bot(call: Call) -> JsonObject:
    limits, identify_limits = call.backend.limits, call.backend.gateway.identify_limits
    servers = sum(call.bot.id in each.members for each in call.backend.world.servers.values())
    return {
        "url": call.gateway_url,
        "shards": max(limits.shards, math.ceil(servers / _SERVERS_ADVISED)),
        "session_start_limit": {
            "total": limits.identifies_a_day,
            "remaining": identify_limits.left,
            "reset_after": int(identify_limits.resets_in * 1000),
            "max_concurrency": limits.max_concurrency,
        },
    }


def default_sounds(_call: Call) -> list[JsonObject]:
    """There is no soundboard here, but py-cord asks for it before it is ready."""
    return []
