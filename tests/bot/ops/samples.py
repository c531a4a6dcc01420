"""What the pages show of each command, and how it is compared with what the command prints."""

from __future__ import annotations

import re
from collections import defaultdict

from tests.bot.ops.databases import ROOT

FOLDER = "/srv/cardroom/data"
"""The data folder of the samples."""


PAGES = ("operating", "data", "watching")
"""The operators' pages in `docs`."""


def samples() -> dict[str, list[str]]:
    """What the pages show for each command: its outputs, in the order of a page."""
    found = defaultdict(list)
    page = "\n".join((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in PAGES)
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        for command, output in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            found[command].append(output)
    return dict(found)


def masked(output: str, folder: str = FOLDER) -> list[str]:
    """The lines of an output, without what differs from one machine or moment to the next. A version of the tables, of
    the rules or of a deal is none of that."""
    everywhere = [line for line in output.replace(folder, FOLDER).splitlines() if not line.startswith("warn SQLite:")]
    return [re.sub(r"(?<!version )(?<![\d.])\d+(?:\.\d+)*(?:e[+-]\d+)?", "0", line) for line in everywhere]


def assert_excerpt(sample: list[str], real: list[str]) -> None:
    """Each line of the sample is one of the page, in the page's order, and only an ellipsis leaves lines out."""
    rest = iter(real)
    skips = False
    for line in sample:
        if line == "…":
            skips = True
            continue
        found = next((each for each in rest if each == line or not skips), None)
        assert found == line
        skips = False
