"""A message's components, V1 and V2: reading the tree, refusing what Discord refuses.

Source: Discord's developer documentation, "Component Reference"; the sum of 4,000 characters over
all text displays is Discord's enforced practice.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from discord_sandbox.model.errors import Path
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation import component_defaults
from discord_sandbox.validation.controls import SELECTS, Kind, read_button, read_select
from discord_sandbox.validation.forms import Form, choices_text

MOST_COMPONENTS = 40
MOST_TEXT = 4000
MOST_ROWS_V1 = 5

_TOP_V2 = frozenset(
    {
        Kind.ACTION_ROW,
        Kind.SECTION,
        Kind.TEXT_DISPLAY,
        Kind.MEDIA_GALLERY,
        Kind.FILE,
        Kind.SEPARATOR,
        Kind.CONTAINER,
    }
)
_TOP_V1 = frozenset({Kind.ACTION_ROW})
_IN_CONTAINER = _TOP_V2 - {Kind.CONTAINER}
_IN_ROW = SELECTS | {Kind.BUTTON}
_IN_SECTION = frozenset({Kind.TEXT_DISPLAY})
_ACCESSORIES = frozenset({Kind.BUTTON, Kind.THUMBNAIL})


@dataclass(frozen=True, slots=True)
class Media:
    """What components may refer to: uploaded files by name, with the JSON of each."""

    files: Mapping[str, JsonObject] = field(default_factory=dict)

    def by_id(self, attachment_id: str | None) -> JsonObject:
        """The JSON of an uploaded file; empty without one."""
        return next((each for each in self.files.values() if each["id"] == attachment_id), {})


@dataclass(slots=True)
class Layout:
    """A message's components, accepted: as Discord returns them, and what a client finds there."""

    components: list[JsonObject]
    controls: dict[str, JsonObject]  # buttons and selects by custom id
    texts: list[str]  # of the text displays, in order
    count: int  # nested ones too


class _Reader:
    """Walks one tree and keeps the sums that are limited."""

    def __init__(self, custom_emojis: Collection[int], media: Media) -> None:
        self.custom_emojis = custom_emojis
        self.media = media
        self.controls: dict[str, JsonObject] = {}
        self.texts: list[str] = []
        self.count = 0
        self._ids: set[int] = set()
        self._without_id: list[JsonObject] = []

    def read(self, form: Form, allowed: Collection[int]) -> JsonObject | None:
        """One component with all below it; None after an error in its type."""
        kind = form.value.get("type")
        if isinstance(kind, bool) or not isinstance(kind, int) or kind not in allowed:
            form.fault(
                "type",
                "UNION_TYPE_CHOICES",
                f'Value of field "type" must be one of {choices_text(allowed)}.',
            )
            return None
        self.count += 1
        kept: JsonObject = {key: each for key, each in form.value.items() if each is not None}
        self._take_id(form, kept)
        if kind == Kind.BUTTON:
            read_button(form, self.custom_emojis)
            self._take_control(form, kept)
        elif kind in SELECTS:
            read_select(form, kind, self.custom_emojis)
            self._take_control(form, kept)
        else:
            self._read_layout(kind, form, kept)
        component_defaults.complete(kept)
        return kept

    def _read_layout(self, kind: int, form: Form, kept: JsonObject) -> None:
        if kind == Kind.ACTION_ROW:
            kept["components"] = self.children(form, "components", 1, 5, _IN_ROW)
            _check_row_width(form)
        elif kind == Kind.CONTAINER:
            form.truth("spoiler")
            form.integer("accent_color", 0, 0xFFFFFF)
            kept["components"] = self.children(form, "components", 1, MOST_COMPONENTS, _IN_CONTAINER)
        elif kind == Kind.SECTION:
            kept["components"] = self.children(form, "components", 1, 3, _IN_SECTION)
            accessory = form.form("accessory", required=True)
            if accessory is not None:
                kept["accessory"] = self.read(accessory, _ACCESSORIES)
        elif kind == Kind.TEXT_DISPLAY:
            text = form.text("content", 1, MOST_TEXT, required=True)
            self.texts.append(text or "")
        elif kind == Kind.SEPARATOR:
            form.truth("divider")
            form.one_of("spacing", (1, 2))
        elif kind == Kind.MEDIA_GALLERY:
            items = form.forms("items", 1, 10, required=True)
            kept["items"] = [component_defaults.gallery_item(self._described(item, "media")) for item in items]
        elif kind == Kind.THUMBNAIL:
            kept.update(self._described(form, "media"))
        elif kind == Kind.FILE:
            form.truth("spoiler")
            media = kept["file"] = self._media(form, "file", uploaded_only=True)
            file = self.media.by_id(media.get("attachment_id"))
            kept["name"], kept["size"] = file.get("filename", ""), file.get("size", 0)

    def children(self, form: Form, key: str, low: int, high: int, allowed: Collection[int]) -> list[JsonObject]:
        """The components in a list."""
        found = (self.read(child, allowed) for child in form.forms(key, low, high, required=True))
        return [each for each in found if each is not None]

    def _described(self, form: Form, key: str) -> JsonObject:
        form.text("description", 1, 1024)
        form.truth("spoiler")
        kept = {name: each for name, each in form.value.items() if each is not None}
        kept[key] = self._media(form, key, uploaded_only=False)
        return kept

    def _media(self, form: Form, key: str, *, uploaded_only: bool) -> JsonObject:
        media = form.form(key, required=True)
        if media is None:
            return {}
        url = media.text("url", 1, 2048, required=True)
        if url is None:
            return {}
        if url.startswith("attachment://"):
            found = self.media.files.get(url.removeprefix("attachment://"))
            if found is None:
                media.fault("url", "UNKNOWN_ATTACHMENT", "The referenced attachment was not found")
                return {}
            return {
                "id": found["id"],
                "url": found["url"],
                "proxy_url": found["proxy_url"],
                "width": found.get("width"),
                "height": found.get("height"),
                "content_type": found.get("content_type"),
                "attachment_id": found["id"],
                "loading_state": 2,
                "flags": 0,
            }
        if uploaded_only or not url.startswith(("http://", "https://")):
            media.fault("url", "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https').")
            return {}
        own = str(zlib.crc32(url.encode()))  # the same address means the same medium
        return {"id": own, "url": url, "proxy_url": url, "width": None, "height": None, "loading_state": 2, "flags": 0}

    def _take_id(self, form: Form, kept: JsonObject) -> None:
        own = form.integer("id", 0, 2**31 - 1)
        if not own:  # 0 counts as none
            self._without_id.append(kept)
        elif own in self._ids:
            form.fault("id", "COMPONENT_ID_DUPLICATED", "Component id was already specified")
        else:
            self._ids.add(own)

    def _take_control(self, form: Form, kept: JsonObject) -> None:
        custom_id = form.value.get("custom_id")
        if not isinstance(custom_id, str):
            return
        if custom_id in self.controls:
            form.fault("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
        self.controls[custom_id] = kept

    def number(self) -> None:
        """Give each component without an id the next free one, in the order of reading."""
        fresh = 0
        for kept in self._without_id:
            fresh += 1
            while fresh in self._ids:
                fresh += 1
            kept["id"] = fresh


def _check_row_width(form: Form) -> None:
    children = form.value.get("components")
    if not isinstance(children, list) or len(children) < 2:
        return
    if any(isinstance(child, dict) and child.get("type") in SELECTS for child in children):
        form.fault("components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")


def read_components(
    form: Form, *, v2: bool, custom_emojis: Collection[int], media: Media, key: str = "components"
) -> Layout:
    """Read the components in field `key` of a message's form; errors are recorded in the form.

    `v2` is whether the message has IS_COMPONENTS_V2.
    """
    reader = _Reader(custom_emojis, media)
    most = MOST_COMPONENTS if v2 else MOST_ROWS_V1
    found = reader.children(form, key, 0, most, _TOP_V2 if v2 else _TOP_V1)
    path: Path = (*form.path, key)
    if reader.count > MOST_COMPONENTS:
        form.faults.add(
            path,
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            f"The total number of components exceeds the maximum of {MOST_COMPONENTS}",
        )
    if sum(map(len, reader.texts)) > MOST_TEXT:
        form.faults.add(
            path,
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            f"Total displayable text exceeds maximum size of {MOST_TEXT}",
        )
    reader.number()
    return Layout(found, reader.controls, reader.texts, reader.count)
