"""Messages of a channel: history, creation, edits, deletion.

Source: Discord's developer documentation, "Message Resource".
"""

from __future__ import annotations

from sandbox import errors
from sandbox.api.call import Call
from sandbox.errors import Faults
from sandbox.permissions import Permission
from sandbox.posting import Request
from sandbox.state import Channel, Message
from sandbox.wire import JsonObject

MOST_NONCE = 25


def history(call: Call) -> list[JsonObject]:
    """Newest first; without Read Message History there is none to see."""
    channel = call.channel()
    limit = _limit(call)
    public = [each for each in channel.messages.values() if each.reader is None]
    before, after, around = (_bound(call, key) for key in ("before", "after", "around"))
    if around is not None:
        earlier = [each for each in public if each.id <= around][-(limit // 2 + 1) :]
        later = [each for each in public if each.id > around][: limit - len(earlier)]
        chosen = earlier + later
    elif after is not None:
        chosen = [each for each in public if each.id > after][:limit]
    elif before is not None:
        chosen = [each for each in public if each.id < before][-limit:]
    else:
        chosen = public[-limit:]
    return [each.data for each in reversed(chosen)]


def message(call: Call) -> JsonObject:
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    return call.message(channel).data


def create(call: Call) -> JsonObject:
    call.audience = "public"
    channel = call.channel(Permission.SEND_MESSAGES)
    _refuse_closed_doors(channel)
    form = call.form()
    twin = _same_nonce(call, channel)
    if twin is not None:
        return twin.data
    origin: JsonObject = {}
    reference = form.form("message_reference")
    if reference is not None:
        origin = _reply(channel, str(reference.value.get("message_id")), reference.value)
    nonce = form.value.get("nonce")
    if nonce is not None:
        if isinstance(nonce, str):
            form.text("nonce", 0, MOST_NONCE)
        origin["nonce"] = nonce
    return call.backend.posting.create(channel, call.bot, Request(form, call.uploads), origin=origin).data


def edit(call: Call) -> JsonObject:
    call.audience = "public"
    channel = call.channel()
    found = call.message(channel)
    if found.author.id != call.bot.id:
        raise errors.not_the_author()
    return call.backend.posting.edit(found, Request(call.form(), call.uploads)).data


def delete(call: Call) -> None:
    call.audience = "public"
    channel = call.channel()
    found = call.message(channel)
    if found.author.id != call.bot.id:
        call.channel(Permission.MANAGE_MESSAGES)
    call.backend.posting.delete(found)


def _refuse_closed_doors(channel: Channel) -> None:
    if any(not each.takes_direct_messages for each in channel.recipients):
        raise errors.cannot_reach_user()


def _same_nonce(call: Call, channel: Channel) -> Message | None:
    """With `enforce_nonce`, the bot's recent message that already bears this nonce."""
    body = call.body_object()
    if not body.get("enforce_nonce") or body.get("nonce") is None:
        return None
    recent = list(channel.messages.values())[-100:]
    return next(
        (
            each
            for each in reversed(recent)
            if each.author.id == call.bot.id and each.data.get("nonce") == body["nonce"]
        ),
        None,
    )


def _reply(channel: Channel, raw_id: str, reference: JsonObject) -> JsonObject:
    replied = channel.messages.get(int(raw_id)) if raw_id.isdecimal() else None
    if replied is None or replied.reader is not None:
        if reference.get("fail_if_not_exists", True):
            faults = Faults()
            faults.add(("message_reference",), "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
            faults.check()
        return {}
    link: JsonObject = {"type": 0, "message_id": str(replied.id), "channel_id": str(channel.id)}
    if channel.server is not None:
        link["guild_id"] = str(channel.server.id)
    shown = {key: each for key, each in replied.data.items() if key != "referenced_message"}
    return {"type": 19, "message_reference": link, "referenced_message": shown}


def _limit(call: Call) -> int:
    raw = call.query.get("limit", "50")
    if raw.isdecimal() and 1 <= int(raw) <= 100:
        return int(raw)
    faults = Faults()
    faults.add(("limit",), "NUMBER_TYPE_MAX", "int value should be less than or equal to 100.")
    faults.check()
    return 0


def _bound(call: Call, key: str) -> int | None:
    raw = call.query.get(key)
    return int(raw) if raw is not None and raw.isdecimal() else None
