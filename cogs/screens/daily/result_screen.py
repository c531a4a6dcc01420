"""What somebody who has finished a deal of the day may see before the day ends: no card, no seed, nothing of a hand."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games import game_title
from bot.scheduler import ends_at
from bot.store.rows.daily import DailyAttempt
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text, Tone
from cogs.screens.daily.standing_text import date_of, everybody, own_state, streak_text
from cogs.screens.deals.proof import proof_button


def result_screen(
    own: DailyAttempt, attempts: Sequence[DailyAttempt], streak: int, words: Translations, *, footer: str = ""
) -> Screen:
    """The reader's own result, their streak, and how everybody in the server did in the same deal."""
    state = words("daily.own_result", state=own_state(own, words))
    sections = (
        Text("\n".join(filter(None, (state, streak_text(streak, words))))),
        Text(everybody(attempts, words)),
        Text(words("daily.stays_closed", when=f"<t:{ends_at(own.day) // 1000}:R>")),
    )
    rows = ((Button(words("button.daily"), Press("daily")), proof_button(words)),)
    title = words("daily.result_title", game=game_title(own.game), date=date_of(own.day))
    return Screen(title, sections, rows, footer, Tone.GOOD)
