"""Reads one JSON object field by field, and records every error with its path and Discord's wording."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from discord_sandbox.model.errors import Faults, Path
from discord_sandbox.model.wire import JsonObject

REQUIRED = ("BASE_TYPE_REQUIRED", "This field is required")


class Form:
    """One JSON object of a request, at its path; readers return None after recording an error."""

    __slots__ = ("faults", "path", "value")

    def __init__(self, value: JsonObject, faults: Faults, path: Path = ()) -> None:
        self.value = value
        self.faults = faults
        self.path = path

    def fault(self, key: str, code: str, message: str) -> None:
        """Record an error of the field `key`."""
        self.faults.add((*self.path, key), code, message)

    def own_fault(self, code: str, message: str) -> None:
        """Record an error of the object as a whole."""
        self.faults.add(self.path, code, message)

    def text(self, key: str, low: int, high: int, *, required: bool = False) -> str | None:
        """A string of `low` to `high` characters; null counts as absent."""
        found = self.value.get(key)
        if found is None:
            if required:
                self.fault(key, *REQUIRED)
            return None
        if not isinstance(found, str):
            self.fault(key, "STRING_TYPE_CONVERT", f"Could not interpret {found!r} as string.")
            return None
        if not low <= len(found) <= high:
            if required and found == "":
                self.fault(key, *REQUIRED)
            elif low:
                self.fault(key, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
            else:
                self.fault(key, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
            return None
        return found

    def integer(self, key: str, low: int, high: int, *, required: bool = False) -> int | None:
        """An integer from `low` to `high`; null counts as absent."""
        found = self.value.get(key)
        if found is None:
            if required:
                self.fault(key, *REQUIRED)
            return None
        if isinstance(found, bool) or not isinstance(found, int):
            self.fault(key, "NUMBER_TYPE_COERCE", f"Value {found!r} is not int.")
            return None
        if found < low:
            self.fault(key, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low}.")
            return None
        if found > high:
            self.fault(key, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high}.")
            return None
        return found

    def truth(self, key: str) -> bool | None:
        """True or false; null counts as absent."""
        found = self.value.get(key)
        if found is None or isinstance(found, bool):
            return found
        self.fault(key, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
        return None

    def one_of(self, key: str, allowed: Collection[int], *, required: bool = False) -> int | None:
        """One of a few integers."""
        found = self.value.get(key)
        if found is None:
            if required:
                self.fault(key, *REQUIRED)
            return None
        if isinstance(found, bool) or found not in allowed:
            self.fault(key, "BASE_TYPE_CHOICES", f"Value must be one of {choices_text(allowed)}.")
            return None
        return int(found)

    def items(self, key: str, low: int, high: int, *, required: bool = False) -> list[Any] | None:
        """A list of `low` to `high` items, whatever they are."""
        found = self.value.get(key)
        if found is None:
            if required:
                self.fault(key, *REQUIRED)
            return None
        if not isinstance(found, list):
            self.fault(key, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return None
        if not low <= len(found) <= high:
            if low:
                self.fault(key, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
            else:
                self.fault(key, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
            return None
        return found

    def forms(self, key: str, low: int, high: int, *, required: bool = False) -> Iterator[Form]:
        """The objects of a list, each as a form at its own path."""
        found = self.items(key, low, high, required=required)
        for index, item in enumerate(found or ()):
            if isinstance(item, dict):
                yield Form(item, self.faults, (*self.path, key, index))
            else:
                self.faults.add(
                    (*self.path, key, index),
                    "MODEL_TYPE_CONVERT",
                    "Only dictionaries may be used in a ModelType",
                )

    def form(self, key: str, *, required: bool = False) -> Form | None:
        """The object in field `key`, as a form at its own path."""
        found = self.value.get(key)
        if found is None:
            if required:
                self.fault(key, *REQUIRED)
            return None
        if not isinstance(found, dict):
            self.fault(key, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
            return None
        return Form(found, self.faults, (*self.path, key))


def choices_text(allowed: Collection[int]) -> str:
    """The allowed values as Discord lists them: (1, 2, 3)."""
    return "(" + ", ".join(str(each) for each in sorted(allowed)) + ")"
