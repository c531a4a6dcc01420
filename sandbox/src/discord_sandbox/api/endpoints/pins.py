"""Pinned messages, by the newer and the older addresses.

Source: Discord's developer documentation, "Get Channel Pins", "Pin Message".
"""

from __future__ import annotations

from discord_sandbox.api.call import Call
from discord_sandbox.model import errors
from discord_sandbox.model.feed import Event
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.snowflake import timestamp
from discord_sandbox.model.state import Channel, Message
from discord_sandbox.model.wire import JsonObject

MOST_PINS = 250
_PINNED = 6  # the type of Discord's own message about a pin


def listed(call: Call) -> list[JsonObject]:
    """All pins, the newest first, as the older address gives them."""
    return [each.data for each in _pinned(call.channel(Permission.READ_MESSAGE_HISTORY))]


def page(call: Call) -> JsonObject:
    """The newest pins with their times, `before` a moment."""
    pinned = _pinned(call.channel(Permission.READ_MESSAGE_HISTORY))
    limit, raw = call.count("limit", 1, 50, 50), call.query.get("before")
    if raw is not None:
        end = call.moment("before", raw)
        pinned = [each for each in pinned if _since(each) < end]
    items = [{"pinned_at": timestamp(_since(each)), "message": each.data} for each in pinned[:limit]]
    return {"items": items, "has_more": len(pinned) > limit}


def pin(call: Call) -> None:
    call.audience = "public"
    channel, message = _target(call)
    if message.data["pinned"]:
        return
    if len(_pinned(channel)) >= MOST_PINS:
        raise errors.too_many_pins(MOST_PINS)
    message.pinned_at = channel.last_pin_at = call.backend.clock.now()
    call.backend.messages.alter(message, {"pinned": True})
    reference: JsonObject = {"type": 0, "message_id": str(message.id), "channel_id": str(channel.id)}
    call.backend.messages.system(channel, call.bot, _PINNED, {"message_reference": reference})
    _tell(call, channel)


def unpin(call: Call) -> None:
    call.audience = "public"
    channel, message = _target(call)
    if message.data["pinned"]:
        message.pinned_at = None
        call.backend.messages.alter(message, {"pinned": False})
        _tell(call, channel)


def _target(call: Call) -> tuple[Channel, Message]:
    channel = call.channel()
    if channel.server is not None:
        call.channel(Permission.PIN_MESSAGES)
    if channel.thread is not None and channel.thread.archived:
        raise errors.thread_archived()
    return channel, call.message(channel)


def _pinned(channel: Channel) -> list[Message]:
    """The newest pin first."""
    found = [each for each in channel.messages.values() if each.pinned_at is not None]
    return sorted(found, key=_since, reverse=True)


def _since(message: Message) -> float:
    return message.pinned_at or 0.0


def _tell(call: Call, channel: Channel) -> None:
    last = None if channel.last_pin_at is None else timestamp(channel.last_pin_at)
    data: JsonObject = {"channel_id": str(channel.id), "last_pin_timestamp": last}
    if channel.server is not None:
        data["guild_id"] = str(channel.server.id)
    server_id = None if channel.server is None else channel.server.id
    call.backend.feed.publish(Event("CHANNEL_PINS_UPDATE", data, server_id, channel.id))
