"""The layout stays one that can be read: packages that say what they are for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PRODUCT = sorted(
    file for top in ("bot", "cogs", "engines", "laws", "sandbox/src") for file in (ROOT / top).rglob("*.py")
)
PACKAGES = [file for file in PRODUCT if file.name == "__init__.py" and file.parent.parent != ROOT]


def relative(file: Path) -> str:
    """A file's name in the project."""
    return file.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("file", PACKAGES, ids=relative)
def test_every_package_says_what_it_is_for(file: Path) -> None:
    assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))


def is_lonely(folder: Path) -> bool:
    """Whether a package holds a single module, and no package. A room has its guide beside it."""
    held = [each for each in folder.iterdir() if (each / "__init__.py").is_file() or each.suffix == ".py"]
    return len([each for each in held if each.name != "__init__.py"]) == 1 and not (folder / "GUIDE.md").is_file()


def test_no_folder_holds_a_single_module() -> None:
    """Such a module stands where its folder would."""
    assert [relative(file.parent) for file in PACKAGES if is_lonely(file.parent)] == []


def test_a_lonely_module_is_found(tmp_path: Path) -> None:
    for name in ("__init__.py", "alone.py", "cards.png"):
        (tmp_path / name).touch()
    assert is_lonely(tmp_path)
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "__init__.py").touch()
    assert not is_lonely(tmp_path)
