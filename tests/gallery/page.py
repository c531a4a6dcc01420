"""The gallery's pages: each one HTML file with everything in it, which loads nothing and needs no server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.gallery.drawing import Look
from tests.gallery.scene import Scene

VIEWER = Path(__file__).with_name("viewer.html")
PLACE = "/*GALLERY*/"


@dataclass(frozen=True, slots=True)
class Page:
    """What is on a page. `drawn` are the messages of all scenes as HTML, in order; `pictures` are by their address."""

    language: str
    scenes: Sequence[Scene]
    drawn: Sequence[str]
    looks: Sequence[Look]
    pictures: Mapping[str, str]


def write(file: Path, page: Page) -> None:
    """Write the page of a language."""
    html = iter(page.drawn)
    told: dict[str, Any] = {
        "language": page.language,
        "looks": [{"name": look.name, "width": look.width, "pane": look.pane, "css": look.css} for look in page.looks],
        "pictures": dict(page.pictures),
        "scenes": [
            {
                "group": scene.group,
                "title": scene.title,
                "form": scene.form,
                "shown": [{"caption": shown.caption, "html": next(html)} for shown in scene.shown],
            }
            for scene in page.scenes
        ],
    }
    safe = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")  # so that no text can end the script
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(VIEWER.read_text("utf-8").replace(PLACE, safe), "utf-8")


def write_index(file: Path) -> None:
    """Write a page that leads to all pages beside it."""
    pages = sorted(each.name for each in file.parent.glob("*.html") if each != file)
    links = "".join(f'<li><a href="{name}">{name.removesuffix(".html")}</a>\n' for name in pages)
    head = '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Cardroom: all screens</title>\n'
    file.write_text(f"{head}<h1>All screens, by language</h1>\n<ul>\n{links}</ul>\n", "utf-8")
