"""Makes frozen dataclasses from parsed JSON and from rows, by a function compiled for each class.

A start reads millions of facts, and pydantic takes most of the time for values that are as they should be. A compiled
function checks the same, but only knows the usual case: the class's present version, with all its fields, each of a
plain type. Whatever differs in anything raises `Unusual`, and then the strict adapter reads it or says what is wrong.
So a compiled function never accepts what the adapter refuses, and both return equal values.

Small values such as cards are looked up by their fields (`bot.store.interning`), not made again.
"""

from __future__ import annotations

import dataclasses
import itertools
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, Union

from bot.store import interning
from bot.store.interning import interner

T = TypeVar("T")

Reader: TypeAlias = Callable[[Any], Any]
"""Makes a value from parsed JSON. Raises Unusual, KeyError or TypeError for what it does not know."""
Validate: TypeAlias = Callable[[type, dict[str, Any]], Any]
"""The value of a class with these fields, by its strict adapter. Raises Unusual for fields that it refuses."""

_UNIONS: Final = (Union, types.UnionType)
_CHECKS: Final = {
    int: "type({0}) is int",
    str: "type({0}) is str",
    bool: "({0} is True or {0} is False)",
    type(None): "{0} is None",
}


class Unusual(Exception):  # noqa: N818  says what it is; nothing failed
    """Raised for JSON that a compiled function does not read. It may be right all the same."""


def json_reader(cls: type, version: int, validate: Validate) -> Reader | None:
    """A function that reads a class's tagged fields, such as ``{"type": "Passed", "v": 1, "seat": 0}``.

    The type is not looked at. None for a class with a field of a type that is not plain, or of which pydantic knows
    more than its types.
    """
    return _Compiler(validate).tagged(cls, version)


def row_reader(cls: type[T]) -> Callable[[Sequence[Any]], T]:
    """A function that makes a value of a frozen class with slots from its fields in their order, unchecked.

    Raises TypeError for a class that it cannot make so.
    """
    if not _can_be_drafted(cls) or hasattr(cls, "__post_init__"):
        raise TypeError(f"a {cls.__name__} cannot be made field by field")
    targets = ", ".join(f"made.{field.name}" for field in dataclasses.fields(cls))  # type: ignore[arg-type]  # it is one
    lines = ["def read(row):", " made = new(draft)", f" {targets} = row", " made.__class__ = cls", " return made"]
    known: dict[str, Any] = {"new": object.__new__, "draft": _draft_of(cls), "cls": cls}
    exec("\n".join(lines), known)  # noqa: S102  made only of field names
    read: Callable[[Sequence[Any]], T] = known["read"]
    return read


class _NotPlainError(Exception):
    """A class or a type of a field cannot be compiled."""


class _Known(dict[tuple[Any, ...], Any]):
    """Small values of a class by their fields' JSON. The adapter makes each when it is first read."""

    def __init__(self, cls: type, names: tuple[str, ...], validate: Validate) -> None:
        super().__init__()
        self._cls = cls
        self._names = names
        self._validate = validate

    def __missing__(self, fields: tuple[Any, ...]) -> Any:
        intern = interner(self._cls)
        made = self._validate(self._cls, dict(zip(self._names, fields, strict=True)))
        value = made if intern is None else intern(made)
        if len(self) < interning.MAX_INTERNED:
            self[fields] = value
        return value


class _Compiler:
    """Writes the function of a class, and those of the classes of its fields."""

    def __init__(self, validate: Validate) -> None:
        self._validate = validate
        self._globals: dict[str, Any] = {"new": object.__new__, "unusual": _unusual}
        self._numbers = itertools.count()

    def tagged(self, cls: type, version: int) -> Reader | None:
        """See `json_reader`."""
        try:
            return self._function(cls, version)
        except _NotPlainError:
            return None

    def _function(self, cls: type, version: int | None) -> Reader:
        """The function that reads a class's fields, with its version and type beside them if there is one."""
        hints = _plain_fields(cls)
        expressions = {name: self._expression(kind, "x") for name, kind in hints.items()}
        tags = 0 if version is None else 2
        condition = f"len(item) != {len(hints) + tags}" + ("" if version is None else " or item['v'] is not version")
        lines = ["def read(item):", f" if {condition}: unusual()"]
        if not hints:
            lines.append(" return only")  # equal ones are interchangeable
        elif _can_be_drafted(cls):
            lines.append(" made = new(draft)")
            lines += [f" x = item[{name!r}]\n made.{name} = {made}" for name, made in expressions.items()]
            lines += [" made.__class__ = cls", " return made"]
        else:
            lines += [f" x = item[{name!r}]\n x_{name} = {made}" for name, made in expressions.items()]
            lines.append(f" return cls({', '.join(f'{name}=x_{name}' for name in hints)})")
        known = {**self._globals, "cls": cls, "version": version}
        if not hints:
            known["only"] = cls()
        elif _can_be_drafted(cls):
            known["draft"] = _draft_of(cls)
        exec("\n".join(lines), known)  # noqa: S102  made only of field names
        read: Reader = known["read"]
        return read

    def _expression(self, kind: Any, name: str) -> str:
        """An expression for the value of a type whose parsed JSON has this name. Raises _NotPlainError."""
        if kind in _CHECKS:
            return f"({name} if {_CHECKS[kind].format(name)} else unusual())"
        origin, parts = typing.get_origin(kind), typing.get_args(kind)
        if origin in _UNIONS and len(parts) == 2 and type(None) in parts:
            (other,) = (part for part in parts if part is not type(None))
            return f"(None if {name} is None else {self._expression(other, name)})"
        if origin is tuple and len(parts) == 2 and parts[1] is ...:
            each = f"each_{next(self._numbers)}"
            made = self._expression(parts[0], each)
            return f"(tuple([{made} for {each} in {name}]) if type({name}) is list else unusual())"
        if _is_enum(kind):
            members = self._let("members", _by_value(kind))
            return f"{members}[{name}]"
        if isinstance(kind, type) and dataclasses.is_dataclass(kind):
            if interner(kind) is None:
                return f"{self._let('read', self._function(kind, None))}({name})"
            return self._looked_up(kind, name)
        raise _NotPlainError

    def _looked_up(self, cls: type, name: str) -> str:
        """The expression for a small value. To Python 1, 1.0 and true are equal keys, so they are told apart before."""
        hints = _plain_fields(cls)
        known = self._let("known", _Known(cls, tuple(hints), self._validate))
        conditions = [f"len({name}) == {len(hints)}"]
        for field, kind in hints.items():
            conditions += self._number_checks(kind, f"{name}[{field!r}]")
        key = "".join(f"{name}[{field!r}]," for field in hints)
        return f"({known}[{key}] if {' and '.join(conditions)} else unusual())"

    def _number_checks(self, kind: Any, name: str) -> Iterator[str]:
        """The check of a field that may be a number or a boolean. All others are told apart as keys."""
        kinds = typing.get_args(kind) if typing.get_origin(kind) in _UNIONS else (kind,)
        members = [_by_value(part) for part in kinds if _is_enum(part)]
        if not all(part in _CHECKS or _is_enum(part) for part in kinds):
            raise _NotPlainError
        if int in kinds or bool in kinds:
            if members:
                raise _NotPlainError
            yield f"({' or '.join(_CHECKS[part].format(name) for part in kinds)})"

    def _let(self, name: str, value: Any) -> str:
        """A name for a value in the functions that are written from now on."""
        numbered = f"{name}_{next(self._numbers)}"
        self._globals[numbered] = value
        return numbered


def _plain_fields(cls: type) -> dict[str, Any]:
    """The types of a class's fields by their names. Raises _NotPlainError for a class that is more than its fields."""
    params = cls.__dataclass_params__  # type: ignore[attr-defined]  # every dataclass has them
    declared = [field for field in dataclasses.fields(cls) if field.init and not _is_pydantic(field.default)]
    if not params.frozen or not params.init or hasattr(cls, "__post_init__"):
        raise _NotPlainError
    if len(declared) < len(dataclasses.fields(cls)) or any(map(_knows_pydantic, cls.__mro__)):
        raise _NotPlainError
    hints = typing.get_type_hints(cls, include_extras=True)  # what is annotated may have conditions
    return {field.name: hints[field.name] for field in declared}


def _knows_pydantic(cls: type) -> bool:
    """Whether a class tells pydantic more than the types of its fields."""
    return any("pydantic" in name or _is_pydantic(value) for name, value in vars(cls).items())


def _is_pydantic(value: object) -> bool:
    return type(value).__module__.startswith("pydantic")


def _can_be_drafted(cls: type) -> bool:
    """Whether a class has slots, and its fields are all its own."""
    return "__slots__" in vars(cls) and not any(map(dataclasses.is_dataclass, cls.__mro__[1:]))


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _draft_of(cls: type) -> type:
    """A class with the same slots that is not frozen. Setting a field of a frozen one takes a call."""
    return type(cls.__name__, cls.__bases__, {"__slots__": vars(cls)["__slots__"]})


def _by_value(cls: type[Enum]) -> dict[str, Enum]:
    """The members of an enumeration by their texts. Raises _NotPlainError if they have other values."""
    if not all(type(member.value) is str for member in cls):
        raise _NotPlainError
    return {member.value: member for member in cls}


def _unusual() -> NoReturn:
    raise Unusual
