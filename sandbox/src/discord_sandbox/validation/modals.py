"""Modals: reading the form a bot shows.

Source: Discord's developer documentation, "Modal" callback and "Label", "Text Input" components.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.controls import SELECTS, Kind, read_select
from discord_sandbox.validation.forms import Form, choices_text
from discord_sandbox.validation.modal_fields import FIELDS, read_field, read_text_input

MOST_TOP_LEVEL = 5
_TOP = frozenset({Kind.ACTION_ROW, Kind.TEXT_DISPLAY, Kind.LABEL})
_LABELLED = SELECTS | FIELDS


@dataclass(frozen=True, slots=True)
class Modal:
    """An accepted modal; `components` have ids, `fields` are its inputs and selects by custom id."""

    custom_id: str
    title: str
    components: list[JsonObject]
    fields: dict[str, JsonObject]


def read_modal(form: Form, custom_emojis: Collection[int]) -> Modal:
    """Read the `data` of a callback of type 9; raises ApiError 50035 through the form's faults."""
    custom_id = form.text("custom_id", 1, 100, required=True) or ""
    title = form.text("title", 1, 45, required=True) or ""
    fields: dict[str, JsonObject] = {}
    components = [
        _read_top(top, fields, custom_emojis) for top in form.forms("components", 1, MOST_TOP_LEVEL, required=True)
    ]
    form.faults.check()
    _number(components)
    return Modal(custom_id, title, components, fields)


def _read_top(form: Form, fields: dict[str, JsonObject], custom_emojis: Collection[int]) -> JsonObject:
    kind = _kind(form, _TOP)
    kept = dict(form.value)
    if kind == Kind.TEXT_DISPLAY:
        form.text("content", 1, 4000, required=True)
    elif kind == Kind.ACTION_ROW:
        kept["components"] = []
        for child in form.forms("components", 1, 1, required=True):
            if _kind(child, {Kind.TEXT_INPUT}) is not None:
                read_text_input(child, labelled=False)
                kept["components"].append(_take(child, fields))
    elif kind == Kind.LABEL:
        form.text("label", 1, 45, required=True)
        form.text("description", 1, 100)
        inner = form.form("component", required=True)
        if inner is not None:
            inner_kind = _kind(inner, _LABELLED)
            if inner_kind in SELECTS:
                read_select(inner, inner_kind or 0, custom_emojis, in_modal=True)
            elif inner_kind is not None:
                read_field(inner, inner_kind)
            kept["component"] = _take(inner, fields)
    return kept


def _kind(form: Form, allowed: Collection[int]) -> int | None:
    kind = form.value.get("type")
    if isinstance(kind, int) and kind in allowed:
        return kind
    form.fault("type", "UNION_TYPE_CHOICES", f'Value of field "type" must be one of {choices_text(allowed)}.')
    return None


def _take(form: Form, fields: dict[str, JsonObject]) -> JsonObject:
    kept = {key: each for key, each in form.value.items() if each is not None}
    custom_id = kept.get("custom_id")
    if isinstance(custom_id, str):
        if custom_id in fields:
            form.fault("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
        fields[custom_id] = kept
    return kept


def _number(components: list[JsonObject]) -> None:
    """Give each component without an id the next free one."""
    everything = list(_walk(components))
    taken = {each["id"] for each in everything if each.get("id")}
    fresh = 0
    for each in everything:
        if each.get("id"):
            continue
        fresh += 1
        while fresh in taken:
            fresh += 1
        each["id"] = fresh


def _walk(components: list[JsonObject]) -> Iterator[JsonObject]:
    for component in components:
        yield component
        yield from _walk(component.get("components", []))
        inner = component.get("component")
        if inner is not None:
            yield inner
