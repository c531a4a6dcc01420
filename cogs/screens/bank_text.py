"""What players have left of their time for all turns (ruling C-15), in a few characters."""

from __future__ import annotations

from collections.abc import Mapping

from bot.durations import UNITS
from bot.play.live_match import LiveMatch
from bot.ui.catalogue import Translations
from cogs.screens.time_control_text import time_label
from engines.game import Seat


def time_left(match: LiveMatch, seat: Seat, words: Translations) -> str:
    """What a seat had left when the question began, which only acts change. Empty without a bank, and for computers."""
    banks = match.banks
    if banks is None or match.over or seat in banks.held:
        return ""
    return f"⏱️ {_short(banks.left[seat] // 1000, words)}"


def times_left(match: LiveMatch, words: Translations) -> Mapping[Seat, str]:
    """What each seat has left that is still in, counted down by Discord while its time runs. Whom alone the match waits
    for has none here: until when is said beside the question."""
    if match.over or match.banks is None:
        return {}
    told = dict[Seat, str]()
    for seat in filter(match.is_in, range(len(match.seats))):
        due, text = match.due_for(seat), time_left(match, seat, words)
        if text and (due is None or len(match.awaited) > 1):
            told[seat] = text if due is None else f"⏳ <t:{due // 1000}:R>"
    return told


def _short(seconds: int, words: Translations) -> str:
    """A time as on a chess clock; from an hour on in words, and from a day on without minutes."""
    if seconds < UNITS["h"]:
        return f"{seconds // 60}:{seconds % 60:02}"
    unit = UNITS["h"] if seconds >= UNITS["d"] else UNITS["m"]
    return time_label(seconds - seconds % unit, words)
