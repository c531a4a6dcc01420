"""*More…*: the button behind which a message keeps what few people press, so that it has at most three others.

It is one button with one verb on every message (`cogs.actions.looking`), and opens a message that only its reader sees.
That has at most five buttons, too: if there is more to do, a list has what is rarest.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Rows, Screen, Section, Select
from cogs.screens.custom_ids import ACTS, write_line
from cogs.screens.renderer import IN_A_ROW

LAST = 90
"""Where *More…* is in a row (`cogs.screens.additions`)."""


def more_button(words: Translations) -> Button:
    """Opens what is behind it."""
    return Button(words("button.more"), Press("more"))


def more_screen(
    game: str, buttons: Sequence[Button], words: Translations, *, sections: Sequence[Section] = (), below: Rows = ()
) -> Screen:
    """What is behind *More…* on a message about a game: the buttons, those that few press last, and other rows
    `below`."""
    room = IN_A_ROW - sum(isinstance(each, Button) for row in below for each in row)
    return Screen(words("more.title", game=game), tuple(sections), (*_rows(buttons, room, words), *below))


def _rows(buttons: Sequence[Button], room: int, words: Translations) -> Rows:
    """A row of buttons and, if there is no room for all, a list of the others."""
    if len(buttons) <= room:
        return (tuple(buttons),)
    first, others = tuple(buttons[: room - 1]), buttons[room - 1 :]
    lines = tuple(Option(each.label, write_line(each.press)) for each in others if each.enabled)
    return (first, (Select(Press(ACTS), words("button.more"), lines),))
