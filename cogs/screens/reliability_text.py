"""How reliably somebody plays, said in few words after their name."""

from __future__ import annotations

from bot.play.reliability import Reliability
from bot.ui.catalogue import Translations


def level_text(found: Reliability, words: Translations) -> str:
    """What is said of a person after their name, such as "finishes most matches"."""
    if found.plays_late:
        return words("reliability.level.plays_late")
    return words(f"reliability.level.{found.level.name.lower()}")
