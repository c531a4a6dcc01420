"""Texts that are files: each game's rules for players."""

from __future__ import annotations

import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from bot.games import GamePackage, installed
from bot.languages import DEFAULT_LANGUAGE

_KEY: Final = re.compile(r"[a-z][a-z0-9_]*")


class UnknownPage(LookupError):  # noqa: N818  named for what is unknown
    """There is no page of that name."""


def rules_text(game_key: str, language: str = DEFAULT_LANGUAGE, package: GamePackage | None = None) -> str:
    """The rules of a game as Markdown text, for example of "haymaker". Raises UnknownPage.

    English is in ``<game>.md``, any other language in ``<game>.<language>.md``. A language without a file gets English.
    The rules of a game that is not our own are in its `package`, which may be given before the game is added.
    """
    package = package or installed(game_key)
    folder = _docs() if package is None else resources.files(package.resources)
    if not _KEY.fullmatch(game_key):
        raise UnknownPage(game_key)
    own = [f"{game_key}.{language}.md"] if language != DEFAULT_LANGUAGE else []
    for name in (*own, f"{game_key}.md"):
        page: Traversable = folder / "rules" / name
        if page.is_file():
            return page.read_text(encoding="utf-8")
    raise UnknownPage(game_key)


def _docs() -> Traversable:
    """The docs: `bot/docs` in an installed package, otherwise `docs` beside `bot` in the source tree (see setup.py)."""
    ours = resources.files("bot") / "docs"
    return ours if ours.is_dir() else Path(__file__).parents[2] / "docs"
