"""The languages that Cardroom ships, with one catalogue each: `bot/locale/<language>/LC_MESSAGES/cardroom.po`.

A game from another package has such a folder as well, in the package that holds its resources.
"""

from __future__ import annotations

from importlib import resources
from typing import Final

DEFAULT_LANGUAGE: Final = "en"


def languages(package: str = "bot") -> tuple[str, ...]:
    """The languages that a package ships, by their folder in its `locale`, in alphabetical order; none without one.

    Without an argument: those that Cardroom ships.
    """
    root = resources.files(package) / "locale"
    return tuple(sorted(entry.name for entry in root.iterdir() if entry.is_dir())) if root.is_dir() else ()
