"""How reliably somebody plays, in words and in numbers."""

from __future__ import annotations

from bot.play.reliability import Reliability
from bot.ui.catalogue import Translations


def level_text(found: Reliability, words: Translations) -> str:
    """What is said of a person after their name, such as "finishes most matches"."""
    if found.plays_late:
        return words("reliability.level.plays_late")
    return words(f"reliability.level.{found.level.name.lower()}")


def numbers_text(found: Reliability, words: Translations) -> str:
    """The numbers behind that; empty before somebody has played."""
    if not found.matches:
        return ""
    parts = [words.count("reliability.finished", found.matches, finished=found.finished)]
    if found.left:
        parts.append(words("reliability.left", n=found.left))
    if found.out_of_time:
        parts.append(words("reliability.out_of_time", n=found.out_of_time))
    if found.asked:
        parts.append(words("reliability.in_time", in_time=found.in_time, asked=found.asked))
    return " · ".join(parts)
