"""Modals: every limit of theirs refused with its path, and what a person may not send."""

from __future__ import annotations

from typing import Any

import pytest

from discord_sandbox.model.errors import ApiError, Faults
from discord_sandbox.validation.forms import Form
from discord_sandbox.validation.modals import Modal, read_modal

Raw = dict[str, Any]


def text_input(**more: Any) -> Raw:
    return {"type": 4, "custom_id": "t", "style": 1, **more}


def label(component: Raw, **more: Any) -> Raw:
    return {"type": 18, "label": "Label", "component": component, **more}


def modal(*components: Raw, **more: Any) -> Raw:
    return {"title": "Title", "custom_id": "m", "components": list(components), **more}


def options(count: int, **more: Any) -> list[Raw]:
    return [{"label": str(number), "value": str(number), **more} for number in range(count)]


def read(raw: Raw) -> Modal:
    return read_modal(Form(raw, Faults()), ())


def codes(raw: Raw, *path: str | int) -> list[str]:
    with pytest.raises(ApiError) as refused:
        read(raw)
    assert refused.value.code == 50035
    node: Any = refused.value.errors
    for step in path:
        node = node[str(step)]
    return [each["code"] for each in node["_errors"]]


INPUT = label(text_input())
REFUSED: list[tuple[str, Raw, tuple[str | int, ...], str]] = [
    ("a title over 45", modal(INPUT, title="x" * 46), ("title",), "BASE_TYPE_BAD_LENGTH"),
    ("no title", modal(INPUT, title=""), ("title",), "BASE_TYPE_REQUIRED"),
    ("an id over 100", modal(INPUT, custom_id="x" * 101), ("custom_id",), "BASE_TYPE_BAD_LENGTH"),
    ("nothing in it", modal(), ("components",), "BASE_TYPE_BAD_LENGTH"),
    (
        "six at the top",
        modal(*(label(text_input(custom_id=str(number))) for number in range(6))),
        ("components",),
        "BASE_TYPE_BAD_LENGTH",
    ),
    ("a button", modal({"type": 2}), ("components", 0, "type"), "UNION_TYPE_CHOICES"),
    (
        "a select in a row",
        modal({"type": 1, "components": [{"type": 3}]}),
        ("components", 0, "components", 0, "type"),
        "UNION_TYPE_CHOICES",
    ),
    (
        "two inputs in a row",
        modal({"type": 1, "components": [text_input(label="a")] * 2}),
        ("components", 0, "components"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "a row's input without label",
        modal({"type": 1, "components": [text_input()]}),
        ("components", 0, "components", 0, "label"),
        "BASE_TYPE_REQUIRED",
    ),
    ("a label over 45", modal(label(text_input(), label="x" * 46)), ("components", 0, "label"), "BASE_TYPE_BAD_LENGTH"),
    (
        "a description over 100",
        modal(label(text_input(), description="x" * 101)),
        ("components", 0, "description"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    ("a label of nothing", modal({"type": 18, "label": "x"}), ("components", 0, "component"), "BASE_TYPE_REQUIRED"),
    ("a label of a button", modal(label({"type": 2})), ("components", 0, "component", "type"), "UNION_TYPE_CHOICES"),
    (
        "one id twice",
        modal(INPUT, INPUT),
        ("components", 1, "component", "custom_id"),
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    (
        "a style there is not",
        modal(label(text_input(style=3))),
        ("components", 0, "component", "style"),
        "BASE_TYPE_CHOICES",
    ),
    (
        "a length over 4000",
        modal(label(text_input(max_length=4001))),
        ("components", 0, "component", "max_length"),
        "NUMBER_TYPE_MAX",
    ),
    (
        "longer at least than at most",
        modal(label(text_input(min_length=3, max_length=2))),
        ("components", 0, "component", "min_length"),
        "TEXT_INPUT_COMPONENT_MIN_LENGTH",
    ),
    (
        "a placeholder over 100",
        modal(label(text_input(placeholder="x" * 101))),
        ("components", 0, "component", "placeholder"),
        "BASE_TYPE_MAX_LENGTH",
    ),
    (
        "a value over its own length",
        modal(label(text_input(max_length=2, value="xxx"))),
        ("components", 0, "component", "value"),
        "BASE_TYPE_MAX_LENGTH",
    ),
    (
        "a disabled select",
        modal(label({"type": 5, "custom_id": "u", "disabled": True})),
        ("components", 0, "component", "disabled"),
        "COMPONENT_DISABLED_NOT_ALLOWED",
    ),
    (
        "eleven files",
        modal(label({"type": 19, "custom_id": "f", "max_values": 11})),
        ("components", 0, "component", "max_values"),
        "NUMBER_TYPE_MAX",
    ),
    (
        "required, and none at least",
        modal(label({"type": 19, "custom_id": "f", "min_values": 0})),
        ("components", 0, "component", "min_values"),
        "COMPONENT_MIN_VALUES",
    ),
    (
        "a radio group of one",
        modal(label({"type": 21, "custom_id": "r", "options": options(1)})),
        ("components", 0, "component", "options"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "a radio group of eleven",
        modal(label({"type": 21, "custom_id": "r", "options": options(11)})),
        ("components", 0, "component", "options"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "two radio defaults",
        modal(label({"type": 21, "custom_id": "r", "options": options(2, default=True)})),
        ("components", 0, "component", "options"),
        "COMPONENT_TOO_MANY_DEFAULTS",
    ),
    (
        "one value twice",
        modal(label({"type": 21, "custom_id": "r", "options": [*options(1), *options(1)]})),
        ("components", 0, "component", "options", 1, "value"),
        "COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    (
        "more ticks than boxes",
        modal(label({"type": 22, "custom_id": "c", "options": options(2), "max_values": 3})),
        ("components", 0, "component", "max_values"),
        "COMPONENT_MAX_VALUES",
    ),
    (
        "eleven boxes",
        modal(label({"type": 22, "custom_id": "c", "options": options(11)})),
        ("components", 0, "component", "options"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "a box that is no truth",
        modal(label({"type": 23, "custom_id": "c", "default": "x"})),
        ("components", 0, "component", "default"),
        "BOOLEAN_TYPE_CONVERT",
    ),
    (
        "a text display of nothing",
        modal({"type": 10, "content": ""}),
        ("components", 0, "content"),
        "BASE_TYPE_REQUIRED",
    ),
]


@pytest.mark.parametrize(("raw", "path", "code"), [each[1:] for each in REFUSED], ids=[each[0] for each in REFUSED])
def test_what_no_modal_is(raw: Raw, path: tuple[str | int, ...], code: str) -> None:
    assert codes(raw, *path) == [code]


def test_every_kind_of_field_is_accepted_and_numbered() -> None:
    accepted = read(
        modal(
            {"type": 10, "content": "Read this", "id": 7},
            label({"type": 22, "custom_id": "c", "options": options(10), "max_values": 10}),
            label({"type": 21, "custom_id": "r", "options": options(10), "required": False}),
            label({"type": 23, "custom_id": "b", "default": True}),
            label({"type": 19, "custom_id": "f", "min_values": 0, "max_values": 10, "required": False}),
        )
    )
    assert list(accepted.fields) == ["c", "r", "b", "f"]
    assert [each["id"] for each in accepted.components] == [7, 1, 3, 5, 8]
    assert accepted.fields["f"]["id"] == 9
