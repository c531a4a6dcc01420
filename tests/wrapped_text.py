"""The text of a hand as its sentences read, whose lines the bot broke to keep the message's height."""

from __future__ import annotations

import re

from bot.ui.text_lines import BLANK

_BREAK = re.compile(r"(\*\*)?\n(?:-# )?(?(1)\*\*)")


def unwrapped(text: str) -> str:
    """A text with its lines joined, bold and small ones too."""
    return " ".join(_BREAK.sub(" ", text.replace(BLANK, "")).split(" "))
