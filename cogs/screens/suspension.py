"""The screen of a match that is suspended, and the button that resumes it."""

from __future__ import annotations

from typing import Final

from bot.store.queries.matches import Suspension
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text, Tone
from cogs.screens.renderer import LONGEST_LABEL

_SAFE: Final = {Suspension.BOARD_REMOVED: "suspended.safe_full"}
_WHERE: Final = dict.fromkeys((Suspension.CHANNEL_GONE, Suspension.GAVE_PLACE), "suspended.elsewhere")


def suspended_screen(
    match_id: str, title: str, why: Suspension, words: Translations, *, last: bool = False, footer: str = ""
) -> Screen:
    """What a player of the match sees: why it is suspended and what they can do. No cards: nothing can be played. While
    a moderator holds it, they can do nothing.

    `last` says that losing its place once more would end the match.
    """
    reason = Text(words(f"suspended.{why}"))
    if why is Suspension.MODERATED:
        return Screen(title, (reason,), (), footer, Tone.BAD)
    sections = [reason, Text(f"{words(_SAFE.get(why, 'suspended.safe'))}\n{words(_WHERE.get(why, 'suspended.here'))}")]
    if last:
        sections.append(Text(words("suspended.last_time")))
    row = (resume_button(match_id, words("button.resume")), Button(words("button.resign"), Press("resign"), Tone.BAD))
    return Screen(title, tuple(sections), (row,), footer, Tone.BAD)


def resume_button(match_id: str, label: str) -> Button:
    """The button that resumes a match where it is pressed. It names the match, because a list may have several."""
    return Button(label[:LONGEST_LABEL], Press("resume", 0, match_id), Tone.GOOD)
