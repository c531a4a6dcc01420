"""What people read of a tournament that is on hold, and of one that is over or was called off."""

from __future__ import annotations

from bot.ui.catalogue import Translations
from cogs.screens.time_control_text import time_label
from cogs.tournaments.rows import HELD, State, Tournament


def hold_line(tournament: Tournament, words: Translations) -> str:
    """Two lines: why no match begins, and until when it may be resumed."""
    until = words("tournament.held_until", when=f"<t:{(tournament.held_until or 0) // 1000}:R>")
    return f"{words(f'tournament.hold.{tournament.hold}')}\n{until}"


def ended_line(tournament: Tournament, words: Translations) -> str:
    """That it is over, and why if it was called off."""
    if tournament.state is State.OVER:
        return words("tournament.ended")
    if tournament.hold is not None:
        return words("tournament.given_up", time=held_label(words))
    return words("tournament.called_off")


def held_label(words: Translations) -> str:
    """How long a tournament may be on hold."""
    return time_label(HELD // 1000, words)
