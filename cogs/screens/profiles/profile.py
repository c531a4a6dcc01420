"""A profile as values: what is shown of a person in a server."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.ratings import Rating
from bot.store.rows.profiles import Opponent, PlayerRecord
from bot.store.rows.standings import Standing

MOST_OPPONENTS: Final = 3
"""How many usual opponents a profile names."""
MOST_RATINGS: Final = 100
"""How many matches a rating's curve goes back."""
MANY_OPPONENTS: Final = 10
"""How many different opponents have an award."""


class AwardKind(StrEnum):
    """What there are awards for."""

    COMEBACK = "comeback"
    """A person won a match in which they had been far behind (`comebacks`)."""
    OPPONENTS = "opponents"
    """A person has met `MANY_OPPONENTS` different opponents."""
    SEASON = "season"
    """A person was first of a season when it ended."""


@dataclass(frozen=True, slots=True)
class Award:
    """An award, and when it was earned (ms UTC): by the end of a match, or on the last day of a season. Its game where
    that matters; a season without one was over all games. `times` counts the seasons; `at` is then of the last one."""

    kind: AwardKind
    at: int
    game: str = ""
    times: int = 1


@dataclass(frozen=True, slots=True)
class GameRecord:
    """What somebody has done in a game, and how many people are ranked there; None if the place is not shown."""

    standing: Standing
    game: str
    ranked: int | None


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """Somebody's rating after each of their last matches in a game, at least two, the oldest first."""

    game: str
    ratings: tuple[Rating, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """An opponent with the name that is shown, which is safe."""

    name: str
    opponent: Opponent


@dataclass(frozen=True, slots=True)
class Profile:
    """What is shown of a person in a server, whose `name` is safe.

    `usual` are those whom they met most often: only they themselves read that. `between` is what the reader and the
    person played, if the reader is somebody else.
    """

    user_id: int
    name: str
    record: PlayerRecord
    games: tuple[GameRecord, ...] = ()
    usual: tuple[Named, ...] = ()
    between: Opponent | None = None
    awards: tuple[Award, ...] = ()
    history: RatingHistory | None = None
