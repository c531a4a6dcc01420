"""Tests go by what an object offers everybody: none reads, sets or imports a name that begins with an underscore."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

FILES = sorted(file for folder in ("laws", "tests") for file in (ROOT / folder).rglob("*.py"))
PUBLIC = {"_replace", "_asdict", "_fields", "_make", "_exit", "_set_running_loop"}
"""Public all the same: the methods of named tuples, `os._exit`, and what asyncio exports for event loops."""


def private(name: str) -> bool:
    """Whether a name is one that only its owner goes by."""
    return name.startswith("_") and not name.startswith("__") and name not in PUBLIC


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


def test_no_test_reads_privates() -> None:
    assert [
        f"{file.relative_to(ROOT).as_posix()}:{found}" for file in FILES for found in privates(file.read_text("utf-8"))
    ] == []


def test_privates_are_found() -> None:
    text = "from a import _b, c\ndef f(self):\n    self._d = x._e\n    x._f.g()\n    x._replace()\n"
    assert list(privates(text)) == ["1: import _b", "3: x._e", "4: x._f"]
