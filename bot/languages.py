"""The languages we ship: one catalogue each, `bot/locale/<language>/LC_MESSAGES/cardroom.po`.

A game of another package has such a folder as well, in the package that holds its resources.
"""

from __future__ import annotations

from importlib import resources
from typing import Final

DEFAULT_LANGUAGE: Final = "en"


def languages(package: str = "bot") -> tuple[str, ...]:
    """The languages that a package ships, by their directory in its `locale`, in alphabetical order; none without one.

    Without an argument, those that we ship.
    """
    root = resources.files(package) / "locale"
    return tuple(sorted(entry.name for entry in root.iterdir() if entry.is_dir())) if root.is_dir() else ()
