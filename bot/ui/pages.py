"""The pages people read that are kept as files: each game's rules, in the players' words."""

from __future__ import annotations

import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

_KEY: Final = re.compile(r"[a-z][a-z0-9_]*")


class UnknownPage(LookupError):  # noqa: N818  named for what is unknown
    """There is no page of that name."""


def rules_page(game_key: str) -> str:
    """The rules of a game as Markdown text, for example of "haymaker". Raises UnknownPage."""
    page = _docs() / "rules" / f"{game_key}.md"
    if not _KEY.fullmatch(game_key) or not page.is_file():
        raise UnknownPage(game_key)
    return page.read_text(encoding="utf-8")


def _docs() -> Traversable:
    """The docs: `bot/docs` where we are installed, else `docs` beside `bot` in the source tree (see setup.py)."""
    installed = resources.files("bot") / "docs"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "docs"
