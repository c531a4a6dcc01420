"""Embeds, with Discord's limits.

Source: Discord's developer documentation, "Embed Limits": 10 per message, 6,000 characters in all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.forms import Form

MOST_EMBEDS = 10
MOST_TEXT = 6000
_PICTURES = frozenset({"image", "thumbnail"})
_ADDRESSES = (
    ("image", "url"),
    ("thumbnail", "url"),
    ("author", "url"),
    ("author", "icon_url"),
    ("footer", "icon_url"),
)
_SHOWN = ("title", "description", "fields", "image", "thumbnail", "author", "footer", "video")


def read_embeds(form: Form) -> list[JsonObject]:
    """Read the `embeds` of a message's form, each made a "rich" one."""
    found: list[JsonObject] = []
    total = 0
    for embed in form.forms("embeds", 0, MOST_EMBEDS):
        total += _read_one(embed)
        kept = {key: each for key, each in embed.value.items() if each is not None}
        found.append({**kept, "type": "rich"})
    if total > MOST_TEXT:
        form.fault("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")
    return found


def with_files(embeds: list[JsonObject], files: Sequence[JsonObject]) -> list[JsonObject]:
    """The embeds with the addresses of uploaded files where they point at these by name."""
    by_name = {f"attachment://{each['filename']}": each for each in files}
    return [
        {key: _with_file(each, by_name) if isinstance(each, dict) else each for key, each in embed.items()}
        for embed in embeds
    ]


def _with_file(part: JsonObject, by_name: Mapping[str, JsonObject]) -> JsonObject:
    for key in ("url", "icon_url"):
        file = by_name.get(str(part.get(key)))
        if file is not None:
            proxy = "proxy_url" if key == "url" else "proxy_icon_url"
            size: JsonObject = {name: file[name] for name in ("width", "height") if name in file and key == "url"}
            return {**part, key: file["url"], proxy: file["proxy_url"], **size}
    return part


def _read_one(embed: Form) -> int:
    texts = [
        embed.text("title", 0, 256),
        embed.text("description", 0, 4096),
        _text_of(embed, "footer", "text", 2048),
        _text_of(embed, "author", "name", 256),
    ]
    for field in embed.forms("fields", 0, 25):
        texts.append(field.text("name", 1, 256, required=True))
        texts.append(field.text("value", 1, 1024, required=True))
        field.truth("inline")
    embed.integer("color", 0, 0xFFFFFF)
    _read_address(embed, "url")
    _read_moment(embed)
    for part, key in _ADDRESSES:
        inner = embed.form(part)
        if inner is not None:
            _read_address(inner, key, may_be_file=key == "icon_url" or part in _PICTURES)
    if not any(embed.value.get(key) for key in _SHOWN):
        embed.fault("description", "BASE_TYPE_REQUIRED", "This field is required")
    return sum(len(text) for text in texts if text)


def _read_address(form: Form, key: str, *, may_be_file: bool = False) -> None:
    url = form.text(key, 0, 2048)
    schemes = ("http://", "https://", *(("attachment://",) if may_be_file else ()))
    if url and not url.startswith(schemes):
        form.fault(key, "URL_TYPE_INVALID_SCHEME", f'Scheme "{url.partition(":")[0]}" is not supported.')


def _read_moment(embed: Form) -> None:
    raw = embed.value.get("timestamp")
    if raw is None:
        return
    try:
        datetime.fromisoformat(str(raw))
    except ValueError:
        embed.fault("timestamp", "DATE_TIME_TYPE_PARSE", f"Could not parse {raw}. Should be ISO8601.")


def _text_of(embed: Form, key: str, inner_key: str, high: int) -> str | None:
    inner = embed.form(key)
    return None if inner is None else inner.text(inner_key, 1, high, required=True)
