"""Reads JSON arrays of tagged dataclasses by one validator of pydantic, made from the schema of their fields.

Pydantic knows the fields of a dataclass, but not the tags that its codec writes beside them. So they are added to its
schema, and the whole array is read in one call: a start reads millions of facts.

Small values such as cards are looked up by their fields and not made again: all equal ones that are read are one
object, because a card is in thousands of logs. Only frozen values made of plain ones are, because equal ones are
interchangeable. If a class has many more values than a pack has cards, only the first are kept.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import Any, Final, TypeAlias, Union

from pydantic import ConfigDict, TypeAdapter
from pydantic_core import CoreSchema, SchemaValidator, core_schema, to_json

STRICT: Final = ConfigDict(strict=True, extra="forbid", hide_input_in_errors=True)
MAX_KEPT = 4096
"""How many small values of one class are kept."""

_CORE: Final = core_schema.CoreConfig(strict=True, extra_fields_behavior="forbid", hide_input_in_errors=True)
_PLAIN: Final = (int, str, bool, type(None))

Node: TypeAlias = dict[str, Any]
"""A part of a schema."""


def version_of(cls: type) -> int:
    """The version of a class's fields (`GameInfo`)."""
    version: int = getattr(cls, "V", 1)
    return version


def array_reader(classes: Sequence[type]) -> SchemaValidator:
    """The validator of arrays of these classes, each value with its `type` and its present version as `v`."""
    surrounded: Any = types.GenericAlias(tuple, tuple(classes))
    whole: Any = TypeAdapter(surrounded, config=STRICT).core_schema
    definitions = {each["ref"]: each for each in whole.get("definitions", ())}
    items = (whole["schema"] if definitions else whole)["items_schema"]
    choices = {
        cls.__name__: _tagged(cls, definitions[item["schema_ref"]] if item["type"] == "definition-ref" else item)
        for cls, item in zip(classes, items, strict=True)
    }
    array = core_schema.tuple_schema([core_schema.tagged_union_schema(choices, "type")], variadic_item_index=0)
    shared = [_looked_up(each) for each in definitions.values()]
    return SchemaValidator(core_schema.definitions_schema(array, shared) if shared else array, _CORE)


def _tagged(cls: type, node: Node) -> CoreSchema:
    """The schema of a class with its tags, which are checked and left out."""
    fields, version = _looked_up(node["schema"]), version_of(cls)
    fields["fields"] = [
        *fields["fields"],
        core_schema.dataclass_field("type", core_schema.literal_schema([cls.__name__]), init_only=True, kw_only=True),
        core_schema.dataclass_field("v", core_schema.int_schema(ge=version, le=version), init_only=True, kw_only=True),
    ]
    made: Any = {**node, "schema": fields, "post_init": False}
    made.pop("ref", None)
    return core_schema.no_info_after_validator_function(_checked, made) if node.get("post_init") else made


def _checked(value: Any) -> Any:
    """A value that checks itself when it is made; pydantic would hand its tags to it."""
    value.__post_init__()
    return value


def _looked_up(node: Any) -> Any:
    """A schema in which small values are looked up."""
    if isinstance(node, list):
        return [_looked_up(part) for part in node]
    if not isinstance(node, dict):
        return node
    if node.get("type") != "dataclass" or not is_small(node["cls"]):
        return {name: _looked_up(part) for name, part in node.items() if name != "metadata"}
    fields = {
        each["name"]: core_schema.typed_dict_field(_by_texts(each["schema"])) for each in node["schema"]["fields"]
    }
    read = core_schema.typed_dict_schema(fields, extra_behavior="forbid", config=_CORE)
    return core_schema.no_info_after_validator_function(_pool(node["cls"]).find, read, ref=node.get("ref"))


def _by_texts(node: Any) -> Any:
    """The schema of a small value's field in which a member of an enumeration is its text, because hashing the member
    takes longer than anything else about a card."""
    if not isinstance(node, dict):
        return node
    if node.get("type") == "enum":
        return core_schema.literal_schema([member.value for member in node["members"]])
    return {name: _by_texts(part) for name, part in node.items() if name != "metadata"}


class _Pool(dict[tuple[Any, ...], Any]):
    """The small values of a class by their fields."""

    def __init__(self, cls: type) -> None:
        super().__init__()
        self._made = SchemaValidator(TypeAdapter(cls).core_schema, _CORE)
        self._names = tuple([field.name for field in dataclasses.fields(cls)])

    def find(self, fields: Node) -> Any:
        """The value with these fields, which were validated."""
        return self[tuple(fields.values())]

    def __missing__(self, fields: tuple[Any, ...]) -> Any:
        value = self._made.validate_json(to_json(dict(zip(self._names, fields, strict=True))))
        if len(self) < MAX_KEPT:
            self[fields] = value
        return value


@cache
def _pool(cls: type) -> _Pool:
    return _Pool(cls)


def is_small(kind: Any) -> bool:
    """Whether a type has only frozen values made of plain ones."""
    if not isinstance(kind, type) or not dataclasses.is_dataclass(kind):
        return False
    if not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]  # every dataclass has them
        return False
    hints = typing.get_type_hints(kind)
    return all(
        field.compare and field.init and not field.kw_only and _is_plain(hints[field.name])
        for field in dataclasses.fields(kind)
    )


def _is_plain(kind: Any) -> bool:
    """Whether different values of a type are never equal: 1 and True are, so a union has one type, or none."""
    if typing.get_origin(kind) in (Union, types.UnionType):
        parts = typing.get_args(kind)
        return len(parts) == 2 and type(None) in parts and all(map(_is_plain, parts))
    if not isinstance(kind, type):
        return False
    return kind in _PLAIN or (issubclass(kind, Enum) and all(type(member.value) is str for member in kind))
