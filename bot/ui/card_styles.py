"""The styles in which people can read cards."""

from __future__ import annotations

from enum import Enum


class CardStyle(Enum):
    """How cards are written. The values are kept in the database, so they stay."""

    EMOJIS = "emojis"
    """Our own pictures, in texts and on buttons; text where there are none."""
    TEXT = "text"
    """Short names such as `7♠`."""
    WORDS = "words"
    """Names in words, one card a line, for screen readers."""
