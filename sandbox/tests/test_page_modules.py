"""The import law of the sandbox's page: every import leads to a module, and folders import only from lower ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import discord_sandbox

PAGE = Path(discord_sandbox.__file__).parent / "page"
MODULES = sorted(PAGE.rglob("*.js"))
FOLDERS = ("model", "elements", "text", "components", "messages", "menus", "composer", "shell", "")
"""The folders of modules, the lowest first; the last is the page's own folder, with main.js."""

IMPORT = re.compile(r'(?:\bfrom |\bimport |\bimport\()"([^"]+)"')
LINK = re.compile(r'(?:href|src)="/static/([^"]+)"')


def relative(file: Path) -> str:
    """A file's path within the page."""
    return file.relative_to(PAGE).as_posix()


def level(file: Path) -> int:
    """How high a module's folder is; the folder must be in the list."""
    return FOLDERS.index(relative(file).rpartition("/")[0])


@pytest.mark.parametrize("file", MODULES, ids=relative)
def test_a_module_imports_from_its_own_folder_and_lower_ones(file: Path) -> None:
    for target in IMPORT.findall(file.read_text(encoding="utf-8")):
        imported = (file.parent / target).resolve()
        assert imported in MODULES, f"{target} is no module of the page"
        assert level(imported) <= level(file), f"{relative(file)} imports {relative(imported)}, which is higher"


def test_the_page_links_every_style_and_nothing_that_is_missing() -> None:
    linked = set(LINK.findall((PAGE / "index.html").read_text(encoding="utf-8")))
    assert {name for name in linked if not (PAGE / name).is_file()} == set()
    assert {relative(style) for style in PAGE.rglob("*.css")} <= linked
