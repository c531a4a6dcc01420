"""*More…*: the button behind which a message keeps what few people press, so that it has at most three others.

It is one button with one verb on every message (`cogs.actions.looking`), and opens a message that only its reader sees.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Rows, Screen, Section
from cogs.screens.renderer import chunks

LAST = 90
"""The place of *More…* in a row (`cogs.screens.additions`)."""


def more_button(words: Translations) -> Button:
    """Opens what is behind it."""
    return Button(words("button.more"), Press("more"))


def more_screen(
    game: str, buttons: Sequence[Button], words: Translations, *, sections: Sequence[Section] = (), below: Rows = ()
) -> Screen:
    """What is behind *More…* on a message about a game: the buttons in rows, and other rows `below`."""
    return Screen(words("more.title", game=game), tuple(sections), (*chunks(buttons), *below))
