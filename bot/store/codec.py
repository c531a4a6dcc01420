"""Events, actions and options as JSON with sorted keys and no spaces: ``{"seat":0,"type":"CardsPlayed","v":1}``.

Every value is tagged with its class and read by that class's own strict adapter. In an untagged union, two classes with
equal fields would be read as the first of them. For the same reason a field may not be a union of dataclasses.

A log outlives the code that wrote it. You may add fields with a default; for anything else raise the class's version (a
class variable ``V``, 1 when there is none) and give the codec an upcaster for the old one.

Errors never contain a value, because values are hands. They name the class, the kind of error and, if the class has it,
the field.

An array of present versions is read in one call of pydantic, because a start reads millions of facts. Pydantic knows
the fields of a dataclass, but not the tags beside them, so they are added to its schema. Small values such as cards are
looked up by their fields and not made again: all equal ones that are read are one object, because a card is in
thousands of logs. Only frozen values made of plain ones are, because equal ones are interchangeable. If a class has
many more values than a pack has cards, only the first are kept.
"""

from __future__ import annotations

import contextlib
import dataclasses
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, Final, TypeAlias, Union

import orjson
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, PydanticSerializationError, SchemaValidator, core_schema, to_json

from bot.kept import Kept

_TAGS = frozenset({"type", "v"})
STRICT: Final = ConfigDict(strict=True, extra="forbid", hide_input_in_errors=True)
Fields: TypeAlias = dict[str, Any]
Upcaster: TypeAlias = Callable[[Fields], Fields]
"""Converts the JSON fields of version n of a class (without the tags) to those of version n + 1."""


class CodecError(Exception):
    """Raised for a text that contains no value of the codec's classes, or for a value of another class."""


class Codec:
    """Writes and reads values of the given frozen dataclasses.

    Raises TypeError for a class that is not a dataclass, or that has a field named like a tag or a field that is a
    union of dataclasses. Raises ValueError for two classes with one name, and for an upcaster without a target.
    """

    def __init__(self, classes: Iterable[type], upcasters: Mapping[tuple[str, int], Upcaster] | None = None) -> None:
        self._by_class: dict[type, _Entry] = {}
        self._by_name: dict[str, _Entry] = {}
        for cls in classes:
            if cls in self._by_class:
                continue
            if cls.__name__ in self._by_name:
                raise ValueError(f"two classes are called {cls.__name__}")
            self._by_class[cls] = self._by_name[cls.__name__] = _Entry(cls)
        self._reader = array_reader(tuple(self._by_class))
        self._upcasters = dict(upcasters or {})
        for name, version in self._upcasters:
            entry = self._by_name.get(name)
            if entry is None or not 1 <= version < entry.version:
                raise ValueError(f"nothing to upcast to from {name} v{version}")

    def encode(self, value: object) -> str:
        """The value as JSON. Raises CodecError for a value that the codec could not read back."""
        return _written(self._entry_of(value).dump(value))

    def encode_all(self, values: Iterable[object]) -> str:
        """The values as a JSON array. Raises CodecError."""
        return _written([self._entry_of(value).dump(value) for value in values])

    def encode_fields(self, value: object) -> str:
        """The fields of a value alone as JSON, without class and version: sorted keys, no spaces.

        What is sealed before play is written so (`engines.deals`). Raises CodecError.
        """
        return _written(without_tags(self._entry_of(value).dump(value)))

    def decode(self, text: str) -> Any:
        """The value that `encode` wrote. Raises CodecError."""
        with contextlib.suppress(ValidationError):  # as in `decode_all`
            values = self._reader.validate_json(f"[{text}]")
            if len(values) == 1:
                return values[0]
        return self._read(_parse(text))

    def class_of(self, text: str) -> type:
        """The class of the value that `encode` wrote, without reading the value. Raises CodecError."""
        item = _parse(text)
        name = item.get("type") if isinstance(item, dict) else None
        entry = self._by_name.get(name) if isinstance(name, str) else None
        if entry is None:
            raise CodecError("unknown type")
        return entry.cls

    def decode_all(self, text: str) -> tuple[Any, ...]:
        """The values that `encode_all` wrote. Raises CodecError."""
        with contextlib.suppress(ValidationError):  # some have another version, or something is wrong with them
            return tuple(self._reader.validate_json(text))
        items = _parse(text)
        if not isinstance(items, list):
            raise CodecError("not an array")
        return tuple([self._read(item) for item in items])

    def _entry_of(self, value: object) -> _Entry:
        entry = self._by_class.get(type(value))
        if entry is None:
            raise CodecError(f"unknown class {type(value).__name__}")
        return entry

    def _read(self, item: object) -> Any:
        if not isinstance(item, dict):
            raise CodecError("not an object")
        name = item.pop("type", None)
        entry = self._by_name.get(name) if isinstance(name, str) else None
        if entry is None:
            raise CodecError("unknown type")
        version = item.pop("v", None)
        if type(version) is not int or not 1 <= version <= entry.version:
            raise CodecError(f"{entry.name}: unknown version")
        for old in range(version, entry.version):
            item = self._upcast(item, entry.name, old)
        fault = ""
        try:
            return self._reader.validate_json(orjson.dumps([{"type": name, "v": entry.version, **item}]))[0]
        except ValidationError as error:
            fault = entry.describe(error)
        raise CodecError(fault)  # outside the handler: the error it came from holds the value

    def _upcast(self, fields: Fields, name: str, version: int) -> Fields:
        upcaster = self._upcasters.get((name, version))
        if upcaster is None:
            raise CodecError(f"{name}: nothing reads version {version} any more")
        try:
            return upcaster(fields)
        except Exception as error:  # noqa: BLE001  whatever it is, it may contain the value
            fault = type(error).__name__
        raise CodecError(f"{name}: version {version} cannot be read ({fault})")


def is_canonical(text: str) -> bool:
    """Whether a text is JSON as the codec writes it: sorted keys, no name twice, no spaces. So no two programs can read
    two values in it."""
    try:
        return _written(_parse(text)) == text
    except (CodecError, orjson.JSONEncodeError):  # it is nested too deeply
        return False


def _written(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def without_tags(fields: Fields) -> Fields:
    """The fields of an encoded value, without its class and version."""
    return {name: field for name, field in fields.items() if name not in _TAGS}


class _Entry:
    """One class: its name, its version, its adapter."""

    __slots__ = ("_adapter", "_known", "cls", "name", "version")

    def __init__(self, cls: type) -> None:
        _check(cls)
        self.cls = cls
        self.name = cls.__name__
        self.version = version_of(cls)
        self._known = frozenset(field.name for field in dataclasses.fields(cls))
        # Pydantic accepts no configuration for a standard dataclass, but a dataclass inherits the one around it.
        surrounded: Any = types.GenericAlias(tuple, (cls,))
        self._adapter: TypeAdapter[tuple[Any]] = TypeAdapter(surrounded, config=STRICT)

    def dump(self, value: object) -> Fields:
        try:
            (fields,) = self._adapter.dump_python((value,), mode="json", warnings="error")
        except PydanticSerializationError:
            fault = f"{self.name}: a field holds what its type does not allow"
        else:
            return {"type": self.name, "v": self.version, **fields}
        raise CodecError(fault)  # outside the handler: the error it came from holds the value

    def describe(self, error: ValidationError) -> str:
        """What is wrong with a value in an array, without any part of it."""
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        found_at = first["loc"][2:3]
        field = f" at {found_at[0]}" if found_at and found_at[0] in self._known else ""
        return f"{self.name}: {first['type']}{field}"


def _parse(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    raise CodecError("not JSON")  # outside the handler: the error it came from holds the text


def _check(cls: type) -> None:
    """Refuse a value that could not be read back unchanged."""
    if not dataclasses.is_dataclass(cls):
        raise TypeError(f"{cls.__name__} is not a dataclass")
    names = {field.name for field in dataclasses.fields(cls)}
    if names & _TAGS:
        raise TypeError(f"{cls.__name__} has a field named as a tag")
    for kind in _parts(cls, set()):
        members = [part for part in typing.get_args(kind) if dataclasses.is_dataclass(part)]
        if typing.get_origin(kind) in (Union, types.UnionType) and len(members) > 1:
            raise TypeError(f"{cls.__name__} has a field that is a union of dataclasses")


def _parts(kind: Any, seen: set[Any]) -> Iterator[Any]:
    """A type, its arguments, and those of the fields of its dataclasses."""
    yield kind
    for part in typing.get_args(kind):
        yield from _parts(part, seen)
    if dataclasses.is_dataclass(kind) and kind not in seen:
        seen.add(kind)
        hints = typing.get_type_hints(kind)
        for field in dataclasses.fields(kind):
            yield from _parts(hints[field.name], seen)


# -------------------------------------------------------------------------------------- reading arrays

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


class _Pool(Kept[tuple[Any, ...], Any]):
    """The small values of a class by their fields."""

    def __init__(self, cls: type) -> None:
        super().__init__("small values of logs", MAX_KEPT)
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
