"""The deal of the week: which week it is, and what an attempt is worth.

Weeks go from Monday 00:00 to Monday 00:00, UTC. A week is named by its last day, with which its attempts end.
"""

from __future__ import annotations

from typing import Final

from bot.play.deals.tried import AttemptState, ending_of
from bot.store.queries.attempts import Attempt

WEEK: Final = 7
_MONDAY: Final = 3
"""What to add to a day's number for that of its weekday, 0 for Monday: 1970-01-01 was a Thursday."""
WIN: Final = 1000
DRAW: Final = 500
LEAST_WIN: Final = 600
MOST_LOSS: Final = 400
EACH_ACT: Final = 10
"""What an act of one's own takes from a win, and adds to a defeat."""


def last_day(day: int) -> int:
    """The last day of the week of a day: its Sunday."""
    return day + WEEK - 1 - (day + _MONDAY) % WEEK


def first_day(last: int) -> int:
    """The first day of a week: its Monday."""
    return last - WEEK + 1


def points_of(attempt: Attempt) -> int:
    """What an attempt is worth, from 0 to 1000: a win more the fewer acts it took, and a defeat more the longer it
    was put off. Who resigned or did not finish has 0. Points are multiples of ten, so the mean of five is whole."""
    match ending_of(attempt):
        case AttemptState.WON:
            return max(LEAST_WIN, WIN - EACH_ACT * attempt.acts)
        case AttemptState.DRAWN:
            return DRAW
        case AttemptState.LOST:
            return min(MOST_LOSS, EACH_ACT * attempt.acts)
        case _:
            return 0
