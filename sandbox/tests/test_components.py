"""Components: what Discord refuses is refused as 50035, at the path of the fault."""

from __future__ import annotations

from typing import Any

import pytest

from discord_sandbox.model.errors import ApiError, Faults
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.components import Media, read_components
from discord_sandbox.validation.forms import Form

Raw = dict[str, Any]


def button(custom_id: str = "b", **more: Any) -> Raw:
    return {"type": 2, "style": 1, "label": "Press", "custom_id": custom_id, **more}


def row(*children: Raw) -> Raw:
    return {"type": 1, "components": list(children)}


def text(content: str = "text") -> Raw:
    return {"type": 10, "content": content}


def select(count: int = 2, **more: Any) -> Raw:
    options = [{"label": f"o{number}", "value": f"v{number}"} for number in range(count)]
    return {"type": 3, "custom_id": "s", "options": options, **more}


def tree_of(components: list[Raw], *, v2: bool) -> JsonObject:
    """The tree of faults; empty if the components are accepted."""
    faults = Faults()
    form = Form({"components": components}, faults)
    read_components(form, v2=v2, custom_emojis=(), media=Media())
    return faults.tree


def codes(tree: JsonObject, *path: str | int) -> list[str]:
    for step in path:
        tree = tree[str(step)]
    return [each["code"] for each in tree["_errors"]]


IN_V1: list[tuple[str, list[Raw], tuple[str | int, ...], str]] = [
    ("label over 80", [row(button(label="x" * 81))], (0, "components", 0, "label"), "BASE_TYPE_MAX_LENGTH"),
    ("no custom id", [row(button(custom_id=None))], (0, "components", 0, "custom_id"), "BASE_TYPE_REQUIRED"),  # type: ignore[arg-type]  # the fault itself
    ("id over 100", [row(button("x" * 101))], (0, "components", 0, "custom_id"), "BASE_TYPE_BAD_LENGTH"),
    (
        "same id twice",
        [row(button("a")), row(button("a"))],
        (1, "components", 0, "custom_id"),
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    ("six rows", [row(button(str(number))) for number in range(6)], (), "BASE_TYPE_MAX_LENGTH"),
    (
        "six buttons in a row",
        [row(*(button(str(number)) for number in range(6)))],
        (0, "components"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    ("an empty row", [row()], (0, "components"), "BASE_TYPE_BAD_LENGTH"),
    (
        "select beside a button",
        [row(select(), button())],
        (0, "components"),
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    ("26 options", [row(select(26))], (0, "components", 0, "options"), "BASE_TYPE_BAD_LENGTH"),
    ("no options", [row(select(0))], (0, "components", 0, "options"), "BASE_TYPE_BAD_LENGTH"),
    (
        "placeholder over 150",
        [row(select(placeholder="x" * 151))],
        (0, "components", 0, "placeholder"),
        "BASE_TYPE_MAX_LENGTH",
    ),
    (
        "more values than options",
        [row(select(2, max_values=3))],
        (0, "components", 0, "max_values"),
        "SELECT_COMPONENT_MAX_VALUES",
    ),
    (
        "an option's value twice",
        [row({"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "v"}] * 2})],
        (0, "components", 0, "options", 1, "value"),
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    ("a style that is none", [row(button(style=9))], (0, "components", 0, "style"), "BASE_TYPE_CHOICES"),
    (
        "a link with a custom id",
        [row(button(style=5, url="https://example.org"))],
        (0, "components", 0, "custom_id"),
        "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
    ),
    (
        "an emoji that does not exist",
        [row(button(emoji={"id": "1", "name": "x"}))],
        (0, "components", 0, "emoji", "id"),
        "BUTTON_COMPONENT_INVALID_EMOJI",
    ),
    ("a text display", [text()], (0, "type"), "UNION_TYPE_CHOICES"),
    ("a button outside a row", [button()], (0, "type"), "UNION_TYPE_CHOICES"),
    ("a component that is no object", [7], (0,), "MODEL_TYPE_CONVERT"),  # type: ignore[list-item]  # the fault itself
]

ENTITY = {"type": 5, "custom_id": "u"}
IN_SELECTS: list[tuple[str, Raw, tuple[str | int, ...], str]] = [
    ("more than 25 values", {**ENTITY, "max_values": 26}, ("max_values",), "NUMBER_TYPE_MAX"),
    ("no value at most", {**ENTITY, "max_values": 0}, ("max_values",), "NUMBER_TYPE_MIN"),
    ("more at least than at most", {**ENTITY, "min_values": 2}, ("min_values",), "SELECT_COMPONENT_MIN_VALUES"),
    (
        "a default that is a role",
        {**ENTITY, "default_values": [{"id": "1", "type": "role"}]},
        ("default_values", 0, "type"),
        "BASE_TYPE_CHOICES",
    ),
    (
        "more defaults than values",
        {**ENTITY, "default_values": [{"id": "1", "type": "user"}, {"id": "2", "type": "user"}]},
        ("default_values",),
        "BASE_TYPE_MAX_LENGTH",
    ),
    (
        "a default that is no id",
        {**ENTITY, "default_values": [{"id": "x", "type": "user"}]},
        ("default_values", 0, "id"),
        "NUMBER_TYPE_COERCE",
    ),
    (
        "a kind of channel there is not",
        {"type": 8, "custom_id": "c", "channel_types": [0, 99]},
        ("channel_types", 1),
        "BASE_TYPE_CHOICES",
    ),
    (
        "two options chosen where one may be",
        {
            "type": 3,
            "custom_id": "s",
            "options": [{"label": each, "value": each, "default": True} for each in "ab"],
        },
        ("options",),
        "SELECT_COMPONENT_TOO_MANY_DEFAULTS",
    ),
]

IN_V2: list[tuple[str, list[Raw], tuple[str | int, ...], str]] = [
    ("41 components", [text("x") for _ in range(41)], (), "BASE_TYPE_MAX_LENGTH"),
    (
        "41 components, nested",
        [
            {"type": 17, "components": [text("x") for _ in range(30)]},
            {"type": 17, "components": [text("x") for _ in range(9)]},
        ],
        (),
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    (
        "4,001 characters in all",
        [text("x" * 4000), text("x")],
        (),
        "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ),
    ("4,001 characters in one", [text("x" * 4001)], (0, "content"), "BASE_TYPE_BAD_LENGTH"),
    ("an empty text", [text("")], (0, "content"), "BASE_TYPE_REQUIRED"),
    ("a button at the top", [button()], (0, "type"), "UNION_TYPE_CHOICES"),
    ("a text input", [row({"type": 4, "custom_id": "t"})], (0, "components", 0, "type"), "UNION_TYPE_CHOICES"),
    (
        "a container in a container",
        [{"type": 17, "components": [{"type": 17, "components": [text()]}]}],
        (0, "components", 0, "type"),
        "UNION_TYPE_CHOICES",
    ),
    ("a section without accessory", [{"type": 9, "components": [text()]}], (0, "accessory"), "BASE_TYPE_REQUIRED"),
    (
        "a section with four texts",
        [{"type": 9, "components": [text()] * 4, "accessory": button()}],
        (0, "components"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "an id twice over nesting",
        [
            row(button("a")),
            {"type": 17, "components": [{"type": 9, "components": [text()], "accessory": button("a")}]},
        ],
        (1, "components", 0, "accessory", "custom_id"),
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    ("a number twice", [{**text(), "id": 3}, {**text(), "id": 3}], (1, "id"), "COMPONENT_ID_DUPLICATED"),
    (
        "a gallery of nothing",
        [{"type": 12, "items": []}],
        (0, "items"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "a file that was not uploaded",
        [{"type": 13, "file": {"url": "attachment://a.png"}}],
        (0, "file", "url"),
        "UNKNOWN_ATTACHMENT",
    ),
    (
        "a colour out of range",
        [{"type": 17, "accent_color": 1 << 24, "components": [text()]}],
        (0, "accent_color"),
        "NUMBER_TYPE_MAX",
    ),
]


@pytest.mark.parametrize(("components", "path", "code"), [each[1:] for each in IN_V1], ids=[each[0] for each in IN_V1])
def test_v1_refuses(components: list[Raw], path: tuple[str | int, ...], code: str) -> None:
    assert codes(tree_of(components, v2=False), "components", *path) == [code]


@pytest.mark.parametrize(("components", "path", "code"), [each[1:] for each in IN_V2], ids=[each[0] for each in IN_V2])
def test_v2_refuses(components: list[Raw], path: tuple[str | int, ...], code: str) -> None:
    assert codes(tree_of(components, v2=True), "components", *path) == [code]


@pytest.mark.parametrize(
    ("control", "path", "code"), [each[1:] for each in IN_SELECTS], ids=[each[0] for each in IN_SELECTS]
)
def test_selects_are_refused(control: Raw, path: tuple[str | int, ...], code: str) -> None:
    assert codes(tree_of([row(control)], v2=False), "components", 0, "components", 0, *path) == [code]


def test_selects_of_every_kind_are_accepted() -> None:
    rows = [
        row({"type": 5, "custom_id": "5", "default_values": [{"id": "1", "type": "user"}]}),
        row({"type": 6, "custom_id": "6", "min_values": 0, "max_values": 25}),
        row({"type": 7, "custom_id": "7", "default_values": [{"id": "1", "type": "role"}]}),
        row({"type": 8, "custom_id": "8", "channel_types": [0, 2, 15]}),
    ]
    assert tree_of(rows, v2=False) == {}


def test_the_fullest_message_is_accepted() -> None:
    rows = [row(*(button(f"{line}:{place}", label="x" * 80) for place in range(5))) for line in range(6)]
    container = {"type": 17, "components": [text("x" * 4000), *rows, {"type": 14}, {"type": 14}]}
    assert tree_of([container], v2=True) == {}  # 1 + 1 + 6 + 30 + 2 = 40


def test_every_fault_is_told_at_once() -> None:
    tree = tree_of([row(button("a", label="x" * 81)), row(button("a"))], v2=False)
    assert codes(tree, "components", 0, "components", 0, "label")
    assert codes(tree, "components", 1, "components", 0, "custom_id")


def test_numbers_are_given_to_components_that_have_none() -> None:
    faults = Faults()
    raw = [{**text(), "id": 2}, row(button("a"), button("b"))]
    layout = read_components(Form({"components": raw}, faults), v2=True, custom_emojis=(), media=Media())
    kept_text, kept_row = layout.components
    assert (kept_text["id"], kept_row["id"]) == (2, 1)
    assert [each["id"] for each in kept_row["components"]] == [3, 4]
    assert list(layout.controls) == ["a", "b"]


def test_the_refusal_is_discords() -> None:
    faults = Faults()
    faults.add(("components", 0, "label"), "BASE_TYPE_MAX_LENGTH", "Must be 80 or fewer in length.")
    with pytest.raises(ApiError) as caught:
        faults.check()
    assert caught.value.status == 400
    assert caught.value.body() == {
        "code": 50035,
        "message": "Invalid Form Body",
        "errors": {
            "components": {
                "0": {
                    "label": {
                        "_errors": [{"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 80 or fewer in length."}]
                    }
                }
            }
        },
    }
