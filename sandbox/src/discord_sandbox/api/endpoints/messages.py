"""Messages of a channel: history, creation, edits, deletion.

Source: Discord's developer documentation, "Message Resource".
"""

from __future__ import annotations

from discord_sandbox.api.call import Call
from discord_sandbox.api.endpoints.threads import sending_in
from discord_sandbox.model import errors, snowflake
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.snowflake import made_at
from discord_sandbox.model.state import Channel, ChannelType, Message, MessageFlag
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.messages import Request
from discord_sandbox.validation.forms import Form

MOST_NONCE = 25
_TWO_WEEKS = 14 * 24 * 3600.0
_SYSTEM = frozenset({6, 18, 21})  # Discord's own messages: a pin, a thread begun, what a thread hangs on


def history(call: Call) -> list[JsonObject]:
    """Newest first; without Read Message History there is none to see."""
    channel = call.channel()
    limit = call.count("limit", 1, 100, 50)
    before, after, around = (call.bound(key) for key in ("before", "after", "around"))
    if not call.bits(channel) & Permission.READ_MESSAGE_HISTORY:
        return []
    public = [each for each in channel.messages.values() if each.reader is None]
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
    channel = call.channel(*sending_in(call))
    _refuse_closed_doors(channel)
    form = call.form()
    _check_contents(call, channel, form)
    twin = _same_nonce(call, channel)
    if twin is not None:
        return twin.data
    origin: JsonObject = {}
    reference = form.form("message_reference")
    if reference is not None:
        origin = _reply(call, channel, reference)
    nonce = form.value.get("nonce")
    if nonce is not None:
        if isinstance(nonce, str):
            form.text("nonce", 0, MOST_NONCE)
        origin["nonce"] = nonce
    return call.backend.messages.create(channel, call.bot, Request(form, call.uploads), origin=origin).data


def edit(call: Call) -> JsonObject:
    """Others may only suppress embeds, with Manage Messages."""
    call.audience = "public"
    channel = call.channel()
    found = call.message(channel)
    form = call.form()
    if found.author.id != call.bot.id:
        if form.value.keys() != {"flags"}:
            raise errors.not_the_author()
        call.channel(Permission.MANAGE_MESSAGES)
    elif found.data["type"] in _SYSTEM:
        raise errors.system_message()
    _check_contents(call, channel, form)
    call.backend.old_edit_limit.take(found)
    return call.backend.messages.edit(found, Request(form, call.uploads)).data


def delete(call: Call) -> None:
    call.audience = "public"
    channel = call.channel()
    found = call.message(channel)
    if found.author.id != call.bot.id:
        call.channel(Permission.MANAGE_MESSAGES)
    _refuse_archived(channel)
    call.backend.messages.delete(found)


def delete_many(call: Call) -> None:
    """2 to 100 messages of the last 14 days; unknown ids are ignored."""
    call.audience = "public"
    channel = call.channel()
    if channel.server is None:
        raise errors.not_in_direct_messages()
    call.channel(Permission.MANAGE_MESSAGES)
    _refuse_archived(channel)
    form = call.form()
    raw = [str(each) for each in form.items("messages", 2, 100, required=True) or ()]
    for index, each in enumerate(raw):
        if snowflake.parsed(each) is None:
            form.faults.add(("messages", index), "NUMBER_TYPE_COERCE", f'Value "{each}" is not snowflake.')
    form.faults.check()
    oldest = call.backend.clock.now() - _TWO_WEEKS
    if any(made_at(int(each)) < oldest for each in raw):
        raise errors.too_old_to_delete_in_bulk()
    found = [channel.messages[int(each)] for each in raw if int(each) in channel.messages]
    call.backend.messages.delete_many(channel, [each for each in found if each.reader is None])


def crosspost(call: Call) -> JsonObject:
    """Publish a message of an announcement channel to those that follow it; here nobody does."""
    call.audience = "public"
    channel = call.channel(Permission.SEND_MESSAGES)
    if channel.kind != ChannelType.ANNOUNCEMENT:
        raise errors.wrong_channel_type()
    found = call.message(channel)
    if found.author.id != call.bot.id:
        call.channel(Permission.MANAGE_MESSAGES)
    if found.flags & MessageFlag.CROSSPOSTED:
        raise errors.already_crossposted()
    call.backend.messages.alter(found, {"flags": found.flags | MessageFlag.CROSSPOSTED})
    return found.data


def _check_contents(call: Call, channel: Channel, form: Form) -> None:
    """Embeds and files need one permission each."""
    if channel.server is None:
        return
    bits = call.bits(channel)
    if form.value.get("embeds") and not bits & Permission.EMBED_LINKS:
        raise errors.missing_permissions()
    if call.uploads and not bits & Permission.ATTACH_FILES:
        raise errors.missing_permissions()
    if form.value.get("tts") is True and not bits & Permission.SEND_TTS_MESSAGES:
        raise errors.missing_permissions()


def _refuse_archived(channel: Channel) -> None:
    if channel.thread is not None and channel.thread.archived:
        raise errors.thread_archived()


def _refuse_closed_doors(channel: Channel) -> None:
    if any(not each.takes_direct_messages for each in channel.recipients):
        raise errors.cannot_reach_user()


def _same_nonce(call: Call, channel: Channel) -> Message | None:
    """With `enforce_nonce`, the bot's recent message that already has this nonce."""
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


def _reply(call: Call, channel: Channel, reference: Form) -> JsonObject:
    """The fields of a reply; the original must be readable and in the same channel."""
    form = reference
    if form.value.get("type") not in (None, 0):
        form.fault("type", "BASE_TYPE_CHOICES", "Value must be one of (0,).")
        form.faults.check()
    if not call.bits(channel) & Permission.READ_MESSAGE_HISTORY:
        form.faults.add(
            form.path,
            "REPLIES_CANNOT_REPLY_WITHOUT_READ_MESSAGE_HISTORY",
            "Cannot reply without permission to read message history",
        )
        form.faults.check()
    raw_id = str(form.value.get("message_id"))
    replied = channel.messages.get(snowflake.parsed(raw_id) or 0)
    elsewhere = str(form.value.get("channel_id") or channel.id) != str(channel.id)
    if replied is None or replied.reader is not None or elsewhere:
        if form.value.get("fail_if_not_exists", True):
            form.faults.add(form.path, "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
            form.faults.check()
        return {}
    if replied.data["type"] in _SYSTEM:
        form.faults.add(form.path, "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", "Cannot reply to a system message")
        form.faults.check()
    link: JsonObject = {"type": 0, "message_id": str(replied.id), "channel_id": str(channel.id)}
    if channel.server is not None:
        link["guild_id"] = str(channel.server.id)
    shown = {key: each for key, each in replied.data.items() if key != "referenced_message"}
    return {"type": 19, "message_reference": link, "referenced_message": shown}
