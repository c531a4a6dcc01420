"""What people see of their days off, and of a pause."""

from __future__ import annotations

from typing import Final

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Rows, Screen, Text, Tone, noted
from cogs.screens.presenter import Reader

SUBJECT: Final = "away"
"""What the buttons of the screen act on, in place of a match."""


def away_screen(until: int | None, left: int, ends: int, words: Translations, note: str = "") -> Screen:
    """Until when the reader is away (None: they aren't), how many days off are left until the season `ends` (ms UTC),
    and what there is to press. The note comes first."""
    when = f"<t:{ends // 1000}:D>"
    told = [words("away.now", when=shown(until))] if until is not None else []
    told.append(words.count("away.left", left, when=when))
    days = tuple(Button(words.count("clock.days", each), Press("awayfor", 0, str(each))) for each in range(1, left + 1))
    row = (Button(words("away.back"), Press("back"), Tone.MAIN),) if until is not None else days
    rows: Rows = (row,) if row else ()
    return Screen(words("away.title"), (*noted(note), Text("\n".join(told)), Text(words("away.about"))), rows)


def shown(until: int) -> str:
    """A moment (ms UTC), as everybody sees it by their own clock."""
    return f"<t:{until // 1000}:f>"


def rest_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """Pauses a slow match by agreement, or lets it go on."""
    if not match.can_stand or match.inactive:
        return ()
    if match.rests_until is not None:
        return (Button(reader.words("button.go_on"), Press("goon")),)
    return (Button(reader.words("button.rest"), Press("rest")),)
