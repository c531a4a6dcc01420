"""Writes docs/match.schema.json, the JSON Schema of exported matches: `python -m tools.match_schema`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from bot.play.deals.match_export import schema

FILE: Final = Path(__file__).resolve().parents[1] / "docs" / "match.schema.json"


def text() -> str:
    """What the file must contain."""
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
