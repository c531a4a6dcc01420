"""Threads: begun on a message or without one, changed, joined, and listed.

Source: Discord's developer documentation, "Start Thread", "Modify Channel", "Thread Members".
"""

from __future__ import annotations

from discord_sandbox.api.call import Call
from discord_sandbox.model import errors, payloads, permissions, snowflake
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import FORUMS, THREADS, Channel, ChannelType, Intent, Member, MessageFlag, User
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.channels import MOST_SLOW_MODE
from discord_sandbox.service.messages import Request
from discord_sandbox.service.threads import AUTO_ARCHIVE
from discord_sandbox.validation.forms import Form

_THREAD_CREATED, _THREAD_STARTER = 18, 21  # types of Discord's own messages
_ONLY_FOR_MANAGERS = frozenset({"locked", "rate_limit_per_user"})


def on_message(call: Call) -> JsonObject:
    """Begin a thread on a message; it has the message's id."""
    channel = call.channel(Permission.CREATE_PUBLIC_THREADS)
    if channel.kind not in (ChannelType.TEXT, ChannelType.ANNOUNCEMENT):
        raise errors.wrong_channel_type()
    message = call.message(channel)
    if message.id in call.backend.world.channels:
        raise errors.thread_exists()
    form = call.form()
    name, auto_archive, slow_mode = _common(form)
    form.faults.check()
    is_news = channel.kind == ChannelType.ANNOUNCEMENT
    kind = ChannelType.ANNOUNCEMENT_THREAD if is_news else ChannelType.PUBLIC_THREAD
    thread = call.backend.threads.begin(
        channel, call.bot, name, kind, thread_id=message.id, auto_archive=auto_archive, slow_mode=slow_mode
    )
    flags = message.flags | MessageFlag.HAS_THREAD
    call.backend.messages.alter(message, {"flags": flags, "thread": payloads.thread(thread)})
    reference = {"type": 0, "message_id": str(message.id), "channel_id": str(channel.id)}
    call.backend.messages.system(thread, call.bot, _THREAD_STARTER, {"message_reference": reference})
    call.status = 201
    return payloads.thread(thread, call.bot.id)


def without_message(call: Call) -> JsonObject:
    """Begin a thread on its own; in a forum, a post with its first message."""
    channel = call.channel()
    if channel.kind in FORUMS:
        return _post(call, channel)
    if channel.kind not in (ChannelType.TEXT, ChannelType.ANNOUNCEMENT):
        raise errors.wrong_channel_type()
    form = call.form()
    name, auto_archive, slow_mode = _common(form)
    kind = ChannelType(form.one_of("type", THREADS) or ChannelType.PRIVATE_THREAD)
    invitable = form.truth("invitable")
    form.faults.check()
    if (kind == ChannelType.ANNOUNCEMENT_THREAD) != (channel.kind == ChannelType.ANNOUNCEMENT):
        raise errors.wrong_channel_type()
    is_private = kind == ChannelType.PRIVATE_THREAD
    call.channel(Permission.CREATE_PRIVATE_THREADS if is_private else Permission.CREATE_PUBLIC_THREADS)
    thread = call.backend.threads.begin(
        channel,
        call.bot,
        name,
        kind,
        auto_archive=auto_archive,
        slow_mode=slow_mode,
        invitable=invitable is not False,
    )
    if not is_private:
        reference = {"type": 0, "channel_id": str(thread.id)}
        call.backend.messages.system(
            channel, call.bot, _THREAD_CREATED, {"content": name, "message_reference": reference}
        )
    call.status = 201
    return payloads.thread(thread, call.bot.id)


def _post(call: Call, forum: Channel) -> JsonObject:
    """A forum's post: a thread, and the message it begins with, which has the thread's id."""
    call.audience = "public"
    call.channel(Permission.SEND_MESSAGES)
    form = call.form()
    name, auto_archive, slow_mode = _common(form)
    tags = [int(each) for each in form.items("applied_tags", 0, 5) or () if snowflake.parsed(str(each)) is not None]
    inner = form.form("message", required=True)
    form.faults.check()
    request = Request(inner or form, call.uploads)
    call.backend.messages.check(forum, request)
    thread = call.backend.threads.begin(
        forum,
        call.bot,
        name,
        ChannelType.PUBLIC_THREAD,
        auto_archive=auto_archive,
        slow_mode=slow_mode,
        tags=tags,
    )
    message = call.backend.messages.create(thread, call.bot, request, message_id=thread.id)
    call.status = 201
    return {**payloads.thread(thread, call.bot.id), "message": message.data}


def change(call: Call, channel: Channel, form: Form) -> JsonObject:
    """Change a thread. Raises ApiError 50013, and 50083 for an archived one that stays archived."""
    thread = channel.as_thread
    archived, locked, invitable = form.truth("archived"), form.truth("locked"), form.truth("invitable")
    name = form.text("name", 1, 100)
    auto_archive = form.one_of("auto_archive_duration", AUTO_ARCHIVE)
    slow_mode = form.integer("rate_limit_per_user", 0, MOST_SLOW_MODE)
    form.faults.check()
    given = frozenset(form.value)
    if not _may_change(call, channel, given, archived):
        raise errors.missing_permissions()
    if thread.archived and archived is not False and given - {"archived", "locked"}:
        raise errors.thread_archived()
    channel.name = name or channel.name
    channel.slow_mode = channel.slow_mode if slow_mode is None else slow_mode
    thread.auto_archive = auto_archive or thread.auto_archive
    thread.locked = thread.locked if locked is None else locked
    if channel.kind == ChannelType.PRIVATE_THREAD and invitable is not None:
        thread.invitable = invitable
    if archived is not None and archived != thread.archived:
        (call.backend.threads.archive if archived else call.backend.threads.unarchive)(channel)
    call.backend.threads.changed(channel)
    return payloads.thread(channel, call.bot.id)


def _may_change(call: Call, channel: Channel, given: frozenset[str], archived: bool | None) -> bool:
    """Managers may change everything and the owner most things; anybody who may write may unarchive an unlocked
    thread."""
    bits = call.bits(channel)
    if bits & Permission.MANAGE_THREADS:
        return True
    locked = channel.as_thread.locked
    if given == {"archived"} and archived is False and not locked:
        return bool(bits & Permission.SEND_MESSAGES_IN_THREADS)
    is_owner = channel.as_thread.owner_id == call.bot.id
    return is_owner and not given & _ONLY_FOR_MANAGERS and not (locked and archived is False)


# Who is in it.


def join(call: Call) -> None:
    channel = _open_thread(call)
    call.backend.threads.join(channel, call.bot)


def leave(call: Call) -> None:
    channel = _open_thread(call)
    call.backend.threads.leave(channel, call.bot)


def add_member(call: Call) -> None:
    channel = _open_thread(call)
    call.channel(Permission.SEND_MESSAGES_IN_THREADS)
    thread = channel.as_thread
    if channel.kind == ChannelType.PRIVATE_THREAD and not thread.invitable and thread.owner_id != call.bot.id:
        call.channel(Permission.MANAGE_THREADS)
    call.backend.threads.join(channel, _member(call, channel).user)


def remove_member(call: Call) -> None:
    channel = _open_thread(call)
    own_private = channel.kind == ChannelType.PRIVATE_THREAD and channel.as_thread.owner_id == call.bot.id
    if not own_private:
        call.channel(Permission.MANAGE_THREADS)
    call.backend.threads.leave(channel, _user(call))


def member(call: Call) -> JsonObject:
    channel = _thread(call)
    user_id = call.bot.id if call.route["user_id"] == "@me" else call.number("user_id")
    if user_id not in channel.as_thread.members:
        raise errors.unknown_member()
    return payloads.thread_member(channel, user_id, with_member=call.query.get("with_member") == "true")


def members(call: Call) -> list[JsonObject]:
    channel = _thread(call)
    if not call.backend.world.application.allowed_intents & Intent.GUILD_MEMBERS:
        raise errors.missing_access()
    with_member = call.query.get("with_member") == "true"
    return [payloads.thread_member(channel, each, with_member=with_member) for each in channel.as_thread.members]


# Lists.


def active(call: Call) -> JsonObject:
    """The server's active threads that the bot sees."""
    found = [each for each in call.backend.threads.active(call.server()) if call.sees(each, call.bits(each))]
    return _listed(call, found)


def archived_public(call: Call) -> JsonObject:
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    kinds = {ChannelType.PUBLIC_THREAD, ChannelType.ANNOUNCEMENT_THREAD}
    return _archived(call, [each for each in _below(channel) if each.kind in kinds])


def archived_private(call: Call) -> JsonObject:
    channel = call.channel(Permission.READ_MESSAGE_HISTORY, Permission.MANAGE_THREADS)
    return _archived(call, [each for each in _below(channel) if each.kind == ChannelType.PRIVATE_THREAD])


def archived_joined(call: Call) -> JsonObject:
    """The private threads the bot itself is in; `before` is an id here."""
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    before = call.bound("before")
    mine = [
        each
        for each in _below(channel)
        if each.kind == ChannelType.PRIVATE_THREAD
        and call.bot.id in each.as_thread.members
        and each.as_thread.archived
        and (before is None or each.id < before)
    ]
    return _listed(call, sorted(mine, key=lambda each: each.id, reverse=True))


def _archived(call: Call, among: list[Channel]) -> JsonObject:
    raw = call.query.get("before")
    end = None if raw is None else call.moment("before", raw)
    found = [each for each in among if each.as_thread.archived and (end is None or each.as_thread.archived_at < end)]
    return _listed(call, sorted(found, key=lambda each: each.as_thread.archived_at, reverse=True))


def _listed(call: Call, found: list[Channel]) -> JsonObject:
    limit = call.count("limit", 2, 100, 100)
    own = [each for each in found[:limit] if call.bot.id in each.as_thread.members]
    return {
        "threads": [payloads.thread(each) for each in found[:limit]],
        "members": [payloads.thread_member(each, call.bot.id) for each in own],
        "has_more": len(found) > limit,
    }


def _below(parent: Channel) -> list[Channel]:
    server = parent.server
    return [] if server is None else [each for each in server.threads.values() if each.parent_id == parent.id]


# What several routes need.


def sending_in(call: Call) -> tuple[Permission, ...]:
    """The permissions needed to send in the channel of the address."""
    found = call.backend.world.channels.get(call.number("channel_id"))
    if found is None or found.server is None:
        return ()
    return (Permission.SEND_MESSAGES if found.thread is None else Permission.SEND_MESSAGES_IN_THREADS,)


def _common(form: Form) -> tuple[str, int | None, int | None]:
    name = form.text("name", 1, 100, required=True) or ""
    auto_archive = form.one_of("auto_archive_duration", AUTO_ARCHIVE)
    return name, auto_archive, form.integer("rate_limit_per_user", 0, MOST_SLOW_MODE)


def _thread(call: Call) -> Channel:
    channel = call.channel()
    if channel.thread is None:
        raise errors.wrong_channel_type()
    return channel


def _open_thread(call: Call) -> Channel:
    channel = _thread(call)
    if channel.as_thread.archived:
        raise errors.thread_archived()
    return channel


def _user(call: Call) -> User:
    user = call.backend.world.users.get(call.number("user_id"))
    if user is None:
        raise errors.unknown_user()
    return user


def _member(call: Call, channel: Channel) -> Member:
    server = channel.server
    member = None if server is None else server.members.get(call.number("user_id"))
    if server is None or member is None:
        raise errors.unknown_member()
    bits = permissions.in_channel(server, channel.as_thread.parent, member, call.backend.clock.now())
    if not bits & Permission.VIEW_CHANNEL:
        raise errors.missing_access()
    return member
