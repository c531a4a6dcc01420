"""Draw everything, write what the bot ships, and contact sheets to look at: `make art` runs it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bot.art.images import Family, Size
from tools.art import contact_sheet, legibility
from tools.art.raster import Painter
from tools.art.shipping import FILE, Entry, laid_out, plans, written

ROOT: Final = Path(__file__).parents[2]
SHIPPED: Final = ROOT / "bot" / "art"
LOOKED_AT: Final = ROOT / "build" / "art"


def ship(folder: Path) -> None:
    """Draw all sheets and their index into a folder. The same drawings give the same pixels."""
    index: dict[Size, Mapping[str, Entry]] = {}
    for size, plan in plans().items():
        painter = Painter(plan.palette, soft=plan.soft)
        sheet, index[size] = laid_out(
            [(drawing.name, painter.paint(drawing, plan.scale)) for drawing in plan.drawings], plan.width
        )
        png = sheet.png
        (folder / f"{size.value}.png").write_bytes(png)
        print(f"{size.value}.png: {len(plan.drawings)} images, {len(png)} bytes")
    (folder / FILE).write_text(written(index), encoding="utf-8")


def main() -> int:
    """Write the files and say which faces are most alike. Returns the exit code: 1 if some are too much so."""
    ship(SHIPPED)
    contact_sheet.write(LOOKED_AT)
    print(f"to look at: {LOOKED_AT.relative_to(ROOT)}/contact_*.png")
    pairs = list(legibility.report())
    for family in Family:
        print(f"{family.name}: {min((pair for pair in pairs if pair.family is family), key=_distance)}")
    return int(min(pair.distance for pair in pairs) < legibility.LEAST)


def _distance(pair: legibility.Pair) -> float:
    return pair.distance


if __name__ == "__main__":
    sys.exit(main())
