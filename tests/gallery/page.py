"""The gallery's page: one HTML file with everything in it, which loads nothing and needs no server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.gallery.drawing import Look
from tests.gallery.scene import Scene

VIEWER = Path(__file__).with_name("viewer.html")
PLACE = "/*GALLERY*/"


def write(
    file: Path, scenes: Sequence[Scene], drawn: Sequence[str], looks: Sequence[Look], pictures: Mapping[str, str]
) -> None:
    """Write the page. `drawn` are the messages of all scenes as HTML, in order."""
    html = iter(drawn)
    told: dict[str, Any] = {
        "looks": [{"name": look.name, "width": look.width, "pane": look.pane, "css": look.css} for look in looks],
        "pictures": dict(pictures),
        "scenes": [
            {
                "group": scene.group,
                "title": scene.title,
                "form": scene.form,
                "shown": [{"caption": shown.caption, "html": next(html)} for shown in scene.shown],
            }
            for scene in scenes
        ],
    }
    safe = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")  # so that no text can end the script
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(VIEWER.read_text("utf-8").replace(PLACE, safe), "utf-8")
