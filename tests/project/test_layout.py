"""The layout stays one that can be read: small folders, and packages that say what they are for."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

MOST_MODULES = 16
"""In one folder of product code; more and nobody finds anything by looking."""

PRODUCT = sorted(file for top in ("bot", "cogs", "engines", "laws", "sandbox") for file in (ROOT / top).rglob("*.py"))
PACKAGES = [file for file in PRODUCT if file.name == "__init__.py" and file.parent.parent != ROOT]


def relative(file: Path) -> str:
    """A file's name in the project."""
    return file.relative_to(ROOT).as_posix()


def modules_by_folder(suffix: str, *tops: str) -> Counter[str]:
    """How many modules each folder holds; `__init__.py` is the folder's own."""
    files = [file for top in tops for file in (ROOT / top).rglob(f"*{suffix}")]
    return Counter(relative(file.parent) for file in files if file.name != "__init__.py")


def test_no_folder_of_product_code_holds_more_modules_than_one_can_look_over() -> None:
    folders = modules_by_folder(".py", "bot", "cogs", "engines", "laws", "sandbox") + modules_by_folder(
        ".js", "sandbox/page"
    )
    assert {folder: count for folder, count in folders.items() if count > MOST_MODULES} == {}


@pytest.mark.parametrize("file", PACKAGES, ids=relative)
def test_every_package_says_what_it_is_for(file: Path) -> None:
    assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
