"""Series: matches between the same two, won by the first to win more than half of a number (ruling C-9).

A match carries what was won before it, so where a series is follows from its latest match alone.
"""

from __future__ import annotations

from typing import Final

from bot.games import GAMES
from bot.play.match_state import MatchState
from bot.play.refusals import Refused
from bot.store.queries.invitations import Series
from bot.store.queries.matches import Obstacle
from bot.time_controls import TimeControl
from engines.game import Seat

LENGTHS: Final = (3, 5)
"""Of how many matches a series can be the best."""

WAIT: Final = 24 * 3600 * 1000
SLOW_WAIT: Final = 7 * WAIT
"""How long (ms) the next match can be begun after one has ended; longer in slow play."""


def needed(best_of: int) -> int:
    """How many matches somebody has to win."""
    return best_of // 2 + 1


def first_of(match_id: str, best_of: int) -> Series | None:
    """The series as a first match begins it; None where it is a single match (best of 1)."""
    return None if best_of == 1 else Series(match_id, best_of)


def wins_with(match: MatchState) -> tuple[int, int]:
    """What the players of a match in a series have won, by seat: with this match, if it is over and was won (C-9).

    Raises RuntimeError for a match in no series.
    """
    first, second = _series(match).wins
    winner = winner_of(match)
    return first + (winner == 0), second + (winner == 1)


def winner_of(match: MatchState) -> Seat | None:
    """The seat for which a match counts in its series.

    None if it is played again: while it is not over, if nobody or both have won, if a player could not act when their
    time ran out, and if a computer played a seat on and the terms say that it then doesn't count (C-8). Unlike for the
    leaderboard, it may be short, or somebody who loses could undo it by resigning at once.
    """
    could_not_act = match.unrated is not None and match.unrated.why is not Obstacle.FIRST_MATCH
    if match.result is None or could_not_act:
        return None
    if match.holders.undone(match.result.ranks, match.stand_in):
        return None
    first = [seat for seat, rank in enumerate(match.result.ranks) if rank == 1]
    return first[0] if len(first) == 1 else None


def winner_of_series(match: MatchState) -> Seat | None:
    """Who has won the series with this match; None while it is not decided."""
    wins, enough = wins_with(match), needed(_series(match).best_of)
    return next((seat for seat, won in enumerate(wins) if won >= enough), None)


def goes_on(match: MatchState) -> bool:
    """Whether a match is over and another one of its series follows, if the players want."""
    return match.over and match.series is not None and winner_of_series(match) is None


def open_until(match: MatchState) -> int:
    """Until when (ms UTC) the next match can be begun. Raises RuntimeError for a match that is not over."""
    if match.result is None:
        raise RuntimeError("a match that is being played is followed by none")
    return match.result.ended_at + wait_of(match.time_control)


def wait_of(clock: TimeControl) -> int:
    """How long (ms) the next match can be begun, with this clock."""
    return SLOW_WAIT if clock.slow else WAIT


def following(match: MatchState, now: int) -> Series:
    """The series as the next match has it, `now` in ms UTC. The players change seats, so their wins do too.

    Raises Refused if the series is over: decided, or not continued in time.
    """
    series = _series(match)
    if not goes_on(match):
        raise Refused("series.decided")
    if now >= open_until(match):
        raise Refused("series.lapsed")
    first, second = wins_with(match)
    return Series(series.id, series.best_of, series.number + 1, (second, first), _acts_first(match))


def _acts_first(match: MatchState) -> Seat | None:
    """The seat that acts first in the match after this one; None if that is drawn, as before the deciding match of an
    even score, or if nobody acts first. It is the same seat as in this match, because the players change seats."""
    return None if draws_first(_series(match).best_of, wins_with(match)) else match.first_seat


def draws_first(best_of: int, wins: tuple[int, int]) -> bool:
    """Whether who acts first in the next match is drawn with these wins: before the deciding match of an even score."""
    return wins == (needed(best_of) - 1,) * 2


def fits_its_series(series: Series, match_id: str, game: str) -> bool:
    """Whether a match can be where it says in its series, and who acts first is drawn only where it may be (C-9)."""
    enough, begins = needed(series.best_of), series.id == match_id
    if series.best_of not in LENGTHS or begins != (series.number == 1) or max(series.wins) >= enough:
        return False
    if sum(series.wins) >= series.number:
        return False
    drawn = begins or draws_first(series.best_of, series.wins) or not GAMES[game].info.turn_clock
    return (series.first is None) == drawn


def _series(match: MatchState) -> Series:
    if match.series is None:
        raise RuntimeError("a match of no series")
    return match.series
