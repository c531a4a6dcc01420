"""The buttons of a result that lead on to another match of the same players."""

from __future__ import annotations

from bot.play.live_match import LiveMatch
from bot.play.matchmaking.series import goes_on
from bot.ui.screen import Button, Press, Tone
from cogs.screens.presenter import Reader


def play_on_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """What goes on after a match: its series, or another match of the same players."""
    if match.day is not None:
        return ()
    if goes_on(match):
        return (Button(reader.words("button.next_match"), Press("nextmatch"), Tone.GOOD),)
    return (Button(reader.words("button.rematch"), Press("rematch"), Tone.GOOD),)


def other_options_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """Another match of the same players with options that are chosen before, for one of them."""
    if match.day is not None or reader.seat is None:
        return ()
    return (Button(reader.words("button.other_options"), Press("again")),)
