"""Screens of the deal of the day, which tell no card, no seed and nothing of a hand before the day ends.

They are the list of `/daily`, what somebody who has finished may see, and the one message a day and channel that says
how people did.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from bot.games import game_title
from bot.play.live_match import LiveMatch
from bot.scheduler import begins_at, ends_at
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Rule, Screen, Section, Text, Tone
from cogs.daily.deals import FINISHED, Band, Ending, ending_of, histogram, moves_of
from cogs.daily.queries import DailyAttempt, DailyDeal
from cogs.screens.presenter import Reader
from cogs.screens.renderer import chunks
from engines.deals import short_seal

SUBJECT: Final = "daily"
"""What the controls of these screens act on, in place of a match."""

MOST_NAMED: Final = 10
"""How many people the message names for each game: the latest to finish."""
MOST_SQUARES: Final = 10
"""How many squares a line of a histogram has at most."""
_SQUARES: Final = ("■", "▨", "□")
"""For those who won, drew and lost."""


@dataclass(frozen=True, slots=True)
class TodaysDeal:
    """A deal, and what the reader has made of it."""

    deal: DailyDeal
    attempt: DailyAttempt | None


def day_screen(today: Sequence[TodaysDeal], yesterday: Sequence[DailyAttempt], day: int, words: Translations) -> Screen:
    """Today's deals, and the reader's own attempts of yesterday, whose deals are open by now."""
    lines = [_deal_line(each, words) for each in today]
    opens = f"<t:{ends_at(day) // 1000}:R>"
    sections = [Text(words("daily.intro", when=opens)), Text("\n".join(lines))]
    proof = Button(words("button.proof"), Press("dailyproof"))
    rows = [*chunks([*(_play_button(each, words) for each in today), proof])]
    if yesterday:
        sections.append(Text(words("daily.yesterday")))
        rows += chunks([_look_button(each, words) for each in yesterday])
    return Screen(words("daily.title", date=date_of(day)), tuple(sections), tuple(rows))


def _deal_line(each: TodaysDeal, words: Translations) -> str:
    deal = each.deal
    level = words(f"computer.level.{deal.level}")
    return words("daily.line", game=game_title(deal.game), level=level, state=own_state(each.attempt, words))


def seals_screen(deals: Sequence[DailyDeal], day: int, words: Translations) -> Screen:
    """The seals of a day's deals, and when their seeds are shown."""
    lines = [
        words("daily.seal", game=game_title(deal.game), deal=deal.deal_id, seal=short_seal(deal.commitment))
        for deal in deals
    ]
    about = words("daily.seals", when=f"<t:{ends_at(day) // 1000}:R>")
    row = (Button(words("button.daily"), Press("daily")),)
    return Screen(words("daily.title", date=date_of(day)), (Text(about), Text("\n".join(lines))), (row,))


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


def result_screen(
    own: DailyAttempt,
    attempts: Sequence[DailyAttempt],
    streak: int,
    words: Translations,
    *,
    added: Sequence[Button] = (),
) -> Screen:
    """The reader's own result, their streak, and how everybody in the server did in the same deal. `added` are what
    other rooms offer for it."""
    state = words("daily.own_result", state=own_state(own, words))
    sections = (
        Text("\n".join(filter(None, (state, streak_text(streak, words))))),
        Text(everybody(attempts, words)),
        Text(words("daily.stays_closed", when=f"<t:{ends_at(own.day) // 1000}:R>")),
    )
    rows = ((Button(words("button.daily"), Press("daily")), *added),)
    title = words("daily.result_title", game=game_title(own.game), date=date_of(own.day))
    return Screen(title, sections, rows, tone=Tone.GOOD)


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


def look_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """Shows how somebody's attempt ended, and how everybody did."""
    return (Button(reader.words("button.daily_look"), Press("dailyend", 0, match.id), Tone.MAIN),)


def date_of(day: int) -> str:
    """A day as a date, the same for every reader: theirs may be another one by now."""
    return f"{datetime.fromtimestamp(begins_at(day) / 1000, UTC):%Y-%m-%d}"


def own_state(attempt: DailyAttempt | None, words: Translations) -> str:
    """How their own attempt stands, for the person who made it."""
    if attempt is None:
        return words("daily.state.none")
    ending = ending_of(attempt)
    if ending in FINISHED or ending is Ending.RESIGNED:
        return words.count(f"daily.state.{ending}", moves_of(attempt))
    return words(f"daily.state.{ending}")


def told_ending(attempt: DailyAttempt, name: str, streak: int, words: Translations) -> str:
    """How an attempt ended, for everybody, in a line."""
    told = words.count(f"daily.told.{ending_of(attempt)}", moves_of(attempt), player=name)
    return f"{told} {streak_text(streak, words)}".strip()


def streak_text(streak: int, words: Translations) -> str:
    """How many days in a row somebody has finished; empty for a single one."""
    return words.count("daily.streak", streak) if streak > 1 else ""


def everybody(attempts: Sequence[DailyAttempt], words: Translations) -> str:
    """How all attempts of a server at a deal ended: a histogram by moves, and how many resigned."""
    bands = histogram(attempts)
    finished = sum(band.won + band.drawn + band.lost for band in bands)
    lines = [words.count("daily.everybody", finished)] if finished else [words("daily.nobody")]
    scale = max([math.ceil((band.won + band.drawn + band.lost) / MOST_SQUARES) for band in bands], default=1)
    width = max([len(_moves(band)) for band in bands], default=0)
    lines += [_band_line(band, width, scale, words) for band in bands]
    resigned = sum(ending_of(each) is Ending.RESIGNED for each in attempts)
    if resigned:
        lines.append(words.count("daily.resigned", resigned))
    return "\n".join(lines)


def _moves(band: Band) -> str:
    return str(band.least) if band.least == band.most else f"{band.least}–{band.most}"


def _band_line(band: Band, width: int, scale: int, words: Translations) -> str:
    """A band: its moves, a square for each person (or a few of them), and the numbers."""
    numbers = band.won, band.drawn, band.lost
    squares = "".join(square * math.ceil(n / scale) for square, n in zip(_SQUARES, numbers, strict=True))
    said = ", ".join(
        words.count(f"daily.band.{ending}", n) for ending, n in zip(("won", "drawn", "lost"), numbers, strict=True) if n
    )
    return " ".join(filter(None, (f"`{_moves(band):>{width}}`", squares, said)))
