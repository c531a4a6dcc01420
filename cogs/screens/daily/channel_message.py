"""The one message a day and channel that says how people did in the deals of the day. It tells nothing of the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.games import game_title
from bot.scheduler import ends_at
from bot.store.rows.daily import DailyAttempt
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Rule, Screen, Section, Text
from cogs.screens.daily.standing_text import date_of, everybody, told_ending

MOST_NAMED: Final = 10
"""How many people the message names for each game: the latest to finish."""


@dataclass(frozen=True, slots=True)
class GameOfDay:
    """A game's deal of a day: who finished it in the channel, the earliest first, and all attempts in the server."""

    game: str
    level: str
    finished: Sequence[DailyAttempt]
    attempts: Sequence[DailyAttempt]


def channel_message(
    games: Sequence[GameOfDay], day: int, streaks: Mapping[str, int], names: Mapping[int, str], words: Translations
) -> Screen:
    """The message; `streaks` are by match and `names`, which must be safe, by user."""
    sections: list[Section] = []
    for each in games:
        named = each.finished[-MOST_NAMED:]
        lines = [
            words("daily.channel_game", game=game_title(each.game), level=words(f"computer.level.{each.level}")),
            *(told_ending(tried, names[tried.user_id], streaks[tried.match_id], words) for tried in named),
        ]
        if len(each.finished) > len(named):
            lines.append(words.count("daily.others", len(each.finished) - len(named)))
        sections += [Text("\n".join(lines)), Text(everybody(each.attempts, words)), Rule()]
    sections.append(Text(words("daily.channel_closed", when=f"<t:{ends_at(day) // 1000}:R>")))
    button = Button(words("button.daily"), Press("daily", 0, str(day)))
    return Screen(words("daily.title", date=date_of(day)), tuple(sections), ((button,),))
