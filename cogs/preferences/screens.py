"""What people see of their preferences: how cards are written, and which notices they get."""

from __future__ import annotations

from typing import Final

from bot.store.queries.people import NoticeLevel
from bot.ui.catalogue import Translations
from bot.ui.preferences import CardStyle
from bot.ui.screen import Button, Press, Screen, Section, Text, Tone, noted
from cogs.screens.cards.forms import CardForms
from engines.cards import Card, Suit

SUBJECT: Final = "preferences"
NOTIFY_SUBJECT: Final = "notify"
"""What the buttons of these screens act on, in place of a match."""
EXAMPLE_GAME: Final = "haymaker"
EXAMPLE: Final = (Card(7, Suit.SPADES), Card(12, Suit.HEARTS), Card(10, Suit.DIAMONDS))
"""Cards that show what a style looks like."""


def preferences_screen(present: CardStyle, forms: CardForms, say: Translations, note: str = "") -> Screen:
    """What somebody prefers, after a note if there is one, and what there is to choose from.

    No button has a mark, because screen readers read it out: the sentence at the top says which style applies.
    """
    sections: list[Section] = [
        *noted(" ".join(filter(None, (note, say(f"preferences.present.{present.value}"))))),
        Text(say("preferences.cards")),
    ]
    for style in CardStyle:
        label = say(f"preferences.about.{style.value}")
        sections.append(forms.of(EXAMPLE_GAME, style, say).listed(label, EXAMPLE))
    buttons = tuple(
        Button(
            say(f"preferences.button.{style.value}"),
            Press("cardstyle", 0, style.value),
            Tone.MAIN if style is present else Tone.PLAIN,
        )
        for style in CardStyle
    )
    return Screen(say("preferences.title"), tuple(sections), (buttons,), say("preferences.notify"))


def notify_screen(present: NoticeLevel, say: Translations, note: str = "", added: tuple[Button, ...] = ()) -> Screen:
    """Which level applies, after a note if there is one, a button for each level, and those that rooms have `added`.

    Every button keeps its place and its width. That of the present level is marked and stays enabled: pressing it
    again changes nothing, and the focus of a keyboard stays where it is.
    """
    told = f"{say(f'notify.level.{present}')} {say('notify.how')}"
    buttons = tuple(
        Button(
            say("notify.chosen" if level is present else "notify.other", level=say(f"notify.button.{level}")),
            Press("notify", 0, level),
            Tone.MAIN if level is present else Tone.PLAIN,
        )
        for level in NoticeLevel
    )
    rows = (buttons, added) if added else (buttons,)
    return Screen(say("notify.title"), (*noted(note), Text(told)), rows)
