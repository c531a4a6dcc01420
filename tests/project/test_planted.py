"""A test of a planted fault calls no other test, because that one may look at a share of its matches only and miss the
fault. Both call a function that is told how many matches to look at."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
_PERHAPS = re.compile(r"(?<!def )\btest_\w+\s*\(")
"""A module without this calls no test, so it need not be parsed."""


def called_tests(text: str) -> Iterator[str]:
    """Every call of a test in a module's text, with its line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith("test_"):
            yield f"{node.lineno}: {node.func.id}"


def test_no_test_calls_another() -> None:
    texts = {file: file.read_text("utf-8") for file in sorted(TESTS.rglob("test_*.py"))}
    assert [
        f"{file.relative_to(TESTS).as_posix()}:{found}"
        for file, text in texts.items()
        if _PERHAPS.search(text)
        for found in called_tests(text)
    ] == []


def test_a_called_test_is_found() -> None:
    text = "def test_b():\n    test_a()\n    share_of(3)\n"
    assert list(called_tests(text)) == ["2: test_a"]
    assert _PERHAPS.findall(text) == ["test_a("]
