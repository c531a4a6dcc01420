"""A modal as a person fills it in: what the client refuses, and what it sends.

Source: Discord's developer documentation, "Modal Submit Data" and the interaction responses of
"Component Reference".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from discord_sandbox.clients.resolved_data import File, Resolved
from discord_sandbox.model.errors import Faults
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.controls import SELECTS, Kind
from discord_sandbox.validation.modals import Modal

Value: TypeAlias = str | bool | File | Sequence[str] | Sequence[File]
"""A text, a tick, a file, or several values; ids for users, roles and channels."""


def submission(modal: Modal, values: Mapping[str, Value], resolved: Resolved) -> list[JsonObject]:
    """The `components` of the interaction that the sending of `modal` makes.

    `values` are by custom id; absent ones are sent as the modal had them at first.
    """

    def answer(field: JsonObject) -> JsonObject:
        sent: JsonObject = {"type": field["type"], "id": field["id"], "custom_id": field["custom_id"]}
        return {**sent, **_answer(field, values.get(field["custom_id"]), resolved)}

    sent: list[JsonObject] = []
    for top in modal.components:
        if top["type"] == Kind.ACTION_ROW:
            sent.append({"type": 1, "id": top["id"], "components": [answer(top["components"][0])]})
        elif top["type"] == Kind.LABEL:
            sent.append({"type": 18, "id": top["id"], "component": answer(top["component"])})
        else:
            sent.append({"type": top["type"], "id": top["id"]})
    return sent


def _answer(field: JsonObject, value: Value | None, resolved: Resolved) -> JsonObject:
    kind = field["type"]
    if kind == Kind.TEXT_INPUT:
        return {"value": value if isinstance(value, str) else field.get("value", "")}
    if kind == Kind.CHECKBOX:
        return {"value": value if isinstance(value, bool) else bool(field.get("default"))}
    chosen = _chosen(field, value)
    if kind == Kind.RADIO_GROUP:
        return {"value": chosen[0] if chosen else None}
    if kind == Kind.FILE_UPLOAD:
        return {"values": [resolved.file_of(each) for each in chosen]}
    if kind in SELECTS and kind != Kind.STRING_SELECT:
        return {"values": [resolved.selected(field, str(each)) for each in chosen]}
    return {"values": chosen}


def _chosen(field: JsonObject, value: Value | None) -> list[object]:
    """The chosen values: those given, or the modal's defaults."""
    if value is None:
        options = [each["value"] for each in field.get("options", ()) if each.get("default")]
        return options + [each["id"] for each in field.get("default_values", ())]
    if isinstance(value, str | bool | File):
        return [value]
    return list(value)


def faults_of(modal: Modal, values: Mapping[str, Value]) -> JsonObject:
    """The reasons why Discord's client would not send these values, as a tree by custom id; empty if there are none."""
    faults = Faults()
    for unknown in values.keys() - modal.fields.keys():
        faults.add((unknown,), "UNKNOWN_FIELD", "the modal has no such field")
    for custom_id, field in modal.fields.items():
        value = values.get(custom_id)
        if field["type"] == Kind.TEXT_INPUT:
            _check_text(faults, field, value)
        elif field["type"] == Kind.CHECKBOX:
            if value is not None and not isinstance(value, bool):
                faults.add((custom_id,), "TICK", "a checkbox is true or false")
        else:
            _check_chosen(faults, field, _chosen(field, value))
    return faults.tree


def _check_text(faults: Faults, field: JsonObject, value: Value | None) -> None:
    path = (field["custom_id"],)
    text = value if value is not None else field.get("value", "")
    if not isinstance(text, str):
        faults.add(path, "TEXT", "a text is wanted")
    elif not text and field.get("required", True):
        faults.add(path, "REQUIRED", "this field is required")
    elif text and not field.get("min_length", 0) <= len(text) <= field.get("max_length", 4000):
        faults.add(path, "LENGTH", "the text is too short or too long")


def _check_chosen(faults: Faults, field: JsonObject, chosen: list[object]) -> None:
    path = (field["custom_id"],)
    least = field.get("min_values", 1)
    if not chosen and not field.get("required", True):
        least = 0
    if not least <= len(chosen) <= field.get("max_values", 1):
        faults.add(path, "COUNT", "too few or too many values")
    if "options" in field and not {each["value"] for each in field["options"]}.issuperset(chosen):
        faults.add(path, "CHOICE", "no such option")
    is_file = field["type"] == Kind.FILE_UPLOAD
    if any(isinstance(each, File) != is_file for each in chosen):
        faults.add(path, "FILE", "files are wanted" if is_file else "no file is wanted")
