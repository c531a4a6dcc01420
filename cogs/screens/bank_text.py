"""What players have left of their time for all turns (ruling C-15), in a few characters."""

from __future__ import annotations

from collections.abc import Mapping

from bot.durations import UNITS
from bot.play.live_match import LiveMatch
from bot.ui.catalogue import Translations
from cogs.screens.time_control_text import time_label
from engines.game import Seat


def time_left(match: LiveMatch, seat: Seat, words: Translations) -> str:
    """What a seat has left: counted down by Discord while its time runs. Empty without a bank, and for computers."""
    due, banks = match.due_for(seat), match.banks
    if banks is None or seat in banks.held:
        return ""
    return f"⏱️ {_short(banks.left[seat] // 1000, words)}" if due is None else f"⏳ <t:{due // 1000}:R>"


def times_left(match: LiveMatch, words: Translations) -> Mapping[Seat, str]:
    """What each seat has left that is still in. Whom alone the match waits for has none here: until when is said
    beside the question."""
    if match.over or match.banks is None:
        return {}
    alone = match.awaited if len(match.awaited) == 1 else ()
    told = {seat: time_left(match, seat, words) for seat in range(len(match.seats)) if match.is_in(seat)}
    return {seat: text for seat, text in told.items() if text and not (seat in alone and match.due_for(seat))}


def _short(seconds: int, words: Translations) -> str:
    """A time as on a chess clock; from an hour on in words, and from a day on without minutes."""
    if seconds < UNITS["h"]:
        return f"{seconds // 60}:{seconds % 60:02}"
    unit = UNITS["h"] if seconds >= UNITS["d"] else UNITS["m"]
    return time_label(seconds - seconds % unit, words)
