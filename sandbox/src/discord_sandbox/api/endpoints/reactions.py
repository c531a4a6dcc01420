"""Reactions to a message. Source: Discord's developer documentation, "Create Reaction" and the next."""

from __future__ import annotations

from discord_sandbox.api.call import Call
from discord_sandbox.model import errors, payloads
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import Message
from discord_sandbox.model.wire import JsonObject


def add(call: Call) -> None:
    """The first reaction with an emoji needs Add Reactions; joining in needs no permission."""
    message = _message(call, Permission.READ_MESSAGE_HISTORY)
    emoji = _emoji(call)
    if emoji not in message.reactions:
        call.channel(Permission.ADD_REACTIONS)
    call.backend.reactions.add(message, call.bot, emoji)


def remove_own(call: Call) -> None:
    call.backend.reactions.remove(_message(call), call.bot.id, _emoji(call))


def remove_others(call: Call) -> None:
    message = _message(call)
    if call.number("user_id") != call.bot.id:
        call.channel(Permission.MANAGE_MESSAGES)
    call.backend.reactions.remove(message, call.number("user_id"), _emoji(call))


def remove_emoji(call: Call) -> None:
    call.backend.reactions.clear(_message(call, Permission.MANAGE_MESSAGES), _emoji(call))


def remove_all(call: Call) -> None:
    call.backend.reactions.clear(_message(call, Permission.MANAGE_MESSAGES))


def users(call: Call) -> list[JsonObject]:
    message = call.message(call.channel())
    limit, after = call.count("limit", 1, 100, 25), call.bound("after") or 0
    found = [each for each in call.backend.reactions.users(message, _emoji(call)) if each.id > after]
    return [payloads.user(each) for each in found[:limit]]


def _message(call: Call, *needed: Permission) -> Message:
    channel = call.channel(*needed)
    if channel.thread is not None and channel.thread.archived:
        raise errors.thread_archived()
    call.audience = "public"
    return call.message(channel)


def _emoji(call: Call) -> str:
    return call.backend.reactions.read(call.route["emoji"])
