"""The check of the documentation site finds what it looks for, and the navigation knows every page."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.project.files import ROOT, text, tracked
from tests.project.site import main, problems

LOADING = {
    "script.html": '<script async src="https://cdn.example/x.js"></script>',
    "style.html": '<link rel="stylesheet" href="//fonts.example/css">',
    "icon.html": '<link rel="icon" href="https://example.com/icon.png">',
    "picture.html": '<img alt="a badge" src="https://example.com/badge.svg">',
    "set.html": '<img src="a.png" srcset="a.png 1x, https://example.com/b.png 2x">',
    "frame.html": '<iframe src="https://example.com"></iframe>',
    "inside.html": "<style>body { background: url(https://example.com/b.png) }</style>",
    "tracker.html": "<script>fetch('https://example.com/hit')</script>",
    "font.css": "@font-face { src: url('https://example.com/font.woff2') }",
    "import.css": '@import "https://example.com/more.css";',
    "beacon.js": 'navigator.sendBeacon("https://example.com/hit")',
    "drawing.svg": '<svg><image href="https://example.com/a.png"/></svg>',
}


@pytest.mark.parametrize("name", LOADING)
def test_a_page_that_loads_something_from_elsewhere_is_found(name: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>home</p>")
    assert main(tmp_path) is None
    (tmp_path / name).write_text(LOADING[name])
    assert main(tmp_path) == "\n".join(problems(tmp_path))
    assert [line.partition(" ")[0] for line in problems(tmp_path)] == [name]


def test_links_and_data_of_its_own_are_no_fault(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<a href="https://example.com">elsewhere</a><link rel="canonical" href="https://example.com/">'
        '<link rel="stylesheet" href="_static/site.css?v=1"><img src="data:image/png;base64,AA=="><img src="a.png">'
    )
    (tmp_path / "site.css").write_text("body { background: url(data:image/svg+xml;charset=utf-8,x) }")
    assert problems(tmp_path) == []


def test_a_folder_without_a_site_is_a_fault(tmp_path: Path) -> None:
    assert main(tmp_path) == f"{tmp_path} holds no site"


def test_the_navigation_reaches_every_page_once() -> None:
    navigation = re.search(r"^NAVIGATION.*?^}", text("docs/conf.py"), re.MULTILINE | re.DOTALL)
    assert navigation is not None
    entries = re.findall(r'"((?:docs/|\[)[^"]+)"', navigation[0])
    pages = {page.relative_to(ROOT).with_suffix("").as_posix() for page in tracked("*.md")}
    published = {page for page in pages if page.startswith("docs/") or "/" not in page}
    for page in published:
        reached = [entry for entry in entries if fnmatchcase(page, entry) and page.count("/") == entry.count("/")]
        assert len(reached) == 1, f"{page} is in the navigation {len(reached)} times"
