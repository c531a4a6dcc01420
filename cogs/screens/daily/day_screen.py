"""The list of `/daily`: today's deals with their seals, how the reader's own attempts stand, and yesterday's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.games import game_title
from bot.play.daily import Ending, ending_of
from bot.scheduler import ends_at
from bot.store.rows.daily import DailyAttempt, DailyDeal
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text, Tone
from cogs.screens.daily.standing_text import date_of, own_state
from engines.deals import short_seal

SUBJECT: Final = "daily"
"""What the controls of these screens act on, in place of a match."""
IN_A_ROW: Final = 5


@dataclass(frozen=True, slots=True)
class TodaysDeal:
    """A deal, and what the reader has made of it."""

    deal: DailyDeal
    attempt: DailyAttempt | None


def day_screen(today: Sequence[TodaysDeal], yesterday: Sequence[DailyAttempt], day: int, words: Translations) -> Screen:
    """Today's deals, and the reader's own attempts of yesterday, whose deals are open by now."""
    lines = [_line(each, words) for each in today]
    opens = f"<t:{ends_at(day) // 1000}:R>"
    sections = [Text(words("daily.intro", when=opens)), Text("\n".join(lines))]
    rows = [*_rows([_play_button(each, words) for each in today])]
    if yesterday:
        sections.append(Text(words("daily.yesterday")))
        rows += _rows([_look_button(each, words) for each in yesterday])
    return Screen(words("daily.title", date=date_of(day)), tuple(sections), tuple(rows))


def _line(each: TodaysDeal, words: Translations) -> str:
    deal = each.deal
    level = words(f"computer.level.{deal.level}")
    said = words("daily.line", game=game_title(deal.game), level=level, state=own_state(each.attempt, words))
    seal = words("deal.line", deal=deal.deal_id, seal=short_seal(deal.commitment))
    return f"{said}\n-# {seal}"


def _play_button(each: TodaysDeal, words: Translations) -> Button:
    title, press = game_title(each.deal.game), Press("dailyplay", 0, each.deal.game)
    if each.attempt is None:
        return Button(words("button.daily_play", game=title), press, Tone.GOOD)
    playing = ending_of(each.attempt) is Ending.PLAYING
    key = "button.daily_continue" if playing else "button.daily_result"
    return Button(words(key, game=title), press, Tone.MAIN if playing else Tone.PLAIN)


def _look_button(attempt: DailyAttempt, words: Translations) -> Button:
    label = words("button.daily_yesterday", game=game_title(attempt.game))
    return Button(label, Press("dailyend", 0, attempt.match_id))


def _rows(buttons: Sequence[Button]) -> list[tuple[Button, ...]]:
    return [tuple(buttons[start : start + IN_A_ROW]) for start in range(0, len(buttons), IN_A_ROW)]
