"""The layout stays one that can be read: packages that say what they are for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PRODUCT = sorted(file for top in ("bot", "cogs", "engines", "laws", "sandbox") for file in (ROOT / top).rglob("*.py"))
PACKAGES = [file for file in PRODUCT if file.name == "__init__.py" and file.parent.parent != ROOT]


def relative(file: Path) -> str:
    """A file's name in the project."""
    return file.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("file", PACKAGES, ids=relative)
def test_every_package_says_what_it_is_for(file: Path) -> None:
    assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
