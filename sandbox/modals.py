"""Modals: reading the form a bot shows, and the values a person sends back.

Source: Discord's developer documentation, "Modal" callback and "Label", "Text Input" components.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from sandbox.controls import SELECTS, Kind, read_select, read_text_input
from sandbox.errors import Faults
from sandbox.forms import Form, choices_text
from sandbox.wire import JsonObject

MOST_TOP_LEVEL = 5
_TOP = frozenset({Kind.ACTION_ROW, Kind.TEXT_DISPLAY, Kind.LABEL})
_LABELLED = SELECTS | {Kind.TEXT_INPUT}


@dataclass(frozen=True, slots=True)
class Modal:
    """An accepted modal; `components` bear ids, `fields` are its inputs and selects by custom id."""

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
    for number, component in enumerate(_walk(components), start=1):
        component.setdefault("id", number)
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
            if inner_kind == Kind.TEXT_INPUT:
                read_text_input(inner, labelled=True)
            elif inner_kind is not None:
                read_select(inner, inner_kind, custom_emojis)
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


def _walk(components: list[JsonObject]) -> Iterator[JsonObject]:
    for component in components:
        yield component
        yield from _walk(component.get("components", []))
        inner = component.get("component")
        if inner is not None:
            yield inner


def submission(modal: Modal, values: Mapping[str, str | list[str]]) -> list[JsonObject]:
    """The `components` of the interaction that a person's sending of `modal` makes.

    `values` maps custom ids to a text, or to the values of a select; absent ones are sent empty.
    """

    def answer(field: JsonObject) -> JsonObject:
        sent: JsonObject = {"type": field["type"], "id": field["id"], "custom_id": field["custom_id"]}
        value = values.get(field["custom_id"])
        if field["type"] == Kind.TEXT_INPUT:
            sent["value"] = value if isinstance(value, str) else field.get("value", "")
        else:
            sent["values"] = [value] if isinstance(value, str) else list(value or ())
        return sent

    sent: list[JsonObject] = []
    for top in modal.components:
        if top["type"] == Kind.ACTION_ROW:
            sent.append({"type": 1, "id": top["id"], "components": [answer(top["components"][0])]})
        elif top["type"] == Kind.LABEL:
            sent.append({"type": 18, "id": top["id"], "component": answer(top["component"])})
        else:
            sent.append({"type": top["type"], "id": top["id"]})
    return sent


def faults_of(modal: Modal, values: Mapping[str, str | list[str]]) -> JsonObject:
    """What keeps Discord's client from sending these values, as a tree by custom id; empty if nothing."""
    faults = Faults()
    for unknown in values.keys() - modal.fields.keys():
        faults.add((unknown,), "UNKNOWN_FIELD", "the modal has no such field")
    for custom_id, field in modal.fields.items():
        value = values.get(custom_id)
        if field["type"] == Kind.TEXT_INPUT:
            text = value if value is not None else field.get("value", "")
            if not isinstance(text, str):
                faults.add((custom_id,), "TEXT", "a text is wanted")
                continue
            if not text and field.get("required", True):
                faults.add((custom_id,), "REQUIRED", "this field is required")
            elif text and not field.get("min_length", 0) <= len(text) <= field.get("max_length", 4000):
                faults.add((custom_id,), "LENGTH", "the text is too short or too long")
        else:
            chosen = [value] if isinstance(value, str) else list(value or ())
            low = field.get("min_values", 1) if field.get("required", True) else 0
            if not low <= len(chosen) <= field.get("max_values", 1):
                faults.add((custom_id,), "COUNT", "too few or too many values")
            known = {option["value"] for option in field.get("options", ())}
            if field["type"] == Kind.STRING_SELECT and not known.issuperset(chosen):
                faults.add((custom_id,), "CHOICE", "no such option")
    return faults.tree
