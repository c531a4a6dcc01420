"""Channels of a server: made, changed and removed, with their permission overwrites.

Source: Discord's developer documentation, "Channels Resource", "Create Guild Channel".
"""

from __future__ import annotations

from collections.abc import Callable

from discord_sandbox.model import errors, payloads, snowflake
from discord_sandbox.model.feed import Event
from discord_sandbox.model.state import FORUMS, Channel, ChannelType, Overwrite, Server
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.backend import Backend
from discord_sandbox.service.threads import AUTO_ARCHIVE
from discord_sandbox.validation.forms import Form

MOST_CHANNELS = 500
MOST_SLOW_MODE = 21_600
MOST_OVERWRITES = 1000
MOST_TAGS = 20
_MAKABLE = frozenset(ChannelType) - {
    ChannelType.DIRECT,
    ChannelType.ANNOUNCEMENT_THREAD,
    ChannelType.PUBLIC_THREAD,
    ChannelType.PRIVATE_THREAD,
}
_WRITTEN_SMALL = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT}) | FORUMS
_SPOKEN = frozenset({ChannelType.VOICE, ChannelType.STAGE})


def create(backend: Backend, server: Server, form: Form) -> Channel:
    """Make the channel a form describes. Raises ApiError 50035, 30013 at 500 channels."""
    kind = ChannelType(form.one_of("type", _MAKABLE) or ChannelType.TEXT)
    channel = Channel(backend.world.snowflakes.next(), "", kind, server, position=_next_position(server, kind))
    channel.settings.update(_settings_at_first(kind))
    apply = _read(form, channel, is_new=True)
    form.faults.check()
    if len(server.channels) >= MOST_CHANNELS:
        raise errors.too_many_channels(MOST_CHANNELS)
    apply()
    if channel.parent_id is not None and not form.value.get("permission_overwrites"):
        channel.overwrites = {
            each.id: Overwrite(each.id, each.kind, each.allow, each.deny)
            for each in server.channels[channel.parent_id].overwrites.values()
        }
    backend.world.add_channel(channel)
    _tell(backend, "CHANNEL_CREATE", channel)
    return channel


def change(backend: Backend, channel: Channel, form: Form) -> None:
    """Change the fields a form holds. Raises ApiError 50035."""
    apply = _read(form, channel)
    form.faults.check()
    apply()
    _tell(backend, "CHANNEL_UPDATE", channel)


def delete(backend: Backend, channel: Channel) -> None:
    """Remove a channel with its threads; a category's channels stay."""
    server = channel.server
    if channel.thread is not None:
        backend.threads.delete(channel)
        return
    if server is not None:
        for thread in [each for each in server.threads.values() if each.parent_id == channel.id]:
            backend.world.remove_channel(thread)
        for child in [each for each in server.channels.values() if each.parent_id == channel.id]:
            child.parent_id = None
            _tell(backend, "CHANNEL_UPDATE", child)
    backend.world.remove_channel(channel)
    _tell(backend, "CHANNEL_DELETE", channel)


def put_overwrite(backend: Backend, channel: Channel, overwrite: Overwrite) -> None:
    """Replace the overwrite of a role or a member."""
    channel.overwrites[overwrite.id] = overwrite
    _tell(backend, "CHANNEL_UPDATE", channel)


def delete_overwrite(backend: Backend, channel: Channel, target_id: int) -> None:
    """Remove an overwrite; raises ApiError 10009."""
    if channel.overwrites.pop(target_id, None) is None:
        raise errors.unknown_overwrite()
    _tell(backend, "CHANNEL_UPDATE", channel)


def move(backend: Backend, channel: Channel, position: int | None, parent_id: int | None) -> None:
    """Move a channel in the list."""
    channel.position = channel.position if position is None else position
    channel.parent_id = parent_id
    _tell(backend, "CHANNEL_UPDATE", channel)


def read_overwrite(form: Form, target_id: int) -> Overwrite:
    """An overwrite's type and bits."""
    kind = form.one_of("type", (0, 1), required=True)
    return Overwrite(target_id, kind or 0, _bits(form, "allow"), _bits(form, "deny"))


def _bits(form: Form, key: str) -> int:
    found = form.value.get(key)
    if found is None:
        return 0
    if isinstance(found, str | int) and not isinstance(found, bool) and snowflake.parsed(str(found)) is not None:
        return int(found)
    form.fault(key, "NUMBER_TYPE_COERCE", f"Value {found!r} is not int.")
    return 0


def _read(form: Form, channel: Channel, *, is_new: bool = False) -> Callable[[], None]:
    """Read a channel's form. Call the result to apply it."""
    name = form.text("name", 1, 100, required=is_new)
    topic = form.text("topic", 0, 4096 if channel.kind in FORUMS else 1024)
    slow_mode = form.integer("rate_limit_per_user", 0, MOST_SLOW_MODE)
    position = form.integer("position", 0, 2**31 - 1)
    nsfw = form.truth("nsfw")
    parent_id = _parent(form, channel)
    overwrites = _overwrites(form)
    settings = _settings(form, channel.kind)
    kind = form.one_of("type", (ChannelType.TEXT, ChannelType.ANNOUNCEMENT)) if not is_new else None

    def apply() -> None:
        if name is not None:
            channel.name = name.lower().replace(" ", "-") if channel.kind in _WRITTEN_SMALL else name
        if "topic" in form.value:
            channel.topic = topic or None
        if "parent_id" in form.value:
            channel.parent_id = parent_id
        if overwrites is not None:
            channel.overwrites = overwrites
        channel.kind = channel.kind if kind is None else ChannelType(kind)
        channel.slow_mode = channel.slow_mode if slow_mode is None else slow_mode
        channel.position = channel.position if position is None else position
        channel.nsfw = channel.nsfw if nsfw is None else nsfw
        channel.settings.update(settings)

    return apply


def _parent(form: Form, channel: Channel) -> int | None:
    raw = form.value.get("parent_id")
    if raw is None or channel.server is None:
        return None
    parent = channel.server.channels.get(snowflake.parsed(str(raw)) or 0)
    if parent is None or parent.kind != ChannelType.CATEGORY or channel.kind == ChannelType.CATEGORY:
        form.fault("parent_id", "CHANNEL_PARENT_INVALID", "Category does not exist")
        return None
    return parent.id


def _overwrites(form: Form) -> dict[int, Overwrite] | None:
    if form.value.get("permission_overwrites") is None:
        return None
    found: dict[int, Overwrite] = {}
    for each in form.forms("permission_overwrites", 0, MOST_OVERWRITES):
        raw_id = str(each.value.get("id", ""))
        if snowflake.parsed(raw_id) is None:
            each.fault("id", "NUMBER_TYPE_COERCE", f'Value "{raw_id}" is not snowflake.')
            continue
        found[int(raw_id)] = read_overwrite(each, int(raw_id))
    return found


def _settings_at_first(kind: ChannelType) -> JsonObject:
    if kind in _SPOKEN:
        return {"bitrate": 64_000, "user_limit": 0, "rtc_region": None}
    if kind in FORUMS:
        return {
            "available_tags": [],
            "default_reaction_emoji": None,
            "default_sort_order": None,
            "default_forum_layout": 0,
        }
    return {}


def _settings(form: Form, kind: ChannelType) -> JsonObject:
    found: JsonObject = {
        "default_auto_archive_duration": form.one_of("default_auto_archive_duration", AUTO_ARCHIVE),
        "default_thread_rate_limit_per_user": form.integer("default_thread_rate_limit_per_user", 0, MOST_SLOW_MODE),
    }
    if kind in _SPOKEN:
        found["bitrate"] = form.integer("bitrate", 8000, 384_000)
        found["user_limit"] = form.integer("user_limit", 0, 99 if kind == ChannelType.VOICE else 10_000)
    if kind in FORUMS:
        found["default_sort_order"] = form.one_of("default_sort_order", (0, 1))
        found["default_forum_layout"] = form.one_of("default_forum_layout", (0, 1, 2))
        if "available_tags" in form.value:
            found["available_tags"] = _tags(form)
    return {key: each for key, each in found.items() if each is not None}


def _tags(form: Form) -> list[JsonObject]:
    """A forum's tags; a tag without an id gets its place as its number."""
    found: list[JsonObject] = []
    for number, each in enumerate(form.forms("available_tags", 0, MOST_TAGS), start=1):
        name = each.text("name", 0, 20, required=True)
        tag = each.value
        found.append(
            {
                "id": str(tag.get("id") or number),
                "name": name,
                "moderated": bool(tag.get("moderated")),
                "emoji_id": tag.get("emoji_id"),
                "emoji_name": tag.get("emoji_name"),
            }
        )
    return found


def _next_position(server: Server, kind: ChannelType) -> int:
    return sum(each.kind == kind for each in server.channels.values())


def _tell(backend: Backend, name: str, channel: Channel) -> None:
    if channel.server is not None:
        backend.feed.publish(Event(name, payloads.channel(channel), channel.server.id, channel.id))
