"""Components as Discord returns them: the keys it knows, with its defaults filled in, and no others.

Source: Discord's OpenAPI description, the `…ComponentResponse` schemas.
"""

from __future__ import annotations

from collections.abc import Mapping

from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.controls import Kind

_SELECT = frozenset({"custom_id", "placeholder", "min_values", "max_values", "disabled"})
_DEFAULTS_OF_SELECTS = {"min_values": 1, "max_values": 1}

_KEYS: Mapping[int, frozenset[str]] = {
    Kind.ACTION_ROW: frozenset({"components"}),
    Kind.BUTTON: frozenset({"custom_id", "style", "label", "disabled", "emoji", "url", "sku_id"}),
    Kind.STRING_SELECT: _SELECT | {"options"},
    Kind.USER_SELECT: _SELECT | {"default_values"},
    Kind.ROLE_SELECT: _SELECT | {"default_values"},
    Kind.MENTIONABLE_SELECT: _SELECT | {"default_values"},
    Kind.CHANNEL_SELECT: _SELECT | {"default_values", "channel_types"},
    Kind.SECTION: frozenset({"components", "accessory"}),
    Kind.TEXT_DISPLAY: frozenset({"content"}),
    Kind.THUMBNAIL: frozenset({"media", "description", "spoiler"}),
    Kind.MEDIA_GALLERY: frozenset({"items"}),
    Kind.FILE: frozenset({"file", "name", "size", "spoiler"}),
    Kind.SEPARATOR: frozenset({"spacing", "divider"}),
    Kind.CONTAINER: frozenset({"accent_color", "components", "spoiler"}),
}
_DEFAULTS: Mapping[int, Mapping[str, object]] = {
    Kind.STRING_SELECT: _DEFAULTS_OF_SELECTS,
    Kind.USER_SELECT: _DEFAULTS_OF_SELECTS,
    Kind.ROLE_SELECT: _DEFAULTS_OF_SELECTS,
    Kind.MENTIONABLE_SELECT: _DEFAULTS_OF_SELECTS,
    Kind.CHANNEL_SELECT: _DEFAULTS_OF_SELECTS,
    Kind.THUMBNAIL: {"description": None, "spoiler": False},
    Kind.FILE: {"spoiler": False},
    Kind.SEPARATOR: {"spacing": 1, "divider": True},
    Kind.CONTAINER: {"accent_color": None, "spoiler": False},
}
_ALWAYS = frozenset({"type", "id"})
_ITEM = ("media", "description", "spoiler")


def complete(component: JsonObject) -> None:
    """Change one component, without those below it, into what Discord returns; in place."""
    kind = component["type"]
    for key in component.keys() - _KEYS[kind] - _ALWAYS:
        del component[key]
    for key, default in _DEFAULTS.get(kind, {}).items():
        component.setdefault(key, default)
    for holder in (component, *component.get("options", ())):
        if isinstance(holder, dict) and isinstance(holder.get("emoji"), dict):
            holder["emoji"] = {key: each for key, each in holder["emoji"].items() if each is not None}


def gallery_item(item: JsonObject) -> JsonObject:
    """One item of a media gallery as Discord returns it."""
    whole = {"description": None, "spoiler": False, **item}
    return {key: whole[key] for key in _ITEM}
