"""What is shown of a match that rests because its place was lost, and the button by which it goes on."""

from __future__ import annotations

from bot.store.rows import Suspension
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text, Tone
from cogs.screens.renderer import LONGEST_LABEL


def suspended_screen(match_id: str, title: str, why: Suspension, words: Translations) -> Screen:
    """What a player of the match sees: why it rests and what they can do; no cards, for nothing can be played."""
    row = (resume_button(match_id, words("button.resume")), Button(words("button.resign"), Press("resign"), Tone.BAD))
    return Screen(title, (Text(words(f"suspended.{why}")),), (row,), tone=Tone.BAD)


def resume_button(match_id: str, label: str) -> Button:
    """The button that lets a match go on where it is pressed; it names the match, for lists have several."""
    return Button(label[:LONGEST_LABEL], Press("resume", 0, match_id), Tone.GOOD)
