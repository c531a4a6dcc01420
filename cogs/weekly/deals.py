"""The deal of the week: which week it is, what an attempt is worth, and what a server has made of a deal.

Weeks go from Monday 00:00 to Monday 00:00, UTC. A week is named by its last day, with which its attempts end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.play.deals.tried import Ending, ending_of
from cogs.weekly.queries import WeeklyAttempt

WEEK: Final = 7
_MONDAY: Final = 3
"""What to add to a day's number for that of its weekday, 0 for Monday: 1970-01-01 was a Thursday."""
BEST: Final = 5
"""How many attempts make a server's score."""
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


def points_of(attempt: WeeklyAttempt) -> int:
    """What an attempt is worth, from 0 to 1000: a win more the fewer acts it took, and a defeat more the longer it
    was put off. Who resigned or did not finish has 0. Points are multiples of ten, so the mean of five is whole."""
    match ending_of(attempt):
        case Ending.WON:
            return max(LEAST_WIN, WIN - EACH_ACT * attempt.acts)
        case Ending.DRAWN:
            return DRAW
        case Ending.LOST:
            return min(MOST_LOSS, EACH_ACT * attempt.acts)
        case _:
            return 0


def best_first(attempts: Iterable[WeeklyAttempt]) -> list[WeeklyAttempt]:
    """The attempts that are over and count, best first; of equal ones that which was over first."""
    counted = [each for each in attempts if each.counts and each.result is not None]
    return sorted(counted, key=lambda each: (-points_of(each), each.result.ended_at if each.result else 0))


def score_of(attempts: Iterable[WeeklyAttempt]) -> int:
    """A server's score: the mean of its best five attempts that count. Those that it lacks are worth 0."""
    return sum(points_of(each) for each in best_first(attempts)[:BEST]) // BEST


@dataclass(frozen=True, slots=True)
class Standing:
    """The place of a server in the table. Those with equal scores share one."""

    place: int
    guild_id: int
    score: int


def standings(attempts: Sequence[WeeklyAttempt]) -> list[Standing]:
    """The table of the servers that these attempts were made in, as far as any of them counts and is over."""
    of_server: dict[int, list[WeeklyAttempt]] = {}
    for each in best_first(attempts):
        of_server.setdefault(each.guild_id, []).append(each)
    scores: Mapping[int, int] = {guild_id: score_of(own) for guild_id, own in of_server.items()}
    ordered = sorted(scores.values(), reverse=True)
    return sorted(
        (Standing(ordered.index(score) + 1, guild_id, score) for guild_id, score in scores.items()),
        key=lambda each: (each.place, each.guild_id),
    )
