"""Who the bot is: users, the application, its emojis, and the gateway's address."""

from __future__ import annotations

import math

from sandbox import errors, shapes
from sandbox.api.call import Call
from sandbox.wire import JsonObject

_SERVERS_ADVISED = 1000
"""Servers a shard, in what is advised [practice]; more than 2,500 are refused."""


def own_user(call: Call) -> JsonObject:
    return shapes.own_user(call.bot)


def user(call: Call) -> JsonObject:
    found = call.backend.world.users.get(call.number("user_id"))
    if found is None:
        raise errors.unknown_user()
    return shapes.user(found)


def own_servers(call: Call) -> list[JsonObject]:
    return [
        {
            "id": str(each.id),
            "name": each.name,
            "icon": None,
            "banner": None,
            "owner": False,
            "permissions": str(each.everyone.permissions),
            "features": [],
        }
        for each in call.backend.world.servers.values()
        if call.bot.id in each.members
    ]


def open_direct_channel(call: Call) -> JsonObject:
    raw = str(call.body_object().get("recipient_id", ""))
    person = call.backend.world.users.get(int(raw)) if raw.isdecimal() else None
    if person is None:
        raise errors.unknown_user()
    if person.bot:
        raise errors.cannot_reach_user()
    return shapes.channel(call.backend.world.direct_channel(person))


def own_application(call: Call) -> JsonObject:
    world = call.backend.world
    return shapes.application(world.application, sum(call.bot.id in each.members for each in world.servers.values()))


def emojis(call: Call) -> JsonObject:
    call.own_application()
    return {"items": list(call.backend.world.application.emojis.values())}


def emoji(call: Call) -> JsonObject:
    call.own_application()
    found = call.backend.world.application.emojis.get(call.number("emoji_id"))
    if found is None:
        raise errors.unknown_emoji()
    return found


def gateway(call: Call) -> JsonObject:
    return {"url": call.gateway_url}


def gateway_for_bot(call: Call) -> JsonObject:
    limits, admission = call.backend.limits, call.backend.gateway.admission
    servers = sum(call.bot.id in each.members for each in call.backend.world.servers.values())
    return {
        "url": call.gateway_url,
        "shards": max(limits.shards, math.ceil(servers / _SERVERS_ADVISED)),
        "session_start_limit": {
            "total": limits.identifies_a_day,
            "remaining": admission.left,
            "reset_after": int(admission.resets_in * 1000),
            "max_concurrency": limits.max_concurrency,
        },
    }
