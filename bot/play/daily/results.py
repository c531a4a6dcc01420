"""How people did in a deal of the day: worked out from the attempts that are stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.store.rows.daily import DailyAttempt

PERSON: Final = 0
"""The seat of the person in every attempt. Computers have the others, so that the deal is the same for all."""
MOST_BANDS: Final = 6
"""How many bands of moves a histogram has at most."""
_WIDTHS: Final = (1, 2, 5)
"""How wide bands are, and ten times, a hundred times as wide: so that their bounds are round numbers."""


class Ending(StrEnum):
    """How an attempt stands."""

    PLAYING = "playing"
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    RESIGNED = "resigned"
    UNFINISHED = "unfinished"
    """The day ended, or something else ended the match without a result."""


FINISHED: Final = frozenset({Ending.WON, Ending.DRAWN, Ending.LOST})
"""The attempts that were played to their end. They count for a streak and in the histogram."""
TOLD: Final = FINISHED | {Ending.RESIGNED}
"""The attempts of which the channel reads."""


def ending_of(attempt: DailyAttempt) -> Ending:
    """How an attempt stands."""
    if attempt.result is None:
        return Ending.PLAYING
    ranks = attempt.result.ranks
    if not ranks:
        return Ending.UNFINISHED
    if ranks[PERSON] > 1:
        return Ending.RESIGNED if attempt.result.kind == "resignation" else Ending.LOST
    return Ending.DRAWN if len(set(ranks)) == 1 else Ending.WON


def moves_of(attempt: DailyAttempt) -> int:
    """How many moves the person has made. To resign is none."""
    return attempt.acts - (ending_of(attempt) is Ending.RESIGNED)


def streak(days: Iterable[int], day: int) -> int:
    """How many days in a row, up to this one, are among the days on which somebody finished. It is 0 if this one is
    not."""
    finished, length = set(days), 0
    while day - length in finished:
        length += 1
    return length


@dataclass(frozen=True, slots=True)
class Band:
    """How many won, drew and lost with a number of moves from `least` to `most`, both included."""

    least: int
    most: int
    won: int
    drawn: int
    lost: int


def histogram(attempts: Sequence[DailyAttempt]) -> tuple[Band, ...]:
    """The finished attempts by the person's moves, in bands of one width; empty bands between others are kept."""
    finished = [(moves_of(each), ending_of(each)) for each in attempts if ending_of(each) in FINISHED]
    if not finished:
        return ()
    fewest, most = min(moves for moves, _ in finished), max(moves for moves, _ in finished)
    width = _width(fewest, most)
    return tuple(
        Band(
            least,
            least + width - 1,
            *[
                sum(least <= moves < least + width and ending is wanted for moves, ending in finished)
                for wanted in (Ending.WON, Ending.DRAWN, Ending.LOST)
            ],
        )
        for least in range(fewest - fewest % width, most + 1, width)
    )


def _width(fewest: int, most: int) -> int:
    """The smallest width of bands, of which at most `MOST_BANDS` reach from the fewest moves to the most."""
    scale = 1
    while True:
        for width in _WIDTHS:
            if most // (width * scale) - fewest // (width * scale) < MOST_BANDS:
                return width * scale
        scale *= 10
