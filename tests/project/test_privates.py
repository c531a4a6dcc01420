"""Tests go by what an object offers everybody: none reads, sets or imports a name that begins with an underscore. The
product goes by its own such names alone, but for two places that know those of the libraries."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.project.reading import Module, found, lines, module, reads

PUBLIC = {"_replace", "_asdict", "_fields", "_make", "_exit", "_set_running_loop"}
"""Public all the same: the methods of named tuples, `os._exit`, and what asyncio exports for event loops."""


INNER = "backend"
"""The sandbox's own parts. They are not in its public API, although its modules have to know them."""


def private(name: str) -> bool:
    """Whether a name is one that only its owner goes by."""
    return name == INNER or (name.startswith("_") and not name.startswith("__") and name not in PUBLIC)


_PERHAPS = re.compile(rf"(?<!\bself)(?<!\bcls)\.\s*_(?!_)|\b{INNER}\b|\bimport\b(?:[^\n(]*|\s*\([^)]*)\b_(?!_)")
"""A module without this has no private name of somebody else, so it need not be parsed."""


@reads("laws", "tests", having=_PERHAPS)
def privates(text: Module) -> Iterator[str]:
    """Every private name of somebody else that a module goes by, with its line."""
    for node in text.nodes:
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name) if private(name):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.ImportFrom(names=names):
                yield from (f"{node.lineno}: import {each.name}" for each in names if private(each.name))


def test_no_test_reads_privates() -> None:
    assert lines(privates) == []


def test_privates_are_found() -> None:
    text = "from a import _b, c\ndef f(self):\n    self._d = x._e\n    x._f.g()\n    x._replace()\n    x.backend.g()\n"
    assert [*privates(module(text))] == ["1: import _b", "3: x._e", "4: x._f", "6: x.backend"]
    assert _PERHAPS.findall(text + "from a import (\n    _c,\n)\n")[-1] == "import (\n    _"
    assert not _PERHAPS.search("import a\nself._b = cls._c\n__d__ = x.__e__\n")


KNOW_LIBRARIES = ("bot/gateway/lean/", "bot/gateway/shards.py")
"""What may go by private names of discord.py and aiohttp."""


@reads("bot", "cogs", "engines")
def defined(text: Module) -> Iterator[str]:
    """Every private name that a module defines: functions, classes, variables, fields and slots."""
    for node in text.nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) if private(
                name
            ):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) if private(name):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()) if private(name):
                yield name
            case ast.Constant(value=str(name)) if private(name):
                yield name


@reads("bot", "cogs", "engines", having=["discord", "aiohttp"])
def private_where_libraries_are_known(text: Module) -> Iterator[str]:
    """Every private name that a module goes by, if it imports discord.py or aiohttp, with its line."""
    imports = [node for node in text.nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [each.module or "" if isinstance(each, ast.ImportFrom) else each.names[0].name for each in imports]
    if any(name.partition(".")[0] in {"discord", "aiohttp"} for name in names):
        for node in text.nodes:
            match node:
                case ast.Attribute(attr=name) if private(name):
                    yield f"{node.lineno}: {ast.unparse(node)}"
                case ast.ImportFrom(names=aliases):
                    yield from (f"{node.lineno}: import {each.name}" for each in aliases if private(each.name))


def foreign(line: str, ours: set[str]) -> bool:
    """Whether a private name is one that the product doesn't define."""
    return " import " in line or line.rpartition(".")[2] not in ours


def test_only_two_places_know_privates_of_libraries() -> None:
    ours = {name for names in found(defined).values() for name in names}
    strange = {
        name
        for name, known in found(private_where_libraries_are_known).items()
        if any(foreign(line, ours) for line in known)
    }
    assert {name for name in strange if not name.startswith(KNOW_LIBRARIES)} == set()
    for place in KNOW_LIBRARIES:
        assert any(name.startswith(place) for name in strange), f"{place} knows none, so it needs no exception"


def test_privates_of_libraries_are_found() -> None:
    text = module("class A:\n    def _a(self):\n        return self._a(), self._b, x._a\nfrom discord import _c\n")
    ours = {*defined(text)}
    known = [line for line in private_where_libraries_are_known(text) if foreign(line, ours)]
    assert sorted(known) == ["3: self._b", "4: import _c"]
