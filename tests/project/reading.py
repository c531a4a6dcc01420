"""What the text of the program says: each module is parsed once, for all tests of a run and all its processes."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from tests.made_once import made_once
from tests.project.files import ROOT


@dataclass(frozen=True, slots=True)
class Module:
    """A module: its path in the project, and everything that it says."""

    name: str
    nodes: tuple[ast.AST, ...]


Reader: TypeAlias = Callable[[Module], Iterable[str]]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What reads some packages: those modules alone that have one of the words."""

    read: Reader
    packages: tuple[str, ...]
    having: re.Pattern[str]


_READINGS: Final[dict[str, _Reading]] = {}


def reads(*packages: str, having: Collection[str] | re.Pattern[str] = ()) -> Callable[[Reader], Reader]:
    """Have a function read all modules of some packages, or only those with one of these words. `found` has what it
    says."""
    words = having if isinstance(having, re.Pattern) else re.compile("|".join(map(re.escape, having)))

    def register(read: Reader) -> Reader:
        _READINGS[f"{read.__module__}.{read.__qualname__}"] = _Reading(read, packages, words)
        return read

    return register


def found(read: Reader) -> Mapping[str, list[str]]:
    """What a function that reads has said of each module, but for those of which it said nothing."""
    said: Mapping[str, list[str]] = _everything()[f"{read.__module__}.{read.__qualname__}"]
    return said


def lines(read: Reader) -> list[str]:
    """The same, each with the module before it."""
    return [f"{name}: {each}" for name, said in found(read).items() for each in said]


def module(text: str, name: str = "a.py") -> Module:
    """A module with this text."""
    return Module(name, tuple(ast.walk(ast.parse(text))))


@cache
def _everything() -> dict[str, dict[str, list[str]]]:
    """What each of them says of each module. All processes have loaded the same ones when they run tests."""
    everything: dict[str, dict[str, list[str]]] = json.loads(made_once("reading", lambda: json.dumps(_read()).encode()))
    return everything


def _read() -> dict[str, dict[str, list[str]]]:
    everything: dict[str, dict[str, list[str]]] = {key: {} for key in _READINGS}
    for package in sorted({package for each in _READINGS.values() for package in each.packages}):
        asking = {key: each for key, each in _READINGS.items() if package in each.packages}
        for file in sorted((ROOT / package).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            for_it = {key: each.read for key, each in asking.items() if each.having.search(text)}
            if for_it:
                read = module(text, file.relative_to(ROOT).as_posix())
                for key, read_it in for_it.items():
                    if said := [*read_it(read)]:
                        everything[key][read.name] = said
    return everything
