"""Channels: of every kind a bot meets, their overwrites, and who is typing.

Source: Discord's developer documentation, "Channels Resource".
"""

from __future__ import annotations

from discord_sandbox.api.call import Call
from discord_sandbox.api.endpoints import threads
from discord_sandbox.model import errors, payloads, permissions, snowflake
from discord_sandbox.model.errors import Faults
from discord_sandbox.model.feed import Event
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import HOLD_MESSAGES, Channel, Overwrite, Server
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service import channels
from discord_sandbox.validation.forms import Form


def channel(call: Call) -> JsonObject:
    found = call.channel()
    return payloads.channel(found) if found.thread is None else payloads.thread(found, call.bot.id)


def listed(call: Call) -> list[JsonObject]:
    return [payloads.channel(each) for each in call.server().channels.values()]


def create(call: Call) -> JsonObject:
    server = call.server(Permission.MANAGE_CHANNELS)
    form = call.form()
    _check_grants(call, server, None, [each.value for each in form.forms("permission_overwrites", 0, 1000)])
    call.status = 201
    return payloads.channel(channels.create(call.backend, server, form))


def change(call: Call) -> JsonObject:
    found = call.channel()
    if found.server is None:
        raise errors.not_in_direct_messages()
    form = call.form()
    if found.thread is not None:
        return threads.change(call, found, form)
    call.channel(Permission.MANAGE_CHANNELS)
    if form.value.get("permission_overwrites") is not None:
        call.channel(Permission.MANAGE_ROLES)
        given = [each.value for each in form.forms("permission_overwrites", 0, 1000)]
        _check_grants(call, found.server, found, given)
    channels.change(call.backend, found, form)
    return payloads.channel(found)


def move(call: Call) -> None:
    """Positions and categories of several channels at once."""
    server = call.server(Permission.MANAGE_CHANNELS)
    for each in call.body if isinstance(call.body, list) else []:
        form = Form(each if isinstance(each, dict) else {}, Faults())
        raw_id = str(form.value.get("id", ""))
        found = server.channels.get(snowflake.parsed(raw_id) or 0)
        if found is None:
            raise errors.unknown_channel()
        position = form.integer("position", 0, 2**31 - 1)
        form.faults.check()
        parent = form.value.get("parent_id", found.parent_id)
        channels.move(call.backend, found, position, None if parent is None else int(parent))


def delete(call: Call) -> JsonObject:
    found = call.channel()
    if found.thread is not None:
        call.channel(Permission.MANAGE_THREADS)
        call.backend.threads.delete(found)
    elif found.server is not None:
        call.channel(Permission.MANAGE_CHANNELS)
        channels.delete(call.backend, found)
    return payloads.channel(found)


def put_overwrite(call: Call) -> None:
    found = _with_overwrites(call)
    target_id = call.number("overwrite_id")
    form = call.form()
    overwrite = channels.read_overwrite(form, target_id)
    form.faults.check()
    server = found.server
    known = server is not None and target_id in (server.roles if overwrite.kind == 0 else server.members)
    if server is None or not known:
        raise errors.unknown_overwrite() if overwrite.kind else errors.unknown_role()
    _check_bits(call, server, found, overwrite)
    channels.put_overwrite(call.backend, found, overwrite)


def delete_overwrite(call: Call) -> None:
    found = _with_overwrites(call)
    channels.delete_overwrite(call.backend, found, call.number("overwrite_id"))


def typing(call: Call) -> None:
    found = call.channel(*threads.sending_in(call))
    if found.kind not in HOLD_MESSAGES:
        raise errors.cannot_send_here()
    data: JsonObject = {
        "channel_id": str(found.id),
        "user_id": str(call.bot.id),
        "timestamp": int(call.backend.clock.now()),
    }
    server = found.server
    if server is not None:
        data["guild_id"] = str(server.id)
        data["member"] = payloads.member(server.members[call.bot.id])
    call.backend.feed.publish(Event("TYPING_START", data, None if server is None else server.id, found.id))


def _with_overwrites(call: Call) -> Channel:
    found = call.channel()
    if found.server is None or found.thread is not None:
        raise errors.wrong_channel_type()
    return call.channel(Permission.MANAGE_ROLES)


def _check_grants(call: Call, server: Server, channel: Channel | None, given: list[JsonObject]) -> None:
    """Refuse overwrites of permissions that the bot itself does not have."""
    for each in given:
        form = Form(each, Faults())
        _check_bits(call, server, channel, channels.read_overwrite(form, 0))


def _check_bits(call: Call, server: Server, channel: Channel | None, overwrite: Overwrite) -> None:
    own = server.members[call.bot.id]
    bits = permissions.in_server(server, own)
    if channel is not None:
        bits |= call.bits(channel)
    if (overwrite.allow | overwrite.deny) & ~bits:
        raise errors.missing_permissions()
