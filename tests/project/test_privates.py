"""Tests go by what an object offers everybody: none reads, sets or imports a name that begins with an underscore. The
product goes by its own such names alone, but for two places that know those of the libraries."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

FILES = sorted(file for folder in ("laws", "tests") for file in (ROOT / folder).rglob("*.py"))
PUBLIC = {"_replace", "_asdict", "_fields", "_make", "_exit", "_set_running_loop"}
"""Public all the same: the methods of named tuples, `os._exit`, and what asyncio exports for event loops."""


INNER = "backend"
"""The sandbox's own parts. They are not in its public API, although its modules have to know them."""


def private(name: str) -> bool:
    """Whether a name is one that only its owner goes by."""
    return name == INNER or (name.startswith("_") and not name.startswith("__") and name not in PUBLIC)


def privates(text: str) -> Iterator[str]:
    """Every private name of somebody else that a module's text goes by, with its line."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name) if private(name):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.ImportFrom(names=names):
                yield from (f"{node.lineno}: import {each.name}" for each in names if private(each.name))


_PERHAPS = re.compile(rf"(?<!\bself)(?<!\bcls)\.\s*_(?!_)|\b{INNER}\b|\bimport\b(?:[^\n(]*|\s*\([^)]*)\b_(?!_)")
"""A module without this has no private name of somebody else, so it need not be parsed."""


def test_no_test_reads_privates() -> None:
    texts = {file: text for file in FILES if _PERHAPS.search(text := file.read_text("utf-8"))}
    assert [
        f"{file.relative_to(ROOT).as_posix()}:{found}" for file, text in texts.items() for found in privates(text)
    ] == []


def test_privates_are_found() -> None:
    text = "from a import _b, c\ndef f(self):\n    self._d = x._e\n    x._f.g()\n    x._replace()\n    x.backend.g()\n"
    assert list(privates(text)) == ["1: import _b", "3: x._e", "4: x._f", "6: x.backend"]
    assert _PERHAPS.findall(text + "from a import (\n    _c,\n)\n")[-1] == "import (\n    _"
    assert not _PERHAPS.search("import a\nself._b = cls._c\n__d__ = x.__e__\n")


PRODUCT = sorted(file for folder in ("bot", "cogs", "engines") for file in (ROOT / folder).rglob("*.py"))
KNOW_LIBRARIES = ("bot/gateway/lean/", "bot/gateway/shards.py")
"""What may go by private names of discord.py and aiohttp."""


def defined(tree: ast.AST) -> Iterator[str]:
    """Every private name that a module defines: functions, classes, variables, fields and slots."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                yield name
            case ast.Constant(value=str(name)):
                yield name


def knows_libraries(tree: ast.AST) -> bool:
    """Whether a module imports discord.py or aiohttp."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [each.module or "" if isinstance(each, ast.ImportFrom) else each.names[0].name for each in found]
    return any(name.partition(".")[0] in {"discord", "aiohttp"} for name in names)


def foreign(tree: ast.AST, ours: set[str]) -> Iterator[str]:
    """Every private name that a module goes by, and that the product doesn't define, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if private(name) and name not in ours:
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.ImportFrom(names=names):
                yield from (f"{node.lineno}: import {each.name}" for each in names if private(each.name))


def test_only_two_places_know_privates_of_libraries() -> None:
    trees = {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text("utf-8")) for file in PRODUCT}
    ours = {name for tree in trees.values() for name in defined(tree)}
    apart = {
        name: tree for name, tree in trees.items() if knows_libraries(tree) and not name.startswith(KNOW_LIBRARIES)
    }
    assert len(apart) > 20
    assert [f"{name}:{found}" for name, tree in apart.items() for found in foreign(tree, ours)] == []
    for place in KNOW_LIBRARIES:
        there = [found for name, tree in trees.items() if name.startswith(place) for found in foreign(tree, ours)]
        assert there, f"{place} knows none, so it needs no exception"


def test_privates_of_libraries_are_found() -> None:
    tree = ast.parse("class A:\n    def _a(self):\n        return self._a(), self._b, x._a\nfrom discord import _c\n")
    assert sorted(foreign(tree, set(defined(tree)))) == ["3: self._b", "4: import _c"]
    assert knows_libraries(tree)
