"""A folder of installed packages, filled without pip: what a package's author may get wrong is written into it."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, distributions
from pathlib import Path

import pytest

from bot import games
from bot.ops.game_packages import trial
from bot.play.match_state import codec
from bot.ui import catalogue
from cogs.screens import rules_pages

DUEL = Path(__file__).parent / "duel"
"""The source of a package with a game, as its author keeps it."""


class Site:
    """A folder on the path of modules."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, key: str = "duel", module: str = "cardroom_duel", *, version: str = "1.2") -> Path:
        """Install a copy of Duel with another key, in a module of its own; the module's folder."""
        made = self.folder / module
        shutil.copytree(DUEL / "cardroom_duel", made)
        for file in made.rglob("*.p[yo]"):
            text = file.read_text("utf-8")
            file.write_text(text.replace("cardroom_duel", module).replace('"duel', f'"{key}'), "utf-8")
        (made / "rules" / "duel.md").rename(made / "rules" / f"{key}.md")
        self.announce(module, f"[cardroom.games]\n{key} = {module}:PACKAGE\n", version)
        return made

    def announce(self, module: str, entry_points: str, version: str = "1.2") -> None:
        """Write down which entry points the distribution of a module has."""
        about = self.folder / f"{module}-{version}.dist-info"
        about.mkdir(exist_ok=True)
        name = module.replace("_", "-")
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (about / "entry_points.txt").write_text(entry_points)

    def entry_points(self) -> list[EntryPoint]:
        """The games that are installed here."""
        found = distributions(path=[str(self.folder)])
        return [entry for each in found for entry in each.entry_points if entry.group == games.ENTRY_POINTS]


def change(file: Path, old: str, new: str) -> None:
    """Change a text of a file that is there."""
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


@contextmanager
def site(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """An empty site; what was loaded from it is forgotten when the block ends.

    Its packages are loaded without a trial, which takes a process each: `tests/bot/ops/test_wicked_packages.py` has it.
    """
    monkeypatch.setattr(trial, "attempt", lambda _: None)
    monkeypatch.syspath_prepend(str(folder))
    known = set(sys.modules)
    try:
        yield Site(folder)
    finally:
        for key in tuple(games.DISTRIBUTIONS):
            games.remove(key)
        for name in set(sys.modules) - known:
            if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(folder)):
                del sys.modules[name]
        importlib.invalidate_caches()
        for cached in (catalogue.of_package, rules_pages.rules_pages, codec):
            cached.cache_clear()
