"""How people did in a deal of the day, in words and as a histogram that a phone can show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from bot.play.daily import FINISHED, Band, Ending, ending_of, histogram, moves_of
from bot.scheduler import begins_at
from bot.store.rows.daily import DailyAttempt
from bot.ui.catalogue import Translations

MOST_SQUARES: Final = 10
"""How many squares a line of a histogram has at most."""
_SQUARES: Final = ("■", "▨", "□")
"""For those who won, drew and lost."""


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
    lines += [_line(band, width, scale, words) for band in bands]
    resigned = sum(ending_of(each) is Ending.RESIGNED for each in attempts)
    if resigned:
        lines.append(words.count("daily.resigned", resigned))
    return "\n".join(lines)


def _moves(band: Band) -> str:
    return str(band.least) if band.least == band.most else f"{band.least}–{band.most}"


def _line(band: Band, width: int, scale: int, words: Translations) -> str:
    """A band: its moves, a square for each person (or a few of them), and the numbers."""
    numbers = band.won, band.drawn, band.lost
    squares = "".join(square * math.ceil(n / scale) for square, n in zip(_SQUARES, numbers, strict=True))
    said = ", ".join(
        words.count(f"daily.band.{ending}", n) for ending, n in zip(("won", "drawn", "lost"), numbers, strict=True) if n
    )
    return " ".join(filter(None, (f"`{_moves(band):>{width}}`", squares, said)))
