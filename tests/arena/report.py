"""A table of results, printed row by row and kept as Markdown under build/."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

OUT: Final = Path("build/arena")


class Report:
    """A table that grows: each row is printed and written at once, so that a run that is stopped loses nothing."""

    def __init__(self, folder: Path, name: str, columns: tuple[str, ...]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / f"{name}.md"
        self._columns = len(columns)
        self.file.write_text(f"{row_of(columns)}\n{'|---' * len(columns)}|\n", encoding="utf-8")

    def add(self, *cells: str) -> None:
        """Add a row. Raises ValueError for another number of cells than of columns."""
        if len(cells) != self._columns:
            raise ValueError(f"{self._columns} cells belong in a row, not {len(cells)}")
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"{row_of(cells)}\n")
        sys.stdout.write(f"{row_of(cells)}\n")
        sys.stdout.flush()


def row_of(cells: tuple[str, ...]) -> str:
    """A row of a Markdown table."""
    return f"| {' | '.join(cells)} |"
