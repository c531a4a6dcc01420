"""Servers, their channels, roles and members, as far as a bot reads them."""

from __future__ import annotations

from sandbox import errors, shapes
from sandbox.api.call import Call
from sandbox.wire import JsonObject


def server(call: Call) -> JsonObject:
    return shapes.server(call.server())


def channels(call: Call) -> list[JsonObject]:
    return [shapes.channel(each) for each in call.server().channels.values()]


def roles(call: Call) -> list[JsonObject]:
    return [shapes.role(each) for each in call.server().roles.values()]


def member(call: Call) -> JsonObject:
    found = call.server().members.get(call.number("user_id"))
    if found is None:
        raise errors.unknown_member()
    return shapes.member(found)


def members(call: Call) -> list[JsonObject]:
    after = int(call.query.get("after", "0"))
    limit = int(call.query.get("limit", "1"))
    listed = sorted(call.server().members.values(), key=lambda each: each.user.id)
    return [shapes.member(each) for each in listed if each.user.id > after][:limit]


def leave(call: Call) -> None:
    server = call.server()
    del server.members[call.bot.id]
    call.backend.gateway.dispatch("GUILD_DELETE", {"id": str(server.id)}, server.id)


def channel(call: Call) -> JsonObject:
    return shapes.channel(call.channel())


def typing(call: Call) -> None:
    call.channel()
