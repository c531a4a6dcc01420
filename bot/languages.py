"""The languages we ship: one catalogue each, `bot/locale/<language>/LC_MESSAGES/cardroom.po`."""

from __future__ import annotations

from importlib import resources
from typing import Final

DEFAULT_LANGUAGE: Final = "en"


def languages() -> tuple[str, ...]:
    """The languages we ship, by their directory in `bot/locale`, in alphabetical order."""
    root = resources.files("bot") / "locale"
    return tuple(sorted(entry.name for entry in root.iterdir() if entry.is_dir()))
